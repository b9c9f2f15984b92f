package ants

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/rounds"
	"metalab/solvers/tours"
)

// colony is what the algorithms share: the instance prepared, the trails, the ants'
// tours, the local search and the best tour.
type colony struct {
	common
	inst *datasets.TSP
	scan bool // ants choose by shares; see stroll.go
	env  *solvers.Env

	sp   *tours.Space
	far  *compass
	t    *trails
	nn   int64 // length of the nearest-neighbour tour from city 0; at least 1
	n    int
	work []*worker        // by worker of the pool
	near tours.Neighbours // of the local search
	back tours.Neighbours // of an asymmetric instance: see inward

	// By ant.
	tours   []int32 // ants x n, in internal numbers
	lengths []int64
	falls   []int32 // choices that the candidates could not make
	hashes  []uint64
	traced  int // ants whose tours are those of the last iteration

	best       []int32
	bestLength int64 // unknown: none yet
	branch     float64

	// Of the iteration under way.
	it         int64
	ctx        context.Context
	givable    bool        // the iteration may be given up
	cut        atomic.Bool // an ant saw the end of ctx
	finished   atomic.Int64
	walkAnt    func(ant, worker int)
	strollGang func(group, worker int)
	improveAnt func(ant, worker int)

	localShare    float64
	ranked        []int32 // ants by length
	improveRanked func(rank, worker int)

	racing // of variants that race

	next, prev []int32 // the best tour's neighbours of each city, when there is one and a local search
}

// worker is scratch of one goroutine.
type worker struct {
	seen   []uint8
	cum    []float32
	rest   rest
	local  *tours.Search // of these three at most one is not nil
	oneWay *oneWay       // for asymmetric instances
	rounds *rounds.Polisher

	strolls []stroll
	sums    [mostShares]uint32
	dirty   []int32
}

// common are the parameters of all algorithms.
type common struct {
	ants        int
	beta        float64
	candidates  int
	storage     string
	localSearch string
}

// prepare makes everything but the trails' values.
func (c *colony) prepare(env *solvers.Env, alpha float64) error {
	sp, err := tours.NewSpace(c.inst)
	if err != nil {
		return err
	}
	c.env, c.sp, c.n = env, sp, sp.N
	if err := c.checkLocal(); err != nil {
		return err
	}
	l, err := newLists(sp, c.candidates)
	if err != nil {
		return err
	}
	if c.t, err = newTrails(sp, l, c.storage, alpha, c.beta); err != nil {
		return err
	}
	c.far = newCompass(sp, l)
	c.nn = max(1, c.far.nearestTour(l))
	c.best, c.bestLength = make([]int32, c.n), unknown
	if c.scan && l.k <= mostShares && c.n <= 1<<16 {
		c.t.share, c.t.short = make([]uint32, len(l.id)), make([]uint16, len(l.id))
		for i, id := range l.id {
			c.t.short[i] = uint16(id)
		}
	}
	c.walkAnt, c.improveAnt, c.strollGang, c.improveRanked = c.walk, c.improve, c.strolls, c.improveRank
	c.resize()
	return nil
}

// resize makes room for the ants.
func (c *colony) resize() {
	if want := c.ants * c.n; cap(c.tours) < want {
		c.tours = make([]int32, want)
	}
	c.tours = c.tours[:c.ants*c.n]
	if cap(c.lengths) < c.ants {
		c.lengths, c.falls, c.hashes = make([]int64, c.ants), make([]int32, c.ants), make([]uint64, c.ants)
	}
	c.lengths, c.falls, c.hashes = c.lengths[:c.ants], c.falls[:c.ants], c.hashes[:c.ants]
	c.traced = 0
}

// staff makes scratch for as many workers as the pool has.
func (c *colony) staff() error {
	for len(c.work) < c.env.Pool.Size() {
		w := &worker{seen: make([]uint8, c.n), cum: make([]float32, c.t.stride/4), strolls: make([]stroll, 0, gang)}
		if c.localSearch != localNone {
			if err := c.equip(w); err != nil {
				return err
			}
		}
		c.work = append(c.work, w)
	}
	return nil
}

// tour is the tour of an ant.
func (c *colony) tour(ant int) []int32 { return c.tours[ant*c.n : ant*c.n+c.n] }

// begin prepares iteration it.
func (c *colony) begin(ctx context.Context, it int64) error {
	c.it, c.ctx, c.traced, c.givable = it, ctx, 0, true
	c.cut.Store(false)
	c.finished.Store(0)
	return c.staff()
}

// stopped looks whether the iteration is to be given up.
func (c *colony) stopped() bool {
	if c.cut.Load() {
		return true
	}
	if c.ctx.Err() != nil {
		c.cut.Store(true)
		return true
	}
	return false
}

// progress tells how far the iteration is: part of all that is to be done.
func (c *colony) progress(part, all int64) {
	if c.env.Progress != nil {
		c.env.Progress.Store(uint32(part * (1 << 16) / max(1, all)))
	}
}

// glance is how many choices are made between two looks at the context.
const glance = 1 << 15

// walk makes the tour of one ant from trails that no one changes meanwhile.
func (c *colony) walk(ant, worker int) {
	if c.stopped() {
		return
	}
	w, t := c.work[worker], c.t
	clear(w.seen)
	w.rest.done = 0
	tour, seen := c.tour(ant), w.seen
	d := newDraws(c.env.Seed, c.it, ant)
	city := int32(arith.Below(d.word(0), c.n))
	tour[0] = city
	seen[city] = 1
	var length int64
	falls := int32(0)
	for p := 1; p < len(tour); p++ {
		if p%glance == 0 && c.stopped() {
			return
		}
		if s := t.roulette(city, seen, w.cum, arith.Unit32(d.word(p))); s >= 0 {
			city = t.id[s]
			length += int64(t.dist[s])
		} else {
			to, _ := t.fallback(city, c.far, seen, &w.rest, tour[:p])
			length += int64(c.sp.D(city, to))
			city = to
			falls++
		}
		tour[p] = city
		seen[city] = 1
	}
	c.falls[ant] = falls
	c.lengths[ant] = length + c.closing(tour)
	if c.localShare == 1 {
		c.improve(ant, worker)
	}
	c.hashes[ant] = arith.HashPerm(tour)
	c.progress(c.finished.Add(1), int64(c.ants))
}

// closing is the length of the way back.
func (c *colony) closing(tour []int32) int64 {
	if c.n < 2 {
		return 0
	}
	return int64(c.sp.D(tour[c.n-1], tour[0]))
}

// finish takes the iteration's tours over: it writes the point and keeps the best tour. It
// returns the iteration's best ant.
func (c *colony) finish(p *record.Point) int {
	at := 0
	var sum, falls int64
	var digest uint64
	for k, l := range c.lengths {
		if l < c.lengths[at] {
			at = k
		}
		sum += l
		falls += int64(c.falls[k])
		digest = arith.Chain(digest, c.hashes[k])
	}
	c.traced = c.ants
	p.Evals = int64(c.ants)
	p.IterBest = float64(c.lengths[at])
	p.Mean = max(p.IterBest, float64(sum)/float64(c.ants))
	p.Digest = digest
	p.Measures[1] = float64(falls) / float64(int64(c.ants)*int64(max(1, c.n-1)))
	if c.lengths[at] < c.bestLength {
		c.bestLength = c.lengths[at]
		copy(c.best, c.tour(at))
		c.know()
	}
	return at
}

// unknown is the length of a tour that there is not yet; lengths of 0 exist.
const unknown = math.MaxInt64

// trailsEvery is how often the trails enter the digest.
const trailsEvery = 64

// branchEvery is how often the branching factor is computed.
const branchEvery = 10

// forget drops the guests that are not above least, now and then. Those at the common
// trail may go at any time: it changes nothing.
func (c *colony) forget(least float32) {
	if c.t.extra != nil && c.it%8 == 0 {
		c.t.extra.prune(least)
	}
}

// measure ends an iteration: what is looked at now and then.
func (c *colony) measure(p *record.Point) {
	if c.it%branchEvery == 0 || c.it == 1 {
		c.branch = c.t.branching(0.05)
	}
	p.Measures[0] = c.branch
	if c.it%trailsEvery == 0 {
		p.Digest = arith.Chain(p.Digest, c.t.hash())
	}
}

// hash is a sum over all slots, in their order without those that fill up.
func (t *trails) hash() uint64 {
	var h uint64
	i := uint64(0)
	for c := range t.n {
		for _, v := range t.tau[c*t.stride : c*t.stride+t.k] {
			h += arith.Mix64(i<<32 | uint64(math.Float32bits(v)))
			i++
		}
	}
	return h
}

// Best returns the length of the best tour so far.
func (c *colony) Best() float64 {
	if c.bestLength == unknown {
		return math.Inf(1)
	}
	return float64(c.bestLength)
}

// Solution returns the best tour so far; nothing before the first iteration.
func (c *colony) Solution() record.Solution {
	if c.bestLength == unknown {
		return record.Solution{}
	}
	return record.Solution{Perm: c.sp.ToInstance(c.best)}
}

// Close has nothing to free.
func (c *colony) Close() {}

// asTSP is the instance as the package needs it.
func asTSP(inst datasets.Instance) (*datasets.TSP, error) {
	t, ok := inst.(*datasets.TSP)
	if !ok {
		return nil, fmt.Errorf("ants: %s is a %T, want a *datasets.TSP", inst.Name(), inst)
	}
	return t, nil
}
