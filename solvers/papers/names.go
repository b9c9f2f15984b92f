package papers

import (
	"maps"
	"slices"
	"strings"

	"metalab/solvers/record"
)

// A Named is an algorithm by the name that a paper has for it: which variant that is here, with
// the preset and the values that make it so.
type Named struct {
	Name    string // in lower case, as it is typed
	Solver  string
	Variant string
	Preset  string        // unless another one is asked for
	Params  record.Values // what tells it from others of the variant
	Paper   string        // authors and year
	Doc     string        // a sentence without a full stop
}

// The papers of the names.
const (
	kang     = "S. Kang, S.-S. Kim, J. Won, Y.-M. Kang, 2016"
	fosin    = "J. Fosin, D. Davidovic, T. Caric, 2013"
	colonies = "R. Skinderowicz, 2016"
	maxmin   = "R. Skinderowicz, 2020"
	luong    = "T. V. Luong, N. Melab, E.-G. Talbi, 2013"
)

// text is a parameter of words.
func text(name, value string) record.Values { return record.Values{name: record.Text(value)} }

// choice is a way of mmas/rows to choose cities.
func choice(selection, tabu string) record.Values {
	return record.Values{"selection": record.Text(selection), "tabu": record.Text(tabu)}
}

// Names are all names, by paper. A test fails when one of them names what there is not.
var Names = []Named{
	{"acs-seq", "acs", "seq", "paper", nil, colonies, "ACS-SEQ, in which the ants move in turn"},
	{
		"acs-seq*", "acs", "seq", "paper-star", nil, colonies,
		"ACS-SEQ with the 256 ants and k = 4 that the paper's stars mean",
	},
	{
		"acs-gpu", "acs", "gpu", "paper", nil, colonies,
		"ACS-GPU, in which the ants meet at each step and update trails within it",
	},
	{
		"acs-gpu*", "acs", "gpu", "paper-star", nil, colonies,
		"ACS-GPU with the 256 ants and k = 4 that the paper's stars mean",
	},
	{
		"acs-gpu-alt", "acs", "alt", "paper", nil, colonies,
		"ACS-GPU-Alt, in which the ants do not wait for each other",
	},
	{
		"acs-gpu-alt*", "acs", "alt", "paper-star", nil, colonies,
		"ACS-GPU-Alt*, with 256 ants and k = 4",
	},
	{
		"acs-gpu-spm", "acs", "spm", "paper", nil, colonies,
		"ACS-GPU-SPM, with a selective pheromone memory",
	},
	{
		"acs-gpu-spm*", "acs", "spm", "paper-star", nil, colonies,
		"ACS-GPU-SPM*, with 256 ants and k = 4",
	},
	{
		"mmas-rwm-lc", "mmas", "rows", "paper", choice("rwm", "lc"), maxmin,
		"MMAS-RWM-LC: roulette wheel, tabu list with list compression",
	},
	{
		"mmas-rwm-ct", "mmas", "rows", "paper", choice("rwm", "ct"), maxmin,
		"MMAS-RWM-CT: roulette wheel, compact tabu list",
	},
	{
		"mmas-rwm-bt", "mmas", "rows", "paper", choice("rwm", "bt"), maxmin,
		"MMAS-RWM-BT: roulette wheel, bitmask tabu list",
	},
	{
		"mmas-wrs-lc", "mmas", "rows", "paper", choice("wrs", "lc"), maxmin,
		"MMAS-WRS-LC: weighted reservoir sampling, tabu list with list compression",
	},
	{
		"mmas-wrs-ct", "mmas", "rows", "paper", choice("wrs", "ct"), maxmin,
		"MMAS-WRS-CT: weighted reservoir sampling, compact tabu list",
	},
	{
		"mmas-wrs-bt", "mmas", "rows", "paper", choice("wrs", "bt"), maxmin,
		"MMAS-WRS-BT: weighted reservoir sampling, bitmask tabu list",
	},
	{
		"scx", "ga", "tournament", "paper", text("crossover", "scx"), kang,
		"sequential constructive crossover (SCX)",
	},
	{
		"bcscx", "ga", "tournament", "paper", text("crossover", "bcscx"), kang,
		"bidirectional circular SCX (BCSCX)",
	},
	{
		"arx", "ga", "tournament", "paper", text("crossover", "arx"), kang,
		"alternating recommendation crossover (ARX)",
	},
	{
		"hybrid", "ga", "tournament", "paper", text("crossover", "hybrid"), kang,
		"BCSCX and ARX in one population",
	},
	{
		"ils-2opt", "ils", "best", "paper", text("operator", "2opt"), fosin,
		"iterated local search by 2-opt with the best move of the whole tour",
	},
	{
		"ils-3opt", "ils", "best", "paper", text("operator", "3opt-ordered"), fosin,
		"iterated local search by 3-opt with the best move of the whole tour",
	},
	{
		"hill-climbing", "hill", "climb", "paper", nil, luong,
		"100 hill climbings from random solutions",
	},
	{
		"tabu-search", "tabu", "robust", "paper", nil, luong,
		"tabu search with the best neighbour of all",
	},
	{
		"variable-neighbourhood-descent", "vnd", "climb", "random-starts", nil, luong,
		"100 descents over several neighbourhoods, which the paper names and does not measure",
	},
	{
		"robust-tabu", "tabu", "robust", "taillard-1991", nil, "E. D. Taillard, 1991",
		"robust taboo search for assignments",
	},
	{
		"eax", "ga", "eax", "paper", nil, "Y. Nagata, S. Kobayashi, 2013",
		"genetic search by edge assembly crossover",
	},
	{
		"faco", "mmas", "focused", "paper", nil, "R. Skinderowicz, 2022",
		"Focused Ant Colony Optimization",
	},
}

// ByName returns the algorithm that a paper calls so; capital letters are as good as small ones.
func ByName(name string) (Named, bool) {
	for _, n := range Names {
		if n.Name == strings.ToLower(name) {
			return n, true
		}
	}
	return Named{}, false
}

// ByAuthor returns the algorithms of the papers that somebody of this family name has written.
func ByAuthor(name string) []Named {
	var out []Named
	for _, n := range Names {
		if slices.Contains(n.Authors(), strings.ToLower(name)) {
			out = append(out, n)
		}
	}
	return out
}

// Authors are the family names of all authors in small letters, in the order of the table.
func Authors() []string {
	var out []string
	for _, n := range Names {
		for _, a := range n.Authors() {
			if !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	return out
}

// Authors are the family names of the paper's authors, in small letters.
func (n Named) Authors() []string {
	var out []string
	parts := strings.Split(n.Paper, ", ")
	for _, p := range parts[:len(parts)-1] { // the last is the year
		out = append(out, strings.ToLower(p[strings.LastIndexByte(p, ' ')+1:]))
	}
	return out
}

// Text is how the algorithm is opened without its name, as
// "ga/tournament preset=paper crossover=arx".
func (n Named) Text() string {
	out := n.Solver + "/" + n.Variant
	if n.Preset != "" {
		out += " preset=" + n.Preset
	}
	for _, p := range slices.Sorted(maps.Keys(n.Params)) {
		out += " " + p + "=" + n.Params[p].String()
	}
	return out
}
