package ils

import (
	"context"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

var (
	_ solvers.Algorithm = (*bestSearch)(nil)
	_ solvers.Changer   = (*bestSearch)(nil)
	_ solvers.Tracer    = (*bestSearch)(nil)
	_ solvers.Lengther  = (*bestSearch)(nil)
	_ solvers.Starter   = (*bestSearch)(nil)
	_ solvers.Counter   = (*bestSearch)(nil)
	_ solvers.Sharer    = (*bestSearch)(nil)
	_ solvers.Timer     = (*bestSearch)(nil)
	_ solvers.Waver     = (*bestSearch)(nil)
)

// bestSearch is the variant best: its local search always makes the best move of the whole tour.
type bestSearch struct {
	// Parameters; see Declare.
	operator, accept, start            string
	neighbours, kicks, chains, workers int
	blocks                             int
	quadrant                           bool
	// the start, in the instance's numbers; nil: see start
	given []int32

	inst  *datasets.TSP
	env   *solvers.Env
	space *tours.Space
	near  tours.Neighbours

	make   func(*BestProblem) (BestEngine, error)
	engine BestEngine
	use    bool // the engine must be told the lists, the operator and the number of chains
	loaded bool // the engine has the chains' tours

	// The state: what Snapshot writes. Tours are in internal numbers.
	tours   [][]int32
	lengths []int64
	descend bool // the next iteration is a search without a kick
	best    []int32
	bestLen int64

	results []BestChain // of the last iteration
}

// bestOperators are the local searches by the values of the parameter operator of best.
var bestOperators = map[string]tours.BestOperator{
	"2opt": tours.BestTwo, "3opt": tours.BestThree, "3opt-ordered": tours.BestOrdered,
}

func newBestSearch(
	t *datasets.TSP, engine func(*BestProblem) (BestEngine, error),
) *bestSearch {
	return &bestSearch{
		inst: t, make: engine,
		operator: "3opt", accept: "better", start: "nn", neighbours: 40, quadrant: true,
		kicks: min(max(t.N/10, 1), 20), chains: 1,
	}
}

func (s *bestSearch) Declare(t *solvers.Params) {
	again := "The next iteration is a search without a kick."
	t.Enum(&s.operator, record.Param{
		Name: "operator", Options: []string{"3opt-ordered", "3opt", "2opt"}, Effect: again,
		Doc: "Local search: always the best exchange of two edges in the whole tour (2opt), or of two " +
			"or three (3opt), until none makes it shorter; 3opt-ordered takes of three edges those that " +
			"follow three cities in the order of the tour, each a listed neighbour of the one before and " +
			"nearer than the city that follows it, as we read the paper.",
	})
	t.Int(&s.neighbours, record.Param{
		Name: "neighbours", Min: 1, Max: 100, Step: 1, Unit: "cities", Effect: again,
		Doc: "Length of the lists of neighbours that new edges come from.",
	})
	t.Truth(&s.quadrant, record.Param{
		Name: "quadrant", Effect: again,
		Doc: "Whether a quarter of the neighbours is taken from each quadrant round a city, or all " +
			"are the nearest.",
	})
	t.Int(&s.kicks, record.Param{
		Name: "kicks", Min: 1, Max: 1e6, Step: 10, Unit: "kicks", Sized: true,
		Doc: "Kicks of a chain in an iteration, each a double bridge of four random edges, one after " +
			"the other.",
	})
	t.Enum(&s.accept, record.Param{
		Name: "accept", Options: []string{"better", "always"},
		Doc: "Which tours are kept after a kick and the search: better, those that are not longer; " +
			"always, all, as Algorithm 1 of the paper says literally.",
	})
	t.Int(&s.chains, record.Param{
		Name: "chains", Min: 1, Max: 64, Step: 1, Unit: "tours",
		Doc:    "Tours that are searched side by side, each on its own.",
		Effect: "New chains begin with the tour of the best; the last are dropped.",
	})
	t.Enum(&s.start, record.Param{
		Name: "start", Class: record.Structural, Options: []string{"nn", "greedy", "curve", "random"},
		Doc: "The first tour of a chain: by the nearest listed neighbour from a random city, by short " +
			"edges overall, along the space-filling curve, or at random.",
	})
	t.Int(&s.workers, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that share the chains on the cpu backend; 0 means one for each core.",
	})
	t.Int(&s.blocks, record.Param{
		Name: "blocks", Class: record.Schedule, Min: 0, Max: 1024, Unit: "blocks",
		Doc: "Blocks of threads that search a tour on a GPU; 0 leaves it to the program, and the cpu " +
			"backend has none.",
	})
}

// StartAt makes all chains begin with the tour.
func (s *bestSearch) StartAt(sol record.Solution) { s.given = sol.Perm }

func (s *bestSearch) Counts() string { return counts }

// Measures are the shares of the kicks that were kept and that made the tour shorter, and the moves
// of a local search.
func (s *bestSearch) Measures() []string { return []string{"kept", "gaining", "moves"} }

func (s *bestSearch) Best() float64 {
	if s.best == nil {
		return math.Inf(1)
	}
	return float64(s.bestLen)
}

func (s *bestSearch) Solution() record.Solution {
	if s.best == nil {
		return record.Solution{}
	}
	return record.Solution{Perm: s.space.ToInstance(s.best)}
}

func (s *bestSearch) Lengths() []float64 {
	out := make([]float64, len(s.lengths))
	for i, l := range s.lengths {
		out[i] = float64(l)
	}
	return out
}

func (s *bestSearch) Trace() [][]int32 {
	out := make([][]int32, len(s.tours))
	for i, t := range s.tours {
		out[i] = s.space.ToInstance(t)
	}
	return out
}

func (s *bestSearch) Changed(names []string) {
	for _, name := range names {
		switch name {
		case "workers":
			s.env.Pool.Resize(s.workers)
		case "neighbours", "quadrant":
			s.list()
			s.use, s.descend = true, true
		case "operator":
			s.use, s.descend = true, true
		case "chains":
			s.resize()
		}
	}
}

// list makes the lists of neighbours.
func (s *bestSearch) list() {
	if s.quadrant {
		s.near = s.space.Quadrant(s.neighbours)
	} else {
		s.near = s.space.Nearest(s.neighbours)
	}
}

// resize drops chains, or adds some that begin with the shortest tour.
func (s *bestSearch) resize() {
	best := 0
	for a, l := range s.lengths {
		if l < s.lengths[best] {
			best = a
		}
	}
	for len(s.tours) < s.chains {
		s.tours = append(s.tours, slices.Clone(s.tours[best]))
		s.lengths = append(s.lengths, s.lengths[best])
	}
	s.tours, s.lengths = s.tours[:s.chains], s.lengths[:s.chains]
	s.use = true
}

func (s *bestSearch) Close() {
	if s.engine != nil {
		s.engine.Close()
	}
}

func (s *bestSearch) Time(on bool) bool {
	e, ok := s.engine.(solvers.Timer)
	return ok && e.Time(on)
}

func (s *bestSearch) Spans() []solvers.Span {
	if e, ok := s.engine.(solvers.Timer); ok {
		return e.Spans()
	}
	return nil
}

func (s *bestSearch) Waves() []solvers.Wave {
	if e, ok := s.engine.(solvers.Waver); ok {
		return e.Waves()
	}
	return nil
}

func (s *bestSearch) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if e, ok := s.engine.(solvers.Sharer); ok {
		return e.Turn(ctx)
	}
	return func() {}, false, nil
}
