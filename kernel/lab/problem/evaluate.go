package problem

import (
	"fmt"
	"strings"

	"metalab/kernel/lab/front"
	"metalab/solvers/moves"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

func init() { front.Evaluate(newEvaluator) }

// evaluator evaluates for a user's own solver. The check of the solver's best has values of the
// problem's type that the solver does not use.
type evaluator struct {
	of     front.Problem
	search *own.Problem
	judge  *own.Problem
	names  []string
	nbs    []moves.Neighbourhood
	lent   []*own.Value
}

func newEvaluator(of front.Problem) (front.Evaluator, error) {
	e := &evaluator{of: of}
	var err error
	for _, p := range []**own.Problem{&e.search, &e.judge} {
		if *p, err = own.New(of.Name, of.Form, of.Make); err != nil {
			return nil, err
		}
	}
	w, err := moves.On(e.search)
	if err != nil {
		return nil, err
	}
	e.nbs = w.Neighbourhoods()
	for _, nb := range e.nbs {
		e.names = append(e.names, nb.Name())
	}
	return e, nil
}

// Give sets parameters of the problem.
func (e *evaluator) Give(vs record.Values) {
	set := func(v any) { e.of.Set(v, vs) }
	e.search.Prepare(set)
	e.judge.Prepare(set)
	for _, v := range e.lent {
		v.Refresh()
	}
}

// Value is a new value of the problem's type.
func (e *evaluator) Value() (any, error) {
	v, err := e.search.Value()
	if err != nil {
		return nil, err
	}
	e.lent = append(e.lent, v)
	return v.Raw(), nil
}

// Cost is the cost of a solution.
func (e *evaluator) Cost(s record.Solution) (float64, error) { return e.search.CostOf(s) }

// Judge is the cost of a solution.
func (e *evaluator) Judge(s record.Solution) (float64, error) { return e.judge.CostOf(s) }

// Neighbourhoods are their names.
func (e *evaluator) Neighbourhoods() []string { return e.names }

// Walk is a solution with its neighbours.
func (e *evaluator) Walk(neighbourhood string) (front.Walk, error) {
	for k, name := range e.names {
		if name != neighbourhood {
			continue
		}
		w, err := moves.On(e.search)
		return &walk{w, e.nbs[k], e.search, e.search.Generation()}, err
	}
	return nil, fmt.Errorf("%s has no neighbourhood %q; there are %s", e.of.Name, neighbourhood,
		strings.Join(e.names, ", "))
}

// walk is a solution with the neighbours of one neighbourhood.
type walk struct {
	moves.Walk
	nb         moves.Neighbourhood
	p          *own.Problem
	generation int64 // of the parameters under which the solution was loaded
}

// fresh evaluates the solution anew where parameters of the problem have changed.
func (w *walk) fresh() {
	if g := w.p.Generation(); w.generation != g {
		w.generation = g
		if err := w.Walk.Load(w.Walk.Solution()); err != nil {
			panic(err)
		}
	}
}

func (w *walk) Cost() float64 {
	w.fresh()
	return w.Walk.Cost()
}

func (w *walk) Size() int { return int(w.nb.Size()) }

func (w *walk) Delta(k int) float64 {
	w.fresh()
	return w.Walk.Delta(w.nb.Move(int64(k)))
}

func (w *walk) Apply(k int) {
	w.fresh()
	w.Walk.Apply(w.nb.Move(int64(k)))
}
