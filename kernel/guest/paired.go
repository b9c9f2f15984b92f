package guest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// paired is a declared solver on a declared problem: its worker has the code of both, and checks
// every better best by a value of the problem's type that the solver does not use.
type paired struct{ *algorithm }

// declaredBy is the algorithm of a declared solver; nil: alg is none.
func declaredBy(alg solvers.Algorithm) *algorithm {
	switch a := alg.(type) {
	case *algorithm:
		return a
	case paired:
		return a.algorithm
	}
	return nil
}

// solvedBy makes a declared solver's algorithm on the problem.
func (in *Instance) solvedBy(solver string) (solvers.Algorithm, error) {
	in.session.mu.Lock()
	of := in.session.solvers[solver]
	in.session.mu.Unlock()
	if of == nil {
		return nil, fmt.Errorf("no solver of your own is called %s in this session", solver)
	}
	_, params, _ := of.view()
	if err := in.distinct(solver, params); err != nil {
		return nil, err
	}
	a := newAlgorithm(of, in)
	a.on = in
	return paired{a}, nil
}

// distinct returns an error where a solver's parameter has the name of one of the problem's.
func (in *Instance) distinct(solver string, params []record.Param) error {
	for _, p := range params {
		if slices.Contains(in.code.Hello.Own, p.Name) {
			return fmt.Errorf("%s has a parameter %s, and so has %s: give one of them another name",
				in.name, p.Name, solver)
		}
	}
	return nil
}

// with is a code of a declared solver with a program that has the problem too, compiled when it is
// first asked for.
func (in *Instance) with(ctx context.Context, solver string, c *Code) (*Code, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	key := solver + "/" + c.ID
	if p := in.paired[key]; p != nil {
		return p, nil
	}
	if c.Source == "" {
		return nil, fmt.Errorf("the source of %s could not be had, and to search on %s, a problem of "+
			"your own, it is compiled together with that", solver, in.name)
	}
	if err := in.distinct(solver, c.Hello.Params); err != nil {
		return nil, err
	}
	text, err := together(&sourced{in.name, in.code.Source}, &sourced{solver, c.Source})
	if err != nil {
		return nil, err
	}
	p := *c
	p.lines = linesOf(text)
	if p.Program, p.SHA256, err = in.session.program(ctx, text, false, link); err != nil {
		return nil, fmt.Errorf("%s together with %s: %w", solver, in.name, err)
	}
	in.paired[key] = &p
	return &p, nil
}

// find is the code with a name, with the program that the run's worker is.
func (a *algorithm) find(ctx context.Context, id string) (*Code, error) {
	c := a.of.code(id)
	if c == nil {
		return nil, fmt.Errorf("there is no code %s of %s in this session", id, a.of.name)
	}
	if a.on == nil {
		return c, nil
	}
	return a.on.with(ctx, a.of.name, c)
}

// checked tells whether the worker checks its best solutions itself, for the host has not the code
// of the problem.
func (a *algorithm) checked() bool { return a.problem != nil || a.on != nil }

// ofProblem are the names of the parameters that are the problem's.
func (a *algorithm) ofProblem() []string {
	switch {
	case a.on != nil:
		return a.on.code.Hello.Own
	case a.problem != nil:
		return a.of.codes[0].Hello.Own
	}
	return nil
}

// Verify finds nothing: the worker has checked the best.
func (a paired) Verify() error { return nil }

// Judge is the cost of a solution with the values that the parameters have now.
func (a paired) Judge(s record.Solution) (cost float64, err error) { return a.judge(s) }

// Changed applies new values of parameters. If one belongs to the problem, the best gets another
// value.
func (a paired) Changed(names []string) {
	a.algorithm.Changed(names)
	a.revalued(names)
}

// Restore reads a state.
func (a paired) Restore(r *solvers.Reader) error {
	if err := a.algorithm.Restore(r); err != nil {
		return err
	}
	return a.restored()
}

// found is the best solution that the worker has.
func (a *algorithm) found() (f wire.WorkerFound, err error) {
	if err := a.here(context.Background()); err != nil {
		return f, err
	}
	b, err := a.do(wire.OpBest)
	if err != nil {
		a.fire()
		return f, err
	}
	return a.readFound(b)
}

// revalued takes the best's new value where a parameter of the problem has changed.
func (a *algorithm) revalued(names []string) {
	own := slices.ContainsFunc(names, func(n string) bool {
		return slices.Contains(a.ofProblem(), n)
	})
	if !own || math.IsInf(a.best, 1) {
		return
	}
	a.loose = true
	if f, err := a.found(); err == nil {
		a.best = f.Value
	}
}

// restored takes the best's value: parameters of the problem may have changed since the state was
// written.
func (a *algorithm) restored() error {
	if a.cur == 0 {
		return nil
	}
	f, err := a.found()
	if err == nil {
		a.best = f.Value
	}
	return err
}
