package spins

import (
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// goldens are runs whose digests testdata/golden.json holds, as a GPU made them.
var goldens = []struct {
	name, instance, variant string
	params                  record.Values
	iterations              int
}{
	{"random", "gset-like-800-6-1", "spins", record.Of("walks", 65, "sweeps", 3), 8},
	{"random, signs", "G27", "population", record.Of("walks", 96, "island", 40, "sweeps", 2), 6},
	{"torus", "G11", "spins", record.Of("walks", 33, "cooling", 0.8), 9},
	{"torus, population", "G48", "population", record.Of("walks", 128, "cooling", 0.9), 6},
	{"planar", "G14", "spins", record.Of("walks", 40, "schedule", "geometric"), 6},
	{"planar, hubs", "G63", "population", record.Of("walks", 64, "island", 32, "sweeps", 2), 4},
	{"planar, hot", "G51", "spins", record.Of("walks", 64, "temperature", 8, "sweeps", 2), 6},
	{"glass", "glass-31x33-1", "spins", record.Of("walks", 31), 6},
}

func goldenRuns(t testing.TB) []gputest.Run {
	t.Helper()
	var runs []gputest.Run
	for _, g := range goldens {
		inst, _, err := datasets.Generate(g.instance)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, gputest.Run{
			Name: g.name, Iterations: g.iterations, Config: solvers.Config{
				Solver: "anneal", Variant: g.variant, Instance: inst, Seed: 2024, Params: g.params,
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
