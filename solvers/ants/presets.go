package ants

import (
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/local"
	"metalab/solvers/ants/trail"
)

// A preset is a named set of parameters for an instance of n cities. The table of a variant begins
// with best, which is the default too.
type preset struct {
	name, doc string
	set       func(p *params, n int, asymmetric bool)
}

// The exponents and evaporation of as.
func systemValues(p *params) { p.alpha, p.beta, p.rho = 1, 5, 0.5 }

// fewWithSearch are a few ants, each with the local search that the instance takes.
func fewWithSearch(p *params, ants, n int, asymmetric bool) {
	p.ants, p.candidates, p.localSearch = fewAnts(ants, n), fewCandidates(20, n), local.OrOpt
	if asymmetric {
		p.localSearch = local.FullOpt
	}
}

// manyWithout are an ant a city, or fewer, without a local search.
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

// maxMinValues are what all presets of mmas share, and their evaporation and resets.
func maxMinValues(p *params, rho float64, bestPeriod, reset int) {
	p.alpha, p.beta, p.rho, p.pBest = 1, 2, rho, 0.01
	p.deposit, p.bestPeriod, p.reset = depositMixed, bestPeriod, reset
}

func maxMinPaper(p *params, n int, _ bool) {
	maxMinValues(p, 0.5, 25, 250)
	manyWithout(p, n, trail.Width, n)
}

// maxMinSearch is the published setting with a local search.
func maxMinSearch(p *params, n int, search string) {
	rho := 0.9
	if n > 10000 {
		rho = 0.7
	}
	maxMinValues(p, rho, 0, 250)
	manyWithout(p, 800, trail.Width, n)
	p.localSearch = search
}

const maxMinPaperDoc = "As published for GPUs: an ant a city, rho 0.5, no local search, for 100 " +
	"iterations."

var maxMinPresets = []preset{
	{
		"best", "Ours: 25 ants with lists of 20 and a local search for each (oropt, or 3opt on " +
			"asymmetric instances).",
		func(p *params, n int, asymmetric bool) {
			maxMinValues(p, 0.8, 0, 250)
			fewWithSearch(p, 25, n, asymmetric)
		},
	},
	{"paper", maxMinPaperDoc, maxMinPaper},
	{
		"paper-2opt", "As published with a local search: 800 ants, 2-opt by a queue for each, rho 0.9 " +
			"(0.7 above 10,000 cities).",
		func(p *params, n int, asymmetric bool) {
			maxMinSearch(p, n, local.TwoOpt)
			if asymmetric {
				p.localSearch = local.None
			}
		},
	},
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
		"paper-2opt", "As published with a local search: 800 ants, 2-opt in rounds for each, which a " +
			"GPU makes too; rho 0.9 (0.7 above 10,000 cities).",
		func(p *params, n int, _ bool) { maxMinSearch(p, n, local.Rounds) },
	},
	{
		"best-local", "Ours with a local search in rounds, which a GPU makes too: 800 ants, 2-opt and " +
			"segment insertion, nearer the optimum after fewer iterations than paper-2opt.",
		func(p *params, n int, _ bool) {
			maxMinValues(p, 0.8, 0, 100)
			manyWithout(p, 800, trail.Width, n)
			p.localSearch = local.OrRounds
		},
	},
}

// rowsPresets are those of mmas/wrs with a selection and a tabu list, and as published all trails.
var rowsPresets = also(maxMinFewPresets, func(p *params, name string) {
	p.selection, p.tabu, p.storage = cpu.Reservoir, cpu.TabuCompact, string(trail.Candidates)
	if name == "paper" {
		p.storage = string(trail.Matrix)
	}
})

// also are presets with more values.
func also(list []preset, more func(p *params, name string)) []preset {
	out := make([]preset, len(list))
	for i, s := range list {
		out[i] = preset{s.name, s.doc, func(p *params, n int, asymmetric bool) {
			s.set(p, n, asymmetric)
			more(p, s.name)
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

func acsPaper(p *params, n int, _ bool) {
	p.beta, p.q0, p.alpha, p.rho, p.localPeriod = 3, fewFree(n), 0.2, 0.01, 1
	manyWithout(p, n, trail.Width, n)
}

// fewFree is the q0 with which 20 choices of a tour are free.
func fewFree(n int) float64 { return max(0, float64(n-20)/float64(n)) }

var acsPresets = []preset{
	{"best", "Ours: 10 ants with lists of 20 and a local search for each (oropt, or 3opt on " +
		"asymmetric instances).", acsBest},
	{"paper", "As published for GPUs: an ant a city, lists of 32, no local search, for 1000 " +
		"iterations.", acsPaper},
}

// The best of lockstep is that of acs/seq with more ants, fewer of whose choices are free and whose
// updates are weaker.
var lockstepPresets = []preset{
	{
		"best", "Ours for many ants a step: 64, fewer of whose choices are free, with a local search " +
			"for each (oropt, on the host's cores).",
		func(p *params, n int, asymmetric bool) {
			acsBest(p, n, asymmetric)
			p.ants, p.rho, p.q0 = fewAnts(64, n), 0.02, fewFree(n)
		},
	},
	{
		"paper", "The published setting as far as it fits: an ant a city, lists of 28, no local " +
			"search, for 1000 iterations.",
		func(p *params, n int, asymmetric bool) {
			acsPaper(p, n, asymmetric)
			p.candidates = fewCandidates(trail.MostListed, n)
		},
	},
	{
		"best-local", "Ours with a local search in rounds, which a GPU makes too: 256 ants, 2-opt and " +
			"segment insertion.",
		func(p *params, n int, asymmetric bool) {
			acsBest(p, n, asymmetric)
			p.ants, p.rho, p.q0, p.localSearch = fewAnts(256, n), 0.02, 0.95, local.OrRounds
		},
	},
}

// latePresets are those of the variants whose ants see updates late.
var latePresets = []preset{
	{
		"best", "Ours: the published setting with 64 ants, each of whose choices counts, which come " +
			"further in as many tours.",
		func(p *params, n int, asymmetric bool) {
			acsPaper(p, n, asymmetric)
			p.ants = fewAnts(64, n)
		},
	},
	{
		"paper", "As published for GPUs: 256 ants, every fourth of whose choices wears its trail, " +
			"lists of 32, no local search.",
		func(p *params, n int, asymmetric bool) {
			acsPaper(p, n, asymmetric)
			p.ants, p.localPeriod = fewAnts(256, n), 4
		},
	},
}

var memoryPresets = also(latePresets, func(p *params, _ string) { p.slots, p.tauMin = 8, 1 })
