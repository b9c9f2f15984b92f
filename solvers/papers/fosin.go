package papers

// iterated are the settings of both presets.
func iterated(own ...Setting) []Setting {
	return append([]Setting{
		{"neighbours", number(40), "section 4: m = 40"},
		{"quadrant", truth(true), "sections 2.1 and 4: quadrant neighbours"},
		{"start", word("nn"), "section 4: the nearest neighbour heuristic, of the lists"},
		{"chains", number(1), "algorithm 1 has one tour"},
	}, own...)
}

const kicksMade = "0.1 n, 1 n and 10 n kicks, section 4.3; none for 2-opt and 3-opt alone, " +
	"section 5"

const anyNumber = "the default: a tenth of n, at most 20, ours: iterations of the paper are " +
	"single kicks, and several make one here"

var localSearchOperators = Paper{
	Name: fosin,
	Title: "A GPU implementation of local search operators for symmetric travelling salesman " +
		"problem",
	DOI: "10.7307/ptt.v25i3.300",
	Presets: []Preset{
		{
			Variants: []string{"ils/best"}, Name: "paper",
			Settings: iterated(Setting{"accept", word("always"), "algorithm 1, line 10"}),
			Open: map[string]string{
				"operator": "3opt-ordered, a reading of sections 2.1 and 4.2 (triples i, j, k, the rule " +
					"for 2-opt and 3-opt, four ways to reconnect), whose mean is that of table 3",
				"kicks": anyNumber,
			},
			Iterations: kicksMade,
		},
		{
			Variants: []string{"ils/best"}, Name: "paper-iterated",
			Settings: iterated(),
			Open: map[string]string{
				"operator": "3opt, all reconnections of three edges: stronger than the published 3-opt",
				"accept": "better, against line 10 of algorithm 1: only so the gaps of iterated search " +
					"in table 3 are nearly reached",
				"kicks": anyNumber,
			},
			Iterations: kicksMade,
		},
	},
}
