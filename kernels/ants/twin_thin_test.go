package ants

import (
	"testing"

	"metalab/kernels/internal/gputest"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// thinGoldenVar names a file to which TestGoldenThin writes what a device computes.
const thinGoldenVar = "METALAB_ANTS_GOLDEN_THIN"

// goldensThin are small enough for any machine's ordinary tests.
var goldensThin = []trial{
	{
		Solver: "mmas", Variant: "thin", Cities: 97, Metric: "ATT", Spread: 5000, Iterations: 8,
		Params: params("ants", 13, "candidates", 9, "alpha", 1.5, "rho", 0.9),
	},
	{
		Solver: "mmas", Variant: "thin", Cities: 300, Metric: "EUC_2D", Spread: 1000, Iterations: 30,
		Params: params("ants", 6, "rho", 0.5),
	},
	{
		Solver: "mmas", Variant: "thin", Cities: 200, Metric: "CEIL_2D", Spread: 60, Iterations: 16,
		Params: params("ants", 40, "candidates", 3, "rho", 0.9),
	},
	{
		Solver: "mmas", Variant: "thin", Cities: 700, Metric: "EUC_2D", Spread: 1e5, Iterations: 8,
		Params: params("ants", 20, "candidates", 12, "rho", 0.2, "beta", 4.0),
	},
}

func init() {
	add := func(cities int, metric string, spread float64, iterations int, kv ...any) {
		twins = append(twins, trial{
			Solver: "mmas", Variant: "thin", Cities: cities, Metric: metric,
			Spread: spread, Iterations: iterations, Params: params(kv...),
		})
	}
	add(5, "EUC_2D", 100, 12, "ants", 40)
	add(140, "EUC_2D", 20, 130, "ants", 33, "reset", 20, "rho", 0.5, "p_best", 0.5)
	add(198, "EUC_2D", 1e5, 100, "rho", 0.2)
	add(1002, "CEIL_2D", 300, 12, "ants", 140, "rho", 0.3, "candidates", 4)
	add(1002, "ATT", 15000, 3, "ants", 2000)
	add(2100, "EUC_2D", 20000, 10, "ants", 40, "deposit", "best", "rho", 0.1)
}

// TestGoldenThin replays on the CPU what a device computed. With METALAB_ANTS_GOLDEN_THIN it asks a
// device and writes the file.
func TestGoldenThin(t *testing.T) {
	replays(t, "testdata/golden_thin.json", thinGoldenVar, goldensThin)
}

func TestConformThin(t *testing.T) {
	gputest.Need(t)
	conform.Check(t, conform.Case{
		Solver: "mmas", Variant: "thin", Backend: "cuda", Instance: goldensThin[2].instance(t), Seed: 11,
		Iterations: 12,
		Params:     params("ants", 5, "candidates", 7), Trials: 8,
		Ranges:     map[string][2]float64{"ants": {1, 12}},
		Structural: []record.Values{params("candidates", 3), params("candidates", 25)},
	})
}
