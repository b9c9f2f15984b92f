package solvers

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"metalab/datasets"
	"metalab/solvers/record"
)

// Getters of a run.

// View calls f with the algorithm between two iterations, for pictures and measures that need more
// than the history. f must change nothing and keep nothing. For a run of islands it is the
// algorithm of the island with the best solution.
func (r *Run) View(ctx context.Context, f func(Algorithm)) error {
	if f == nil {
		return errors.New("solvers: view: no function")
	}
	var wrong error
	err := r.do(ctx, func() {
		alg := r.alg
		if a, ok := alg.(*archipelago); ok {
			alg = a.leader().alg
		}
		if wrong = guard(func() { f(alg) }); wrong != nil {
			wrong = fmt.Errorf("view %s: %w", r.name, wrong)
		}
	})
	return errors.Join(err, wrong)
}

// Name returns the run's name.
func (r *Run) Name() string { return r.name }

// Counts returns the name of what Point.Evals counts, such as "tours built"; empty where the solver
// does not count.
func (r *Run) Counts() string { return r.counts }

// Instance returns the instance that the run searches on.
func (r *Run) Instance() datasets.Instance { return r.inst }

// Variant returns the algorithm that the run iterates.
func (r *Run) Variant() Variant { return r.variant }

// Seed returns the seed for the draws of the next iterations.
func (r *Run) Seed() uint64 { return r.env.Seed }

// Header returns the head of the run's record.
func (r *Run) Header() record.Header { return r.header }

// Last returns the point of the last iteration; before the first it has Iter 0 and infinite values.
// Its Best is a cost, so smaller is better. For a maximised problem it is the negative of the
// value, which [Run.Value] returns.
func (r *Run) Last() record.Point {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.last
	p.Measures = slices.Clone(p.Measures)
	return p
}

// Value converts a cost into the value of the objective: Value(Last().Best) is the best value in
// the problem's own terms, also where the problem is maximised.
func (r *Run) Value(cost float64) float64 { return SenseOf(r.inst).Value(cost) }

// State returns what the run is doing.
func (r *Run) State() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Err returns the error of a failed run.
func (r *Run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Progress returns the finished fraction of the current iteration, 0 to 1, where the algorithm
// reports it.
func (r *Run) Progress() float64 { return float64(r.progress.Load()) / (1 << 16) }

// History returns the kept points, from the first on.
func (r *Run) History() []record.Point { return r.HistorySince(0) }

// HistorySince returns the kept points after iteration i.
func (r *Run) HistorySince(i int64) []record.Point {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, _ := slices.BinarySearchFunc(r.hist.points, i+1, func(p record.Point, i int64) int {
		switch {
		case p.Iter < i:
			return -1
		case p.Iter > i:
			return 1
		}
		return 0
	})
	return slices.Clone(r.hist.points[at:])
}

// Journal returns every change that was made to the run. Its record has, in addition, the order in
// which asynchronous islands ended their epochs.
func (r *Run) Journal() []record.Change {
	r.mu.Lock()
	defer r.mu.Unlock()
	return record.Acts(r.journal)
}

// Params returns the declarations of the parameters with their present values.
func (r *Run) Params(ctx context.Context) ([]record.Param, error) {
	var out []record.Param
	err := r.do(ctx, func() { out = r.params.List() })
	return out, err
}

// Best returns the best solution. The instance's cost function computes its value again; an error
// means that the algorithm claimed another value. The Solution is empty before the first iteration.
func (r *Run) Best(ctx context.Context) (record.Best, error) {
	var b record.Best
	var err error
	if derr := r.do(ctx, func() { b, err = r.best() }); derr != nil {
		return b, derr
	}
	return b, err
}

func (r *Run) best() (record.Best, error) {
	if errors.Is(r.err, ErrWrongBest) { // what the algorithm has is not it
		return r.lastProven()
	}
	b := record.Best{Iter: r.bestIter, Value: r.alg.Best()}
	if r.last.Iter == 0 {
		return b, nil
	}
	b.Solution, b.Agent = r.alg.Solution(), r.bestAgent()
	got, err := r.cost(b.Solution)
	if err := r.judge(Claimed(SenseOf(r.inst), b.Value, got, err)); err != nil {
		return b, fmt.Errorf("%s: %w", r.name, err)
	}
	return b, nil
}
