package papers

import (
	"maps"
	"slices"

	"metalab/solvers/record"
)

// Reasons that several presets share.
const (
	noSearch = "the paper has no local search here"
	notUsed  = "is not read with these values"
)

var withoutSearch = map[string]string{
	"local_search": noSearch, "local_neighbours": notUsed, "local_lists": notUsed,
	"local_share": notUsed, "local_kicks": notUsed,
	"exchange": notUsed, "exchange_period": notUsed,
}

// oneColony is of all systems of both papers.
var oneColony = Setting{"colonies", number(1), "the paper has one colony"}

// open are reasons and more of them.
func open(more map[string]string) map[string]string {
	all := maps.Clone(withoutSearch)
	maps.Copy(all, more)
	return all
}

// colony are the parameters of all systems of the paper, with so many ants and that period of the
// local update.
func colony(ants, period Setting) []Setting {
	return []Setting{
		ants,
		{"beta", number(3), "section 4.1"},
		{"alpha", number(0.2), "section 4.1, equation 4: global evaporation"},
		{"rho", number(0.01), "section 4.1, equation 3: local evaporation"},
		{"q0", func(n int) record.Value { return record.Num(float64(n-20) / float64(n)) }, "section 4.1"},
		{"candidates", number(32), "section 3.1: cl"},
		period, oneColony,
	}
}

var (
	antEach    = Setting{"ants", asMany, "section 4.1: m = n"}
	everyStep  = Setting{"local_period", number(1), "figure 2, line 10; figure 10: 1 without a star"}
	fewAnts    = Setting{"ants", number(256), "section 4.4: with a star"}
	fourthStep = Setting{"local_period", number(4), "section 4.4: k, with a star"}
	slots      = []Setting{{"spm_slots", number(8), "section 3.2: s"}}
	// noStar is of systems to which the paper gives no star.
	noStar = "none: section 4.4 has stars for ACS-GPU-Alt and ACS-GPU-SPM only"
	stored = open(map[string]string{
		"tau_min": "1, tau0: section 3.2 names the level tau_min without a value; the published " +
			"program has the initial trail",
	})
)

// memoryAnts are the ants of ACS-GPU-SPM.
func memoryAnts(m float64) Setting {
	return Setting{"ants", number(m), "section 4.4: 128 and 256"}
}

var antColonySystem = Paper{
	Name:  "R. Skinderowicz, 2016",
	Title: "The GPU-based Parallel Ant Colony System",
	DOI:   "10.1016/j.jpdc.2016.04.014",
	Presets: []Preset{
		{
			Variants: []string{"acs/seq"}, Name: "paper", Settings: colony(antEach, everyStep),
			Open: open(map[string]string{
				"storage": "candidates: tours are those of the paper's matrix",
			}),
			Iterations: "1000, section 4.1",
		},
		{
			Variants: []string{"acs/gpu", "acs/alt", "acs/lockstep"}, Name: "paper",
			Settings: colony(antEach, everyStep), Open: withoutSearch, Iterations: "1000, section 4.1",
		},
		{
			Variants: []string{"acs/seq"}, Name: "paper-star", Settings: colony(fewAnts, fourthStep),
			Open: open(map[string]string{
				"storage": "candidates: tours are those of the paper's matrix",
			}),
			Iterations: noStar,
		},
		{
			Variants: []string{"acs/gpu"}, Name: "paper-star", Settings: colony(fewAnts, fourthStep),
			Open: withoutSearch, Iterations: noStar,
		},
		{
			Variants: []string{"acs/alt"}, Name: "paper-star", Settings: colony(fewAnts, fourthStep),
			Open:       withoutSearch,
			Iterations: "as many as fit into the time of 1000 of ACS-GPU-Alt, section 4.4",
		},
		{
			Variants: []string{"acs/spm", "acs/spm-sync"}, Name: "paper",
			Settings: slices.Concat(colony(memoryAnts(256), everyStep), slots), Open: stored,
			Iterations: "1000, section 4.1",
		},
		{
			Variants: []string{"acs/spm"}, Name: "paper-128",
			Settings: slices.Concat(colony(memoryAnts(128), everyStep), slots), Open: stored,
			Iterations: "1000, section 4.1",
		},
		{
			Variants: []string{"acs/spm", "acs/spm-sync"}, Name: "paper-star",
			Settings: slices.Concat(colony(fewAnts, fourthStep), slots), Open: stored,
			Iterations: "as many as fit into the time of 1000 of ACS-GPU-Alt, section 4.4; 1000 n tours, " +
				"table 10",
		},
	},
}

// maxMin are the parameters of all experiments of the paper, with the ants and the evaporation of
// some.
func maxMin(more ...Setting) []Setting {
	return append([]Setting{
		{"alpha", number(1), "section 5"},
		{"beta", number(2), "section 5"},
		{"p_best", number(0.01), "section 5"},
		{"choices", word("n/2"), "section 5: the limits are those of Stuetzle and Hoos"},
		{"deposit", word("iteration"), "figure 1, line 18"},
		oneColony,
	}, more...)
}

var noResets = map[string]string{
	"best_period": "0: is not read with deposit=iteration",
	"reset":       "0: the paper has no resets",
	"exchange":    notUsed, "exchange_period": notUsed,
}

var (
	paperAnts = []Setting{
		{"ants", asMany, "section 5: m = n"},
		{"rho", number(0.5), "section 5"},
	}
	lists   = Setting{"candidates", number(32), "section 5.3"}
	matrix  = Setting{"storage", matrixWhereItFits, "section 4.4: a matrix of trails"}
	searchs = []Setting{
		{"ants", number(800), "section 5.7"},
		{"rho", func(n int) record.Value {
			if n > 10000 {
				return record.Num(0.7)
			}
			return record.Num(0.9)
		}, "section 5.7, where 10^5 in print must be 10^4"},
		{"candidates", number(32), "section 5.7"},
		{"local_search", word("2opt-plain"), "section 5.7: 2-opt, don't-look bits"},
		{"local_neighbours", number(32), "section 5.7"},
		{"local_lists", word("nearest"), "section 5.7"},
		{"local_share", number(1), "section 5.7: every solution"},
	}
)

// matrixWhereItFits is the storage: a matrix up to 4 GiB of three numbers for each pair of cities.
func matrixWhereItFits(n int) record.Value {
	if 12*int64(n)*int64(n) > 1<<32 {
		return record.Text("candidates")
	}
	return record.Text("matrix")
}

// also are reasons of both.
func also(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

var maxMinAntSystem = Paper{
	Name:  "R. Skinderowicz, 2020",
	Title: "Implementing a GPU-based parallel MAX-MIN Ant System",
	DOI:   "10.1016/j.future.2020.01.011",
	Presets: []Preset{
		{
			Variants: []string{"mmas/rows"}, Name: "paper",
			Settings: slices.Concat(maxMin(paperAnts...), []Setting{
				lists, matrix,
				{"selection", word("wrs"), "section 6: recommended"},
				{"tabu", word("bt"), "section 6: recommended with lists"},
			}),
			Open: also(withoutSearch, noResets), Iterations: "100, section 5",
		},
		{
			Variants: []string{"mmas/scan"}, Name: "paper",
			Settings: slices.Concat(maxMin(paperAnts...), []Setting{lists}),
			Open: also(also(withoutSearch, noResets), map[string]string{
				"storage": "candidates: tours are those of the paper's matrix",
			}),
			Iterations: "100, section 5",
		},
		{
			Variants: []string{"mmas/wrs", "mmas/thin"}, Name: "paper",
			Settings: slices.Concat(maxMin(paperAnts...), []Setting{lists}),
			Open:     also(withoutSearch, noResets), Iterations: "100, section 5",
		},
		{
			Variants: []string{"mmas/rows"}, Name: "paper-2opt",
			Settings: slices.Concat(maxMin(searchs...), []Setting{
				matrix,
				{"selection", word("rwm"), "section 5.7: MMAS-RWM-BT"},
				{"tabu", word("bt"), "section 5.7: MMAS-RWM-BT"},
			}),
			Open:       also(noResets, map[string]string{"local_kicks": notUsed}),
			Iterations: "2000, above 10,000 cities 3000, section 5.7",
		},
		{
			Variants: []string{"mmas/scan"}, Name: "paper-2opt", Settings: maxMin(searchs...),
			Open: also(noResets, map[string]string{
				"storage": "candidates: tours are those of the paper's matrix", "local_kicks": notUsed,
			}),
			Iterations: "2000, above 10,000 cities 3000, section 5.7",
		},
	},
}
