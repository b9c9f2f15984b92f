package ants

import (
	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/local"
	"metalab/solvers/record"
)

func init() {
	var presets []solvers.Preset
	for _, s := range focusedPresets {
		presets = append(presets, solvers.Preset{
			Name: s.name, Doc: s.doc,
			Values: func(inst datasets.Instance) record.Values {
				a, err := newFocused(inst)
				if err != nil {
					return nil // New says it
				}
				s.set(a.(*focused))
				var t solvers.Params
				a.Declare(&t)
				return t.Values()
			},
		})
	}
	solvers.Register(solvers.Variant{
		Solver: "mmas", Name: "focused", Backend: "cpu", Revision: 3, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: presets,
		Apart:   "the ants of mmas/focused change one tour, and trails are those of its edges",
		Title: "Focused Ant Colony Optimization; ants change a good tour in a few places, each at a " +
			"cost that does not grow with the number of cities; mmas alone above 2000 cities in the plane",
		Source: "R. Skinderowicz, 2022, Improving Ant Colony Optimization efficiency for solving " +
			"large TSP instances, doi:10.1016/j.asoc.2022.108653; pools are ours, with the edge assembly " +
			"of Y. Nagata, S. Kobayashi, 2013, doi:10.1287/ijoc.1120.0506",
		Layout: "Philox4x32-10; key: seed; counter: {iteration low, iteration high XOR 3 << 24, ant, " +
			"block}, words in turn: the ant's first city " +
			"among the (ant, ant + 1) n / ants; with temperature above 0 its limit; for each change the " +
			"side, the new neighbour, with change=bridge the length of the last path and the other new " +
			"neighbours. Purpose 4 << 24: the tours that ants build for a pool, as its numbers in the " +
			"iteration: the order of the cities, then neighbours; 5 shuffles the ring of a pool (ant " +
			"0), 6 makes the children of its couples (ant = the first parent).",
		New: newFocused,
	})
}

var (
	_ solvers.Algorithm      = (*focused)(nil)
	_ solvers.Changer        = (*focused)(nil)
	_ solvers.Tracer         = (*focused)(nil)
	_ solvers.Trailer        = (*focused)(nil)
	_ solvers.LengthReporter = (*focused)(nil)
)

// focusedPresets are the presets of mmas/focused; the first is the default.
var focusedPresets = []struct {
	name, doc string
	set       func(f *focused)
}{
	{
		"best", "Ours, by the number of cities: up to 50,000, 64 ants, all of whose changes that fit " +
			"together are taken, lists of alpha-near neighbours, and a pool of tours that ants build " +
			"after every half a change a city; above, 256 ants without pools.",
		focusedBest,
	},
	{
		"paper", "Near the published setting: 4 sqrt(n) ants, the best one's changes are taken, " +
			"relocations and 2-opt.",
		focusedPaper,
	},
}

// mostPools is the number of cities above which there is no time for pools within 10 s: on pla85900
// tours are longer with them, on pla33810 by 0.8 % shorter.
const mostPools = 50_000

func focusedBest(f *focused) {
	n := f.inst.N
	f.ants, f.minNew, f.reach = 64, 4, 30
	f.alpha, f.beta, f.rho, f.pBest = 1, 0, 0.9, 0.01
	f.credit, f.temperature, f.cycle, f.poolTours = 0.1, 1, max(1, n/(2*f.ants)), 10
	f.take, f.localSearch, f.change, f.candidates = takeAll, local.OrOpt, changeBridge,
		fewCandidates(8, n)
	f.lists = listAlpha
	if n > mostPools {
		// Visibility makes ants try fewer changes. It pays only where there is time for no more than a
		// few changes a city.
		f.ants, f.beta, f.temperature, f.cycle, f.poolTours = 256, 1, 0, 0, 0
		f.lists = local.Quadrant
	}
}

func focusedPaper(f *focused) {
	n := f.inst.N
	f.ants = 64
	for f.ants*f.ants < 16*n { // 4 sqrt n, in multiples of 64
		f.ants += 64
	}
	f.minNew, f.reach = 8, 30
	f.alpha, f.beta, f.rho, f.pBest = 1, 1, 0.5, 0.1
	f.credit, f.temperature, f.cycle, f.poolTours = 0, 0, 0, 0
	f.lists = local.Quadrant
	f.take, f.localSearch, f.change, f.candidates = takeBest, local.TwoOpt, changeRelocate,
		fewCandidates(16, n)
}

func (f *focused) Declare(t *solvers.Params) {
	t.Int(&f.ants, record.Param{
		Name: "ants", Class: record.Live, Min: 1, Max: 1 << 16, Step: 16, Unit: "ants",
		Doc: "Number of ants, each of which changes the tour once an iteration. Many find much that " +
			"does not fit together, few leave cores idle.",
		Effect: "tour and trails stay",
	})
	t.Int(&f.minNew, record.Param{
		Name: "min_new", Class: record.Live, Min: 1, Max: 1000, Step: 1, Unit: "edges",
		Doc: "Least number of new edges that an ant brings to the tour before the local search " +
			"begins (a bridge brings 4, a relocation 3).",
		Effect: "tour and trails stay",
	})
	t.Enum(&f.change, record.Param{
		Name: "change", Class: record.Live, Options: []string{changeBridge, changeRelocate},
		Doc: "How an ant changes the tour: bridge, two new edges chosen by trails and the two that " +
			"make it a tour again (a double bridge); relocate, a chosen neighbour is put next to the " +
			"city, and then one next to it.",
		Effect: "tour and trails stay",
	})
	t.Int(&f.reach, record.Param{
		Name: "reach", Class: record.Live, Min: 1, Max: 10000, Step: 1, Unit: "cities",
		Doc: "Greatest number of cities on the tour between the two edges that trails choose for a " +
			"bridge.",
		Effect: "tour and trails stay",
	})
	declareAlpha(t, &f.alpha)
	t.Float(&f.beta, record.Param{
		Name: "beta", Class: record.Live, Min: 0, Max: 20, Step: 0.5,
		Doc:    "Exponent of the visibility, 1 / (distance + 0.1), in the weight of a new edge.",
		Effect: "the trails stay; all weights are computed again",
	})
	declareRho(t, &f.rho)
	t.Float(&f.pBest, record.Param{
		Name: "p_best", Class: record.Live, Min: 1e-9, Max: 1, Step: 0.01,
		Doc: "Probability with which an ant of mmas makes the best tour again once the trails have " +
			"converged; it sets the lower trail limit as there.",
		Effect: "trails below the new limit are raised to it when they are read",
	})
	t.Float(&f.credit, record.Param{
		Name: "credit", Class: record.Live, Min: 0, Max: 1, Step: 0.05,
		Doc: "How much an ant whose tour is at most half a mean edge longer than the tour adds to " +
			"the trails of the edges it found, in parts of the upper limit; 0: nothing.",
		Effect: "the trails stay",
	})
	f.declareAcceptance(t)
	f.declareSearch(t)
}

// declareAcceptance declares the acceptance of changes, and the pools.
func (f *focused) declareAcceptance(t *solvers.Params) {
	t.Enum(&f.take, record.Param{
		Name: "take", Class: record.Live, Options: []string{takeAll, takeBest},
		Doc: "Which changes are made to the tour: those of all ants that were accepted, as far as they " +
			"fit together, or those of the best ant.",
		Effect: "tour and trails stay",
	})
	t.Float(&f.temperature, record.Param{
		Name: "temperature", Class: record.Live, Min: 0, Max: 100, Step: 0.1, Unit: "mean edges",
		Doc: "Mean of the random limit up to which an ant may make the tour longer and be accepted " +
			"(the rule of Metropolis); 0: no longer tour is accepted.",
		Effect: "tour and trails stay",
	})
	t.Int(&f.cycle, record.Param{
		Name: "cycle", Class: record.Live, Min: 0, Max: 1e6, Step: 20, Unit: "iterations",
		Doc: "Length of the first cycle in which the temperature falls to 0; each further one " +
			"has twice the length. With pools all have the same length, the first without a " +
			"temperature. 0: the temperature never changes, and there are no pools.",
		Effect: "tour and trails stay; without pools the temperature is that of the iteration's number",
	})
	t.Int(&f.poolTours, record.Param{
		Name: "pool", Class: record.Live, Min: 0, Max: 1e5, Step: 1, Unit: "tours",
		Doc: "Tours of the first pool: the one that ants change and local optima of tours that ants " +
			"build by flattened trails and visibility, whose better parts are put together by edge " +
			"assembly. There is a pool after each cycle, each later one has twice as many; 0: none.",
		Effect: "tour and trails stay; the next pool has so many, 0 ends the one that is made",
	})
}

// declareSearch declares the lists and the local search.
func (f *focused) declareSearch(t *solvers.Params) {
	t.Int(&f.candidates, record.Param{
		Name: "candidates", Class: record.Structural, Min: 1, Max: float64(max(2, min(100, f.inst.N-1))),
		Step: 1, Unit: "cities",
		Doc: "Length of the lists of neighbours that new edges and those of the local search come " +
			"from, and that have trails.",
		Effect: "a fork keeps the trails of edges that are on its lists too",
	})
	t.Enum(&f.lists, record.Param{
		Name: "lists", Class: record.Structural, Options: []string{listAlpha, local.Quadrant},
		Doc: "Which neighbours are listed: alpha, those whose edges are almost in a minimum spanning " +
			"tree of reduced costs, with which the local search then works; quadrant, the nearest, a " +
			"quarter from each quadrant.",
		Effect: "a fork keeps the trails of edges that are on its lists too",
	})
	t.Enum(&f.localSearch, record.Param{
		Name: "local_search", Class: record.Structural, Options: local.Queues,
		Doc:    "Local search from the ends of an ant's new edges.",
		Effect: "a fork keeps tour and trails",
	})
}

// The measures of focused.
const (
	measureAccepted = iota
	measureTaken
	measurePool
)

// Measures are the shares of ants whose changes were accepted and taken, and the tours of the pool.
func (f *focused) Measures() []string { return []string{"accepted", "taken", "pool"} }
