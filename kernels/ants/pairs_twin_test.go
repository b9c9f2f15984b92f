package ants

import (
	"errors"
	"slices"
	"testing"

	"metalab/solvers/ants/local"
)

// pairsGoldenVar names a file to which TestGoldenPairs writes what a device computes.
const pairsGoldenVar = "METALAB_ANTS_GOLDEN_PAIRS"

// goldensPairs have the 2-opt of the GPU MMAS paper.
var goldensPairs = []trial{
	{
		Solver: "mmas", Variant: "rows", Cities: 198, Metric: "EUC_2D", Spread: 1e4, Iterations: 10,
		Params: params("ants", 20, "selection", "rwm", "tabu", "bt", "storage", "matrix", "rho", 0.9,
			"deposit", "iteration", "choices", "n/2", "local_search", "2opt-plain", "local_neighbours", 32,
			"local_lists", "nearest"),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 97, Metric: "CEIL_2D", Spread: 60, Iterations: 8,
		Params: params("ants", 15, "candidates", 9, "local_search", "2opt-plain", "local_share", 0.4),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 97, Metric: "ATT", Spread: 5000, Iterations: 8,
		Params: params("ants", 13, "local_search", "2opt-plain", "local_neighbours", 33, "local_lists",
			"nearest"),
	},
}

// TestGoldenPairs replays on the CPU what a device computed. With METALAB_ANTS_GOLDEN_PAIRS it asks
// a device and writes the file.
func TestGoldenPairs(t *testing.T) {
	replays(t, "testdata/golden_pairs.json", pairsGoldenVar, goldensPairs)
}

func init() {
	paper := func(kv ...any) []any {
		return append([]any{
			"selection", "rwm", "tabu", "bt", "storage", "matrix", "rho", 0.9, "deposit", "iteration",
			"choices", "n/2", "local_search", "2opt-plain", "local_neighbours", 32, "local_lists", "nearest",
		}, kv...)
	}
	twins = append(twins, pairTwins...)
	for _, c := range []trial{
		{Cities: 198, Iterations: 30, Params: params(paper("ants", 60)...)},
		{Cities: 1002, Iterations: 4, Params: params(paper("ants", 200)...)},
		{Cities: 1002, Iterations: 12, Params: params(paper("ants", 40, "warps", 0)...)}, // tunes
		{Cities: 2053, Iterations: 2, Params: params(paper("ants", 60, "local_share", 0.5)...)},
		{Cities: 8501, Iterations: 1, Params: params(paper("ants", 8)...)},
		{Cities: 14051, Iterations: 1, Params: params(paper("ants", 4, "storage", "candidates")...)},
		{Cities: 9701, Iterations: 1, Params: params(paper("ants", 8, "local_search", "none")...)},
		{
			Cities: 501, Iterations: 8, Metric: "ATT",
			Params: params(paper("ants", 30, "local_neighbours", 64)...),
		},
	} {
		c.Solver, c.Variant, c.Spread = "mmas", "rows", 20000
		if c.Metric == "" {
			c.Metric = "EUC_2D"
		}
		twins = append(twins, c)
	}
	// Choices among more than a stretch of cities.
	for i, kv := range [][]any{
		{"selection", "rwm", "tabu", "bt", "warps", 1},
		{"selection", "rwm", "tabu", "lc", "warps", 7},
		{"selection", "wrs", "tabu", "ct", "warps", 0},
	} {
		twins = append(twins, trial{
			Solver: "mmas", Variant: "rows", Cities: 8230 + 221*i, Metric: "EUC_2D", Spread: 90000,
			Iterations: 1, Params: params(append(kv, "ants", 2, "candidates", 0)...),
		})
	}
}

// TestPairsBytes: the greatest number of cities of a block's shared memory is one.
func TestPairsBytes(t *testing.T) {
	for _, shared := range []int{-1, 0, 1, 48 << 10, 99 << 10, 163 << 10, 227 << 10} {
		n := pairsMost(shared)
		if n > 0 && pairsBytes(n) > shared || shared > 8 && pairsBytes(n+1) <= shared {
			t.Errorf("%d bytes hold %d cities, which take %d, and one more %d", shared, n, pairsBytes(n),
				pairsBytes(n+1))
		}
	}
	if n := pairsMost(227 << 10); n < 18512 {
		t.Errorf("227 KiB hold a tour of %d cities", n)
	}
}

// TestSearchPlace: which local searches a device makes, and which the host's cores.
func TestSearchPlace(t *testing.T) {
	inst := goldensPairs[0].instance(t)
	for i := range lines {
		for _, word := range local.OnDevice {
			got, err := setupOf(t, lines[i].solver, lines[i].variant, inst,
				params("ants", 4, "local_search", word))
			if !errors.Is(err, errNoCrew) {
				t.Errorf("%s/%s with %s: %v", lines[i].solver, lines[i].variant, word, err)
				continue
			}
			g, pairs := instanceOf(got, false), slices.Contains(local.OfPairs, word)
			if got.Search.OnHost() || (g.Pairs != nil) != pairs || (g.Local != nil) == pairs {
				t.Errorf("%s/%s with %s: pairs %v, rounds %v", lines[i].solver, lines[i].variant, word,
					g.Pairs != nil, g.Local != nil)
			}
		}
	}
}
