package ants

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/local"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// The places of measures in a point: all policies have the first two, acs with a selective memory
// a third, mmas three more. Measures lists their names in this order.
const (
	measureBranching = iota
	measureFallback
	measureOwn // the first that is the policy's own

	measureHitRatio = measureOwn

	measureTauMin = measureOwn
	measureTauMax = measureOwn + 1
	measureResets = measureOwn + 2
)

// colony is what the policies share: the parameters, the crew, and the best tour.
type colony struct {
	params
	v    *variant
	on   Backend
	inst *datasets.TSP

	env   *solvers.Env
	sp    *tours.Space
	n     int
	nn    int64 // length of the nearest-neighbour tour from city 0; at least 1
	table *trail.Table
	store trail.Carrier // where trails are: table, an Extended or a Memory
	crew  crew.Crew
	timed bool    // the crew's times are to be measured
	floor float32 // of acs: the trail of edges for which none is stored
	unit  float32 // of acs: tau0
	err   error   // of a method that returns none: the next iteration returns it

	it     int64
	out    crew.Tours // of the last iteration
	traced int        // ants whose tours are those of the last iteration

	bestTour
	branch float64 // mean lambda-branching factor
}

// bestTour is the best tour so far.
type bestTour struct {
	best       []int32 // out of date while behind
	behind     bool    // the crew has a newer best tour than best
	bestLength int64   // unknown: none yet
}

// unknown is the length of a tour that does not exist yet. It is not 0, for tours of length 0
// exist.
const unknown = math.MaxInt64

func (c *colony) Declare(t *solvers.Params) {
	for _, declare := range c.v.declare {
		declare(&c.params, t, c.inst.N)
	}
}

// prepare makes everything except the initial trails and the crew.
func (c *colony) prepare(env *solvers.Env) (*crew.Setup, error) {
	shape, err := c.v.shape(&c.params, c.inst)
	if err != nil {
		return nil, err
	}
	if err := c.on.check(&c.params, c.inst); err != nil {
		return nil, err
	}
	if c.sp, err = tours.NewSpace(c.inst); err != nil {
		return nil, err
	}
	c.env, c.n = env, c.sp.N
	search, err := local.NewProblem(c.sp, c.localSearch, c.inst.Name(), c.localNear)
	if err != nil {
		return nil, err
	}
	if c.localSearch == local.Tiles {
		search.Tiles = &local.TilesOn{Kicks: c.localKicks, Engine: c.on.Tiles}
	}
	lists, err := trail.NewLists(c.sp, shape.lists)
	if err != nil {
		return nil, err
	}
	if c.table, err = trail.NewTable(c.sp, lists, shape.storage, c.v.sight, 1, c.beta); err != nil {
		return nil, err
	}
	nearest := trail.NewNearest(c.sp, lists)
	c.nn = max(1, nearest.TourLength())
	c.best, c.bestLength = make([]int32, c.n), unknown
	c.resize()
	s := &crew.Setup{
		Env: env, Instance: c.inst, Space: c.sp, Nearest: nearest, Ants: c.ants, Table: c.table,
		Selection: c.selection, Tabu: c.tabu, All: shape.all, Search: search,
	}
	c.store = shape.store(c.table, c.slots)
	switch o := c.store.(type) {
	case *trail.Extended:
		s.Outs = o.Outs
	case *trail.Memory:
		s.Memory = o
	}
	return s, nil
}

// openCrew opens the crew.
func (c *colony) openCrew(s *crew.Setup, r crew.Rules) (err error) {
	if c.crew, err = c.on.Open(s); err != nil {
		c.crew = nil
		return err
	}
	if err := c.load(r); err != nil {
		c.Close()
		return err
	}
	if c.timed {
		c.crew.Time(true)
	}
	return nil
}

// load gives the crew the trails, the best tour and the rules.
func (c *colony) load(r crew.Rules) error {
	var best []int32
	if c.bestLength != unknown {
		best = c.best
	}
	c.behind = false
	c.crew.Schedule(c.warps, c.trials)
	return errors.Join(c.crew.Send(), c.crew.SetKept(crew.Best, best), c.crew.Rules(&r))
}

// changed gives the crew new rules after a change of the parameters with these names.
func (c *colony) changed(names []string, r crew.Rules) {
	if slices.Contains(names, "ants") {
		c.resize()
	}
	c.crew.Schedule(c.warps, c.trials)
	c.err = errors.Join(c.err, c.crew.Rules(&r))
}

// resize makes room for the ants.
func (c *colony) resize() {
	o := &c.out
	if cap(o.Lengths) < c.ants {
		o.Lengths, o.Falls, o.Hashes = make([]int64, c.ants), make([]int32, c.ants),
			make([]uint64, c.ants)
	}
	o.Lengths, o.Falls, o.Hashes = o.Lengths[:c.ants], o.Falls[:c.ants], o.Hashes[:c.ants]
	c.traced = 0
}

// construct constructs the ants' tours, improves them by the local search, and updates the best
// tour so far. It returns the iteration's best ant. After an error the state is as before.
func (c *colony) construct(ctx context.Context, it int64, p *record.Point) (ant int, err error) {
	if err := errors.Join(ctx.Err(), c.err); err != nil {
		return 0, err
	}
	c.it, c.traced = it, 0
	if err := c.crew.Construct(ctx, it, c.improved(), &c.out); err != nil {
		return 0, err
	}
	c.traced, p.Evals = c.ants, int64(c.ants)
	var sum, falls int64
	p.Digest = 0
	for k, l := range c.out.Lengths {
		if l < c.out.Lengths[ant] {
			ant = k
		}
		sum += l
		falls += int64(c.out.Falls[k])
		p.Digest = arith.Chain(p.Digest, c.out.Hashes[k])
	}
	p.IterBest = float64(c.out.Lengths[ant])
	p.Mean = max(p.IterBest, float64(sum)/float64(c.ants))
	p.Measures[measureFallback] = float64(falls) / float64(int64(c.ants)*int64(max(1, c.n-1)))
	if c.out.Lengths[ant] < c.bestLength {
		c.bestLength, c.behind = c.out.Lengths[ant], true
		c.err = errors.Join(c.err, c.crew.Keep(crew.Best, ant))
	}
	return ant, nil
}

// improved is the number of ants whose tours get the local search.
func (c *colony) improved() int {
	if c.localSearch == local.None {
		return 0
	}
	return int(math.Ceil(c.localShare * float64(c.ants)))
}

// trailsEvery is how often the trails enter the digest, branchEvery how often the branching factor
// is computed.
const (
	trailsEvery = 64
	branchEvery = 10
)

// measure ends an iteration: it computes what is computed only at some iterations.
func (c *colony) measure(p *record.Point) error {
	trails, branches := c.it%trailsEvery == 0, c.it%branchEvery == 0 || c.it == 1
	if trails || branches {
		b, hash, err := c.crew.Look()
		if err != nil {
			return err
		}
		if trails {
			p.Digest = arith.Chain(p.Digest, hash)
		}
		if branches {
			c.branch = float64(b) / float64(c.n)
		}
	}
	p.Measures[measureBranching] = c.branch
	return nil
}

// Best returns the length of the best tour so far.
func (c *colony) Best() float64 {
	if c.bestLength == unknown {
		return math.Inf(1)
	}
	return float64(c.bestLength)
}

// fetchBest reads the best tour from the crew if the crew has a newer one.
func (c *colony) fetchBest() {
	if c.behind {
		c.err = errors.Join(c.err, c.crew.Kept(crew.Best, c.best))
		c.behind = false
	}
}

// Solution returns the best tour so far; it is empty before the first iteration.
func (c *colony) Solution() record.Solution {
	if c.bestLength == unknown {
		return record.Solution{}
	}
	c.fetchBest()
	return record.Solution{Perm: c.sp.ToInstance(c.best)}
}

// Trace returns the tours of the last iteration by ant, in the instance's numbering; nil before the
// first iteration and after one that was cancelled.
func (c *colony) Trace() [][]int32 {
	if c.traced == 0 {
		return nil
	}
	all := make([]int32, c.traced*c.n)
	c.err = errors.Join(c.err, c.crew.Tours(all))
	out := make([][]int32, c.traced)
	for k := range out {
		out[k] = c.sp.ToInstance(all[k*c.n : k*c.n+c.n])
	}
	return out
}

// Lengths returns the lengths of the tours that Trace returns.
func (c *colony) Lengths() []float64 {
	out := make([]float64, c.traced)
	for k := range out {
		out[k] = float64(c.out.Lengths[k])
	}
	return out
}

// Counts implements solvers.Counter: each ant builds a tour in an iteration. The tours of a local
// search do not count.
func (c *colony) Counts() string { return "tours built" }

// Trails returns the strongest trails, at most limit, and how many there are. Edges that have no
// trail of their own are left out.
func (c *colony) Trails(limit int) ([]solvers.Trail, int) {
	if limit < 1 {
		return nil, 0
	}
	c.err = errors.Join(c.err, c.crew.Fetch())
	return c.store.Strongest(limit)
}

// Close closes the crew.
func (c *colony) Close() {
	if c.crew != nil {
		c.crew.Close()
	}
}

// The state of a colony, in order: "best" (length), "tour", "branch", the trails as their store
// writes them, and what the policy adds.

// Snapshot writes the colony's part of a state. If the state is lost with its device, it writes
// that instead, so that an old state is not restored by mistake, and returns false.
func (c *colony) snapshot(w *solvers.Writer) bool {
	c.fetchBest()
	if c.err = errors.Join(c.err, c.crew.Fetch()); c.err != nil {
		w.Bytes("lost", []byte(c.err.Error()))
		return false
	}
	w.Int64s("best", c.bestLength)
	w.Int32s("tour", c.best)
	w.Float64s("branch", c.branch)
	c.store.Snapshot(w)
	return true
}

// restoreTrails restores the trails of a state. If a fork changed the variant, it reads them as the
// old variant stored them, and converts them.
func (c *colony) restoreTrails(r *solvers.Reader) error {
	was := r.Head.Variant
	if was == "" || was == c.v.name {
		return c.store.Restore(r)
	}
	v := find(c.v.solver, was)
	if v == nil {
		return fmt.Errorf("ants: the state is of %s/%s, which has other trails: %w", c.v.solver, was,
			solvers.ErrState)
	}
	if v.storage == trail.Selective && c.v.storage == trail.Selective {
		return c.store.Restore(r) // this keeps the order in which a Memory forgets them
	}
	old := params{storage: string(trail.Candidates)}
	for name, p := range map[string]*int{"candidates": &old.candidates, "spm_slots": &old.slots} {
		if f, ok := r.Params[name].Float(); ok {
			*p = int(f)
		}
	}
	if w, ok := r.Params["storage"].Word(); ok {
		old.storage = w
	}
	shape, err := v.shape(&old, c.inst)
	if err != nil {
		return err
	}
	lists, err := trail.NewLists(c.sp, shape.lists)
	if err != nil {
		return err
	}
	table, err := trail.NewTable(c.sp, lists, shape.storage, c.v.sight, 1, c.beta)
	if err != nil {
		return err
	}
	store := shape.store(table, old.slots)
	if err := store.Restore(r); err != nil {
		return err
	}
	if m, ok := store.(*trail.Memory); ok {
		m.TauMin = c.floor
		if f, ok := r.Params["tau_min"].Float(); ok {
			m.TauMin = float32(f * float64(c.unit))
		}
	}
	all := store.Give()
	all.Raise(c.floor)
	c.store.Take(all)
	return nil
}

// restore reads the colony's part of a state. The caller must then load it into the crew.
func (c *colony) restore(r *solvers.Reader) error {
	length := r.Int64s("best", 1)[0]
	tour := r.Int32s("tour", c.n)
	branch := r.Float64s("branch", 1)[0]
	if r.Err() == nil && length != unknown {
		if err := trail.CheckTour("best tour", tour, c.n); err != nil {
			return err
		}
	}
	if err := c.restoreTrails(r); err != nil {
		return err
	}
	c.bestLength, c.branch, c.traced, c.behind = length, branch, 0, false
	copy(c.best, tour)
	return nil
}

func (c *colony) Turn(ctx context.Context) (give func(), waited bool, err error) {
	return c.crew.Turn(ctx)
}

func (c *colony) Time(on bool) bool {
	c.timed = on
	return c.crew.Time(on)
}

func (c *colony) Spans() []solvers.Span { return c.crew.Spans() }

func (c *colony) Waves() []solvers.Wave { return c.crew.Waves() }
