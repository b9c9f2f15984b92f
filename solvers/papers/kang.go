package papers

import (
	"maps"
	"slices"
)

// experiment are the settings of all experiments of the paper, and those of one.
func experiment(own ...Setting) []Setting {
	if !slices.ContainsFunc(own, func(s Setting) bool { return s.Param == "couples" }) {
		own = append(own, Setting{"couples", word("disjoint"), "section 3.3 and figure 4"})
	}
	return append(own,
		Setting{"pairing", word("half"), "section 3.2: genes j and j + m/2"},
		Setting{"origin", word("same"), "section 2.3: all chromosomes start from city 1"},
		Setting{"mutants", word("all"), "section 4: a fraction of genes, not of offsprings"},
		Setting{"hybrid_share", number(0.5), "section 4: half of the offsprings"},
	)
}

// unsaid are reasons for what the paper leaves open, and more of them.
func unsaid(more map[string]string) map[string]string {
	all := map[string]string{
		"crossover": "the paper compares bcscx, arx and hybrid; hybrid is its proposal",
		"mutation": "0.1, as the authors' program has it; section 4 says a small fraction of the " +
			"genes",
		"move": "gaining, a reading: section 4 does not say whether exchanges that make the tour " +
			"longer are made",
		"moves": "a tenth of n, a reading: section 4 says randomly chose edge pairs in each selected " +
			"gene, and not how many",
		"elite":           "none: the paper's text keeps nothing of a group apart",
		"exchange_period": "5, ours; section 3.4 says periodically",
		"ties": "first; the experiments do not use scx, of which section 2.1 says: " +
			"otherwise b",
	}
	maps.Copy(all, more)
	return all
}

// except are reasons without some.
func except(all map[string]string, names ...string) map[string]string {
	for _, n := range names {
		delete(all, n)
	}
	return all
}

const asProgram = "100, as the authors' program makes its minima; section 4: by applying BCSCX " +
	"and local improvement such as 2-opt"

var geneticApproach = Paper{
	Name:  "S. Kang, S.-S. Kim, J. Won, Y.-M. Kang, 2016",
	Title: "GPU-based parallel genetic approach to large-scale travelling salesman problem",
	DOI:   "10.1007/s11227-016-1748-1",
	Presets: []Preset{
		{
			Variants: []string{"ga/tournament"}, Name: "paper",
			Settings: experiment(
				Setting{"population", number(2048), "section 4: figures 5 and 6, table 2"},
				Setting{"groups", number(1), "table 4, by contrast with its last column"},
				Setting{"start", word("random"), "section 4: randomly generated"},
			),
			Open: unsaid(map[string]string{
				"minima": notUsed, "minima_generations": notUsed,
			}),
			Iterations: "150 generations: section 4, figure 5; 100 or until an error of .1: table 2",
		},
		{
			Variants: []string{"ga/tournament"}, Name: "paper-literal",
			Settings: experiment(
				Setting{"population", number(2048), "section 4: figures 5 and 6, table 2"},
				Setting{"groups", number(1), "table 4, by contrast with its last column"},
				Setting{"start", word("random"), "section 4: randomly generated"},
				Setting{"move", word("random"), "section 4: the selected edge pair was then modified"},
				Setting{"moves", number(1), "section 4 shows one pair, as the authors' program has it"},
			),
			Open: except(unsaid(map[string]string{
				"minima": notUsed, "minima_generations": notUsed,
			}), "move", "moves"),
			Iterations: "150 generations: section 4, figure 5; 100 or until an error of .1: table 2",
		},
		{
			Variants: []string{"ga/tournament"}, Name: "paper-algorithm",
			Settings: experiment(
				Setting{"population", number(2048), "section 4: figures 5 and 6, table 2"},
				Setting{"groups", number(1), "table 4, by contrast with its last column"},
				Setting{"start", word("random"), "section 4: randomly generated"},
				Setting{"couples", word("neighbours"), "algorithm 1: threads tau of genes tau and tau + 1"},
				Setting{"ties", word("second"), "section 2.1, step 3: otherwise b"},
			),
			Open: except(unsaid(map[string]string{
				"minima": notUsed, "minima_generations": notUsed,
			}), "ties"),
			Iterations: "150 generations: section 4, figure 5; 100 or until an error of .1: table 2",
		},
		{
			Variants: []string{"ga/tournament"}, Name: "paper-minima",
			Settings: experiment(
				Setting{"population", number(128), "table 3"},
				Setting{"groups", number(1), "table 4, by contrast with its last column"},
				Setting{"start", word("minima"), "section 4: bcscx and 2-opt"},
				Setting{"minima", number(128), "table 3"},
			),
			Open:       unsaid(map[string]string{"minima_generations": asProgram}),
			Iterations: "150 generations: table 3",
		},
		{
			Variants: []string{"ga/tournament"}, Name: "paper-groups",
			Settings: experiment(
				Setting{"population", number(2048), "table 4, last column"},
				Setting{"groups", number(8), "table 4, last column"},
				Setting{"start", word("minima"), "section 4: bcscx and 2-opt"},
				Setting{"minima", number(128), "section 4: multiplying the 128 local minima"},
			),
			Open: unsaid(map[string]string{
				"minima_generations": "70, ours: they then begin near the published error of .1841; the " +
					"authors' program makes 100, of more tours",
			}),
			Iterations: "500 generations: table 4",
		},
	},
}
