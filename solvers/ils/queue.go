package ils

import (
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

var (
	_ solvers.Algorithm = (*queue)(nil)
	_ solvers.Changer   = (*queue)(nil)
	_ solvers.Tracer    = (*queue)(nil)
	_ solvers.Lengther  = (*queue)(nil)
	_ solvers.Starter   = (*queue)(nil)
)

// queue is the variant queue: several chains, each with a tour of its own that is kicked, repaired
// from a queue of cities, and kept or undone.
type queue struct {
	// Parameters; see Declare.
	operator, improvement, kick, accept, start string
	candidates                                 string
	neighbours, depth, firstDepth, far         int
	breadth                                    [3]int
	quadrant, ends, even, oneWay, wide         bool
	size, around, hunt, mend                   int
	kicks, chains, exchange, workers           int
	pool                                       int
	temperature, cooling                       float64
	// the start, in the instance's numbers; nil: see start
	given []int32

	inst  *datasets.TSP
	env   *solvers.Env
	space *tours.Space
	rows  float64 // see lattice; 0 until it is needed
	lists
	plain  *lists        // without weights, for pools; nil until it is needed
	merger *tours.Merger // nil until it is needed

	// The state: what Snapshot writes.
	tours   [][]int32 // by chain, internal numbers, as the search left them
	lengths []int64
	descend bool // the next iteration is a search from all cities
	other   bool // the next iteration, or the one after it, makes the other start
	best    []int32
	bestLen int64
	bases   [][]int32 // by chain, the tours at the cycle's beginning; none in the first cycle
	made    int64     // kicks of a chain in the cycle; see cycle
	mating            // the pool

	// Results of the current iteration, until it is complete.
	next    [][]int32
	results []result
	drawn   int // cities for a kick
}

// lists are lists of neighbours, and the workspaces of searches along them.
type lists struct {
	near   tours.Neighbours
	search []*tours.Search // by worker; nil until it is needed
}

// result is the result of an iteration for a chain.
type result struct {
	length       int64
	kept, gained int
	err          error
}

// From longFrom cities on cycles are longer by default. From sparseFrom cities on they are longer
// again, and lists are sparse, before of alpha-near neighbours; above alphaUpTo costs are not
// reduced, and there are no pools.
const (
	longFrom   = 8000
	sparseFrom = 20_000
	alphaUpTo  = 200_000
)

// newQueue returns the search with default parameters for the instance.
func newQueue(t *datasets.TSP) *queue {
	n, s := t.N, &queue{inst: t}
	s.operator, s.improvement, s.kick, s.accept = "oropt", "first", "walk", "annealing"
	s.candidates, s.neighbours, s.quadrant = "alpha", 8, true
	s.depth, s.firstDepth, s.breadth, s.far = 12, 25, [3]int{5, 3, 1}, 3
	s.ends, s.oneWay, s.around = true, true, 10
	// Lists of alpha-near neighbours lead less far than others, so the walks are long.
	s.start, s.size, s.hunt = "greedy", 50, 1
	if n >= sparseFrom {
		// Fewer kicks a city are made then, so what each finds counts: on five instances of the table
		// tours-dev from 31,000 to 100,000 cities tours are shorter after 8 s than with alpha-near
		// neighbours, on ten smaller ones not more often than longer.
		s.candidates, s.neighbours, s.wide = "sparse", 12, true
		s.start, s.hunt = "fit", 0
	}
	if n > alphaUpTo {
		// The ascent would take longer than the first local optimum. Deeper chains gain little more,
		// and take a third more time; there is time for narrow kicks only.
		s.candidates, s.neighbours, s.wide = "near", 8, false
		s.start, s.hunt, s.firstDepth, s.size = "greedy", 1, 12, 10
	}
	s.kicks = min(max(n/10, 50), 200)
	s.chains, s.exchange, s.workers = 1, 10, 0
	s.temperature, s.cooling = 1, 5
	if n <= alphaUpTo {
		// Pools find more than kicks; they need a good tour to add to, and little more. But the more
		// cities, the longer a pool takes, and the more kicks would gain meanwhile.
		s.pool, s.cooling = 10, 0.5
		if n >= sparseFrom {
			s.cooling = 1.5
		} else if n >= longFrom {
			s.cooling = 0.75
		}
	}
	return s
}

func (s *queue) Declare(t *solvers.Params) {
	again := "The next iteration begins with a search from all cities."
	t.Enum(&s.operator, record.Param{
		Name: "operator", Options: []string{"2opt", "3opt", "oropt"}, Effect: again,
		Doc: "Local search: 2opt is 2-opt with moves of up to three cities, 3opt all exchanges of " +
			"three edges, oropt Lin-Kernighan chains.",
	})
	t.Enum(&s.improvement, record.Param{
		Name: "improvement", Options: []string{"first", "best"}, Effect: again,
		Doc: "Which move of a city is made: the first that gains, or the best; for the best of the " +
			"whole tour see the variant best.",
	})
	t.Int(&s.neighbours, record.Param{
		Name: "neighbours", Min: 1, Max: 100, Step: 1, Unit: "cities", Effect: again,
		Doc: "Length of the lists of neighbours that new edges come from.",
	})
	t.Enum(&s.candidates, record.Param{
		Name: "candidates", Options: []string{"near", "alpha", "mixed", "weighted", "sparse"},
		Effect: again,
		Doc: "Which neighbours are listed: near, those close by; alpha, those whose edges are almost " +
			"in a minimum spanning tree of reduced costs, with which the search then works; mixed, as " +
			"alpha, and the nearest of each quadrant; weighted, those close by, but reduced costs; " +
			"sparse, reduced costs too, and the two nearest of each quadrant with its axes, both ways, " +
			"at most as many as neighbours says.",
	})
	t.Truth(&s.quadrant, record.Param{
		Name: "quadrant", Effect: again,
		Doc: "Whether a quarter of the neighbours is taken from each quadrant round a city, or all " +
			"are the nearest; for candidates=near.",
	})
	t.Int(&s.depth, record.Param{
		Name: "depth", Min: 2, Max: tours.MaxDepth, Step: 1, Unit: "exchanges", Effect: again,
		Doc: "Longest chain of exchanges of oropt after a kick.",
	})
	t.Int(&s.firstDepth, record.Param{
		Name: "first_depth", Min: 2, Max: tours.MaxDepth, Step: 1, Unit: "exchanges", Effect: again,
		Doc: "Longest chain of exchanges of oropt in a search from all cities.",
	})
	for i, name := range []string{"breadth1", "breadth2", "breadth3"} {
		t.Int(&s.breadth[i], record.Param{
			Name: name, Min: 1, Max: tours.MaxBreadth, Step: 1, Unit: "exchanges", Effect: again,
			Doc: fmt.Sprintf(
				"Exchanges that oropt tries at level %d of a chain%s.", i+1,
				[]string{"", "", " and at all deeper levels"}[i],
			),
		})
	}
	t.Int(&s.far, record.Param{
		Name: "far", Min: 0, Max: 100, Step: 1, Unit: "cities", Effect: again,
		Doc: "Neighbours that oropt tries in exchanges of three edges that are no chain of two-edge " +
			"exchanges; 0 leaves them out. Not read with wide=true.",
	})
	t.Truth(&s.wide, record.Param{
		Name: "wide", Effect: again,
		Doc: "Whether oropt tries, in place of those of far, the most promising exchanges of three " +
			"and four edges that are no chain of two-edge exchanges: four, three and three by level.",
	})
	t.Truth(&s.ends, record.Param{
		Name: "ends", Effect: again,
		Doc: "Whether chains of oropt grow at either end of the open path (Mak and Morton's moves), " +
			"at the levels that try one exchange only, and go home from edges that are far too long.",
	})
	t.Truth(&s.even, record.Param{
		Name: "even", Effect: again,
		Doc: "Whether oropt, at the levels that try several exchanges, also adds an edge as long as " +
			"the gain so far.",
	})
	t.Truth(&s.oneWay, record.Param{
		Name: "one_way", Effect: again,
		Doc: "Whether oropt, after a kick, looks from a city only along the tour edge that leads on " +
			"from it; otherwise also along the one behind.",
	})
	t.Int(&s.around, record.Param{
		Name: "around", Min: 0, Max: tours.MaxAround, Step: 1, Unit: "cities", Effect: again,
		Doc: "Cities before and behind each end of a kick's edges that are looked at with it.",
	})
	t.Enum(&s.kick, record.Param{
		Name: "kick", Options: []string{"segment", "walk", "uniform"},
		Doc: "Where the four edges of a double bridge lie: segment, close on the tour; walk, close in " +
			"the plane; uniform, anywhere.",
	})
	t.Int(&s.size, record.Param{
		Name: "size", Min: 1, Max: 1000, Step: 1,
		Doc: "Reach of a kick: cities of each of the three paths of segment, steps of the random " +
			"walks of walk.",
	})
	t.Int(&s.hunt, record.Param{
		Name: "hunt", Min: 0, Max: 10000, Step: 1, Unit: "cities",
		Doc: "Cities drawn for a kick, which is made at the one whose tour edge is longest beside the " +
			"edge to its nearest neighbour; 1: at any city; 0: 10 in the first cycle on lattices (see " +
			"start), else 1.",
	})
	t.Int(&s.mend, record.Param{
		Name: "mend", Min: 0, Max: 1000, Step: 10, Unit: "kicks", Effect: again,
		Doc: "Kicks at each edge that is long after a search from all cities, as greedy starts leave " +
			"them between clusters; 0 makes none.",
	})
	t.Int(&s.kicks, record.Param{
		Name: "kicks", Min: 1, Max: 1e7, Step: 10, Unit: "kicks", Sized: true,
		Doc: "Kicks of a chain in an iteration.",
	})
	t.Enum(&s.accept, record.Param{
		Name: "accept", Options: []string{"better", "threshold", "annealing", "always"},
		Doc: "Which repaired tours are kept: better, those that are not longer; threshold, also " +
			"longer ones up to a random limit; annealing, the same in cycles in which the limit falls " +
			"to 0, and then the better parts of the tour and of the one before the cycle; always, all.",
		Effect: "A first cycle begins.",
	})
	t.Float(&s.temperature, record.Param{
		Name: "temperature", Min: 0, Max: 100, Step: 0.01, Unit: "mean edges",
		Doc: "Mean of the limit of accept=threshold, which is distributed exponentially (the rule of " +
			"Metropolis), where 0.1 suits oropt; with annealing, at the beginning of a cycle.",
	})
	t.Float(&s.cooling, record.Param{
		Name: "cooling", Min: 0.01, Max: 1e6, Step: 1, Unit: "kicks a city",
		Doc: "Kicks of a chain in a cycle of accept=annealing, in the first of which the limit is 0, " +
			"and before each pool.",
	})
	t.Int(&s.pool, record.Param{
		Name: "pool", Min: 0, Max: 1e5, Step: 1, Unit: "tours",
		Doc: "Tours of the first pool: the chains' tours and local optima from random starts, whose " +
			"better parts are put together by edge assembly; the chains go on from the best. Each later " +
			"pool has twice as many; 0 makes none.",
		Effect: "The next pool has so many; 0 ends the one that is made.",
	})
	t.Int(&s.chains, record.Param{
		Name: "chains", Min: 1, Max: 1024, Step: 1, Unit: "tours",
		Doc:    "Tours that are searched side by side.",
		Effect: "New chains begin with the tour of the best; the last are dropped.",
	})
	t.Int(&s.exchange, record.Param{
		Name: "exchange", Min: 0, Max: 1e6, Step: 1, Unit: "iterations",
		Doc: "After so many iterations the chain with the longest tour goes on from the shortest; 0: " +
			"never.",
	})
	t.Enum(&s.start, record.Param{
		Name: "start", Class: record.Structural,
		Options: []string{"fit", "either", "greedy", "boruvka", "nn", "curve", "random"},
		Doc: "The first tour: greedy by short edges overall; boruvka by each city's edge to the " +
			"nearest end of another path (Quick-Boruvka); fit boruvka on lattices, where the two nearest " +
			"cities of most are equally far, else greedy; either both, one after the other, of which " +
			"the one stays that is shorter after a search; nn by the nearest neighbour (from city 0, " +
			"1, ... in the chains); curve along the space-filling curve; random (each chain its own).",
	})
	t.Int(&s.workers, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that share the chains; 0 means one for each core.",
	})
}

// StartAt makes all chains begin with the tour.
func (s *queue) StartAt(sol record.Solution) { s.given = sol.Perm }

func (s *queue) Counts() string { return counts }

func (s *queue) Measures() []string { return []string{"kept", "gaining", "pool"} }

func (s *queue) Best() float64 {
	if s.best == nil {
		return math.Inf(1)
	}
	return float64(s.bestLen)
}

func (s *queue) Solution() record.Solution {
	if s.best == nil {
		return record.Solution{}
	}
	return record.Solution{Perm: s.space.ToInstance(s.best)}
}

func (s *queue) Lengths() []float64 {
	out := make([]float64, len(s.lengths))
	for i, l := range s.lengths {
		out[i] = float64(l)
	}
	for i := range s.members {
		out = append(out, float64(s.members[i].Length))
	}
	return out
}

func (s *queue) Trace() [][]int32 {
	out := make([][]int32, len(s.tours))
	for i, t := range s.tours {
		out[i] = s.space.ToInstance(t)
	}
	for i := range s.members {
		out = append(out, s.space.ToInstance(s.members[i].Tour))
	}
	return out
}

func (s *queue) Close() {}
