package ils

import (
	"fmt"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// queueParams are the parameters of queue, by what they are about.
type queueParams struct {
	near   nearParams
	search searchParams
	chain  chainParams
	kick   kickParams
	accept acceptParams

	pool     int // tours of the first pool; 0: there are none
	chains   int
	exchange int // iterations
	start    string
	workers  int
}

// nearParams say which neighbours new edges lead to.
type nearParams struct {
	candidates string
	neighbours int
	quadrant   bool
}

// searchParams say how the local search chooses a move.
type searchParams struct{ operator, improvement string }

// chainParams are about the chains of exchanges of operator=oropt; see tours.Settings.
type chainParams struct {
	depth, firstDepth  int
	breadth            [3]int // by level, the last also at deeper ones
	far, around        int
	wide, even, oneWay bool
	ends, firstEnds    bool
}

// kickParams are about the perturbation.
type kickParams struct {
	kind               string
	size, hunt, number int
	mend               int
}

// acceptParams are the parameters of acceptance after a kick; see acceptance.
type acceptParams struct {
	rule                 string
	temperature, cooling float64
}

// From longFrom cities on cycles are longer by default. From sparseFrom cities on lists are sparse,
// before of alpha-near neighbours, and cycles are short, as kicks gain less than a pool does; from
// hugeFrom on a pool takes so long that kicks come first. Above alphaUpTo there are no reduced
// costs and no pools.
const (
	longFrom   = 8000
	sparseFrom = 20_000
	hugeFrom   = 50_000
	alphaUpTo  = 200_000
)

// queueDefaults are the default values for an instance.
func queueDefaults(t *datasets.TSP) queueParams {
	n := t.N
	p := queueParams{
		near:   nearParams{candidates: "alpha", neighbours: 8, quadrant: true},
		search: searchParams{operator: "oropt", improvement: "first"},
		chain: chainParams{
			depth: 12, firstDepth: 25, breadth: [3]int{5, 3, 1}, far: 3, ends: true, firstEnds: true,
			oneWay: true, around: 10,
		},
		// Lists of alpha-near neighbours lead less far than others, so the walks are long.
		kick:   kickParams{kind: "walk", size: 50, hunt: 1, number: min(max(n/10, 50), 200)},
		accept: acceptParams{rule: "annealing", temperature: 1, cooling: 5},
		chains: 1, exchange: 10, start: "greedy",
	}
	if n >= sparseFrom {
		// The search then has fewer kicks a city, so the gain of each counts: on five instances of the
		// table tours-dev from 31,000 to 100,000 cities tours are shorter after 8 s than with alpha-near
		// neighbours, on ten smaller ones not more often than longer.
		p.near.candidates, p.near.neighbours, p.chain.wide = "sparse", 12, true
		p.start, p.kick.hunt = "fit", 0
	}
	if n > alphaUpTo {
		// The ascent would take longer than the first local optimum. Deeper chains gain little more,
		// and take a third more time; there is time for narrow kicks only.
		p.near.candidates, p.near.neighbours, p.chain.wide = "near", 8, false
		p.start, p.kick.hunt, p.chain.firstDepth, p.kick.size = "greedy", 1, 12, 10
		return p
	}
	// Pools find more than kicks; they need a good tour to add to, and little more. But the more
	// cities, the longer a pool takes, and the more kicks would gain meanwhile.
	p.pool, p.accept.cooling = 10, 0.5
	switch {
	case n >= hugeFrom:
		// There is time for half a kick a city only, and chains that grow at one end make half as many
		// kicks again; see the table ils-ends.
		p.chain.ends = false
	case n >= sparseFrom:
		p.accept.cooling = 0.1
	case n >= longFrom:
		p.accept.cooling = 0.75
	}
	return p
}

// again is the effect of parameters of the local search.
const again = "The next iteration begins with a search from all cities."

func (s *queue) Declare(t *solvers.Params) { declare(t, s.table()) }

func (s *queue) Changed(names []string) { changed(s, s.table(), names) }

// table lists the parameters of queue in the order in which they are shown.
func (s *queue) table() []row[*queue] {
	return slices.Concat(
		s.param.search.table(), s.param.near.table(), s.param.chain.table(), s.param.kick.table(),
		s.param.accept.table(), s.param.table(),
	)
}

func (p *searchParams) table() []row[*queue] {
	return []row[*queue]{
		{&p.operator, (*queue).searchAnew, record.Param{
			Name: "operator", Options: []string{"2opt", "3opt", "oropt"}, Effect: again,
			Doc: "Local search: 2opt is 2-opt with moves of up to three cities, 3opt all exchanges of " +
				"three edges, oropt Lin-Kernighan chains.",
		}},
		{&p.improvement, (*queue).searchAnew, record.Param{
			Name: "improvement", Options: []string{"first", "best"}, Effect: again,
			Doc: "Which move of a city is made: the first that gains, or the best; for the best of the " +
				"whole tour see the variant best.",
		}},
	}
}

func (p *nearParams) table() []row[*queue] {
	return []row[*queue]{
		{&p.neighbours, (*queue).listAnew, record.Param{
			Name: "neighbours", Min: 1, Max: 100, Step: 1, Unit: "cities", Effect: again,
			Doc: "Length of the lists of neighbours that new edges come from.",
		}},
		{&p.candidates, (*queue).listAnew, record.Param{
			Name: "candidates", Options: []string{"near", "alpha", "mixed", "weighted", "sparse"},
			Effect: again,
			Doc: "Which neighbours are listed: near, those close by; alpha, those whose edges are almost " +
				"in a minimum spanning tree of reduced costs, with which the search then works; mixed, as " +
				"alpha, and the nearest of each quadrant; weighted, those close by, but reduced costs; " +
				"sparse, reduced costs too, and the two nearest of each quadrant with its axes, both ways, " +
				"at most as many as neighbours says.",
		}},
		{&p.quadrant, (*queue).listAnew, record.Param{
			Name: "quadrant", Effect: again,
			Doc: "Whether a quarter of the neighbours is taken from each quadrant round a city, or all " +
				"are the nearest; for candidates=near.",
		}},
	}
}

func (p *chainParams) table() []row[*queue] {
	depth := func(field *int, name, doc string) row[*queue] {
		return row[*queue]{field, (*queue).searchAnew, record.Param{
			Name: name, Min: 2, Max: tours.MaxDepth, Step: 1, Unit: "exchanges", Effect: again,
			Doc: "Longest chain of exchanges of oropt " + doc + ".",
		}}
	}
	breadth := func(i int, more string) row[*queue] {
		return row[*queue]{&p.breadth[i], (*queue).searchAnew, record.Param{
			Name: fmt.Sprint("breadth", i+1), Min: 1, Max: tours.MaxBreadth, Step: 1, Unit: "exchanges",
			Effect: again,
			Doc:    fmt.Sprintf("Exchanges that oropt tries at level %d of a chain%s.", i+1, more),
		}}
	}
	return []row[*queue]{
		depth(&p.depth, "depth", "after a kick"),
		depth(&p.firstDepth, "first_depth", "in a search from all cities"),
		breadth(0, ""),
		breadth(1, ""),
		breadth(2, " and at all deeper levels"),
		{&p.far, (*queue).searchAnew, record.Param{
			Name: "far", Min: 0, Max: 100, Step: 1, Unit: "cities", Effect: again,
			Doc: "Neighbours that oropt tries in exchanges of three edges that are no chain of two-edge " +
				"exchanges; 0 leaves them out. Not read with wide=true.",
		}},
		{&p.wide, (*queue).searchAnew, record.Param{
			Name: "wide", Effect: again,
			Doc: "Whether oropt tries, in place of those of far, the most promising exchanges of three " +
				"and four edges that are no chain of two-edge exchanges: four, three and three by level.",
		}},
		{&p.ends, (*queue).searchAnew, record.Param{
			Name: "ends", Effect: again,
			Doc: "Whether chains of oropt after a kick grow at either end of the open path (Mak and " +
				"Morton's moves), at the levels that try one exchange only, and go home from edges that are " +
				"far too long.",
		}},
		{&p.firstEnds, (*queue).searchAnew, record.Param{
			Name: "first_ends", Effect: again,
			Doc: "The same in a search from all cities.",
		}},
		{&p.even, (*queue).searchAnew, record.Param{
			Name: "even", Effect: again,
			Doc: "Whether oropt, at the levels that try several exchanges, also adds an edge as long as " +
				"the gain so far.",
		}},
		{&p.oneWay, (*queue).searchAnew, record.Param{
			Name: "one_way", Effect: again,
			Doc: "Whether oropt, after a kick, looks from a city only along the tour edge that leads on " +
				"from it; otherwise also along the one behind.",
		}},
		{&p.around, (*queue).searchAnew, record.Param{
			Name: "around", Min: 0, Max: tours.MaxAround, Step: 1, Unit: "cities", Effect: again,
			Doc: "Cities before and behind each end of a kick's edges that are looked at with it.",
		}},
	}
}

func (p *kickParams) table() []row[*queue] {
	return []row[*queue]{
		{&p.kind, nil, record.Param{
			Name: "kick", Options: []string{"segment", "walk", "uniform"},
			Doc: "Where the four edges of a double bridge lie: segment, close on the tour; walk, close in " +
				"the plane; uniform, anywhere.",
		}},
		{&p.size, nil, record.Param{
			Name: "size", Min: 1, Max: 1000, Step: 1,
			Doc: "Reach of a kick: cities of each of the three paths of segment, steps of the random " +
				"walks of walk.",
		}},
		{&p.hunt, nil, record.Param{
			Name: "hunt", Min: 0, Max: 10000, Step: 1, Unit: "cities",
			Doc: "Cities drawn for a kick, which is made at the one whose tour edge is longest beside the " +
				"edge to its nearest neighbour; 1: at any city; 0: 10 in the first cycle on lattices (see " +
				"start), else 1.",
		}},
		{&p.mend, (*queue).descendAnew, record.Param{
			Name: "mend", Min: 0, Max: 1000, Step: 10, Unit: "kicks", Effect: again,
			Doc: "Kicks at each edge that is long after a search from all cities, as greedy starts leave " +
				"them between clusters; 0 makes none.",
		}},
		{&p.number, nil, record.Param{
			Name: "kicks", Min: 1, Max: 1e7, Step: 10, Unit: "kicks", Sized: true,
			Doc: "Kicks of a chain in an iteration.",
		}},
	}
}

func (p *acceptParams) table() []row[*queue] {
	return []row[*queue]{
		{&p.rule, (*queue).endCycles, record.Param{
			Name: "accept", Options: []string{"better", "threshold", "annealing", "always"},
			Doc: "Which repaired tours are kept: better, those that are not longer; threshold, also " +
				"longer ones up to a random limit; annealing, the same in cycles in which the limit falls " +
				"to 0, and then the better parts of the tour and of the one before the cycle; always, all.",
			Effect: "A first cycle begins.",
		}},
		{&p.temperature, nil, record.Param{
			Name: "temperature", Min: 0, Max: 100, Step: 0.01, Unit: "mean edges",
			Doc: "Mean of the limit of accept=threshold, which is distributed exponentially (the rule of " +
				"Metropolis), where 0.1 suits oropt; with annealing, at the beginning of a cycle.",
		}},
		{&p.cooling, nil, record.Param{
			Name: "cooling", Min: 0.01, Max: 1e6, Step: 1, Unit: "kicks a city",
			Doc: "Kicks of a chain in a cycle of accept=annealing, in the first of which the limit is 0, " +
				"and before each pool.",
		}},
	}
}

// table lists the parameters that are in no group.
func (p *queueParams) table() []row[*queue] {
	return []row[*queue]{
		{&p.pool, (*queue).poolChanged, record.Param{
			Name: "pool", Min: 0, Max: 1e5, Step: 1, Unit: "tours",
			Doc: "Tours of the first pool: the chains' tours and local optima from random starts, whose " +
				"better parts are put together by edge assembly; the chains go on from the best. Each later " +
				"pool has twice as many; 0 makes none.",
			Effect: "The next pool has so many; 0 ends the one that is made.",
		}},
		{&p.chains, (*queue).resize, record.Param{
			Name: "chains", Min: 1, Max: 1024, Step: 1, Unit: "tours",
			Doc:    "Tours that are searched side by side.",
			Effect: "New chains begin with the tour of the best; the last are dropped.",
		}},
		{&p.exchange, nil, record.Param{
			Name: "exchange", Min: 0, Max: 1e6, Step: 1, Unit: "iterations",
			Doc: "After so many iterations the chain with the longest tour goes on from the shortest; 0: " +
				"never.",
		}},
		{&p.start, nil, record.Param{
			Name: "start", Class: record.Structural,
			Options: []string{"fit", "either", "greedy", "boruvka", "nn", "curve", "random"},
			Doc: "The first tour: greedy by short edges overall; boruvka by each city's edge to the " +
				"nearest end of another path (Quick-Boruvka); fit boruvka on lattices, where the two nearest " +
				"cities of most are equally far, else greedy; either both, one after the other, of which " +
				"the one stays that is shorter after a search; nn by the nearest neighbour (from city 0, " +
				"1, ... in the chains); curve along the space-filling curve; random (each chain its own).",
		}},
		{&p.workers, (*queue).employ, record.Param{
			Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
			Doc: "Goroutines that share the chains; 0 means one for each core.",
		}},
	}
}
