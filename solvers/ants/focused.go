package ants

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/local"
	"metalab/solvers/arith"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// Values of take (whose changes go into the tour) and of change (how ants change it).
const (
	takeAll  = "all"
	takeBest = "best"

	changeBridge   = "bridge"
	changeRelocate = "relocate"

	listAlpha = "alpha" // of lists; else local.Quadrant
)

// focused is the ant algorithm whose ants change a tour in a few places, after R. Skinderowicz,
// Improving Ant Colony Optimization efficiency for solving large TSP instances, Applied Soft
// Computing 120, 2022, doi:10.1016/j.asoc.2022.108653.
//
// As there, an ant begins with a good tour, brings at least min_new edges to it that trails and
// visibility choose, and improves it by a local search that begins at their ends only. It differs
// from the paper in these points. An ant costs what it changes, not the number of cities: it works
// on its goroutine's copy of the tour and takes its changes back. With take=all an iteration makes
// the changes of all ants that did not make the tour longer (or only by less than a random limit)
// and not those of one ant: the greatest gain first, each if it still fits. With change=bridge the
// edges come by double bridges, which the chains of local_search=oropt cannot take back as easily
// as the paper's relocations. Trails are those of the type traces: all edges of the tour are
// strengthened in each iteration, and so are, by the parameter credit, the new edges of ants whose
// tours were hardly longer. Lists are by default of alpha-near neighbours. With pool, ants also
// build tours of their own, which are crossed with the one that ants change; see focusedPool. The
// preset paper is close to the published algorithm.
type focused struct {
	focusedParams

	inst *datasets.TSP
	env  *solvers.Env
	sp   *tours.Space
	near tours.Neighbours
	n    int
	t    *traces
	op   tours.Operator

	held focusedTour

	work    []*changer // by worker
	results []outcome  // by ant
	order   []int32    // ants whose changes were accepted
	redo    func(i, worker int)
	walkAnt func(ant, worker int)

	now  focusedIteration
	pool focusedPool
}

// focusedParams are the parameters; see Declare.
type focusedParams struct {
	ants, minNew, reach       int
	cycle, poolTours          int
	alpha, beta, rho, pBest   float64
	temperature, credit       float64
	take, localSearch, change string
	lists                     string
	candidates                int
	given                     []int32 // the start, in the instance's numbers; nil: one of short edges
}

// focusedTour is the state that Snapshot writes, without the trails.
type focusedTour struct {
	tour       []int32 // the tour that ants change, where no workspace holds a newer one
	length     int64   // of it; unknown before the first iteration
	best       []int32 // the best tour
	bestLength int64
	done       int64 // the last finished iteration
	isBest     bool  // the tour is the best one, which best need not hold then
	moved      bool  // the workspaces hold a newer tour than tour
}

// focusedIteration is what the current iteration needs.
type focusedIteration struct {
	it       int64
	scale    float64 // of the random limits of what is accepted
	nearly   int64   // the greatest change of length with which an ant's edges get credit
	ctx      context.Context
	cut      atomic.Bool
	finished atomic.Int64
	taken    []int32   // ants whose changes went into the tour
	lengths  []float64 // of the ants' tours, after the iteration
}

// changer is the workspace of one goroutine: its copy of the tour.
type changer struct {
	local *tours.Search
	ready bool // it holds the tour
	w     []float32
}

// outcome is what an ant made of the tour.
type outcome struct {
	change   int64 // of the length
	accepted bool
	log      []tours.Exchange
	gone     []uint64 // edges that only the tour before has; see pair
	came     []uint64 // edges that only the ant's tour has
	hash     uint64
}

func newFocused(inst datasets.Instance) (solvers.Algorithm, error) {
	t, err := asTSP(inst)
	if err != nil {
		return nil, err
	}
	f := &focused{
		inst: t, held: focusedTour{length: unknown, bestLength: unknown},
	}
	focusedBest(f)
	return f, nil
}

// StartAt sets the tour that the first iteration improves to a local optimum, in place of one made
// by Boruvka.
func (f *focused) StartAt(s record.Solution) { f.given = s.Perm }

func (f *focused) Init(env *solvers.Env) error {
	f.env = env
	var err error
	if f.sp, err = tours.NewSpace(f.inst); err != nil {
		return err
	}
	f.n = f.sp.N
	switch f.localSearch {
	case local.TwoOpt:
		f.op = tours.TwoOpt
	case local.FullOpt:
		f.op = tours.ThreeOpt
	default:
		f.op = tours.OrOpt
	}
	f.near = f.list(f.candidates, f.lists)
	f.t = newTraces(f.sp, f.near)
	f.rule()
	f.t.begin()
	f.held.tour, f.held.best = make([]int32, f.n), make([]int32, f.n)
	f.walkAnt = f.walk
	f.redo = func(i, _ int) {
		w := f.work[i]
		for _, k := range f.now.taken {
			w.local.Redo(f.results[k].log)
		}
	}
	return f.staff(1)
}

// list makes lists of neighbours of a kind.
func (f *focused) list(k int, kind string) tours.Neighbours {
	if kind == listAlpha {
		return f.sp.Alpha(k)
	}
	return f.sp.Quadrant(k)
}

// settings are those of a local search after an ant's changes. Chains of oropt are those of
// ils/queue.
func settings(op tours.Operator) tours.Settings {
	set := tours.DefaultSettings()
	if op == tours.OrOpt {
		set.Depth, set.Strict, set.Once, set.Ends, set.OneWay = 12, true, true, true, true
	}
	return set
}

// staff makes the missing workspaces, and loads the tour into all of them.
func (f *focused) staff(size int) error {
	for len(f.work) < size {
		s, err := tours.NewSearch(f.sp, f.near, settings(f.op))
		if err != nil {
			return fmt.Errorf("ants: local search: %w", err)
		}
		s.Canonical()
		f.work = append(f.work, &changer{local: s, w: make([]float32, f.near.K)})
	}
	return nil
}

func (f *focused) Changed(names []string) {
	f.rule()
	if slices.Contains(names, "pool") || slices.Contains(names, "cycle") {
		f.poolChanged()
	}
}

func (f *focused) rule() { f.t.rule(f.alpha, f.beta, f.rho, f.pBest, f.held.done) }

func (f *focused) Iterate(ctx context.Context, it int64, p *record.Point) error {
	f.now.it, f.now.ctx = it, ctx
	f.now.cut.Store(false)
	f.now.finished.Store(0)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.staff(f.env.Pool.Size()); err != nil {
		return err
	}
	switch {
	case f.held.length == unknown:
		return f.first(ctx, p)
	case f.pool.plan.Stage == assembly.NoPool:
		return f.changes(ctx, p)
	case f.pool.plan.Stage == assembly.Filling:
		return f.fill(ctx, p)
	}
	return f.cross(ctx, p)
}

// changes makes an iteration in which ants change the tour.
func (f *focused) changes(ctx context.Context, p *record.Point) error {
	it := f.now.it
	for _, w := range f.work {
		if !w.ready {
			f.settle()
			w.local.Load(f.held.tour)
			w.ready = true
		}
	}
	for len(f.results) < f.ants {
		f.results = append(f.results, outcome{})
	}
	edge := float64(f.held.length) / float64(f.n)
	f.now.scale = float64(f.heat(it) * math.Ln2 * edge) // -ln u is -log2 u ln 2
	f.now.nearly = 0
	if f.credit > 0 {
		f.now.nearly = int64(edge * 0.5)
	}
	f.env.Pool.Run(f.ants, f.walkAnt)
	if f.now.cut.Load() {
		return ctx.Err()
	}
	f.merge(p)
	f.held.done = it
	f.cycled()
	p.IterBest = min(p.IterBest, float64(f.held.length))
	if it%trailsEvery == 0 {
		f.settle()
		p.Digest = arith.Chain(p.Digest, arith.HashPerm(f.held.tour))
		p.Digest = arith.Chain(p.Digest, f.t.hash(it))
	}
	return nil
}

// heat is the temperature of an iteration: it falls from its value to 0 in cycles. Without pools
// each is twice as long as the one before, so at any time the last one that ended is a large part
// of all iterations. With pools all have the same length, and the first, in which tours that only
// become shorter are ahead, has none.
func (f *focused) heat(it int64) float64 {
	switch {
	case f.cycle == 0:
		return f.temperature
	case f.poolTours > 0 && !f.pool.warm:
		return 0
	case f.poolTours > 0:
		return f.temperature * (1 - float64(f.pool.made)/float64(f.cycle))
	}
	at, length := it-1, int64(f.cycle)
	for at >= length {
		at -= length
		length *= 2
	}
	return f.temperature * (1 - float64(at)/float64(length))
}

// first makes the first tour and brings it to a local optimum.
func (f *focused) first(ctx context.Context, p *record.Point) error {
	var tour []int32
	if f.given != nil {
		tour = f.sp.FromInstance(f.given)
	} else {
		tour = f.sp.Boruvka(f.near)
	}
	l := f.sp.Length(tour)
	w := f.work[0]
	w.local.Load(tour)
	w.local.PushAll()
	for !w.local.RunSome(f.op, 1<<14) {
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	f.held.length, f.held.isBest, f.held.moved = l-w.local.Gain(), true, true
	w.ready = true
	f.settle()
	f.held.bestLength = f.held.length
	for i, c := range f.held.tour {
		f.t.on(c, f.held.tour[(i+1)%f.n], f.now.it)
	}
	p.IterBest, p.Mean, p.Evals = float64(f.held.length), float64(f.held.length), 1
	p.Digest = arith.HashPerm(f.held.tour)
	f.held.done = f.now.it
	return nil
}

// settle writes the tour of the workspaces to tour, from city 0 on in the direction of the smaller
// of its two neighbours.
func (f *focused) settle() {
	if !f.held.moved {
		return
	}
	s := f.work[0].local
	dir := int32(1)
	if s.Step(0, -1) < s.Step(0, 1) {
		dir = -1
	}
	for i, c := 0, int32(0); i < f.n; i++ {
		f.held.tour[i] = c
		c = s.Step(c, dir)
	}
	f.held.moved = false
}

// merge makes the accepted changes of the ants to the tour, the greatest gain first, each if it
// still fits the tour as it then is. Then it notes which edges came and went, for learn.
func (f *focused) merge(p *record.Point) {
	f.order, f.now.taken = f.order[:0], f.now.taken[:0]
	var digest uint64
	least, sum := int64(math.MaxInt64), int64(0)
	for k := range f.results[:f.ants] {
		r := &f.results[k]
		least = min(least, r.change)
		sum += r.change
		digest = arith.Chain(digest, r.hash)
		if r.accepted {
			f.order = append(f.order, int32(k))
		}
	}
	f.now.lengths = f.now.lengths[:0]
	for k := range f.results[:f.ants] {
		f.now.lengths = append(f.now.lengths, float64(f.held.length+f.results[k].change))
	}
	p.Mean = float64(f.held.length) + float64(sum)/float64(f.ants)
	p.IterBest = float64(f.held.length + least)
	p.Evals = int64(f.ants)
	slices.SortFunc(f.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(f.results[a].change, f.results[b].change), cmp.Compare(a, b))
	})
	if f.take == takeBest && len(f.order) > 1 {
		f.order = f.order[:1]
	}
	s := f.work[0].local
	for _, k := range f.order {
		r := &f.results[k]
		if r.change > 0 && (f.held.isBest || f.held.length < f.held.bestLength) {
			f.settle() // the best tour is left
			copy(f.held.best, f.held.tour)
			f.held.bestLength, f.held.isBest = f.held.length, false
		}
		if !s.Redo(r.log) {
			continue
		}
		f.held.moved = true
		f.held.length += r.change
		f.now.taken = append(f.now.taken, k)
	}
	f.env.Pool.Run(len(f.work)-1, func(i, w int) { f.redo(i+1, w) })
	if f.held.length < f.held.bestLength {
		f.held.bestLength, f.held.isBest = f.held.length, true
	}
	f.learn()
	p.IterBest = min(p.IterBest, float64(f.held.length))
	p.Mean = max(p.Mean, p.IterBest)
	p.Digest = arith.Chain(digest, uint64(f.held.length))
	p.Measures[measureAccepted] = float64(len(f.order)) / float64(f.ants)
	p.Measures[measureTaken] = float64(len(f.now.taken)) / float64(f.ants)
	p.Measures[measurePool] = 0
}

// learn updates the trails.
func (f *focused) learn() {
	for _, k := range f.now.taken {
		r := &f.results[k]
		for _, e := range r.gone {
			f.t.off(int32(e>>32), int32(uint32(e)), f.now.it)
		}
		for _, e := range r.came {
			f.t.on(int32(e>>32), int32(uint32(e)), f.now.it)
		}
	}
	if f.credit > 0 {
		for k := range f.results[:f.ants] {
			for _, e := range f.results[k].came {
				f.t.add(int32(e>>32), int32(uint32(e)), f.now.it, float32(f.credit))
			}
		}
	}
}
