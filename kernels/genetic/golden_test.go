package genetic

import (
	"testing"

	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// goldens are runs whose digests testdata/golden.json holds, as a GPU made them.
var goldens = []struct {
	name       string
	clustered  bool
	n          int
	params     record.Values
	iterations int
}{
	{"uniform107", false, 107, record.Of("population", 32, "groups", 2, "moves", 9), 8},
	{
		"clustered131", true, 131,
		record.Of("population", 64, "groups", 8, "crossover", "bcscx", "exchange_period", 2), 7,
	},
	{
		"uniform203", false, 203,
		record.Of(
			"population", 40, "crossover", "arx", "pairing", "half", "mutants", "all", "move", "random",
			"moves", 3, "origin", "same", "elite", "improved",
		), 7,
	},
	{
		"clustered101", true, 101,
		record.Of("population", 24, "crossover", "scx", "start", "nn", "elite", "copied"), 6,
	},
	{"uniform1002", false, 1002, record.Of("population", 48, "hybrid_share", 0.8), 5},
	{"uniform1500", false, 1500, record.Of("population", 16, "start", "nn"), 2},
	{
		"uniform83", false, 83, record.Of(
			"population", 24, "start", "minima", "minima", 10, "minima_generations", 6,
		), 3,
	},
}

func goldenRuns(t testing.TB) []gputest.Run {
	t.Helper()
	var runs []gputest.Run
	for _, g := range goldens {
		runs = append(runs, gputest.Run{
			Name: g.name, Iterations: g.iterations, Config: solvers.Config{
				Solver: "ga", Variant: "tournament", Instance: gputest.Cities(t, g.clustered, g.n), Seed: 2024,
				Params: g.params,
			},
		})
	}
	return runs
}

// The CPU replays what a GPU did.
func TestGolden(t *testing.T) {
	t.Parallel()
	gputest.Replay(t, "testdata/golden.json", goldenRuns(t))
}
