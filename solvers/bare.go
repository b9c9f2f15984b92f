package solvers

import (
	"context"
	"math"
	"sync/atomic"

	"metalab/datasets"
	"metalab/solvers/record"
)

// A Bare is the algorithm of a variant without a run: for a program that makes iterations for a
// run that is in another process. Its methods are called from one goroutine at a time.
type Bare struct {
	inst   datasets.Instance
	alg    Algorithm
	params *Params
	env    *Env
	head   StateHead
	point  record.Point
	counts string
}

// NewBare makes the algorithm of a variant, with the values that its parameters have on the
// instance.
func NewBare(v Variant, inst datasets.Instance) (*Bare, error) {
	alg, params, err := prepare(v, inst, "default", nil, nil)
	if err != nil {
		return nil, err
	}
	b := &Bare{inst: inst, alg: alg, params: params}
	b.head = StateHead{
		Version: stateVersion, Solver: v.Solver, Variant: v.Name, Revision: v.Revision,
		SHA256: inst.SHA256(),
	}
	if c, ok := alg.(Counter); ok {
		b.counts = c.Counts()
	}
	b.point.Measures = make([]float64, len(alg.Measures()))
	return b, nil
}

// Params are the parameters.
func (b *Bare) Params() []record.Param { return b.params.List() }

// Measures are the algorithm's measures.
func (b *Bare) Measures() []string { return b.alg.Measures() }

// Counts says what the algorithm counts as evaluations; see Counter.
func (b *Bare) Counts() string { return b.counts }

// StartsAt tells whether the algorithm can begin at a given solution.
func (b *Bare) StartsAt() bool {
	_, ok := b.alg.(Starter)
	return ok
}

// Init makes the first state, of the values of parameters and, where it is not nil, of a solution.
func (b *Bare) Init(seed uint64, vs record.Values, start *record.Solution) error {
	if err := b.params.setAll(vs); err != nil {
		return err
	}
	if s, ok := b.alg.(Starter); ok && start != nil {
		s.StartAt(start.Clone())
	}
	b.head.Seed = seed
	b.env = &Env{Seed: seed, Pool: NewPool(0), Progress: &atomic.Uint32{}}
	return b.alg.Init(b.env)
}

// Set changes parameters between two iterations.
func (b *Bare) Set(vs record.Values) error {
	before := b.params.Values()
	if err := b.params.setAll(vs); err != nil {
		return err
	}
	var changed []string
	for _, n := range sortedNames(vs) {
		if before[n] != b.params.Values()[n] {
			changed = append(changed, n)
		}
	}
	if c, ok := b.alg.(Changer); ok && len(changed) > 0 {
		c.Changed(changed)
	}
	return nil
}

// Iterate makes an iteration. The point is the Bare's own.
func (b *Bare) Iterate(ctx context.Context, it int64) (*record.Point, error) {
	p := &b.point
	p.Iter, p.IterBest, p.Mean, p.Digest, p.Evals = it, math.Inf(1), math.Inf(1), 0, 0
	err := b.alg.Iterate(ctx, it, p)
	p.Best = b.alg.Best()
	return p, err
}

// Best is the value of the best solution, and Solution a copy of it.
func (b *Bare) Best() float64 { return b.alg.Best() }

// Solution is the best solution.
func (b *Bare) Solution() record.Solution { return b.alg.Solution() }

// Ended says why the search is over; see Ender.
func (b *Bare) Ended() string {
	if e, ok := b.alg.(Ender); ok {
		return e.Ended()
	}
	return ""
}

// Snapshot returns the state.
func (b *Bare) Snapshot() ([]byte, error) {
	h := b.head
	h.Params = b.params.Values()
	w, err := newWriter(h, 0)
	if err != nil {
		return nil, err
	}
	b.alg.Snapshot(w)
	return w.bytes(), nil
}

// Restore takes over a state that Snapshot wrote.
func (b *Bare) Restore(state []byte) error {
	r, err := NewReader(state)
	if err != nil {
		return err
	}
	if err := b.alg.Restore(r); err != nil {
		return err
	}
	return r.Err()
}
