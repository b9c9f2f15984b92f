package genetic

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// rounds is the genetic search with edge assembly crossover in rounds of many parallel couples.
type rounds struct {
	// Parameters; see Declare.
	population, children, longest, round, workers int
	replacement                                   string

	common  // in members, child means that the last generation replaced the tour
	engine  func(*rounds) (RoundsEngine, error)
	far     RoundsEngine
	loaded  bool // far has the population
	near    tours.Neighbours
	entropy []int64 // Entropy(population)
	stage
	ring   []int32
	bred   []Bred
	counts []int64 // number of edges by the number of tours that have them
	cut    atomic.Bool
}

// A RoundsEngine has a population of eax-rounds and makes its generations. Tours are of internal
// cities. Its methods are called from one goroutine at a time.
type RoundsEngine interface {
	// Load takes a population, and fills counts: how many edges are in f of its tours, by f.
	Load(tours [][]int32, counts []int64) error

	// Breed computes a generation and fills bred, by first parent, and counts. tour(i) is the target
	// for the tour that replaced tour i. When it returns an error the population is lost, and Load
	// must follow.
	Breed(ctx context.Context, job RoundsJob, bred []Bred, counts []int64, tour func(i int) []int32,
	) error

	// Close frees what the garbage collector does not free.
	Close()
}

// A RoundsTuned engine tells how long its parts take by its device's clock, and waits for its turn
// there.
type RoundsTuned interface {
	RoundsEngine
	solvers.Timer
	solvers.Sharer
}

// A RoundsProblem holds the data for an engine.
type RoundsProblem struct {
	Space      *tours.Space
	Near       tours.Neighbours
	Population int
	Entropy    []int64 // by the number of tours with an edge: its share of the entropy
	Env        *solvers.Env
}

// A RoundsJob is a generation: in the ring each tour is first parent once, and the next one is the
// second. Couples run in rounds of so many, in the order of the ring.
type RoundsJob struct {
	Iteration uint64
	Ring      []int32
	Round     int
	Children  int
	Longest   int // entries of cycles that children receive; not with Blocks
	Greedy    bool
	Blocks    bool // stage 2: children receive blocks
}

// Bred is the fate of a first parent.
type Bred struct {
	Gain             int64  // by how much its best child is shorter; 0: no child replaced it
	Length           int64  // of that child, measured along its tour
	Hash             uint64 // arith.HashPerm
	Children, Cycles int32  // children made, A-B cycles
}

// fewest is the smallest number of cities that allows children.
const fewest = 5

func newRounds(t *datasets.TSP) *rounds {
	s := &rounds{common: common{inst: t}}
	s.population, s.round = roundsTours(t.N), roundsTours(t.N)
	s.children, s.longest, s.replacement = 30, 128, replaceEntropy
	return s
}

func (s *rounds) Declare(t *solvers.Params) {
	t.Int(&s.population, record.Param{
		Name: "population", Class: record.Structural, Min: 2, Max: 1 << 15, Step: 1, Unit: "tours",
		Doc:    "Tours of the population.",
		Effect: "a fork to fewer keeps the shortest in their order, a fork to more repeats them in turn",
	})
	t.Int(&s.children, record.Param{
		Name: "children", Class: record.Live, Min: 1, Max: 10000, Step: 1, Unit: "children",
		Doc: "Children of a couple in a generation, each from another A-B cycle or block; fewer where " +
			"there are fewer cycles. The best of them replaces the first parent if it is shorter. A " +
			"stage may end when 1500 children of a tour in turn brought no better one.",
		Effect: "the next generation is made so",
	})
	t.Int(&s.longest, record.Param{
		Name: "longest", Class: record.Live, Min: 4, Max: 1 << 25, Step: 1, Unit: "edges",
		Doc: "Edges of an A-B cycle, of both parents together, up to which a child takes it over in " +
			"the first stage. Long ones take long and seldom make a better tour.",
		Effect: "the next generation is made so",
	})
	t.Int(&s.round, record.Param{
		Name: "round", Class: record.Live, Min: 1, Max: 1 << 15, Step: 1, Unit: "couples",
		Doc: "Couples that are made side by side: the next ones see what became of them. Fewer keep " +
			"more diversity, more give a GPU more to do at once.",
		Effect: "the next generation is made so",
	})
	t.Enum(&s.replacement, record.Param{
		Name: "replacement", Class: record.Live, Options: []string{replaceEntropy, replaceGreedy},
		Doc: "Which child is the best: entropy, the one with the largest gain for the entropy of the " +
			"population's edges that it costs; greedy, the shortest.",
		Effect: "the next generation is made so",
	})
	t.Int(&s.workers, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that share the couples, and on a GPU the first population; 0 means one for " +
			"each core.",
	})
}

// Counts returns the name of the built tours: the first population, and all children.
func (s *rounds) Counts() string { return counts }

func (s *rounds) Measures() []string {
	return []string{"diversity", "entropy", "replaced", "children", "cycles", "stage"}
}

// Ended tells why the search is over.
func (s *rounds) Ended() string { return ended(s.members, &s.stage) }

// Init builds no tour: the first iteration builds the first population, and can be cancelled.
func (s *rounds) Init(env *solvers.Env) error {
	s.env = env
	env.Pool.Resize(s.workers)
	var err error
	if s.space, err = tours.NewSpace(s.inst); err != nil {
		return err
	}
	s.near = s.space.Nearest(nearest)
	s.entropy = Entropy(s.population)
	s.counts = make([]int64, s.population+1)
	s.bred = make([]Bred, s.population)
	s.far, err = s.engine(s)
	return err
}

// grain is the unit of entropies: they are whole numbers, whose sums do not depend on their order.
const grain = 1 << 40

// Entropy returns for 0 to n the share of the entropy of a population of n tours that an edge in f
// of them has, in units of 1/grain.
func Entropy(n int) []int64 {
	out := make([]int64, n+2)
	for f := 1; f <= n; f++ {
		x := float64(f) / float64(n)
		out[f] = int64(math.Floor(0.5 - float64(float64(x*arith.Log2(x))*grain)))
	}
	return out
}

func (s *rounds) Changed(names []string) {
	if slices.Contains(names, "workers") {
		s.env.Pool.Resize(s.workers)
	}
}

func (s *rounds) Restore(r *solvers.Reader) error {
	s.loaded = false
	if err := s.read(r, s.population); err != nil {
		return err
	}
	return s.stage.restore(r, s.population)
}

func (s *rounds) Snapshot(w *solvers.Writer) {
	s.common.Snapshot(w)
	s.stage.snapshot(w)
}

func (s *rounds) Close() {
	if s.far != nil {
		s.far.Close()
	}
}

func (s *rounds) Iterate(ctx context.Context, it int64, p *record.Point) error {
	s.cut.Store(false)
	s.env.Progress.Store(0)
	replaced, made, cycles := 0, 0, 0
	best := s.bestLen
	if len(s.members) == 0 {
		if err := s.first(ctx); err != nil {
			return err
		}
		if err := s.load(); err != nil {
			s.members = nil
			return err
		}
		p.Evals = int64(len(s.members))
	} else {
		var err error
		if replaced, made, cycles, err = s.reproduce(ctx, it); err != nil {
			return err
		}
		p.Evals = int64(made)
	}
	at := s.lead()
	s.stage.next(s.bestLen < best, s.children)
	p.IterBest = float64(s.members[at].length)
	p.Mean, p.Digest = summary(s.members)
	p.Measures[0], p.Measures[1] = diversity(s.env.Pool, s.members, at), s.spread()
	p.Measures[2], p.Measures[3] = share(replaced, len(s.members)), float64(made)
	p.Measures[4], p.Measures[5] = share(cycles, len(s.members)), float64(s.stage.number)
	return nil
}

// first makes the first population: random tours, each brought to an optimum of 2-opt.
func (s *rounds) first(ctx context.Context) error {
	members := make([]individual, s.population)
	searches := make([]*tours.Search, s.env.Pool.Size())
	errs := make([]error, len(searches))
	near := s.space.Nearest(nearestOfStart)
	var done progress
	s.env.Pool.Run(len(members), func(i, w int) {
		if s.cut.Load() {
			return
		}
		if searches[w] == nil {
			searches[w], errs[w] = tours.NewSearch(s.space, near, tours.DefaultSettings())
			if errs[w] == nil {
				searches[w].Watch(ctx)
			}
		}
		if errs[w] != nil || ctx.Err() != nil {
			s.cut.Store(true)
			return
		}
		r := arith.NewStream(s.env.Seed, 0, uint32(i), drawStart)
		var t []int32
		if i == 0 && s.given != nil {
			t = s.space.FromInstance(s.given)
		} else {
			t = patched(s.space, s.near, &r)
		}
		searches[w].Improve(t, nil, tours.TwoOpt)
		members[i] = individual{tour: t, length: s.space.Length(t), hash: arith.HashPerm(t)}
		done.one(s.env.Progress, len(members))
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.members = members
	return nil
}

// load gives the engine the population, if it has another.
func (s *rounds) load() error {
	if s.loaded {
		return nil
	}
	list := make([][]int32, len(s.members))
	for i := range list {
		list[i] = s.members[i].tour
	}
	err := s.far.Load(list, s.counts)
	s.loaded = err == nil
	return err
}

// reproduce makes a generation.
func (s *rounds) reproduce(ctx context.Context, it int64) (replaced, made, cycles int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, 0, 0, err
	}
	if err := s.load(); err != nil {
		return 0, 0, 0, err
	}
	s.loaded = false
	s.ring = s.ring[:0]
	for i := range s.members {
		s.ring = append(s.ring, int32(i))
	}
	r := arith.NewStream(s.env.Seed, uint64(it), 0, drawPlan)
	r.Shuffle(s.ring)
	job := RoundsJob{
		Iteration: uint64(it), Ring: s.ring, Round: s.round, Children: s.children,
		Longest: s.longest,
		Greedy:  s.replacement == replaceGreedy, Blocks: s.stage.number > 1,
	}
	err = s.far.Breed(ctx, job, s.bred, s.counts, func(i int) []int32 { return s.members[i].tour })
	if err != nil {
		return 0, 0, 0, err
	}
	s.loaded = true
	for i := range s.members {
		g, b := &s.members[i], &s.bred[i]
		made += int(b.Children)
		cycles += int(b.Cycles)
		if g.child = b.Gain > 0; g.child {
			if b.Length != g.length-b.Gain {
				return 0, 0, 0, fmt.Errorf(
					"genetic: tour %d of %d cities is %d long, and a child that gains %d is %d long: this is a "+
						"fault of the program", i, s.space.N, g.length, b.Gain, b.Length,
				)
			}
			g.length, g.hash = b.Length, b.Hash
			replaced++
		}
	}
	return replaced, made, cycles, nil
}

// spread is the entropy of the population's edges, in bits a city.
func (s *rounds) spread() float64 {
	h := 0.0
	for f, times := range s.counts {
		h += float64(float64(s.entropy[f]) / grain * float64(times))
	}
	return h / float64(s.space.N)
}

// problem returns the data for the engine.
func (s *rounds) problem() *RoundsProblem {
	return &RoundsProblem{
		Space: s.space, Near: s.near, Population: s.population, Entropy: s.entropy, Env: s.env,
	}
}

// roundsPresets lists the presets of the variant eax-rounds; the default is best.
var roundsPresets = []solvers.Preset{{
	Name: "best",
	Doc: "Ours: 128 tours below 3000 cities, 384 below 8000, 256 above; 30 children of a couple, " +
		"all couples of a generation side by side.",
	Values: func(inst datasets.Instance) record.Values {
		t, err := asTSP(inst)
		if err != nil {
			return nil
		}
		return record.Of("population", roundsTours(t.N), "round", roundsTours(t.N))
	},
}}

// roundsTours returns the default population for n cities.
func roundsTours(n int) int {
	switch {
	case n < 3000:
		return 128
	case n < 8000:
		return 384
	}
	return 256
}

// RoundsOn describes ga/eax-rounds on a backend with engines from engine, for solvers.Register.
func RoundsOn(backend string, engine func(*RoundsProblem) (RoundsEngine, error)) solvers.Variant {
	return solvers.Variant{
		Solver: "ga", Name: "eax-rounds", Backend: backend, Revision: 2, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: roundsPresets,
		Title: "Genetic search with edge assembly crossover (EAX) whose couples are made in rounds, " +
			"many side by side, for GPUs",
		Source: "Y. Nagata, S. Kobayashi, 2013, A powerful genetic algorithm using edge assembly " +
			"crossover for the traveling salesman problem, doi:10.1287/ijoc.1120.0506; in rounds: ours",
		Layout: "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ purpose << 24, " +
			"agent, block}; purpose 1 makes the first population (iteration 0, agent = tour), " +
			"2 the ring of an iteration (agent 0), 5 the A-B cycles of a couple: where each begins, and " +
			"choices of edges, 32 a word (agent = the first parent), 6 a block: which cycles beside its " +
			"own it begins with, a word, and how long cycles stay (agent = 65536 times the first parent " +
			"and the rank of the block's cycle)",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, err := asTSP(inst)
			if err != nil {
				return nil, err
			}
			s := newRounds(t)
			s.engine = func(s *rounds) (RoundsEngine, error) { return engine(s.problem()) }
			if backend != "cpu" {
				return farRounds{s}, nil
			}
			return s, nil
		},
	}
}

// farRounds is rounds on a device.
type farRounds struct{ *rounds }

func (s farRounds) Time(on bool) bool {
	e, ok := s.far.(RoundsTuned)
	return ok && e.Time(on)
}

func (s farRounds) Spans() []solvers.Span {
	if e, ok := s.far.(RoundsTuned); ok {
		return e.Spans()
	}
	return nil
}

func (s farRounds) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if e, ok := s.far.(RoundsTuned); ok {
		return e.Turn(ctx)
	}
	return func() {}, false, nil
}
