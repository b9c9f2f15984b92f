package ils

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/genetic"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
	"metalab/solvers/tours"
)

var (
	_ solvers.Algorithm      = (*Pools)(nil)
	_ solvers.Changer        = (*Pools)(nil)
	_ solvers.Tracer         = (*Pools)(nil)
	_ solvers.LengthReporter = (*Pools)(nil)
	_ solvers.Sharer         = (*Pools)(nil)
	_ solvers.Timer          = (*Pools)(nil)
	_ solvers.Waver          = (*Pools)(nil)
	_ solvers.Starter        = (*Pools)(nil)
)

// poolsLayout says how pools draws its random numbers.
const poolsLayout = tilesLayout + ". Here purpose 1 makes the tours of a pool: the iteration is " +
	"that which makes them, the agent their place; 7 shuffles the ring of a generation (agent 0); " +
	"5 and 6 make the children of its couples, as in ga/eax-rounds"

// drawRing is the purpose of the draws of a generation's ring.
const drawRing uint8 = 7

// PoolEngines make the engines of pools on a backend: that of the kicks, and that of the crossing.
type PoolEngines struct {
	Tiles func(*tiles.Problem) (tiles.Engine, error)
	Cross func(*genetic.RoundsProblem) (genetic.RoundsEngine, error)
}

// Pools is the variant pools: tours from starts of their own are improved by kicks in tiles, all
// side by side, and then crossed by edge assembly; then come the next ones.
type Pools struct {
	param poolsParams
	given []int32 // the start, in the instance's numbers

	make  PoolEngines
	on    Tiles // what kicks need: parameters, lists, cuts, the engine
	plain tours.Neighbours
	cross genetic.RoundsEngine
	ready bool // cross has the tours
	ring  []int32
	bred  []genetic.Bred
	count []int64

	// The state. The engine of the kicks has the tours while stage is poolKicks and ahead.
	chains
	hash  []uint64
	ahead bool
	plan  poolsPlan
	best  incumbent
}

// The stages of a pool.
const (
	poolMaking int64 = iota // the next iteration makes its tours
	poolKicks               // kicks
	poolCycles              // generations whose children receive single cycles
	poolBlocks              // and blocks
	poolsStages
)

// poolsPlan is the progress of the pool.
type poolsPlan struct {
	stage      int64
	kicks      int64 // kicks so far, in thousandths of a kick per city
	bred, idle int64 // generations in the stage, and those in turn without a better tour
	pools      int64 // that are over
}

// NewPools returns the search on t with default parameters for it.
func NewPools(t *datasets.TSP, make PoolEngines) *Pools {
	s := &Pools{make: make, param: poolsDefaults(t.N)}
	s.on = Tiles{inst: t, make: make.Tiles, param: tilesDefaults(t.N)}
	return s
}

func (s *Pools) Init(env *solvers.Env) error {
	s.on.param.chains, s.on.param.start = s.param.tours, "random"
	s.on.param.descent, s.on.param.mend, s.on.param.polish = "none", 0, 0
	s.tune()
	env.Pool.Resize(s.param.workers)
	if err := s.on.open(env, "pools"); err != nil {
		return err
	}
	sp := s.on.space
	if s.plain = s.on.first; s.plain.Pi != nil {
		s.plain = sp.Quadrant(s.on.param.neighbours)
	}
	own := *env
	if own.Run != "" {
		own.Run += ", crossing"
	}
	var err error
	q := &genetic.RoundsProblem{
		Space: sp, Near: sp.Nearest(assembly.PoolJoins), Population: s.param.tours,
		Entropy: genetic.Entropy(s.param.tours), Env: &own,
	}
	if s.param.crossing == "several" {
		s.cross = newSeveralCross(q, &s.param)
	} else if s.cross, err = s.make.Cross(q); err != nil {
		return err
	}
	s.bred, s.count = make([]genetic.Bred, s.param.tours), make([]int64, s.param.tours+1)
	s.hash = make([]uint64, s.param.tours)
	s.tours, s.lengths = make([][]int32, s.param.tours), make([]int64, s.param.tours)
	start := sp.Curve()
	if s.given != nil {
		start = sp.FromInstance(s.given)
	}
	for a := range s.tours {
		s.tours[a] = slices.Clone(start)
		s.measure(a)
	}
	s.on.cutters().Begin(2%s.on.param.cuts, s.on.param.cuts)
	return nil
}

// tune gives the search in tiles the parameters that have another form here.
func (s *Pools) tune() {
	p := &s.on.param
	p.size, p.kicks = s.param.piece, s.param.round
	p.accept, p.temperature, p.cooling = "better", s.param.temperature, s.param.ripen
	if s.param.temperature > 0 {
		p.accept = "threshold"
	}
}

// measure makes the length and the hash of tour a.
func (s *Pools) measure(a int) {
	s.lengths[a], s.hash[a] = s.on.space.Length(s.tours[a]), arith.HashPerm(s.tours[a])
}

// Iterate makes the tours of a pool, a round of kicks, or a generation.
func (s *Pools) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.on.p.Env.Progress.Store(0)
	clear(p.Measures)
	p.Measures[measurePoolStage] = float64(s.plan.stage)
	p.Evals = 0
	var err error
	switch s.plan.stage {
	case poolMaking:
		err = s.fresh(ctx, it, p)
	case poolKicks:
		err = s.kick(ctx, it, p)
	default:
		err = s.generation(ctx, it, p)
	}
	if err != nil {
		return err
	}
	s.tell(p)
	return nil
}

// The measures of pools.
const (
	measurePoolKept = iota
	measurePoolGaining
	measurePoolRefused
	measurePoolStage
	measurePoolReplaced
	measurePoolCount
)

// Measures are, for a round of kicks, the shares that were accepted, that improved the tour, and
// that were undone only because they joined other ends of paths; the stage (0: building tours, 1:
// kicks, 2 and 3: generations, with cycles and blocks); for a generation the share of tours that a
// child replaced; and the number of finished pools.
func (s *Pools) Measures() []string {
	return []string{"kept", "gaining", "refused", "stage", "replaced", "pools"}
}

// tell writes what the tours are.
func (s *Pools) tell(p *record.Point) {
	p.IterBest, p.Mean, p.Digest = math.Inf(1), 0, 0
	for a, l := range s.lengths {
		p.IterBest = min(p.IterBest, float64(l))
		p.Mean += float64(l)
		p.Digest = arith.Chain(p.Digest, s.hash[a])
	}
	p.Mean /= float64(len(s.lengths))
	p.Measures[measurePoolCount] = float64(s.plan.pools)
}

// fresh builds the tours of the next pool, each from its own start. The best so far stays in place
// of one, and in the first pool the given tour is one.
func (s *Pools) fresh(ctx context.Context, it int64, p *record.Point) error {
	sp, pool := s.on.space, s.on.p.Env.Pool
	made, errs := make([][]int32, len(s.tours)), make([]error, len(s.tours))
	searches := make([][2]*tours.Search, pool.Size())
	op, search := operators[s.param.descent]
	var done atomic.Int64
	pool.Run(len(made), func(a, w int) {
		if errs[a] = ctx.Err(); errs[a] != nil {
			return
		}
		if a == 0 && (s.best.tour != nil || s.given != nil) {
			made[a] = s.best.tour
			if made[a] == nil {
				made[a] = sp.FromInstance(s.given)
			}
			made[a] = slices.Clone(made[a])
			return
		}
		near, kind := s.on.first, a%2
		if kind == 1 {
			near = s.plain
		}
		draws := arith.NewStream(s.on.p.Seed, uint64(it), uint32(a), drawStart)
		made[a] = sp.RandomBoruvka(near, &draws)
		if !search {
			return
		}
		if searches[w][kind] == nil {
			searches[w][kind], errs[a] = tours.NewSearch(sp, near, s.on.deep())
			if errs[a] != nil {
				return
			}
			searches[w][kind].Watch(ctx)
		}
		optimum(searches[w][kind], op, made[a])
		errs[a] = ctx.Err()
		s.on.p.Env.Progress.Store(uint32(done.Add(1) << 16 / int64(len(made))))
	})
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	s.tours = made
	steps := 8 * int64(len(made)) * int64(len(made[0]))
	pool.RunOf(len(made), steps, func(a, _ int) { s.measure(a) })
	s.offer()
	s.ahead, s.ready = false, false
	if s.plan = (poolsPlan{stage: poolKicks, pools: s.plan.pools}); s.param.ripen == 0 {
		s.plan.stage = poolCycles
	}
	p.Evals = int64(len(made))
	return nil
}

// offer keeps the shortest tour if it is the best.
func (s *Pools) offer() {
	a := s.shortest()
	s.best.offer(s.tours[a], s.lengths[a])
}

// kick makes a round of kicks in all tours.
func (s *Pools) kick(ctx context.Context, it int64, p *record.Point) error {
	t := &s.on
	if !s.ahead {
		if err := t.load(s.tours); err != nil {
			return err
		}
		s.ahead = true
	}
	t.lengths = s.lengths
	t.done = s.plan.kicks * int64(t.space.N) / 1000
	out := make([]tiles.Outcome, len(s.lengths))
	job := t.job(it)
	if err := t.engine.Iterate(ctx, job, out); err != nil {
		return err
	}
	var sum tiles.Outcome
	for a, o := range out {
		if s.lengths[a]+o.Change != o.Length {
			return fmt.Errorf("ils: iteration %d: tour %d had the length %d, its kicks changed it by %d, "+
				"and it has %d", it, a, s.lengths[a], o.Change, o.Length)
		}
		s.lengths[a], s.hash[a] = o.Length, o.Hash
		sum.Kicks += o.Kicks
		sum.Kept += o.Kept
		sum.Gained += o.Gained
		sum.Refused += o.Refused
	}
	p.Evals = sum.Kicks
	all := float64(max(1, sum.Kicks))
	p.Measures[measurePoolKept] = float64(sum.Kept) / all
	p.Measures[measurePoolGaining] = float64(sum.Gained) / all
	p.Measures[measurePoolRefused] = float64(sum.Refused) / all
	s.plan.kicks += int64(job.Rate)
	return s.kicked()
}

// kicked ends a round of kicks: when there were enough the tours come back to be crossed.
func (s *Pools) kicked() error {
	if float64(s.plan.kicks) >= float64(1000*s.param.ripen) {
		if err := s.fetch(); err != nil {
			return err
		}
		s.plan.stage, s.plan.bred, s.plan.idle = poolCycles, 0, 0
		s.offer()
		return nil
	}
	a := s.shortest()
	if !s.best.beaten(s.lengths[a]) {
		return nil
	}
	if err := s.on.engine.Tour(a, s.tours[a]); err != nil {
		return err
	}
	s.best.offer(s.tours[a], s.lengths[a])
	return nil
}

// fetch gets the tours from the engine of the kicks.
func (s *Pools) fetch() error {
	if !s.ahead {
		return nil
	}
	for a, t := range s.tours {
		if err := s.on.engine.Tour(a, t); err != nil {
			return err
		}
	}
	s.ahead = false
	return nil
}

// generation makes a generation.
func (s *Pools) generation(ctx context.Context, it int64, p *record.Point) error {
	if !s.ready {
		if err := s.cross.Load(s.tours, s.count); err != nil {
			return err
		}
	}
	s.ready = false
	s.ring = s.ring[:0]
	for a := range s.tours {
		s.ring = append(s.ring, int32(a))
	}
	draws := arith.NewStream(s.on.p.Seed, uint64(it), 0, drawRing)
	draws.Shuffle(s.ring)
	err := s.cross.Breed(ctx, genetic.RoundsJob{
		Iteration: uint64(it), Ring: s.ring, Round: len(s.ring), Children: assembly.PoolChildren,
		Longest: poolLongest, Blocks: s.plan.stage == poolBlocks,
	}, s.bred, s.count, func(a int) []int32 { return s.tours[a] })
	if err != nil {
		return err
	}
	s.ready = true
	replaced := 0
	for a, b := range s.bred {
		if b.Gain <= 0 {
			continue
		}
		if b.Length != s.lengths[a]-b.Gain {
			return fmt.Errorf("ils: iteration %d: tour %d had the length %d, a child that gains %d has %d",
				it, a, s.lengths[a], b.Gain, b.Length)
		}
		s.lengths[a], s.hash[a] = b.Length, b.Hash
		replaced++
	}
	p.Measures[measurePoolReplaced] = float64(replaced) / float64(len(s.tours))
	before := s.best.length
	s.offer()
	s.bredOne(s.best.length < before || poolsFew*replaced >= len(s.tours))
	return nil
}

// For generations: the largest cycle, in edges, that a child receives in the first stage, see the
// parameter longest of ga/eax-rounds; and a generation is idle that brings no shorter tour and
// replaces less than one in so many. A stage ends after so many idle ones in turn, or a tenth of
// its generations.
const (
	poolLongest = 128
	poolsFew    = 20
	poolsIdle   = 20
)

// bredOne counts a generation, and starts the next stage, or pool, when this one is over. A pool is
// also over when all tours are equally long.
func (s *Pools) bredOne(better bool) {
	p := &s.plan
	p.bred++
	if p.idle++; better {
		p.idle = 0
	}
	alike := slices.Max(s.lengths) == slices.Min(s.lengths)
	if !alike && p.idle < max(poolsIdle, p.bred/10) {
		return
	}
	if p.stage++; alike || p.stage == poolsStages {
		*p = poolsPlan{stage: poolMaking, pools: p.pools + 1}
		return
	}
	p.bred, p.idle = 0, 0
}
