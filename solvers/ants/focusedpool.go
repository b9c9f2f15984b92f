package ants

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"metalab/solvers/arith"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// Pools make focused restart, as MAX-MIN Ant System does when it stands still, without a loss of
// what was found. With pool, each cycle is followed by a pool, as in ils/queue. An iteration of it
// sends out some ants that build whole tours: city by city in random order an edge of the lists is
// drawn by visibility and by trails, which are flattened, as where trails are set back. A local
// search makes each tour a local optimum. When there are enough, they and the tour that ants change
// are crossed by edge assembly (package assembly), a generation an iteration. The ants go on from
// the best, whose new edges get trails as those that an ant brings. Each pool has twice as many
// tours as the one before. With reduced costs every second tour is searched along lists by
// quadrants without weights, as alpha-near lists lack edges.

// Purposes of draws of pools; see Variant.Layout.
const (
	purposeBuild  uint8 = 4
	purposeRing   uint8 = 5
	purposeCouple uint8 = 6
)

// focusedPool is the pool, and how far the cycle before the next one is.
type focusedPool struct {
	assembly.Pool
	plan assembly.Plan
	made int64 // iterations of the cycle; 0 without pools
	warm bool  // the first cycle is over

	merger *tours.Merger // nil until it is needed, as are all below
	spare  []int32
	plain  tours.Neighbours
	eta    []float32          // by slot: the visibility to the power of buildBeta
	weight []float32          // by slot: of an edge for ants that build
	build  [2][]*tours.Search // by worker, along the lists, and along plain
}

// For ants that build whole tours: the exponent of the visibility, the constant added to a trail,
// whose upper limit is 1, and the longest chain of exchanges of the local search. After 10 s (seed
// 1) 1 beside tours without trails is 0.16 % ahead on C10k.3, 0.01 on E10k.1, and 0.07 behind on
// V10k.0; with 1/4, where tours are more alike, it is 0.16 ahead, 0.02 and 0.10 behind.
const (
	buildBeta  = 8
	buildFlat  = 1
	buildDepth = 25
)

// cycled ends an iteration of ants that change the tour, and the cycle if it is over. It then
// combines the better parts of the tour and of the best one, and begins a pool.
func (f *focused) cycled() {
	if f.poolTours == 0 || f.cycle == 0 || f.n < leastChanged {
		return
	}
	if f.pool.made++; f.pool.made < int64(f.cycle) {
		return
	}
	f.pool.made, f.pool.warm = 0, true
	f.settle()
	if !f.held.isBest {
		f.join(f.held.best, f.held.tour)
	}
	f.pool.plan.Begin(f.poolTours, 2, f.n)
}

// join makes the better parts of two tours, of which the first is the best one, the tour that ants
// change, if it is shorter.
func (f *focused) join(best, with []int32) {
	p := &f.pool
	if p.merger == nil {
		p.merger = tours.NewMerger(f.sp)
	}
	p.spare = append(p.spare[:0], best...)
	length := f.held.bestLength + p.merger.Merge(p.spare, with)
	if length < f.held.length {
		f.adopt(p.spare, length, f.now.it)
	}
}

// poolChanged follows a change of the number of tours.
func (f *focused) poolChanged() {
	f.pool.plan.Last, f.pool.made = 0, 0
	if f.poolTours == 0 || f.cycle == 0 {
		f.pool.plan.End(true)
		f.pool.Members = nil
	}
}

// fill lets some ants build tours. The better parts of these go into the tour that ants change at
// once. When there are enough, the crossing begins.
func (f *focused) fill(ctx context.Context, p *record.Point) error {
	missing := int(f.pool.plan.Want) - 1 - len(f.pool.Members)
	fresh, err := f.built(ctx, max(0, min(missing, assembly.PoolSide)))
	if err != nil {
		return err
	}
	for _, tour := range fresh {
		f.pool.Members = append(f.pool.Members, assembly.NewMember(f.sp, tour))
		f.join(f.champion(), tour)
	}
	if missing <= len(fresh) {
		f.pool.Members = append(f.pool.Members, assembly.NewMember(f.sp, slices.Clone(f.held.tour)))
		f.pool.plan.Filled()
		f.startCrossing()
	}
	p.Evals = int64(len(fresh))
	f.tellPool(p)
	f.held.done = f.now.it
	return nil
}

// built sends out so many ants that build a tour each and make it a local optimum.
func (f *focused) built(ctx context.Context, count int) ([][]int32, error) {
	made, errs := make([][]int32, count), make([]error, count)
	f.prepare()
	at := len(f.pool.Members)
	f.env.Pool.Run(count, func(i, w int) {
		along := 0
		if f.near.Pi != nil {
			along = (at + i) % 2
		}
		var s *tours.Search
		if s, errs[i] = f.builder(along, w); errs[i] != nil {
			return
		}
		draws := arith.NewStream(f.env.Seed, uint64(f.now.it), uint32(i), purposeBuild)
		s.Watch(ctx)
		made[i] = f.sp.DrawnBoruvka(f.near, f.pool.weight, &draws)
		s.Load(made[i])
		s.PushAll()
		s.Run(f.op)
		s.Store(made[i])
		errs[i] = ctx.Err()
	})
	return made, cmp.Or(errs...)
}

// prepare makes what built needs: once the lists and workspaces, each time the weights.
func (f *focused) prepare() {
	p := &f.pool
	if f.near.Pi != nil && p.plain.K == 0 {
		p.plain = f.sp.Quadrant(f.near.K)
	}
	for len(p.build[0]) < f.env.Pool.Size() {
		p.build[0], p.build[1] = append(p.build[0], nil), append(p.build[1], nil)
	}
	if p.eta == nil {
		p.eta, p.weight = make([]float32, len(f.near.ID)), make([]float32, len(f.near.ID))
		visibility(f.sp, f.near, buildBeta, p.eta)
	}
	for at, eta := range p.eta {
		p.weight[at] = float32(eta * (buildFlat + f.t.now(at, f.now.it)))
	}
}

// builder is a workspace of a worker for a search from all cities, along the lists or, 1, plain.
func (f *focused) builder(along, worker int) (*tours.Search, error) {
	of := &f.pool.build[along][worker]
	if *of != nil {
		return *of, nil
	}
	near := f.near
	if along == 1 {
		near = f.pool.plain
	}
	set := settings(f.op)
	set.OneWay, set.Depth = false, buildDepth
	s, err := tours.NewSearch(f.sp, near, set)
	if err != nil {
		return nil, fmt.Errorf("ants: local search: %w", err)
	}
	*of = s
	return s, nil
}

// startCrossing makes the members ready to be crossed.
func (f *focused) startCrossing() { f.pool.Start(f.sp, f.env) }

// cross makes a generation. After the last ants change the best tour again.
func (f *focused) cross(ctx context.Context, p *record.Point) error {
	over, err := f.pool.Cross(ctx, f.env, &f.pool.plan, assembly.Draws{
		Seed: f.env.Seed, Iteration: f.now.it, Plan: purposeRing, Children: purposeCouple,
	})
	if err != nil {
		return err
	}
	if best := f.pool.Best(); best.Length < f.held.length {
		f.adopt(best.Tour, best.Length, f.now.it)
	}
	f.tellPool(p)
	f.held.done = f.now.it
	if over {
		f.pool.plan.End(false)
		f.pool.Members = nil
	}
	return nil
}

// tellPool writes the point of an iteration of a pool.
func (f *focused) tellPool(p *record.Point) {
	f.now.lengths = f.now.lengths[:0]
	p.IterBest, p.Mean = float64(f.held.length), float64(f.held.length)
	p.Digest = arith.Chain(0, uint64(f.held.length))
	p.Measures[measureAccepted], p.Measures[measureTaken] = 0, 0
	f.pool.Tell(p, measurePool, f.pool.plan.Stage)
}
