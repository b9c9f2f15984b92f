package ants

import (
	"metalab/solvers"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/local"
	"metalab/solvers/ants/trail"
	"metalab/solvers/record"
)

// params are the parameters of all variants. Names are the papers', so alpha and rho mean something
// else in acs than in as and mmas.
type params struct {
	sight   trail.Sight // of the variant
	closing closing     // of acs: of the variant

	ants             int
	alpha, beta, rho float64
	maxMinParams
	q0          float64 // acs
	localPeriod int

	candidates      int
	storage         string
	selection, tabu string  // mmas/rows
	slots           int     // acs/spm-sync and spm
	tauMin          float64 // over tau0; 1 for all others

	localParams
	exchangeParams

	warps, trials int
}

// maxMinParams are those of mmas alone.
type maxMinParams struct {
	pBest             float64
	choices           string
	deposit           string
	bestPeriod, reset int
}

// localParams are those of the local search.
type localParams struct {
	localSearch string
	localShare  float64
	localNear   local.Neighbours
	localKicks  float64
}

// A closing says when the closing edge of a tour of acs gets a local update.
type closing string

// The closings. The second and the third are those of R. Skinderowicz' program.
const (
	closingAlways closing = ", and on its closing edge"
	closingInTurn closing = ", of which the closing edge is the n-th"
	closingNever  closing = ", never on its closing edge"
)

// maxTours bounds ants x cities: the tours of an iteration take 4 bytes each.
const maxTours = 1 << 30

// mostAnts is the largest number of ants for n cities.
func mostAnts(n int) int { return max(1, min(1<<16, maxTours/max(1, n))) }

// fewAnts is want, or fewer where n cities allow no more.
func fewAnts(want, n int) int { return max(1, min(want, mostAnts(n))) }

// mostCandidates is the longest list.
func mostCandidates(n int) int { return max(2, n-1) }

func fewCandidates(want, n int) int { return max(1, min(want, n-1)) }

// A declarer declares a parameter, or some, of an instance of n cities.
type declarer func(p *params, t *solvers.Params, n int)

// The common parameters of the three solvers in all variants, in order: live parameters, and those
// of colonies, which as lacks because it rewards only the tours of its own ants.
var (
	systemLive = []declarer{declareAnts, declareExponent, declareBeta, declareRemains}
	maxMinLive = []declarer{
		declareAnts, declareExponent, declareBeta, declareRemains, declareMaxMin, declareColonies,
	}
	acsLive = []declarer{declareAnts, declareBeta, declareSteps, declareColonies}
)

// schedule declares how a GPU shares out the work.
var schedule = []declarer{declareWarps, declareTrials}

func declareAnts(p *params, t *solvers.Params, n int) {
	t.Int(&p.ants, record.Param{
		Name: "ants", Class: record.Live, Min: 1, Max: float64(max(2, mostAnts(n))), Step: 1,
		Unit:   "ants",
		Doc:    "Number of ants, each of which makes one tour an iteration.",
		Effect: "the trails stay; the next iteration has the new number of tours",
	})
}

func declareExponent(p *params, t *solvers.Params, _ int) { declareAlpha(t, &p.alpha) }

func declareAlpha(t *solvers.Params, alpha *float64) {
	t.Float(alpha, record.Param{
		Name: "alpha", Class: record.Live, Min: 0, Max: 10, Step: 0.5,
		Doc: "Exponent of the trail in the weight of a choice (in acs alpha is the global " +
			"evaporation).",
		Effect: "the trails stay; all weights are computed again",
	})
}

func declareBeta(p *params, t *solvers.Params, _ int) {
	sight := "1 / (distance + 0.1)"
	if p.sight == trail.Plain {
		sight = "1 / distance (a distance of 0 counts as 0.1)"
	}
	t.Float(&p.beta, record.Param{
		Name: "beta", Class: record.Live, Min: 0, Max: 20, Step: 0.5,
		Doc:    "Exponent of the visibility, " + sight + ", in the weight of a choice.",
		Effect: "the trails stay; all weights are computed again",
	})
}

func declareRemains(p *params, t *solvers.Params, _ int) { declareRho(t, &p.rho) }

func declareRho(t *solvers.Params, rho *float64) {
	t.Float(rho, record.Param{
		Name: "rho", Class: record.Live, Min: 0, Max: 0.9999, Step: 0.01,
		Doc: "What remains of a trail after an iteration: tau <- rho tau, so 0.98 forgets slowly " +
			"(ACOTSP's rho is 1 minus this one; in acs rho is the local evaporation).",
		Effect: "the trails stay; limits are those of the new value from the next iteration on",
	})
}

// declareMaxMin declares what only mmas has.
func declareMaxMin(p *params, t *solvers.Params, _ int) {
	t.Float(&p.pBest, record.Param{
		Name: "p_best", Class: record.Live, Min: 1e-9, Max: 1, Step: 0.01,
		Doc: "Probability with which an ant makes the best tour again once the trails have " +
			"converged; it sets the lower trail limit (1: none).",
		Effect: "the limits are those of the new value from the next iteration on",
	})
	t.Enum(&p.choices, record.Param{
		Name: "choices", Class: record.Live, Options: []string{choicesHalf, choicesList},
		Doc: "The average number of cities of a choice, by which p_best sets the lower trail limit: " +
			"n/2 as Stuetzle and Hoos have it, or half of the candidate list as ACOTSP has it (of all " +
			"cities without lists). n/2 gives the smaller limit.",
		Effect: "the limits are those of the new value from the next iteration on",
	})
	t.Enum(&p.deposit, record.Param{
		Name: "deposit", Class: record.Live,
		Options: []string{depositIteration, depositBest, depositMixed, depositDrawn},
		Doc: "Which tour is strengthened: the iteration's best, the best so far, or (mixed) the " +
			"iteration's best with the best since the last reset at every best_period-th iteration; or " +
			"(drawn) by chance the iteration's best, 10 %, the best so far, 9 %, the best since the last " +
			"reset, 81 %.",
		Effect: "the trails stay",
	})
	t.Int(&p.bestPeriod, record.Param{
		Name: "best_period", Class: record.Live, Min: 0, Max: 1000, Step: 1, Unit: "iterations",
		Doc: "With deposit=mixed, how often the best tour replaces the iteration's best; 0: every " +
			"25th iteration at first, then every 5th, 3rd, 2nd and each one, 25, 75, 125 and 250 " +
			"iterations after a reset.",
		Effect: "the trails stay",
	})
	t.Int(&p.reset, record.Param{
		Name: "reset", Class: record.Live, Min: 0, Max: 1e6, Step: 50, Unit: "iterations",
		Doc: "With deposit=mixed, trails go back to their upper limit when they have converged " +
			"(looked at every 100th iteration) and for this many iterations no better tour since the last " +
			"reset was found; with deposit=drawn also where they have not (every 10th); 0: never.",
		Effect: "the trails stay",
	})
}

// declareSteps declares what only acs has.
func declareSteps(p *params, t *solvers.Params, _ int) {
	t.Float(&p.q0, record.Param{
		Name: "q0", Class: record.Live, Min: 0, Max: 1, Step: 0.01,
		Doc: "Probability of taking the candidate with the greatest weight; otherwise one is drawn " +
			"in proportion to the weights.",
		Effect: "the trails stay",
	})
	t.Float(&p.alpha, record.Param{
		Name: "alpha", Class: record.Live, Min: 0, Max: 1, Step: 0.05,
		Doc: "Global evaporation: the best tour's edges get tau <- (1 - alpha) tau + alpha / L " +
			"after an iteration (in as and mmas alpha is the exponent of tau).",
		Effect: "the trails stay",
	})
	t.Float(&p.rho, record.Param{
		Name: "rho", Class: record.Live, Min: 0, Max: 1, Step: 0.01,
		Doc: "Local evaporation: the edge of a choice gets tau <- (1 - rho) tau + rho tau0 (in as " +
			"and mmas rho is what remains).",
		Effect: "the trails stay",
	})
	t.Int(&p.localPeriod, record.Param{
		Name: "local_period", Class: record.Live, Min: 1, Max: 1 << 20, Step: 1, Unit: "choices",
		Doc: "An ant makes the local update on every local_period-th of its choices only" +
			string(p.closing) + ".",
		Effect: "the trails stay",
	})
}

// declareLists declares lists of any length.
func declareLists(p *params, t *solvers.Params, n int) {
	t.Int(&p.candidates, record.Param{
		Name: "candidates", Class: record.Structural, Min: 1, Max: float64(mostCandidates(n)), Step: 1,
		Unit: "cities",
		Doc: "Length of the candidate lists: an ant goes to one of this many nearest cities while " +
			"one is unvisited; n-1 is no lists.",
		Effect: "a fork keeps all trails",
	})
}

// declareFew declares lists of at most this many candidates.
func declareFew(most int) declarer {
	return func(p *params, t *solvers.Params, n int) {
		t.Int(&p.candidates, record.Param{
			Name: "candidates", Class: record.Structural, Min: 1, Max: float64(max(2, min(most, n-1))),
			Step: 1, Unit: "cities",
			Doc: "Length of the candidate lists: an ant goes to one of this many nearest cities while " +
				"one is unvisited. Edges on lists have trails.",
			Effect: "a fork keeps the trails of edges that are on its lists too",
		})
	}
}

func declareStorage(p *params, t *solvers.Params, _ int) {
	t.Enum(&p.storage, record.Param{
		Name: "storage", Class: record.Structural,
		Options: []string{string(trail.Candidates), string(trail.Matrix)},
		Doc: "How trails are stored: by slot of the candidate lists with entries for other rewarded " +
			"edges, or as a matrix (12 n^2 bytes, at most 4 GiB); tours are the same.",
		Effect: "a fork keeps all trails",
	})
}

// declareRows declares what only mmas/rows has, and its lists and storage.
func declareRows(p *params, t *solvers.Params, n int) {
	t.Int(&p.candidates, record.Param{
		Name: "candidates", Class: record.Structural, Min: 0,
		Max: float64(min(mostCandidates(n), cpu.MostListed)), Step: 1, Unit: "cities",
		Doc: "Length of the candidate lists: an ant goes to one of this many nearest cities while " +
			"one is unvisited; 0: no lists, all unvisited cities take part in every choice. A GPU takes 0 " +
			"to 32.",
		Effect: "a fork keeps the trails of edges that have one there too",
	})
	t.Enum(&p.storage, record.Param{
		Name: "storage", Class: record.Structural,
		Options: []string{string(trail.Candidates), string(trail.Matrix)},
		Doc: "Which edges have trails: those on candidate lists (an ant whose candidates are " +
			"visited goes to the nearest city), or all (12 n^2 bytes; it goes to the city of greatest " +
			"weight). Without lists always all.",
		Effect: "a fork keeps the trails of edges that have one there too",
	})
	t.Enum(&p.selection, record.Param{
		Name: "selection", Class: record.Structural, Options: cpu.Selections,
		Doc: "How a city is drawn: rwm, roulette wheel, one draw a choice; wrs, weighted reservoir " +
			"sampling, a draw for each city; groups, ours, a draw for each eight cities and one within " +
			"them (with lists of up to 32 that of wrs). The probabilities are the same.",
		Effect: "a fork keeps all trails",
	})
	t.Enum(&p.tabu, record.Param{
		Name: "tabu", Class: record.Structural, Options: cpu.TabuWords,
		Doc: "How an ant knows the unvisited cities: lc, a dense list and each city's position in " +
			"it, 4 bytes a city; ct, both in one array, 2 bytes; bt, a bit for each city. lc and ct give " +
			"the same tours; with candidate lists all three do.",
		Effect: "a fork keeps all trails",
	})
}

// declareNear declares the lists of mmas/thin.
func declareNear(p *params, t *solvers.Params, n int) {
	t.Int(&p.candidates, record.Param{
		Name: "candidates", Class: record.Structural, Min: 1,
		Max: float64(max(2, min(trail.Width, n-1))), Step: 1, Unit: "cities",
		Doc: "How many nearest cities have clocks of their own, 28 at most, beside the four " +
			"heaviest others. All unvisited cities take part in every choice; this is for speed, but " +
			"draws differ.",
		Effect: "a fork keeps all trails",
	})
}

// declareMemory declares what only acs/spm-sync and spm have.
func declareMemory(p *params, t *solvers.Params, _ int) {
	t.Int(&p.slots, record.Param{
		Name: "spm_slots", Class: record.Live, Min: 1, Max: trail.MostSlots, Step: 1,
		Unit: "trails",
		Doc: "Trails that a city stores; a new one replaces the one stored longest ago, and with as " +
			"many as candidates nothing is forgotten.",
		Effect: "of each city the trails that were stored last stay, as many as have room",
	})
	t.Float(&p.tauMin, record.Param{
		Name: "tau_min", Class: record.Structural, Min: 1e-6, Max: 1, Step: 0.05,
		Doc:    "The trail of edges that are not stored, over tau0; 1 is the published code's.",
		Effect: "a fork keeps the trails that are stored",
	})
}

const localDoc = "Local search on the tour of every ant (see local_share): 2opt, 3opt, oropt by " +
	"a queue of cities to look at and first improvement, on the host's cores (2opt moves short " +
	"paths too); 2opt-plain, exchanges of two edges alone, by such a queue; 2opt-best, those that " +
	"gain most from a city, along the tour; 2opt-rounds and " +
	"oropt-rounds (2-opt, and segments of up to three cities inserted elsewhere), many moves at " +
	"once; these four on a GPU where the tours are; tiles, oropt on the host's cores and then " +
	"kicks as ils/tiles makes them (see local_kicks), on a GPU where there is one. "

// Sentences that follow localDoc in the doc of local_search.
const (
	searchOneWay  = "Asymmetric instances take 3opt, then the moves that turn no path round, and none."
	searchOnGPU   = "Backend cuda takes 2opt-plain, 2opt-best, those of rounds, tiles and none."
	searchNowhere = "None for asymmetric instances."
)

// declareSearch declares the local search and the share of the ants that have it.
func declareSearch(more string) declarer {
	return func(p *params, t *solvers.Params, _ int) {
		t.Enum(&p.localSearch, record.Param{
			Name: "local_search", Class: record.Structural, Options: local.Words,
			Doc: localDoc + more, Effect: "a fork keeps the trails",
		})
		t.Int(&p.localNear.Count, record.Param{
			Name: "local_neighbours", Class: record.Structural, Min: 1, Max: local.MostNeighbours, Step: 1,
			Unit: "cities",
			Doc: "How many neighbours of a city the new edges of local_search lead to (in rounds up to " +
				"16).",
			Effect: "a fork keeps the trails",
		})
		t.Enum(&p.localNear.Lists, record.Param{
			Name: "local_lists", Class: record.Structural, Options: []string{local.Quadrant, local.Nearest},
			Doc: "Which neighbours those are: a quarter of them from each quadrant round the city, or " +
				"the nearest, which asymmetric instances always have.",
			Effect: "a fork keeps the trails",
		})
		t.Float(&p.localKicks, record.Param{
			Name: "local_kicks", Class: record.Structural, Min: 0.01, Max: local.MostKicks, Step: 0.1,
			Unit: "kicks a city",
			Doc: "How many kicks local_search=tiles makes in each tour, for each city. Nothing in other " +
				"searches.",
			Effect: "a fork keeps the trails",
		})
		t.Float(&p.localShare, record.Param{
			Name: "local_share", Class: record.Live, Min: 0, Max: 1, Step: 0.1,
			Doc: "Share of the ants whose tours are improved by local_search, rounded up to a number " +
				"of ants: those with the shortest tours. (0 is none, 1 all.)",
			Effect: "the trails stay",
		})
	}
}

func declareWarps(p *params, t *solvers.Params, _ int) {
	warps(p, t, "How many ants, a warp each, share a block of threads on a GPU; 0: tuned by the "+
		"device's clock in the first iterations, see trials. Of no effect on cpu.")
}

// declareTeams declares warps of mmas/rows, where they mean something else.
func declareTeams(p *params, t *solvers.Params, _ int) {
	warps(p, t, "On a GPU, without lists: how many warps share an ant's choice; with lists: how "+
		"many ants, a warp each, share a block. 0: tuned by the device's clock in the first "+
		"iterations, see trials. Nothing on the cpu.")
}

func warps(p *params, t *solvers.Params, doc string) {
	t.Int(&p.warps, record.Param{
		Name: "warps", Class: record.Schedule, Min: 0, Max: trail.Width, Step: 1, Unit: "warps", Doc: doc,
		Effect: "none: results are the same",
	})
}

func declareTrials(p *params, t *solvers.Params, _ int) {
	t.Int(&p.trials, record.Param{
		Name: "trials", Class: record.Schedule, Min: 0, Max: 100, Step: 1, Unit: "iterations",
		Doc: "Iterations by which the tuner judges a launch on a GPU where warps is 0; 0: no " +
			"tuning, the program's own choice. Of no effect on cpu.",
		Effect: "none: results are the same",
	})
}
