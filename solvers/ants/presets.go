package ants

import (
	"strings"

	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/local"
	"metalab/solvers/ants/trail"
)

// A preset is a named set of parameters for an instance of n cities. A variant's presets begin with
// best, the default.
type preset struct {
	name, doc string
	set       func(p *params, n int, asymmetric bool)
}

// systemValues are the exponents and the evaporation of as.
func systemValues(p *params) { p.alpha, p.beta, p.rho = 1, 5, 0.5 }

// fewWithSearch are a few ants, each with the local search that the instance takes.
func fewWithSearch(p *params, ants, n int, asymmetric bool) {
	p.ants, p.candidates, p.localSearch = fewAnts(ants, n), fewCandidates(20, n), local.OrOpt
	if asymmetric {
		p.localSearch = local.FullOpt
	}
}

// manyWithout are as many ants as cities, or fewer, without a local search.
func manyWithout(p *params, ants, candidates, n int) {
	p.ants, p.candidates, p.localSearch = fewAnts(ants, n), fewCandidates(candidates, n), local.None
}

var systemPresets = []preset{
	{
		"best", "Ours: 25 ants with lists of 20 and a local search for each (oropt, or 3opt on " +
			"asymmetric instances).",
		func(p *params, n int, asymmetric bool) {
			systemValues(p)
			fewWithSearch(p, 25, n, asymmetric)
		},
	},
	{
		"paper", "The published exponents and an ant a city, with the longest lists (1024) and no " +
			"local search.",
		func(p *params, n int, _ bool) {
			systemValues(p)
			manyWithout(p, n, 1024, n)
		},
	},
}

var systemFewPresets = []preset{
	{"best", "As paper: what suits ants without a local search.", systemFewPaper},
	{
		"paper", "The published exponents and an ant a city, with lists of 32 and no local search.",
		systemFewPaper,
	},
}

func systemFewPaper(p *params, n int, _ bool) {
	systemValues(p)
	manyWithout(p, n, trail.Width, n)
}

// maxMinValues are the values that all our presets for mmas share, and the given evaporation and
// resets.
func maxMinValues(p *params, rho float64, bestPeriod, reset int) {
	p.alpha, p.beta, p.rho, p.pBest, p.choices = 1, 2, rho, 0.01, choicesList
	p.deposit, p.bestPeriod, p.reset = depositMixed, bestPeriod, reset
}

// maxMinPaper is what R. Skinderowicz, 2020, states: rho, alpha, beta, p_best and the ants in
// section 5, whose tour is rewarded in figure 1, the lists in section 5.3; it knows no resets.
func maxMinPaper(p *params, n int, _ bool) {
	p.alpha, p.beta, p.rho, p.pBest, p.choices = 1, 2, 0.5, 0.01, choicesHalf
	p.deposit, p.bestPeriod, p.reset = depositIteration, 0, 0
	manyWithout(p, n, trail.Width, n)
}

// mostSlow is the number of cities up to which the paper evaporates slowly, for 2000 iterations;
// above it, fast, for 3000. Section 5.7 prints 10^5, which must be a misprint: its largest instance
// has 18,512 cities, and its text goes on with instances of less than 10,000.
const mostSlow = 10000

func slowly(n int) float64 {
	if n > mostSlow {
		return 0.7
	}
	return 0.9
}

// maxMinPaper2opt is section 5.7 of the same paper.
func maxMinPaper2opt(p *params, n int, asymmetric bool) {
	maxMinPaper(p, n, asymmetric)
	p.ants, p.rho = fewAnts(800, n), slowly(n)
	p.localSearch, p.localNear = local.PlainOpt, local.Neighbours{Count: 32, Lists: local.Nearest}
	if asymmetric {
		p.localSearch = local.None
	}
}

// maxMinProgram is maxMinPaper2opt with the exchanges, deposits and resets of its program.
func maxMinProgram(p *params, n int, asymmetric bool) {
	maxMinPaper2opt(p, n, asymmetric)
	p.deposit, p.reset = depositDrawn, 500
	if !asymmetric {
		p.localSearch = local.BestOpt
	}
}

// manyInRounds are 800 ants, each with a local search in rounds.
func manyInRounds(p *params, n int, search string) {
	manyWithout(p, 800, trail.Width, n)
	p.localSearch = search
}

const (
	maxMinPaperDoc = "As published for GPUs: an ant a city, the iteration's best rewarded, rho 0.5, " +
		"no resets, lists of 32, no local search; 100 iterations were made."
	maxMin2optDoc = "As published for GPUs with a local search: 800 ants, 2-opt for each with the " +
		"32 nearest neighbours, rho 0.9, 2000 iterations (above 10,000 cities 0.7 and 3000). " +
		"The published lengths take another deposit: see program-2opt."
	maxMinProgramDoc = "paper-2opt with the exchanges and deposits of the published program " +
		"(github.com/RSkinderowicz/GPU-based-MMAS, 8aac055), of which the paper does not tell: from " +
		"each city, along the tour, the exchange that gains most (local_search=2opt-best). A tenth " +
		"of them the iteration's best, 9 % the best so far, 81 % the best since the last reset, which " +
		"comes after 500 iterations without a better one. The program, which knows its number of " +
		"iterations, leaves out a reset with fewer left than were made since the last; a run does not " +
		"know it, and makes it."
)

// mostColony is the number of cities above which the preset best of mmas/scan makes one ant a long
// local search, and not 25 a short one.
const mostColony = 2000

// maxMinLarge are values of the preset best on instances of the plane.
func maxMinLarge(p *params, n int) {
	if n > mostColony {
		p.ants, p.localSearch, p.localKicks, p.deposit = 1, local.Tiles, 1, depositBest
	}
}

// mostScan is the number of cities above which mmas/focused comes nearer the optimum than mmas/scan
// on most instances, see figures/ants-mmas-local.txt and ants-mmas-focused.txt.
const mostScan = 1000

func adviceScan(n int) string {
	if n <= mostScan {
		return ""
	}
	return "mmas/focused comes nearer the optimum in the same time: it was ahead on 19 of 19 " +
		"instances of 1,000 to 10,000 cities after 10 s, by 0.2 to 3.5 % (bench ants-mmas-focused)"
}

// insteadScan is what mmas without a variant is where mmas/scan would make one ant a long search.
func insteadScan(n int) (variant, why string) {
	if n <= mostColony {
		return "", ""
	}
	return "focused", "above 2000 cities in the plane mmas alone is mmas/focused, which came nearer " +
		"the optimum than mmas/scan on 18 of 18 instances after 10 s (bench ants-mmas-focused)"
}

func adviceWRS(int) string {
	return "made for GPUs: on a CPU mmas/scan makes several times as many tours a second"
}

var maxMinPresets = []preset{
	{
		"best", "Ours, by the number of cities: up to 2000, 25 ants with lists of 20 and a local " +
			"search for each (oropt, or 3opt on asymmetric instances); above, in the plane, one ant " +
			"with local_search=tiles and a kick a city, and the best tour so far deposits. " +
			"mmas/focused comes nearer the optimum on most instances above 1000 cities; above 2000 in " +
			"the plane it is what mmas is without a variant, parameters and a preset.",
		func(p *params, n int, asymmetric bool) {
			maxMinValues(p, 0.8, 0, 250)
			fewWithSearch(p, 25, n, asymmetric)
		},
	},
	{"paper", maxMinPaperDoc, maxMinPaper},
	{"paper-2opt", maxMin2optDoc, maxMinPaper2opt},
	{"program-2opt", maxMinProgramDoc, maxMinProgram},
}

var maxMinFewPresets = []preset{
	{
		"best", "Ours, without a local search: an ant a city, rho 0.9.",
		func(p *params, n int, _ bool) {
			maxMinValues(p, 0.9, 5, 250)
			manyWithout(p, n, trail.Width, n)
		},
	},
	{"paper", maxMinPaperDoc, maxMinPaper},
	{
		"best-2opt", "Ours with 2-opt in rounds for each of 800 ants, which a GPU makes too: rho 0.9 " +
			"(0.7 above 10,000 cities).",
		func(p *params, n int, _ bool) {
			maxMinValues(p, slowly(n), 0, 250)
			manyInRounds(p, n, local.Rounds)
		},
	},
	{
		"best-local", "Ours with a local search in rounds, which a GPU makes too: 800 ants, 2-opt and " +
			"segment insertion, nearer the optimum after fewer iterations than best-2opt.",
		func(p *params, n int, _ bool) {
			maxMinValues(p, 0.8, 0, 100)
			manyInRounds(p, n, local.OrRounds)
		},
	},
}

// rowsPresets are those of mmas/wrs, and MMAS-RWM-BT with 2-opt. The paper recommends WRS-BT with
// lists among its six algorithms. Its trails are a matrix; here too, if it fits into memory.
var rowsPresets = also(append(maxMinFewPresets[:len(maxMinFewPresets):len(maxMinFewPresets)],
	preset{"paper-2opt", maxMin2optDoc, maxMinPaper2opt},
	preset{"program-2opt", maxMinProgramDoc, maxMinProgram}),
	func(p *params, name string, n int) {
		p.selection, p.tabu, p.storage = cpu.Reservoir, cpu.TabuCompact, string(trail.Candidates)
		if strings.HasPrefix(name, "best") {
			return
		}
		p.tabu = cpu.TabuBits
		if strings.HasSuffix(name, "-2opt") {
			p.selection = cpu.Roulette
		}
		if need, most := trail.MatrixBytes(n); need <= most {
			p.storage = string(trail.Matrix)
		}
	})

// also returns the presets with more values set by more.
func also(list []preset, more func(p *params, name string, n int)) []preset {
	out := make([]preset, len(list))
	for i, s := range list {
		out[i] = preset{s.name, s.doc, func(p *params, n int, asymmetric bool) {
			s.set(p, n, asymmetric)
			more(p, s.name, n)
		}}
	}
	return out
}

func acsBest(p *params, n int, asymmetric bool) {
	p.beta, p.q0, p.alpha, p.rho, p.localPeriod = 2, 0.98, 0.1, 0.1, 1
	fewWithSearch(p, 10, n, asymmetric)
	if asymmetric {
		p.q0 = 0.9
	}
}

// acsPaper is what R. Skinderowicz, 2016, states in section 4.1, with the lists of section 3.1: as
// many ants as cities, and a local update at each choice.
func acsPaper(p *params, n int, _ bool) {
	p.beta, p.q0, p.alpha, p.rho, p.localPeriod = 3, fewFree(n), 0.2, 0.01, 1
	manyWithout(p, n, trail.Width, n)
}

// acsStar is what section 4.4 states for the systems with a star.
func acsStar(p *params, n int, asymmetric bool) {
	acsPaper(p, n, asymmetric)
	p.ants, p.localPeriod = fewAnts(256, n), 4
}

// fewFree is the q0 with which on average 20 choices of a tour are random.
func fewFree(n int) float64 { return max(0, float64(n-20)/float64(n)) }

// Sentences for the presets named paper, of the paper's variants and of ours.
const (
	acsPaperDoc = "As published for GPUs: an ant a city, lists of 32, no local search; 1000 " +
		"iterations were made."
	acsStarDoc = "As published for GPUs under names with a star: 256 ants, every fourth of whose " +
		"choices wears its trail, lists of 32, no local search."
	acsStarElse = "The values that the paper has for ACS-GPU-Alt and ACS-GPU-SPM under names with a " +
		"star, here where it has no star: 256 ants, every fourth of whose choices wears its trail, " +
		"lists of 32, no local search."
	oursWith = "The paper's parameters in a variant of ours: "
	acsOurs  = oursWith + "an ant a city, lists of 32, no local search."
	starOurs = oursWith + "256 ants, every fourth of whose choices wears its trail, lists of 32, " +
		"no local search."
)

var acsPresets = []preset{
	{"best", "Ours: 10 ants with lists of 20 and a local search for each (oropt, or 3opt on " +
		"asymmetric instances).", acsBest},
	{"paper", acsPaperDoc, acsPaper},
	{"paper-star", acsStarElse, acsStar},
}

// The preset best of lockstep differs from that of acs/seq: more ants, fewer random choices, weaker
// updates.
var lockstepPresets = []preset{
	{
		"best", "Ours for many ants a step: 64, fewer of whose choices are free, with a local search " +
			"for each (oropt, on the host's cores).",
		func(p *params, n int, asymmetric bool) {
			acsBest(p, n, asymmetric)
			p.ants, p.rho, p.q0 = fewAnts(64, n), 0.02, fewFree(n)
		},
	},
	{"paper", acsOurs, acsPaper},
	{
		"best-local", "Ours with a local search in rounds, which a GPU makes too: 256 ants, 2-opt and " +
			"segment insertion.",
		func(p *params, n int, asymmetric bool) {
			acsBest(p, n, asymmetric)
			p.ants, p.rho, p.q0, p.localSearch = fewAnts(256, n), 0.02, 0.95, local.OrRounds
		},
	},
}

// lateBest is the preset best of the variants whose ants see updates late.
var lateBest = preset{
	"best", "Ours: the paper's parameters with 64 ants, each of whose choices counts, which come " +
		"further in as many tours.",
	func(p *params, n int, asymmetric bool) {
		acsPaper(p, n, asymmetric)
		p.ants = fewAnts(64, n)
	},
}

var gpuPresets = []preset{
	lateBest, {"paper", acsPaperDoc, acsPaper}, {"paper-star", acsStarElse, acsStar},
}

var latePresets = []preset{
	lateBest, {"paper", acsPaperDoc, acsPaper}, {"paper-star", acsStarDoc, acsStar},
}

// memoryPresets have the slots of section 3.2 and the ants of section 4.4.
var memoryPresets = also([]preset{
	lateBest,
	{"paper", memoryDoc, memoryPaper(256)},
	{"paper-128", memory128Doc, memoryPaper(128)},
	{"paper-star", acsStarDoc, acsStar},
}, ofMemory)

var syncPresets = also([]preset{
	lateBest,
	{"paper", oursWith + "256 ants, lists of 32, no local search.", memoryPaper(256)},
	{"paper-star", starOurs, acsStar},
}, ofMemory)

const (
	memoryDoc = "As published for GPUs: 256 ants, lists of 32, no local search. The paper ran the " +
		"system with 256 and 128 ants, never with one a city."
	memory128Doc = "As published for GPUs: 128 ants, lists of 32, no local search."
)

// memoryPaper is acsPaper with so many ants.
func memoryPaper(ants int) func(p *params, n int, asymmetric bool) {
	return func(p *params, n int, asymmetric bool) {
		acsPaper(p, n, asymmetric)
		p.ants = fewAnts(ants, n)
	}
}

func ofMemory(p *params, _ string, _ int) { p.slots, p.tauMin = 8, 1 }
