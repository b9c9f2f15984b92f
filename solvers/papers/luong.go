package papers

import (
	"maps"

	"metalab/datasets"
	"metalab/solvers/record"
)

// asLuong are the settings of all experiments of the paper, and those of one problem.
func asLuong(own ...Setting) []Setting {
	return append([]Setting{
		{"scans", number(1), "algorithm 2: a neighbourhood, a move, an iteration"},
		{"walks", number(1), "algorithm 2 has one solution"},
		{"exchange", number(0), "algorithm 2 has one solution"},
	}, own...)
}

// problem is a problem of theirs with its neighbourhood and evaluation.
type problem struct {
	kind     datasets.Kind
	settings []Setting
	open     map[string]string
}

var luongProblems = []problem{
	{datasets.KindQAP, []Setting{
		{"neighbourhood", word("swap"), "table 2: pair-wise exchange"},
	}, nil},
	{datasets.KindPPP, nil, map[string]string{
		"neighbourhood": "hamming2, of table 4; table 3 has hamming1, the appendix hamming3",
	}},
	{datasets.KindTSP, []Setting{
		{"neighbourhood", word("swap"), "table 6: pair-wise exchange"},
	}, nil},
	{datasets.KindWeierstrass, []Setting{
		{"neighbourhood", word("ball"), "section 4.5"},
		{"neighbours", number(10000), "section 6.3"},
		{"radius", func(n int) record.Value { return record.Num(1 / float64(n)) }, "section 6.3: 1/n"},
		{"precision", word("single"), "section 6.3"},
	}, nil},
}

// notTold is what the paper says of how long a move is forbidden.
var notTold = map[string]string{
	"tenures":    "as in best: the paper does not tell how long a move is forbidden",
	"tenure":     "as in best, as tenures",
	"aspiration": "as in best, as tenures",
}

// luongPresets are the presets of a variant, one for each problem.
func luongPresets(
	variant, name, iterations string, open map[string]string, own ...Setting,
) (out []Preset) {
	for _, p := range luongProblems {
		all := maps.Clone(open)
		if p.kind != datasets.KindQAP {
			delete(all, "aspiration") // robust tabu search of assignments has it alone
		}
		maps.Copy(all, p.open)
		out = append(out, Preset{
			Variants: []string{variant}, Name: name, Kind: p.kind,
			Settings: append(asLuong(own...), p.settings...), Open: all, Iterations: iterations,
		})
	}
	return out
}

func luongAll() (out []Preset) {
	const iterations = "10,000, section 6"
	out = append(out, luongPresets("tabu/robust", "paper", iterations, notTold)...)
	out = append(out, luongPresets("tabu/robust", "paper-threads", iterations, notTold)...)
	return append(out, luongPresets("hill/climb", "paper",
		"until 100 climbs have ended, section 6.7", map[string]string{
			"kick": "is not read with begin=random",
		},
		Setting{"select", word("best"), "section 6.7: selecting the best neighbour"},
		Setting{"begin", word("random"), "algorithm 1: a randomly generated solution"},
		Setting{"restarts", number(99), "section 6.7: a sequence of 100 climbs"},
	)...)
}

var localSearchOnGPUs = Paper{
	Name:    luong,
	Title:   "GPU computing for parallel local search metaheuristic algorithms",
	DOI:     "10.1109/TC.2011.206",
	Presets: luongAll(),
}
