package ils

import (
	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

var (
	_ solvers.Algorithm      = (*bestSearch)(nil)
	_ solvers.Changer        = (*bestSearch)(nil)
	_ solvers.Tracer         = (*bestSearch)(nil)
	_ solvers.LengthReporter = (*bestSearch)(nil)
	_ solvers.Starter        = (*bestSearch)(nil)
	_ solvers.Counter        = (*bestSearch)(nil)
	_ solvers.Sharer         = (*bestSearch)(nil)
	_ solvers.Timer          = (*bestSearch)(nil)
	_ solvers.Waver          = (*bestSearch)(nil)
)

// It is Algorithm 1 of J. Fosin, D. Davidovic, T. Caric, A GPU implementation of local search
// operators for symmetric travelling salesman problem, Promet 25 (2013), doi:10.7307/ptt.v25i3.300;
// tours.Best defines the moves and the order of ties, and says how much of this the paper states.
// The paper has:
//
//   - lists of 40 neighbours, ten from each quadrant (section 4), no don't-look bits;
//   - the start begins at a random city and always goes to the nearest listed city that is not
//     visited yet (section 4); if there is none, we take the nearest of all;
//   - a kick is a double bridge of four edges drawn from the whole tour (section 4.3), and the
//     search after it makes the best move of the whole tour until none gains, like the first;
//   - a run is 0.1 n, n or 10 n kicks (section 4.3): with the default of 20 kicks an iteration,
//     n/200, n/20 or n/2 iterations after the first, which makes none.
//
// What the paper's text says and its table 3 shows do not go together, so there are two presets.
// The preset paper is the text: 3-opt ordered, which is how we read section 4.2 and agrees with the
// published 4.58 % of 3-opt alone (ours 4.85), and accept=always, for Algorithm 1 continues from
// the tour after the kick and the search whatever its length (line 10) and stores the best
// separately. The published gaps of 0.1, 1 and 10 kicks a city, 2.00, 0.78 and 0.32 %, are not
// reached by it: 0.1 n kicks take 3-opt ordered to 3.7 %, n kicks to 2.2, with accept=better to 3.6
// and 1.7 (56 instances up to 1323 cities). The preset paper-iterated makes all reconnections of
// three edges and goes on from the better tour (accept=better): it comes near these three gaps, and
// its 3-opt alone ends at 2.6 %. Table fosin-3 of the verb bench has both.

// bestSearch is the variant best: its local search always makes the best move of the whole tour.
type bestSearch struct {
	param bestParams
	given []int32 // the start, in the instance's numbers; nil: see start

	inst  *datasets.TSP
	env   *solvers.Env
	space *tours.Space
	near  tours.Neighbours

	make func(*BestProblem) (BestEngine, error)
	device[BestEngine]
	use    bool // the engine still needs the lists, the operator and the number of chains
	loaded bool // the engine has the chains' tours

	// The state: what Snapshot writes.
	chains
	descend bool // the next iteration is a search without a kick
	best    incumbent

	results []BestChain // of the last iteration
}

// bestParams are the parameters of best; see table.
type bestParams struct {
	operator, accept, start            string
	neighbours, kicks, chains, workers int
	blocks                             int
	quadrant                           bool
}

// bestOperators are the local searches by the values of the parameter operator of best.
var bestOperators = map[string]tours.BestOperator{
	"2opt": tours.BestTwo, "3opt": tours.BestThree, "3opt-ordered": tours.BestOrdered,
}

func newBestSearch(
	t *datasets.TSP, engine func(*BestProblem) (BestEngine, error),
) *bestSearch {
	return &bestSearch{inst: t, make: engine, param: bestParams{
		operator: "3opt", accept: "better", start: "nn", neighbours: 40, quadrant: true,
		kicks: min(max(t.N/10, 1), 20), chains: 1,
	}}
}

// searchAgain is the effect of parameters of the local search.
const searchAgain = "The next iteration is a search without a kick."

func (s *bestSearch) Declare(t *solvers.Params) { declare(t, s.table()) }

func (s *bestSearch) Changed(names []string) { changed(s, s.table(), names) }

// table lists the parameters in the order in which they are shown.
func (s *bestSearch) table() []row[*bestSearch] {
	p := &s.param
	return []row[*bestSearch]{
		{&p.operator, (*bestSearch).operate, record.Param{
			Name: "operator", Options: []string{"3opt-ordered", "3opt", "2opt"}, Effect: searchAgain,
			Doc: "Local search: always the best exchange of two edges in the whole tour (2opt), or of two " +
				"or three (3opt), until none makes it shorter; 3opt-ordered takes of three edges those that " +
				"follow three cities in the order of the tour, each a listed neighbour of the one before and " +
				"nearer than the city that follows it, as we read the paper.",
		}},
		{&p.neighbours, (*bestSearch).listAnew, record.Param{
			Name: "neighbours", Min: 1, Max: 100, Step: 1, Unit: "cities", Effect: searchAgain,
			Doc: "Length of the lists of neighbours that new edges come from.",
		}},
		{&p.quadrant, (*bestSearch).listAnew, record.Param{
			Name: "quadrant", Effect: searchAgain,
			Doc: "Whether a quarter of the neighbours is taken from each quadrant round a city, or all " +
				"are the nearest.",
		}},
		{&p.kicks, nil, record.Param{
			Name: "kicks", Min: 1, Max: 1e6, Step: 10, Unit: "kicks", Sized: true,
			Doc: "Kicks of a chain in an iteration, each a double bridge of four random edges, one after " +
				"the other.",
		}},
		{&p.accept, nil, record.Param{
			Name: "accept", Options: []string{"better", "always"},
			Doc: "Which tours are kept after a kick and the search: better, those that are not longer; " +
				"always, all, as Algorithm 1 of the paper says literally.",
		}},
		{&p.chains, (*bestSearch).resize, record.Param{
			Name: "chains", Min: 1, Max: 64, Step: 1, Unit: "tours",
			Doc:    "Tours that are searched side by side, each on its own.",
			Effect: "New chains begin with the tour of the best; the last are dropped.",
		}},
		{&p.start, nil, record.Param{
			Name: "start", Class: record.Structural, Options: []string{"nn", "greedy", "curve", "random"},
			Doc: "The first tour of a chain: by the nearest listed neighbour from a random city, by short " +
				"edges overall, along the space-filling curve, or at random.",
		}},
		{&p.workers, (*bestSearch).employ, record.Param{
			Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
			Doc: "Goroutines that share the chains on the cpu backend; 0 means one for each core.",
		}},
		{&p.blocks, nil, record.Param{
			Name: "blocks", Class: record.Schedule, Min: 0, Max: 1024, Unit: "blocks",
			Doc: "Blocks of threads that search a tour on a GPU; 0 leaves it to the program. Of no " +
				"effect on cpu.",
		}},
	}
}

// StartAt makes all chains begin with the tour.
func (s *bestSearch) StartAt(sol record.Solution) { s.given = sol.Perm }

func (s *bestSearch) Counts() string { return counts }

// Measures are the shares of accepted and of improving kicks, and the moves of a local search.
func (s *bestSearch) Measures() []string { return []string{"kept", "gaining", "moves"} }

func (s *bestSearch) Best() float64 { return s.best.value() }

func (s *bestSearch) Solution() record.Solution { return s.best.solution(s.space) }

func (s *bestSearch) Lengths() []float64 { return floats(s.lengths) }

func (s *bestSearch) Trace() [][]int32 { return s.trace(s.space) }

// operate and listAnew follow changes of the local search and of its lists.
func (s *bestSearch) operate() { s.use, s.descend = true, true }

func (s *bestSearch) listAnew() {
	s.list()
	s.operate()
}

// employ makes room for the goroutines that share the chains.
func (s *bestSearch) employ() { s.env.Pool.Resize(s.param.workers) }

// list makes the lists of neighbours.
func (s *bestSearch) list() {
	if s.param.quadrant {
		s.near = s.space.Quadrant(s.param.neighbours)
	} else {
		s.near = s.space.Nearest(s.param.neighbours)
	}
}

// resize drops chains, or adds some that begin with the shortest tour.
func (s *bestSearch) resize() {
	s.chains.resize(s.param.chains)
	s.use = true
}
