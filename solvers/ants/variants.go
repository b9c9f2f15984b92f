package ants

import (
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/local"
	"metalab/solvers/ants/trail"
	"metalab/solvers/internal/topology"
	"metalab/solvers/record"
)

// A variant is a line of the table: a policy with a way of constructing tours.
type variant struct {
	solver, name          string
	revision              int
	first                 bool // the solver's default
	title, source, layout string

	policy  func(c colony) member
	form    cpu.Form // how the crew on the CPU constructs tours
	oneWay  bool     // it also takes asymmetric instances
	races   bool     // on the CPU too; see Backend
	presets []preset
	large   func(p *params, n int) // after best, on instances of the plane; nil: nothing
	// see solvers.Variant, on the CPU in the plane; nil: none
	advice  func(n int) string
	instead func(n int) (variant, why string)

	declare []declarer // parameters, in the order in which they are shown

	storage trail.Storage // of the trails, unless it is a parameter
	sight   trail.Sight
	closing closing // of acs
	outs    bool    // and edges beyond the lists
	all     bool    // each choice is among all unvisited cities
	most    func(t *datasets.TSP, p *params) error
}

// The policies.
func system(c colony) member   { return &antSystem{colony: c} }
func maxMinOf(c colony) member { return &maxMin{colony: c} }
func acs(c colony) member      { return &colonySystem{colony: c} }

// Sources.
const (
	dorigo96 = "M. Dorigo, V. Maniezzo, A. Colorni, 1996, Ant system: optimization by a colony of " +
		"cooperating agents, doi:10.1109/3477.484436"
	dorigo97 = "M. Dorigo, L. M. Gambardella, 1997, Ant colony system: a cooperative learning " +
		"approach to the traveling salesman problem, doi:10.1109/4235.585892"
	stuetzle  = "T. Stuetzle, H. H. Hoos, 2000, MAX-MIN Ant System, doi:10.1016/S0167-739X(00)00043-1"
	reservoir = "P. S. Efraimidis, P. G. Spirakis, 2006, Weighted random sampling with a reservoir, " +
		"doi:10.1016/j.ipl.2005.11.003"
	parallel = "R. Skinderowicz, 2016, The GPU-based parallel Ant Colony System, " +
		"doi:10.1016/j.jpdc.2016.04.014"
)

// variants is the table. Only mmas/focused is not in it, for its ants construct no tours.
var variants = []*variant{
	{
		solver: "as", name: "scan", revision: 2, first: true,
		title:  "Ant System; a choice scans the candidates, ants are spread over all cores",
		source: dorigo96, layout: cpu.Layout,
		policy: system, form: cpu.Scan, oneWay: true, presets: systemPresets,
		declare: slices.Concat(systemLive,
			[]declarer{declareLists, declareStorage, declareSearch(searchOneWay)}),
	},
	{
		solver: "as", name: "wrs", revision: 2,
		title: "Ant System; a choice is a race of exponential clocks, one per candidate; all ants " +
			"deposit at once",
		source: dorigo96 + "; choice: " + reservoir, layout: cpu.LayoutRace,
		policy: system, form: cpu.SystemWRS, storage: trail.Listed, presets: systemFewPresets,
		declare: slices.Concat(systemLive,
			[]declarer{declareFew(trail.Width), declareSearch(searchOnGPU)}, schedule),
	},
	{
		solver: "mmas", name: "scan", revision: 3, first: true,
		title:  "MAX-MIN Ant System; a choice scans the candidates, ants are spread over all cores",
		source: stuetzle, layout: cpu.Layout,
		policy: maxMinOf, form: cpu.Scan, oneWay: true, presets: maxMinPresets, large: maxMinLarge,
		advice: adviceScan, instead: insteadScan,
		declare: slices.Concat(maxMinLive,
			[]declarer{declareLists, declareStorage, declareSearch(searchOneWay)}),
	},
	{
		solver: "mmas", name: "wrs", revision: 3,
		title: "MAX-MIN Ant System; a choice is a race of exponential clocks, one per candidate: for " +
			"GPUs; on a CPU scan makes several times as many tours",
		source: stuetzle + "; choice: " + reservoir, layout: cpu.LayoutRace,
		policy: maxMinOf, form: cpu.WRS, storage: trail.Listed, presets: maxMinFewPresets,
		advice: adviceWRS,
		declare: slices.Concat(maxMinLive,
			[]declarer{declareFew(trail.Width), declareSearch(searchOnGPU)}, schedule),
	},
	// The six algorithms of the paper are one variant with two structural parameters, and not six:
	// a fork changes them in the middle of a run, all but the choice is common to them, and lc and
	// ct even make the same tours.
	{
		solver: "mmas", name: "rows", revision: 5,
		title: "MAX-MIN Ant System with the six choices of the GPU paper: roulette or reservoir, over " +
			"all that is unvisited or over lists",
		source: "R. Skinderowicz, 2020, Implementing a GPU-based parallel MAX-MIN Ant System, " +
			"doi:10.1016/j.future.2020.01.011; " +
			stuetzle,
		layout: cpu.LayoutRows,
		policy: maxMinOf, form: cpu.Rows, storage: trail.Listed, presets: rowsPresets, most: mostOfRows,
		sight: trail.Plain,
		declare: slices.Concat(maxMinLive,
			[]declarer{declareRows, declareSearch(searchOnGPU), declareTeams, declareTrials}),
	},
	{
		solver: "mmas", name: "thin", revision: 3,
		title: "MAX-MIN Ant System without lists; cities far off arrive as Poisson processes, which " +
			"are thinned",
		source: stuetzle + "; thinning: " +
			"P. A. W. Lewis, G. S. Shedler, 1979, Simulation of nonhomogeneous Poisson processes by " +
			"thinning, doi:10.1002/nav.3800260304; " +
			"alias table: A. J. Walker, 1977, An Efficient Method for Generating Discrete Random " +
			"Variables with General Distributions, doi:10.1145/355744.355749",
		layout: cpu.LayoutThin,
		policy: maxMinOf, form: cpu.Thin, storage: trail.Matrix, all: true, presets: maxMinFewPresets,
		most:    mostOfThin,
		declare: slices.Concat(maxMinLive, []declarer{declareNear, declareSearch(searchOnGPU)}, schedule),
	},
	{
		solver: "acs", name: "seq", revision: 1, first: true,
		title:  "Ant Colony System; the ants move in turn, each sees the local updates before it",
		source: dorigo97 + "; " + parallel + " (ACS-SEQ)", layout: cpu.LayoutSteps,
		policy: acs, form: cpu.Seq, oneWay: true, presets: acsPresets,
		closing: closingAlways,
		declare: slices.Concat(acsLive,
			[]declarer{declareLists, declareStorage, declareSearch(searchOneWay)}),
	},
	{
		solver: "acs", name: "gpu", revision: 2,
		title: "Ant Colony System; ants meet at each step and update trails within it, by atomic " +
			"operations, in an order left to chance; on the cpu 16 choose at once on each core",
		source: parallel + " (ACS-GPU)",
		layout: cpu.LayoutLock + " Which updates of a step a choice sees is left to chance.",
		policy: acs, form: cpu.GPU, oneWay: true, races: true, presets: gpuPresets,
		sight: trail.Plain, closing: closingInTurn,
		declare: slices.Concat(acsLive,
			[]declarer{declareFew(trail.Width), declareSearch(searchOneWay)}, schedule),
	},
	{
		solver: "acs", name: "lockstep", revision: 3,
		title: "A variant of Ant Colony System of ours; all ants make a step at once, which sees the " +
			"trails as they were at its start",
		source: "metalab, after " + dorigo97 + "; visits are counted and applied after each step",
		layout: cpu.LayoutLock,
		policy: acs, form: cpu.Lockstep, storage: trail.Listed, outs: true, presets: lockstepPresets,
		closing: closingAlways,
		declare: slices.Concat(acsLive,
			[]declarer{declareFew(trail.Width), declareSearch(searchNowhere)}, schedule),
	},
	{
		solver: "acs", name: "alt", revision: 2,
		title:  "Ant Colony System; ants make whole tours and see the updates of others late",
		source: parallel + " (ACS-GPU-Alt); on the cpu in squads, whose order is stated",
		layout: cpu.LayoutLock,
		policy: acs, form: cpu.Alt, oneWay: true, presets: latePresets,
		sight: trail.Plain, closing: closingInTurn,
		declare: slices.Concat(acsLive,
			[]declarer{declareFew(trail.Width), declareSearch(searchNowhere)}, schedule),
	},
	{
		solver: "acs", name: "spm-sync", revision: 3,
		title: "A variant of ACS-GPU-SPM of ours, with the same history on a CPU and a GPU; updates " +
			"are made in ant order after each 32 steps",
		source: "metalab, after " + parallel, layout: cpu.LayoutLock,
		policy: acs, form: cpu.SpmSync, storage: trail.Selective, oneWay: true, presets: syncPresets,
		sight: trail.Plain, closing: closingNever,
		declare: slices.Concat(acsLive,
			[]declarer{declareFew(trail.Width), declareMemory, declareSearch(searchNowhere)}, schedule),
	},
	{
		solver: "acs", name: "spm", revision: 4,
		title: "Ant Colony System with a selective pheromone memory; ants make whole tours and see " +
			"the updates of others late",
		source: parallel + " (ACS-GPU-SPM); on the cpu in squads, whose order is stated",
		layout: cpu.LayoutLock,
		policy: acs, form: cpu.Spm, storage: trail.Selective, oneWay: true, presets: memoryPresets,
		sight: trail.Plain, closing: closingNever,
		declare: slices.Concat(acsLive,
			[]declarer{declareFew(trail.Width), declareMemory, declareSearch(searchNowhere)}, schedule),
	},
}

func init() {
	for _, v := range variants {
		solvers.Register(v.on(v.cpu()))
		if !v.first {
			solvers.Offer("cuda", v.solver, v.name)
		}
	}
}

// on is the variant on a backend.
func (v *variant) on(b Backend) solvers.Variant {
	kinds := []datasets.Kind{datasets.KindTSP}
	if v.oneWay && b.OneWay {
		kinds = append(kinds, datasets.KindATSP)
	}
	out := solvers.Variant{
		Solver: v.solver, Name: v.name, Backend: b.Name, Revision: v.revision, Default: v.first,
		Deterministic: !b.Races, NoStart: noStart, Kinds: kinds,
		Family: "ants of " + v.solver,
		Title:  v.title, Source: v.source, Layout: v.layout + "; " + local.TilesLayout,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			return v.make(b, inst, v.presets[0])
		},
	}
	if b.Advice != nil {
		out.Advice = func(inst datasets.Instance, _ record.Values) string {
			if t, ok := inst.(*datasets.TSP); ok && local.InPlane(t.Metric) {
				return b.Advice(t.N)
			}
			return ""
		}
	}
	if b.Instead != nil {
		out.Instead = func(inst datasets.Instance) (string, string) {
			if t, ok := inst.(*datasets.TSP); ok && local.InPlane(t.Metric) {
				return b.Instead(t.N)
			}
			return "", ""
		}
	}
	for _, s := range v.presets {
		// The instance does not matter for the local search that a preset names, so n is any
		// number.
		var p params
		if s.set(&p, 1000, false); !b.searches(p.localSearch) {
			continue
		}
		values := func(inst datasets.Instance) record.Values {
			a, err := v.make(b, inst, s)
			if err != nil {
				return nil // New says it
			}
			var t solvers.Params
			a.Declare(&t)
			return t.Values()
		}
		out.Presets = append(out.Presets, solvers.Preset{Name: s.name, Doc: s.doc, Values: values})
	}
	return out
}

// find returns a line of the table, or nil.
func find(solver, name string) *variant {
	i := slices.IndexFunc(variants,
		func(v *variant) bool { return v.solver == solver && v.name == name })
	if i < 0 {
		return nil
	}
	return variants[i]
}

// make makes the algorithm with the values of a preset.
func (v *variant) make(b Backend, inst datasets.Instance, s preset) (solvers.Algorithm, error) {
	t, err := asTSP(inst)
	if err != nil {
		return nil, err
	}
	c := colony{
		v: v, on: b, inst: t,
		params: params{
			sight: v.sight, closing: v.closing,
			storage: string(trail.Candidates), tauMin: 1, trials: 3,
			localParams: localParams{
				localShare: 1, localNear: local.DefaultNeighbours, localKicks: 1,
			},
			exchangeParams: exchangeParams{
				colonies: 1, exchangePeriod: 25, exchange: string(topology.Ring),
			},
		},
	}
	s.set(&c.params, t.N, t.Asymmetric)
	if s.name == "best" && v.large != nil && local.InPlane(t.Metric) {
		v.large(&c.params, t.N)
	}
	all := newColonies(func() member { return v.policy(c) })
	if _, ok := all.all[0].(admitter); ok {
		return &admitting{all}, nil
	}
	return all, nil
}

// asTSP returns the instance as a *datasets.TSP, or an error.
func asTSP(inst datasets.Instance) (*datasets.TSP, error) {
	t, ok := inst.(*datasets.TSP)
	if !ok {
		return nil, fmt.Errorf("ants: %s is a %T, want a *datasets.TSP", inst.Name(), inst)
	}
	return t, nil
}

// shape is what structural parameters make of a variant: the length of its lists, how trails are
// stored, and whether choices are among all that is unvisited.
type shape struct {
	lists     int
	storage   trail.Storage
	outs, all bool
}

// store makes a store for trails of this shape over the table's lists; slots is for a Memory.
func (s *shape) store(t *trail.Table, slots int) trail.Carrier {
	switch {
	case s.outs:
		return &trail.Extended{Table: t, Outs: trail.NewOuts(t.N)}
	case s.storage == trail.Selective:
		return trail.NewMemory(t.Space, slots)
	}
	return t
}

// shape returns the shape for these parameters, or an error if they exclude each other.
func (v *variant) shape(p *params, t *datasets.TSP) (shape, error) {
	if v.most != nil {
		if err := v.most(t, p); err != nil {
			return shape{}, err
		}
	}
	s := shape{lists: p.candidates, storage: v.storage, outs: v.outs}
	if s.storage == "" || s.storage == trail.Listed && p.storage == string(trail.Matrix) {
		s.storage = trail.Storage(p.storage)
	}
	if p.candidates == 0 {
		// Without candidates, lists of the nearest cities are still needed: they scale the weights,
		// and measures look at their trails.
		s.lists, s.storage, s.all = max(1, min(trail.Width, t.N-1)), trail.Matrix, true
	}
	return s, nil
}

func mostOfRows(t *datasets.TSP, p *params) error {
	if need, most := trail.MatrixBytes(t.N); p.candidates == 0 && need > most {
		return fmt.Errorf("ants: candidates is 0: choices among all of the %d cities of %s need trails "+
			"of all edges, %d bytes, and the limit is %d: use lists", t.N, t.Title, need, most)
	}
	return nil
}

func mostOfThin(t *datasets.TSP, _ *params) error {
	if t.N > math.MaxUint16 {
		return fmt.Errorf("ants: %s has %d cities, mmas/thin takes up to %d: use mmas/wrs", t.Title, t.N,
			math.MaxUint16)
	}
	if need, most := trail.MatrixBytes(t.N); need > most {
		return fmt.Errorf("ants: mmas/thin has trails of all edges: %d cities need %d bytes on the "+
			"host, and the limit is %d: "+
			"use mmas/wrs, or mmas/rows with storage=candidates", t.N, need, most)
	}
	return nil
}

// noStart says why none of these variants can begin at a given tour.
const noStart = "its ants build each tour anew from the trails, and cannot begin at a given tour"
