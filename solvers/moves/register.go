package moves

import (
	"fmt"
	"maps"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

const layout = "Philox4x32-10, key = seed, counter = {scan low, scan high ^ purpose << 24, " +
	"walk, block}, scans counted by each walk: " +
	"purpose 1 makes random solutions (scan 0: the start), purpose 5 the neighbours of real " +
	"vectors (crown in the low 20 bits of the walk's word)"

// tabuPresets lists the presets of tabu; the default is best.
var tabuPresets = []solvers.Preset{
	{
		Name: "best",
		Doc:  "Ours, by the kind of the problem: times of forbidden moves drawn as suits it.",
	},
	{
		Name: "paper",
		Doc: "The published experiment on GPUs (Luong, Melab, Talbi): a scan and its best move in an " +
			"iteration, of which a run has 10,000, a thread a neighbour in blocks of 256, assignments " +
			"and perceptrons in linear time a neighbour, real numbers in single precision. How long a " +
			"move is forbidden is not told: as in best.",
		Values: luongTabu,
	},
	{
		Name: "paper-threads",
		Doc: "As paper, with the thread control of section 4.1: numbers of threads and sizes of blocks " +
			"are tried in the first scans, to the letter of Algorithm 3, ten scans each.",
		Values: func(inst datasets.Instance) record.Values {
			p := luongTabu(inst)
			maps.Copy(p, record.Of("wave", 0, "trials", 10, "tuning", tuningPublished))
			return p
		},
	},
	{
		Name: "taillard-1991",
		Doc: "Robust tabu search as published for assignments: times about n, aspiration after " +
			"2 n^2 scans. Elsewhere the same as best.",
		Values: func(inst datasets.Instance) record.Values {
			if inst.Kind() != datasets.KindQAP {
				return nil
			}
			n := inst.Size()
			return record.Of("tenures", "uniform", "tenure", n, "aspiration", 2*n*n)
		},
	},
}

// aThreadEach is the parameter wave where every neighbour has a thread of its own.
const aThreadEach = 1 << 30

// luongTabu are the parameters of the tabu search of Luong, Melab and Talbi: pairs of facilities,
// of bits or of cities, or 10,000 points in a ball of radius 1/n.
func luongTabu(inst datasets.Instance) record.Values {
	p := luongScans(inst)
	switch inst.Kind() {
	case datasets.KindPPP:
		p["neighbourhood"] = record.Text("hamming2")
	case datasets.KindWeierstrass:
		p["neighbourhood"] = record.Text("ball")
	case datasets.KindQAP, datasets.KindTSP, datasets.KindATSP:
		p["neighbourhood"] = record.Text("swap")
	case datasets.KindColouring, datasets.KindCut: // not among theirs
	}
	return p
}

// luongScans are the parameters of scans of Luong, Melab and Talbi: one in an iteration, with a
// thread a neighbour in blocks of 256, evaluated as published.
func luongScans(inst datasets.Instance) record.Values {
	p := record.Of("scans", 1, "walks", 1, "exchange", 0, "block", 256, "wave", aThreadEach)
	switch inst.Kind() {
	case datasets.KindQAP, datasets.KindPPP:
		p["evaluation"] = record.Text("linear")
	case datasets.KindTSP, datasets.KindATSP:
		p["evaluation"] = record.Text("published")
	case datasets.KindWeierstrass:
		maps.Copy(p, record.Of(
			"neighbours", 10000, "radius", 1/float64(inst.Size()), "precision", "single",
		))
	case datasets.KindColouring, datasets.KindCut: // not among theirs
		p["wave"] = record.Num(0)
	}
	return p
}

// bestClimbs is the preset best of hill and vnd.
var bestClimbs = solvers.Preset{
	Name: "best",
	Doc:  "Ours: the next climb begins at a kicked optimum, for as long as the run goes on.",
}

// hundred are 100 climbs from random solutions, each move the best.
func hundred() record.Values {
	return record.Of("select", "best", "begin", "random", "restarts", 99)
}

// hillPresets lists the presets of hill; the default is best.
var hillPresets = []solvers.Preset{
	bestClimbs,
	{
		Name: "paper",
		Doc: "The published experiment (Luong, Melab, Talbi, section 6.7): 100 climbs from random " +
			"solutions, each move the best there is, scans as in tabu's preset paper.",
		Values: func(inst datasets.Instance) record.Values {
			p := luongTabu(inst)
			maps.Copy(p, hundred())
			return p
		},
	},
}

// vndPresets lists the presets of vnd; the default is best. The paper only names descents.
var vndPresets = []solvers.Preset{
	bestClimbs,
	{
		Name: "random-starts",
		Doc: "Ours: 100 descents from random solutions, each move the best there is, scans as Luong, " +
			"Melab and Talbi make them. They name descents, and no experiment of theirs is one.",
		Values: func(inst datasets.Instance) record.Values {
			p := luongScans(inst)
			maps.Copy(p, hundred())
			return p
		},
	},
}

// allKinds are the kinds of instances that have neighbourhoods.
var allKinds = []datasets.Kind{
	datasets.KindQAP, datasets.KindPPP, datasets.KindTSP, datasets.KindATSP, datasets.KindColouring,
	datasets.KindWeierstrass, datasets.KindCut, datasets.KindOwn,
}

const luong = "T. V. Luong, N. Melab, E.-G. Talbi, 2013, GPU computing for parallel local search " +
	"metaheuristic algorithms, doi:10.1109/TC.2011.206"

// tabuVariant is tabu/robust on the CPU.
var tabuVariant = solvers.Variant{
	Solver: "tabu", Name: "robust", Backend: "cpu", Revision: 2, Default: true, Deterministic: true,
	Kinds:   allKinds,
	Presets: tabuPresets,
	Title: "Tabu search over enumerated neighbourhoods; on assignments Taillard's robust one, " +
		"every move in a fixed number of steps",
	Source: "E. D. Taillard, 1991, Robust taboo search for the quadratic assignment problem, " +
		"doi:10.1016/S0167-8191(05)80147-4; " +
		"F. Glover, 1989, Tabu search, part I, doi:10.1287/ijoc.1.3.190; " + luong,
	Layout: layout + ", purpose 2 the times of a move, by its positions in order.",
	Advice: onTours("6", "169"),
	New:    checked(newTabu),
}

// hillVariant and vndVariant are the variants of climbing on the CPU.
var hillVariant = solvers.Variant{
	Solver: "hill", Name: "climb", Backend: "cpu", Revision: 3, Default: true, Deterministic: true,
	Kinds:   allKinds,
	Presets: hillPresets,
	Title: "Hill climbing in one neighbourhood, again and again from kicked or from random " +
		"solutions",
	Source: luong,
	Layout: layout + ", purpose 3 the place where select=random begins, purpose 4 the kicks.",
	Advice: onTours("10", "273"),
	New:    checked(newHill),
}

var vndVariant = solvers.Variant{
	Solver: "vnd", Name: "climb", Backend: "cpu", Revision: 3, Default: true, Deterministic: true,
	Kinds:   allKinds,
	Presets: vndPresets,
	Title: "Variable neighbourhood descent: a larger neighbourhood where a smaller one has no " +
		"better solution, again and again from kicked or from random ones",
	Source: "N. Mladenovic, P. Hansen, 1997, Variable neighborhood search, " +
		"doi:10.1016/S0305-0548(97)00031-2; " +
		luong,
	Layout: layout + ", purpose 3 the place where select=random begins, purpose 4 the kicks.",
	Advice: onTours("6", "276"),
	New:    checked(newVND),
}

func init() {
	solvers.Register(tabuVariant)
	solvers.Register(hillVariant)
	solvers.Register(vndVariant)
	solvers.Offer("cuda", "tabu", "robust")
	solvers.Offer("cuda", "hill", "climb")
	solvers.Offer("cuda", "vnd", "climb")
}

// onTours advises another solver for tours: this one was a number of percent above the optimum of
// E1k.0 after 5 s of a core, with 2opt and with its default.
func onTours(edges, swaps string) func(datasets.Instance, record.Values) string {
	return func(inst datasets.Instance, params record.Values) string {
		switch inst.Kind() {
		case datasets.KindTSP:
			says := "for short tours open ils, which was at the optimum of E1k.0 after 5 s of a core; " +
				"this one was " + edges + " % above it with neighbourhood=2opt"
			if is, ok := params["neighbourhood"]; !ok || is == record.Text("swap") {
				says += ", and " + swaps + " % with swap, the default"
			}
			return says
		case datasets.KindATSP:
			return "for short tours open mmas: this one only lets cities change places"
		default:
			return ""
		}
	}
}

// checked returns an error for instances that have no walk, before memory is allocated for them.
func checked(
	f func(datasets.Instance) (solvers.Algorithm, error),
) func(datasets.Instance) (solvers.Algorithm, error) {
	return func(inst datasets.Instance) (solvers.Algorithm, error) {
		if _, err := neighbourhoods(inst); err != nil {
			return nil, err
		}
		if inst.Size() < 1 {
			return nil, fmt.Errorf("moves: %s has no solution to move", inst.Name())
		}
		return f(inst)
	}
}

var (
	_ solvers.Algorithm       = (*tabu)(nil)
	_ solvers.Algorithm       = (*climb)(nil)
	_ solvers.Changer         = (*tabu)(nil)
	_ solvers.Changer         = (*climb)(nil)
	_ solvers.Tracer          = (*search)(nil)
	_ solvers.LengthReporter  = (*search)(nil)
	_ solvers.Waver           = (*search)(nil)
	_ solvers.UntunedReporter = (*search)(nil)
	_ solvers.Finisher        = (*climb)(nil)
)
