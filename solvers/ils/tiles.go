package ils

import (
	"context"
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
	"metalab/solvers/tours"
)

var (
	_ solvers.Algorithm = (*Tiles)(nil)
	_ solvers.Changer   = (*Tiles)(nil)
	_ solvers.Pacer     = (*Tiles)(nil)
	_ solvers.Tracer    = (*Tiles)(nil)
	_ solvers.Lengther  = (*Tiles)(nil)
	_ solvers.Sharer    = (*Tiles)(nil)
	_ solvers.Timer     = (*Tiles)(nil)
	_ solvers.Waver     = (*Tiles)(nil)
	_ solvers.Starter   = (*Tiles)(nil)
)

// tilesLayout says how tiles draws its random numbers. Package tiles makes the kicks and the cuts.
const tilesLayout = "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ " +
	"purpose << 24, chain << 24 | piece, block}; purpose 1 shuffles random starts (iteration 0, " +
	"agent chain); purpose 2 makes the kicks: kick k has the blocks from 32 k, the first holds the " +
	"city and the draw of the limit, the next four for each attempt are those of the walks, or the " +
	"first of them the lengths of the segments; purpose 3 makes the cuts: the iteration is the " +
	"cut's number, the agent 0, block 0 the angle and block i the place of the cut of node i; " +
	"purpose 4 mends long edges: the iteration is 0 along the lists, 1 along lists without weights, " +
	"the agent the first city of the part of the plane; purpose 5 makes the kicks of polish: the " +
	"iteration is the cut, the agent the piece"

// Of the parameter cooling: its largest value, and the smallest change, as a share, that is made
// to it for a step that is limited by time.
const (
	maxCooling  = 1e6
	coolingStep = 0.02
)

// Tiles is the variant tiles; its engine makes the rounds.
type Tiles struct {
	// Parameters; see Declare.
	chains, neighbours, size, cuts, width, exchange, mend, workers int
	kicks, temperature, cooling, polish                            float64
	quadrant, timed                                                bool
	start, descent, operator, kick, accept, candidates             string
	// the start, in the instance's numbers; nil: see start
	given []int32
	fits  string // what begin returns for fit; empty until it is needed

	inst   *datasets.TSP
	make   func(*tiles.Problem) (tiles.Engine, error)
	engine tiles.Engine
	p      tiles.Problem
	first  tours.Neighbours // of the start and its search
	cut    *tiles.Cuts
	out    []tiles.Outcome // of the last iteration

	// The state, without the engine's tours.
	lengths []int64
	descend bool    // the next iteration is a search from all cities
	done    int64   // kicks of a chain so far, for cooling
	found   bool    // there is a best tour, of length bestLen
	best    []int32 // the best tour; nil: the engine has it
	bestLen int64
}

// NewTiles returns the search on t with default parameters for it; engine makes the engine at
// Init.
func NewTiles(t *datasets.TSP, engine func(*tiles.Problem) (tiles.Engine, error)) *Tiles {
	s := &Tiles{
		inst: t, make: engine,
		chains: 1, candidates: "near", neighbours: 8, quadrant: true, size: 2000, cuts: 32, kicks: 0.5,
		start: "fit", descent: "oropt", polish: 0.5, operator: "or3opt", kick: "walk", width: 10,
		accept: "threshold", temperature: 0.4, cooling: 100, timed: true, exchange: 10, mend: 20,
	}
	if t.N >= 8000 && t.N <= alphaUpTo {
		s.candidates = "alpha"
	}
	switch n := t.N; {
	case n < 8000: // one piece or two: many tours
		s.size, s.chains = tiles.MaxPiece, 32
	case n < 130_000: // as many tours as give a GPU's processors half a piece each
		s.chains = max(1, 130_000/n)
	case n >= 500_000: // few kicks a city
		s.size, s.kicks, s.temperature, s.mend = 250, 0.3, 0.2, 0
	}
	if t.N > alphaUpTo {
		s.start, s.polish = "parts", 0
	}
	return s
}

func (s *Tiles) Declare(t *solvers.Params) {
	t.Int(&s.size, record.Param{
		Name: "piece", Min: 8, Max: tiles.MaxPiece, Step: 50, Unit: "cities",
		Doc: "Most cities of a piece, a tile of the plane.",
	})
	t.Float(&s.kicks, record.Param{
		Name: "kicks", Min: 0.01, Max: 100, Step: 0.1, Unit: "kicks a city",
		Doc: "Kicks of an iteration for each city; then the plane is cut in another way.",
	})
	t.Int(&s.cuts, record.Param{
		Name: "cuts", Min: 1, Max: 1024, Step: 1, Unit: "cuts",
		Doc: "How many ways of cutting the plane are used in turn.",
	})
	t.Enum(&s.operator, record.Param{
		Name: "operator", Options: []string{"2opt", "or2opt", "or3opt"},
		Doc: "Moves that repair a kick, always the best one of a city: 2opt exchanges two edges; " +
			"or2opt also takes paths of up to three cities out and inserts them elsewhere; or3opt " +
			"exchanges two or three edges.",
	})
	t.Enum(&s.kick, record.Param{
		Name: "kick", Options: []string{"walk", "segment"},
		Doc: "Where the four edges of a double bridge lie: walk, close in the plane; segment, close on " +
			"the tour.",
	})
	t.Int(&s.width, record.Param{
		Name: "width", Min: 1, Max: tiles.MaxWidth, Step: 1,
		Doc: "Reach of a kick: steps of the random walks of walk, most cities of each of the three " +
			"paths of segment.",
	})
	t.Enum(&s.accept, record.Param{
		Name: "accept", Options: []string{"better", "threshold"},
		Doc: "Which repaired tours are kept: better, those that are not longer; threshold, also " +
			"longer ones up to a random limit.",
	})
	t.Float(&s.temperature, record.Param{
		Name: "temperature", Min: 0, Max: 100, Step: 0.01, Unit: "mean edges",
		Doc: "Mean of the limit of accept=threshold, which is distributed exponentially (the rule of " +
			"Metropolis).",
	})
	t.Float(&s.cooling, record.Param{
		Name: "cooling", Min: 0, Max: maxCooling, Step: 10, Unit: "kicks a city",
		Doc: "Kicks after which the temperature, which falls evenly, is 0; 0: it does not fall.",
	})
	t.Truth(&s.timed, record.Param{
		Name: "timed",
		Doc: "Whether a step that is limited by time sets cooling as it goes on, so that the " +
			"temperature falls evenly to 0 at its end. The changes are recorded.",
	})
	t.Int(&s.exchange, record.Param{
		Name: "exchange", Min: 0, Max: 1e6, Step: 1, Unit: "iterations",
		Doc: "After so many iterations the chain with the longest tour goes on from the shortest; 0: " +
			"never.",
	})
	t.Int(&s.chains, record.Param{
		Name: "chains", Class: record.Structural, Min: 1, Max: tiles.MaxChains, Step: 1, Unit: "tours",
		Doc:    "Tours that are searched side by side.",
		Effect: "In a fork new chains begin with the best tour; the last are dropped.",
	})
	t.Int(&s.neighbours, record.Param{
		Name: "neighbours", Class: record.Structural, Min: 1, Max: tiles.MaxNeighbours, Step: 1,
		Unit: "cities", Doc: "Length of the lists of neighbours that new edges come from.",
	})
	t.Enum(&s.candidates, record.Param{
		Name: "candidates", Class: record.Structural, Options: []string{"near", "alpha", "weighted"},
		Doc: "Which neighbours are listed: near, those close by; alpha, five whose edges are almost in " +
			"a minimum spanning tree of reduced costs, with which the search then works, and the " +
			"nearest of each quadrant; weighted, those close by, but reduced costs.",
	})
	t.Truth(&s.quadrant, record.Param{
		Name: "quadrant", Class: record.Structural,
		Doc: "Whether a quarter of the neighbours is taken from each quadrant round a city, or all " +
			"are the nearest; not for candidates=alpha.",
	})
	t.Enum(&s.start, record.Param{
		Name: "start", Class: record.Structural,
		Options: []string{"fit", "whole", "parts", "greedy", "boruvka", "nn", "curve", "random"},
		Doc: "The first tour: fit whole on lattices, where the two nearest cities of most are equally " +
			"far, and in clusters, else parts; whole the shortest of four that are each searched in the " +
			"whole plane, side by side: by short edges overall, and by Quick-Boruvka in three directions; " +
			"parts by short edges in parts of the plane, on all cores (below 32768 cities in the whole); " +
			"greedy by short edges overall; boruvka by short edges city by city; nn by the nearest " +
			"neighbour (from city 0, 1, ... in the chains); curve along the space-filling curve; random " +
			"(each chain its own).",
	})
	t.Enum(&s.descent, record.Param{
		Name: "descent", Class: record.Structural, Options: []string{"none", "2opt", "3opt", "oropt"},
		Doc: "Local search of the first iteration, from all cities, by the cores of the CPU: as " +
			"operator of the variant queue. From 32768 cities on it is made in parts of the plane that " +
			"are then joined, if the start is parts, greedy, boruvka or curve.",
	})
	t.Float(&s.polish, record.Param{
		Name: "polish", Class: record.Structural, Min: 0, Max: 1000, Step: 0.1, Unit: "kicks a city",
		Doc: "Kicks of the first iteration where edges are long, in tiles, repaired by chains of " +
			"exchanges, by the cores of the CPU; only from start=whole and with descent=oropt.",
	})
	t.Int(&s.mend, record.Param{
		Name: "mend", Class: record.Structural, Min: 0, Max: 1000, Step: 10, Unit: "kicks",
		Doc: "Kicks of the first iteration at each edge that is long for its tile, repaired by chains " +
			"of exchanges in the whole tour, by the cores of the CPU: hardly any tile has both ends of " +
			"such an edge.",
	})
	t.Int(&s.workers, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that share the pieces on the cpu backend; 0 means one for each core.",
	})
}

func (s *Tiles) Init(env *solvers.Env) error {
	env.Pool.Resize(s.workers)
	switch s.inst.Metric {
	case datasets.Euc2D, datasets.Ceil2D, datasets.Att:
	default:
		return fmt.Errorf(
			"ils: the metric of %s is %v; tiles cuts the plane and needs EUC_2D, CEIL_2D or ATT",
			s.inst.Title, s.inst.Metric,
		)
	}
	sp, err := tours.NewSpace(s.inst)
	if err != nil {
		return err
	}
	s.p = tiles.Problem{Space: sp, Seed: env.Seed, Env: env}
	s.p.Near, s.first = s.list(sp)
	if s.begin() == "whole" {
		if s.first = sp.Sparse(12); s.p.Near.Pi != nil {
			s.first = sp.WeightedAs(s.first, s.p.Near)
		} else {
			s.first = sp.Weighted(s.first)
		}
	}
	if s.engine, err = s.make(&s.p); err != nil {
		return err
	}
	s.descend = true
	s.cutters().Begin(2%s.cuts, s.cuts) // the first round is iteration 2
	return s.load(s.starts(s.chains))
}

// maxWeight is the largest weight of a city with which costs and sums of them fit in 32 bits.
const maxWeight = 1 << 27

// alphaNear is how many neighbours are chosen by alpha with candidates=alpha. The others are the
// nearest in each quadrant: those near by alpha do not lead from one cluster to all around it.
const alphaNear = 5

// list makes the lists of neighbours, and those of the start and its search.
func (s *Tiles) list(sp *tours.Space) (near, first tours.Neighbours) {
	switch {
	case s.candidates == "alpha":
		near, first = sp.AlphaParts(min(s.neighbours, alphaNear), s.p.Env.Pool.Run)
		if s.neighbours > alphaNear {
			near = sp.Joined(s.neighbours, near, sp.Quadrant(4), first)
		}
	case s.candidates == "weighted":
		near = sp.Weighted(sp.Quadrant(s.neighbours))
		first = near
	case s.quadrant:
		near = sp.Quadrant(s.neighbours)
		return near, near
	default:
		near = sp.Nearest(s.neighbours)
		return near, near
	}
	if len(near.Pi) > 0 && max(slices.Max(near.Pi), -slices.Min(near.Pi)) > maxWeight {
		near = sp.Quadrant(s.neighbours)
		return near, near
	}
	return near, first
}

// load gives the chains to the engine.
func (s *Tiles) load(chains [][]int32) error {
	s.lengths = make([]int64, len(chains))
	for a, t := range chains {
		s.lengths[a] = s.p.Space.Length(t)
	}
	return s.engine.Load(chains)
}

// starts makes the first tours.
func (s *Tiles) starts(count int) [][]int32 {
	chains, sp := make([][]int32, count), s.p.Space
	first := func(a int) []int32 {
		switch s.begin() {
		case "parts":
			return sp.GreedyParts(s.first, s.p.Env.Pool.Run)
		case "greedy", "whole": // for whole if there is no descent
			return sp.Greedy(s.first)
		case "boruvka":
			return sp.Boruvka(s.first)
		case "nn":
			return sp.NearestNeighbour(sp.Internal[a%sp.N])
		case "random":
			draws := arith.NewStream(s.p.Seed, 0, uint32(a), drawStart)
			return sp.Random(&draws)
		}
		return sp.Curve()
	}
	for a := range chains {
		switch {
		case s.given != nil:
			chains[a] = sp.FromInstance(s.given)
		case a > 0 && s.start != "nn" && s.start != "random":
			chains[a] = append([]int32(nil), chains[0]...)
		default:
			chains[a] = first(a)
		}
	}
	return chains
}

func (s *Tiles) Changed([]string) { s.p.Env.Pool.Resize(s.workers) }

// cutOf is the cut of an iteration; those that were made are kept.
func (s *Tiles) cutOf(it int64) *tiles.Cut {
	s.cutters().Drop(s.cuts)
	return s.cut.Get(int(it%int64(s.cuts)), s.cuts)
}

// cutters makes the cuts into pieces of the size that is asked for.
func (s *Tiles) cutters() *tiles.Cuts {
	if s.cut == nil || s.cut.Size() != s.size {
		if s.cut != nil {
			s.cut.Wait()
		}
		s.cut = tiles.NewCuts(s.p.Space, s.p.Seed, s.size)
	}
	return s.cut
}

// job is the round of iteration it.
func (s *Tiles) job(it int64) tiles.Job {
	job := tiles.Job{
		Iter: it, Cut: s.cutOf(it), Rate: int(math.Round(s.kicks * 1000)), Width: s.width,
	}
	switch s.operator {
	case "or2opt":
		job.Operator = tiles.OrTwoOpt
	case "or3opt":
		job.Operator = tiles.OrThreeOpt
	}
	if s.kick == "segment" {
		job.Kick = tiles.Segment
	}
	if s.accept == "threshold" {
		n, left := float64(s.p.Space.N), 1.0
		if s.cooling > 0 {
			left = max(0, 1-float64(s.done)/float64(s.cooling*n))
		}
		for _, l := range s.lengths {
			job.Scale = append(
				job.Scale, float64(s.temperature*math.Ln2)*float64(left*(float64(l)/n)),
			)
		}
	}
	return job
}

func (s *Tiles) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if len(s.out) != len(s.lengths) {
		s.out = make([]tiles.Outcome, len(s.lengths))
	}
	descend, n := s.descend, s.p.Space.N
	if descend {
		if err := s.descendAll(ctx); err != nil {
			return err
		}
	} else if err := s.engine.Iterate(ctx, s.job(it), s.out); err != nil {
		return err
	}
	var sum tiles.Outcome
	first := 0
	p.Digest = 0
	for a, o := range s.out {
		if !descend && s.lengths[a]+o.Change != o.Length {
			return fmt.Errorf("ils: iteration %d: chain %d had the length %d, its kicks changed it by %d, "+
				"and its tour has %d", it, a, s.lengths[a], o.Change, o.Length)
		}
		s.lengths[a] = o.Length
		if o.Length < s.lengths[first] {
			first = a
		}
		sum.Length += o.Length
		sum.Kicks += o.Kicks
		sum.Kept += o.Kept
		sum.Gained += o.Gained
		sum.Refused += o.Refused
		sum.Moves += o.Moves
		p.Digest = arith.Chain(p.Digest, o.Hash)
	}
	chains := int64(len(s.out))
	p.Evals = max(1, sum.Kicks)
	if descend {
		p.Evals = chains
	}
	s.descend = false
	s.done += sum.Kicks / chains
	p.IterBest, p.Mean = float64(s.lengths[first]), float64(sum.Length)/float64(chains)
	all := float64(max(1, sum.Kicks))
	p.Measures[0], p.Measures[1] = float64(sum.Kept)/all, float64(sum.Gained)/all
	p.Measures[2], p.Measures[3] = float64(sum.Refused)/all, float64(s.done)/float64(n)
	if !s.found || s.lengths[first] < s.bestLen {
		if err := s.engine.Keep(first); err != nil {
			return err
		}
		s.found, s.best, s.bestLen = true, nil, s.lengths[first]
	}
	return s.swap(it)
}

// swap lets the chain with the longest tour go on from the shortest.
func (s *Tiles) swap(it int64) error {
	if s.exchange == 0 || it%int64(s.exchange) != 0 {
		return nil
	}
	from, to := 0, 0
	for a, l := range s.lengths {
		if l < s.lengths[from] {
			from = a
		}
		if l > s.lengths[to] {
			to = a
		}
	}
	if s.lengths[from] == s.lengths[to] {
		return nil
	}
	s.lengths[to] = s.lengths[from]
	return s.engine.Copy(from, to)
}
