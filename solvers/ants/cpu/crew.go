// Package cpu is the crew of ants on the CPU: how each variant constructs tours, in a file for
// each, and how trails are updated. The table of variants of package metalab/solvers/ants says
// which form a variant has.
//
// Each form has its own loop of choices, because an iteration spends most of its time there. The
// comment of a form states what a choice computes; the kernels of metalab/kernels/ants compute the
// same.
package cpu

import (
	"context"
	"sync/atomic"

	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/local"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// A Form is how a variant constructs tours: it makes a constructor and a keeper of its trails.
type Form func(c *Crew) (constructor, keeper)

// A constructor makes the tours of an iteration.
type constructor interface {
	// construct makes all tours, their lengths, and the numbers of choices that fell back. It may
	// return early when the crew is stopped.
	construct()
	// undo sets the trails back to what they were before construct.
	undo()
	// rules sets the parameters of choices, and recomputes what depends on them, on trails and on
	// weights.
	rules(r *crew.Rules)
}

// A keeper changes the trails between iterations.
type keeper interface {
	rules(r *crew.Rules)
	update(u crew.Update)
	reset(v float32)
	look() (branches int64, hash uint64)
}

// Crew implements crew.Crew on the host's cores.
type Crew struct {
	crew.Setup
	crew.Untuned
	seed uint64
	pool *solvers.Pool
	sp   *tours.Space
	t    *trail.Table
	n    int
	ants int

	form   constructor
	keeper keeper
	search *local.Search // nil: none

	tours []int32 // ants x n, in internal numbers
	kept  [2][]int32
	out   *crew.Tours
	work  []*worker // by worker of the pool

	prepared
	current
}

// prepared holds functions that are created once, so that iterations allocate nothing.
type prepared struct {
	make, hash func(ant, worker int)
	stop       func() bool
	tourOf     func(ant, worker int) (length int64, falls int32, ok bool) // see each
}

// current is of the current iteration.
type current struct {
	it       int64
	ctx      context.Context
	givable  bool        // it may be cancelled: the trails can be set back
	cut      atomic.Bool // a worker saw that ctx has ended
	finished atomic.Int64
}

// worker is scratch of one goroutine.
type worker struct {
	seen      []uint8
	unvisited trail.Unvisited
}

// Open opens a crew.
func Open(s *crew.Setup, form Form) (crew.Crew, error) {
	c := &Crew{
		Setup: *s, seed: s.Env.Seed, pool: s.Env.Pool, sp: s.Space, t: s.Table, n: s.Space.N,
		ants: s.Ants,
	}
	for k := range c.kept {
		c.kept[k] = make([]int32, c.n)
	}
	if s.Search != nil {
		c.search = local.NewSearch(s.Search, s.Env)
	}
	c.make, c.hash, c.stop = c.makeTour, c.hashTour, c.stopped
	c.form, c.keeper = form(c)
	return c, nil
}

func (c *Crew) Construct(ctx context.Context, it int64, improve int, out *crew.Tours) error {
	c.it, c.ctx, c.givable, c.out = it, ctx, true, out
	c.ants = len(out.Lengths)
	if want := c.ants * c.n; cap(c.tours) < want {
		c.tours = make([]int32, want)
	}
	c.tours = c.tours[:c.ants*c.n]
	c.cut.Store(false)
	c.finished.Store(0)
	for len(c.work) < c.pool.Size() {
		c.work = append(c.work, &worker{seen: make([]uint8, c.n)})
	}
	c.form.construct()
	if c.search != nil && improve > 0 && !c.cut.Load() {
		var stop func() bool
		if c.givable {
			stop = c.stop
		}
		if err := c.search.Improve(it, c.tours, out.Lengths, improve, stop); err != nil {
			c.giveUp()
			return err
		}
	}
	if c.cut.Load() {
		c.giveUp()
		return ctx.Err()
	}
	c.pool.RunOf(c.ants, int64(c.ants)*int64(c.n), c.hash)
	return nil
}

func (c *Crew) hashTour(ant, _ int) { c.out.Hashes[ant] = arith.HashPerm(c.tour(ant)) }

// giveUp sets the trails back to what they were before the iteration.
func (c *Crew) giveUp() {
	if c.givable {
		c.form.undo()
	}
}

// tour is the tour of an ant.
func (c *Crew) tour(ant int) []int32 { return c.tours[ant*c.n : ant*c.n+c.n] }

// each constructs all tours by tourOf, which returns the length of a tour without the closing edge,
// and how many of its choices fell back; ok is false if it was cancelled.
func (c *Crew) each() { c.pool.RunOf(c.ants, c.choices(c.n), c.make) }

// choices estimates the time in which all ants take so many steps, in steps of about a nanosecond.
func (c *Crew) choices(steps int) int64 {
	return int64(c.ants) * int64(steps) * int64(4*c.t.K+40)
}

func (c *Crew) makeTour(ant, worker int) {
	if c.stopped() {
		return
	}
	if length, falls, ok := c.tourOf(ant, worker); ok {
		c.made(ant, length+c.closing(c.tour(ant)), falls)
	}
}

// made records the length and the falls of an ant's tour.
func (c *Crew) made(ant int, length int64, falls int32) {
	c.out.Lengths[ant], c.out.Falls[ant] = length, falls
	c.progress(c.finished.Add(1), int64(c.ants))
}

// closing returns the length of the closing edge.
func (c *Crew) closing(tour []int32) int64 {
	if c.n < 2 {
		return 0
	}
	return int64(c.sp.D(tour[c.n-1], tour[0]))
}

// stopped tells whether the iteration is cancelled.
func (c *Crew) stopped() bool {
	if c.cut.Load() {
		return true
	}
	if c.ctx.Err() != nil {
		c.cut.Store(true)
		return true
	}
	return false
}

// progress reports how far the iteration is: part of all.
func (c *Crew) progress(part, all int64) {
	if c.Env.Progress != nil {
		c.Env.Progress.Store(uint32(part * (1 << 16) / max(1, all)))
	}
}

// checkEvery is the number of choices between two checks of the context.
const checkEvery = 1 << 15

func (c *Crew) Tours(tours []int32) error {
	copy(tours, c.tours)
	return nil
}

func (c *Crew) Keep(which crew.Kept, ant int) error { return c.SetKept(which, c.tour(ant)) }

func (c *Crew) Kept(which crew.Kept, tour []int32) error {
	copy(tour, c.kept[which])
	return nil
}

func (c *Crew) SetKept(which crew.Kept, tour []int32) error {
	copy(c.kept[which], tour)
	if which == crew.Best && c.search != nil {
		c.search.Know(tour)
	}
	return nil
}

// rewarded returns the tour that an update names.
func (c *Crew) rewarded(t crew.Tour) []int32 {
	switch t {
	case crew.TheBest:
		return c.kept[crew.Best]
	case crew.TheRestart:
		return c.kept[crew.Restart]
	}
	return c.tour(int(t))
}

func (c *Crew) Rules(r *crew.Rules) error {
	if c.t.Beta != r.Beta {
		c.t.SetBeta(r.Beta)
	}
	c.keeper.rules(r)
	c.form.rules(r)
	return nil
}

func (c *Crew) Update(u crew.Update) { c.keeper.update(u) }

func (c *Crew) Reset(v float32) { c.keeper.reset(v) }

func (c *Crew) Look() (branches int64, hash uint64, err error) {
	branches, hash = c.keeper.look()
	return branches, hash, nil
}

// Schedule implements crew.Crew: a pool shares the work out by itself.
func (c *Crew) Schedule(warps, trials int) {}

// Fetch implements crew.Crew: the trails are the setup's.
func (c *Crew) Fetch() error { return nil }

// Send implements crew.Crew; Rules computes what follows from trails.
func (c *Crew) Send() error { return nil }

// Close implements crew.Crew.
func (c *Crew) Close() {
	if c.search != nil {
		c.search.Close()
	}
}
