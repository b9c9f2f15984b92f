package genetic

import (
	"sync/atomic"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// Crossovers.
const (
	crossSCX    = "scx"
	crossBCSCX  = "bcscx"
	crossARX    = "arx"
	crossHybrid = "hybrid"
)

// Starts.
const (
	startRandom = "random"
	startNN     = "nn"
	startMinima = "minima"
	startTwoOpt = "2opt"
	startOrOpt  = "2opt+or"
)

// Kinds of moves.
const (
	moveRandom  = "random"
	moveGaining = "gaining"
)

// The places where children begin.
const (
	originSame  = "same"
	originDrawn = "drawn"
)

// The pairings of rivals.
const (
	pairNext = "next"
	pairHalf = "half"
)

// Who are couples.
const (
	couplesDisjoint   = "disjoint"
	couplesNeighbours = "neighbours"
)

// Whose city scx takes when both are as near.
const (
	tiesFirst  = "first"
	tiesSecond = "second"
)

// The tours that mutate.
const (
	mutantsChildren = "children"
	mutantsAll      = "all"
)

// The treatment of a group's best tour.
const (
	eliteNone     = "none"
	eliteCopied   = "copied"
	eliteImproved = "improved"
)

// nearest is the number of neighbours that new edges of 2-opt moves lead to.
const nearest = 10

// tournament is the genetic search with fixed rivals and fixed partners.
type tournament struct {
	tournamentParams

	common                   // members by place
	near    tours.Neighbours // made when first needed
	scratch []*scratch       // by worker
	far     *remote          // an engine has the tours; nil: they are here

	generation
}

// tournamentParams are the parameters; see Declare.
type tournamentParams struct {
	population, groups, minima, minimaGenerations, exchange, moves, workers int
	crossover, start, origin, move, pairing, mutants, elite, couples, ties  string
	share, mutation                                                         float64
}

// generation is the memory of one.
type generation struct {
	next   []individual
	spare  [][]int32
	plan   []job
	copies [][2]int // places of losers that keep a copy of the winner, and the winner's
	made   []bool   // by place: the plan has a tour for it
	cut    atomic.Bool
}

// individual is a tour of the population, in internal numbers.
type individual struct {
	tour   []int32
	row    int32 // of the tour, where an engine has it
	length int64
	hash   uint64 // arith.HashPerm(tour)
	child  bool   // made in the last generation
}

// job is a child to make.
type job struct {
	place  int    // where it goes
	a, b   int    // the places of its parents in the new order
	cross  string // empty: a changed tour, of a alone
	from   int    // with arx, the places at which the parents change over
	to     int
	first  bool // the group's first tour is to be improved
	out    individual
	better bool // shorter than both parents
}

// scratch is the scratch memory of a worker.
type scratch struct {
	cross  *crossing
	mutate mutator
}

// newRivals returns the search with parameters that suit the instance.
func newTournament(t *datasets.TSP) *tournament {
	g := &tournament{common: common{inst: t}}
	g.population, g.groups = 256, 4
	// The population of a large instance stays below 2^28 cities, a gigabyte.
	for g.population > 32 && g.population*g.inst.N > 1<<28 {
		g.population /= 2
	}
	g.crossover, g.share = crossHybrid, 0.5
	// A move turns round up to half of a tour: on large instances fewer are tried.
	g.mutation, g.move, g.moves = 0.3, moveGaining, min(max(1, g.inst.N), 1000)
	if g.inst.Asymmetric {
		g.move, g.moves = moveRandom, 1
	}
	g.origin, g.exchange = originDrawn, 5
	g.start, g.minima, g.minimaGenerations, g.workers = startRandom, 128, 100, 0
	g.pairing, g.mutants, g.elite = pairNext, mutantsChildren, eliteNone
	g.couples, g.ties = couplesDisjoint, tiesFirst
	return g
}

func (g *tournament) Declare(t *solvers.Params) {
	g.declareGroups(t)
	g.declareMutation(t)
	g.declareStart(t)
}

// declareGroups declares how tours are paired and crossed.
func (g *tournament) declareGroups(t *solvers.Params) {
	t.Int(&g.population, record.Param{
		Name: "population", Class: record.Structural, Min: 4, Max: 1 << 20, Step: 1, Unit: "tours",
		Doc:    "Tours of the population, all groups together.",
		Effect: "a fork to fewer keeps the shortest in their order, a fork to more repeats them in turn",
	})
	t.Int(&g.groups, record.Param{
		Name: "groups", Class: record.Live, Min: 1, Max: 4096, Step: 1, Unit: "groups",
		Doc: "Groups that evolve apart; group k of g has the places from k population/g to (k+1) " +
			"population/g. At most population/4 are made, for with fewer than four tours none is born.",
		Effect: "tours keep their places; from the next generation on the groups' limits lie elsewhere",
	})
	t.Enum(&g.crossover, record.Param{
		Name: "crossover", Class: record.Live,
		Options: []string{crossSCX, crossBCSCX, crossARX, crossHybrid},
		Doc: "How a child is made of two tours: scx, the nearer of the next cities of both; bcscx, " +
			"the nearest of the next cities of both, forwards and backwards; arx, the nearer of the " +
			"next cities of one parent, forwards and backwards, where the parents change over at two " +
			"random places; hybrid, bcscx and arx. scx and bcscx make a child a pair, arx and " +
			"hybrid two.",
		Effect: "the next generation is made so",
	})
	t.Float(&g.share, record.Param{
		Name: "hybrid_share", Class: record.Live, Min: 0, Max: 1, Step: 0.05,
		Doc: "With crossover=hybrid, the share of bcscx among the children; up to 0.5 only the " +
			"first child of a pair is made so, above also the second.",
		Effect: "the next generation is made so",
	})
	t.Enum(&g.pairing, record.Param{
		Name: "pairing", Class: record.Live, Options: []string{pairNext, pairHalf},
		Doc: "Which two places of a group of m compete: next, 2j and 2j + 1; half, j and j + m/2, as " +
			"published. The winner goes to place j.",
		Effect: "the next generation is made so",
	})
	t.Formerly("pairing", "rivals")
	g.declareCouples(t)
	t.Enum(&g.elite, record.Param{
		Name: "elite", Class: record.Live, Options: []string{eliteNone, eliteCopied, eliteImproved},
		Doc: "What happens to a group's best: none, nothing; copied, it also takes the group's first " +
			"place, where it does not mutate; improved, the tour in the first place also gets a moved " +
			"city and two 2-opt moves in each generation, where they gain. As in the authors' program.",
		Effect: "the next generation is made so",
	})
}

// declareCouples declares who has children with whom.
func (g *tournament) declareCouples(t *solvers.Params) {
	t.Enum(&g.couples, record.Param{
		Name: "couples", Class: record.Live, Options: []string{couplesDisjoint, couplesNeighbours},
		Doc: "Which winners of a group are couples: disjoint, 2j and 2j + 1, with one child or, with " +
			"arx and hybrid, two; neighbours, j and j + 1 for every j, with one child each, so that " +
			"children take the places of all losers. Where the last has no next one, that is winner 0, " +
			"which is ours. With neighbours hybrid_share is the probability that a child is of bcscx.",
		Effect: "the next generation is made so",
	})
	t.Enum(&g.ties, record.Param{
		Name: "ties", Class: record.Live, Options: []string{tiesFirst, tiesSecond},
		Doc: "With crossover=scx, whose next city a child takes where those of both parents are as " +
			"near: that of the first parent, or of the second, as published.",
		Effect: "the next generation is made so",
	})
}

// declareMutation declares what happens to children, and between groups.
func (g *tournament) declareMutation(t *solvers.Params) {
	t.Float(&g.mutation, record.Param{
		Name: "mutation", Class: record.Live, Min: 0, Max: 1, Step: 0.05,
		Doc:    "Probability that a child, or with mutants=all any tour, gets 2-opt moves.",
		Effect: "the next generation is made so",
	})
	t.Enum(&g.mutants, record.Param{
		Name: "mutants", Class: record.Live, Options: []string{mutantsChildren, mutantsAll},
		Doc:    "Which tours may mutate: children, those of a generation; all, the others as well.",
		Effect: "the next generation is made so",
	})
	t.Enum(&g.move, record.Param{
		Name: "move", Class: record.Live, Options: []string{moveRandom, moveGaining},
		Doc: "Which 2-opt moves a mutation makes: random, with a part of the tour between two " +
			"random places turned round; gaining, at a random city the best with a new edge to one of " +
			"its ten nearest neighbours, if it gains (random where the instance is asymmetric).",
		Effect: "the next generation is made so",
	})
	t.Int(&g.moves, record.Param{
		Name: "moves", Class: record.Live, Min: 1, Max: 1e7, Step: 1, Unit: "moves",
		Doc:    "2-opt moves that a mutation makes or tries.",
		Effect: "the next generation is made so",
	})
	t.Enum(&g.origin, record.Param{
		Name: "origin", Class: record.Live, Options: []string{originSame, originDrawn},
		Doc:    "Where a child begins: same, at the instance's first city; drawn, at a random one.",
		Effect: "the next generation is made so",
	})
	t.Int(&g.exchange, record.Param{
		Name: "exchange_period", Class: record.Live, Min: 0, Max: 1e6, Step: 1, Unit: "generations",
		Doc: "After so many generations the best of each group goes to a random other group, in " +
			"place of its longest tour; 0: never.",
		Effect: "the count is that of the run's iterations",
	})
}

// declareStart declares the first population, and the goroutines.
func (g *tournament) declareStart(t *solvers.Params) {
	t.Enum(&g.start, record.Param{
		Name: "start", Class: record.Structural,
		Options: []string{startRandom, startNN, startTwoOpt, startOrOpt, startMinima},
		Doc: "The first population: random tours, tours by the nearest neighbour from random " +
			"cities, such tours at an optimum of 2-opt (2opt+or: which also moves paths of up to three " +
			"cities), or local minima in turn (see minima).",
		Effect: "a fork of a run that has begun keeps its population",
	})
	t.Int(&g.minima, record.Param{
		Name: "minima", Class: record.Structural, Min: 1, Max: 1 << 20, Step: 1, Unit: "tours",
		Doc: "With start=minima, how many different local minima there are: each the best of 64 random " +
			"tours after minima_generations of bcscx with the first tour improved by 2-opt.",
		Effect: "a fork of a run that has begun keeps its population",
	})
	t.Int(&g.minimaGenerations, record.Param{
		Name: "minima_generations", Class: record.Structural, Min: 1, Max: 1e6, Step: 1,
		Unit: "generations", Doc: "With start=minima, how many generations make a local minimum.",
		Effect: "a fork of a run that has begun keeps its population",
	})
	t.Int(&g.workers, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that share the children; 0 means one for each core.",
	})
}

// Counts returns the name of the built tours: the first population, and all children.
func (g *tournament) Counts() string { return counts }

func (g *tournament) Measures() []string {
	return []string{"diversity", "different", "children_won", "children_better"}
}
