package ants

import (
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/trail"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

func (f *focused) Best() float64 {
	if f.held.bestLength == unknown {
		return math.Inf(1)
	}
	return float64(f.held.bestLength)
}

// champion returns the best tour.
func (f *focused) champion() []int32 {
	if f.held.isBest {
		f.settle()
		return f.held.tour
	}
	return f.held.best
}

func (f *focused) Solution() record.Solution {
	if f.held.bestLength == unknown {
		return record.Solution{}
	}
	return record.Solution{Perm: f.sp.ToInstance(f.champion())}
}

// Trace returns the tour that the ants of the next iteration begin with, in the instance's
// numbering; nil before the first iteration. The ants' own tours are not kept.
func (f *focused) Trace() [][]int32 {
	if f.held.length == unknown {
		return nil
	}
	f.settle()
	return [][]int32{f.sp.ToInstance(f.held.tour)}
}

// Lengths returns the lengths of the tours that the ants of the last iteration made.
func (f *focused) Lengths() []float64 { return slices.Clone(f.now.lengths) }

// Counts implements solvers.Counter: each ant changes a part of the tour in an iteration.
func (f *focused) Counts() string { return "tours changed" }

// Trails returns the strongest trails, at most limit, and how many there are.
func (f *focused) Trails(limit int) ([]solvers.Trail, int) {
	if limit < 1 {
		return nil, 0
	}
	top := trail.NewTop(limit)
	for at, j := range f.near.ID {
		if i := int32(at / f.near.K); i < j || f.t.slot(j, i) < 0 {
			top.Offer(i, j, f.t.now(at, f.held.done))
		}
	}
	return top.List(f.sp)
}

// Snapshot implements solvers.Algorithm: "lengths" (the tour's, the best one's, the last
// iteration, whether the tour is the best), "tour", "best", the trails as value and since of
// traces, "cycle" (iterations, whether the first one is over), "pool" (see assembly.Plan) and its
// tours, each a "member".
func (f *focused) Snapshot(w *solvers.Writer) {
	f.settle()
	best := int64(0)
	if f.held.isBest {
		best = 1
	}
	w.Int64s("lengths", f.held.length, f.held.bestLength, f.held.done, best)
	w.Int32s("tour", f.held.tour)
	w.Int32s("best", f.champion())
	w.Float32s("value", f.t.value)
	w.Int32s("since", f.t.since)
	warm := int64(0)
	if f.pool.warm {
		warm = 1
	}
	w.Int64s("cycle", f.pool.made, warm)
	w.Int64s("pool", f.pool.plan.Head(len(f.pool.Members))...)
	for i := range f.pool.Members {
		w.Int32s("member", f.pool.Members[i].Tour)
	}
}

func (f *focused) Restore(r *solvers.Reader) error {
	v := r.Int64s("lengths", 4)
	tour, best := r.Int32s("tour", f.n), r.Int32s("best", f.n)
	x, ok := r.Params["candidates"].Float()
	if !ok {
		return fmt.Errorf("ants: the state has no parameter candidates: %w", solvers.ErrState)
	}
	k := max(0, min(int(x), f.n-1))
	value, since := r.Float32s("value", f.n*k), r.Int32s("since", f.n*k)
	if r.Err() != nil {
		return r.Err()
	}
	if v[0] != unknown {
		for _, t := range [][]int32{tour, best} {
			if err := datasets.CheckPermutation(t, f.n); err != nil {
				return fmt.Errorf("ants: a tour of the state: %w: %w", err, solvers.ErrState)
			}
		}
	}
	if err := f.restorePool(r); err != nil {
		return err
	}
	f.held.length, f.held.bestLength, f.held.done, f.held.isBest = v[0], v[1], v[2], v[3] == 1
	copy(f.held.tour, tour)
	copy(f.held.best, best)
	f.held.moved, f.now.lengths = false, nil
	for _, w := range f.work {
		w.ready = false
	}
	lists, ok := r.Params["lists"].Word()
	if !ok {
		lists = f.lists
	}
	if k == f.near.K && lists == f.lists {
		copy(f.t.value, value)
		copy(f.t.since, since)
		return nil
	}
	f.carry(f.list(k, lists), value, since)
	return nil
}

// restorePool reads the cycle and the pool.
func (f *focused) restorePool(r *solvers.Reader) error {
	cycle, head := r.Int64s("cycle", 2), r.Int64s("pool", 6)
	if r.Err() != nil {
		return r.Err()
	}
	plan, err := assembly.PlanOf(head)
	if err != nil {
		return fmt.Errorf("ants: %w", err)
	}
	if cycle[0] < 0 || cycle[1] != 0 && cycle[1] != 1 {
		return fmt.Errorf("ants: a state with a cycle %v: %w", cycle, solvers.ErrState)
	}
	var members []assembly.Member
	for range head[5] {
		tour := r.Int32s("member", f.n)
		if r.Err() != nil {
			return r.Err()
		}
		if err := datasets.CheckPermutation(tour, f.n); err != nil {
			return fmt.Errorf("ants: a tour of the state's pool: %w: %w", err, solvers.ErrState)
		}
		members = append(members, assembly.NewMember(f.sp, tour))
	}
	f.pool.plan, f.pool.Members = plan, members
	f.pool.made, f.pool.warm = cycle[0], cycle[1] == 1
	if plan.Stage > assembly.Filling {
		f.startCrossing()
	}
	same := func(name string, now int) bool {
		was, ok := r.Params[name].Float()
		return now > 0 && (!ok || int(was) == now)
	}
	if !same("pool", f.poolTours) || !same("cycle", f.cycle) {
		f.poolChanged()
	}
	return nil
}

// carry takes over trails on other lists: edges on both lists keep theirs. Edges of the tour that
// had no trail begin as if they came to the tour now.
func (f *focused) carry(near tours.Neighbours, value []float32, since []int32) {
	old := newTraces(f.sp, near)
	copy(old.value, value)
	copy(old.since, since)
	f.t.begin()
	for c := range int32(f.n) {
		for s, j := range f.near.Of(c) {
			from := old.slot(c, j)
			if from < 0 {
				from = old.slot(j, c)
			}
			if at := int(c)*f.near.K + s; from >= 0 {
				f.t.value[at], f.t.since[at] = old.value[from], old.since[from]
			}
		}
	}
	if f.held.length == unknown {
		return
	}
	for i, c := range f.held.tour {
		next := f.held.tour[(i+1)%f.n]
		if old.slot(c, next) < 0 && old.slot(next, c) < 0 {
			f.t.on(c, next, f.held.done)
		}
	}
}

// Close has nothing to free.
func (f *focused) Close() {}
