package guest

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// searching is an algorithm that searches on a problem somebody declared. The worker checks every
// better best by a whole evaluation, in a value of the problem's type that the search does not use,
// before it tells of it.
type searching struct{ *algorithm }

// starting is one that can begin at a given solution.
type starting struct{ searching }

// StartAt has the search begin at a solution.
func (a starting) StartAt(s record.Solution) { a.start = &s }

// Counts says what the search counts.
func (a searching) Counts() string { return a.of.codes[0].Hello.Counts }

// Verify finds nothing: the worker has checked the best.
func (a searching) Verify() error { return nil }

// Judge is the cost of a solution with the values that the parameters have now.
func (a searching) Judge(s record.Solution) (cost float64, err error) {
	b, err := json.Marshal(s)
	if err != nil {
		return 0, err
	}
	if err := a.here(context.Background()); err != nil {
		return 0, a.halted(err)
	}
	if b, err = a.do(wire.OpCost, b); err != nil {
		a.fire()
		return 0, a.halted(err)
	}
	return cost, json.Unmarshal(b, &cost)
}

// Ended says why the search is over.
func (a searching) Ended() (why string) {
	if !a.over {
		return ""
	}
	if a.here(context.Background()) != nil {
		return "" // the next iteration tells why
	}
	b, err := a.do(wire.OpEnded)
	if err != nil {
		a.fire()
		return ""
	}
	_ = json.Unmarshal(b, &why)
	return why
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
	return f, json.Unmarshal(b, &f)
}

// Solution is the best solution, empty when the worker cannot be had.
func (a searching) Solution() record.Solution {
	f, err := a.found()
	if err != nil {
		return record.Solution{}
	}
	return f.Solution
}

// Changed takes in new values of parameters. Where one is the problem's, the best has another
// value.
func (a searching) Changed(names []string) {
	a.algorithm.Changed(names)
	own := slices.ContainsFunc(names, func(n string) bool {
		return slices.Contains(a.of.codes[0].Hello.Own, n)
	})
	if !own || math.IsInf(a.best, 1) {
		return
	}
	a.loose = true
	if f, err := a.found(); err == nil {
		a.best = f.Value
	}
}

// Restore takes over a state.
func (a searching) Restore(r *solvers.Reader) error {
	if err := a.algorithm.Restore(r); err != nil {
		return err
	}
	if a.cur == 0 {
		return nil
	}
	// Parameters of the problem may have changed since: the best has the value that it has now.
	f, err := a.found()
	if err == nil {
		a.best = f.Value
	}
	return err
}
