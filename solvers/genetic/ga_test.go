package genetic_test

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/internal/sample"
	"metalab/solvers/record"
)

func TestRivalsKeepTheLaws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, population int
		start, move   string
		more          record.Values
	}{
		{9, 9, "random", "random", nil},
		{40, 26, "minima", "gaining", nil},
		{
			30, 23, "minima", "random", record.Of(
				"pairing", "half", "mutants", "all", "elite", "improved", "crossover", "bcscx",
				"origin", "same",
			),
		},
		{31, 24, "nn", "gaining", record.Of("pairing", "half", "mutants", "all", "elite", "copied")},
	} {
		t.Run(fmt.Sprint(c.n), func(t *testing.T) {
			t.Parallel()
			params := record.Of(
				"population", c.population, "groups", 3, "exchange_period", 2, "start", c.start, "minima", 5,
				"minima_generations", 7,
				"mutation", 0.5, "move", c.move, "moves", 3,
			)
			maps.Copy(params, c.more)
			conform.Check(t, conform.Case{
				Solver: "ga", Variant: "tournament", Seed: 7, Params: params,
				Instance: sample.Scattered(t, c.n, 100, 5, datasets.Euc2D),
				Ranges: map[string][2]float64{
					"groups": {1, 6}, "exchange_period": {0, 3}, "moves": {1, 5}, "workers": {0, 4},
				},
				Structural: []record.Values{
					{"population": record.Num(5)},
					{"population": record.Num(61)},
					{"start": record.Text("nn")},
					{"start": record.Text("2opt")},
				},
			})
		})
	}
}

func TestFewCitiesAndAsymmetricOnes(t *testing.T) {
	t.Parallel()
	ways := []int32{0, 3, 9, 4, 5, 0, 1, 8, 2, 6, 0, 3, 7, 7, 1, 0}
	asymmetric, err := datasets.NewMatrixTSP("ways", 4, ways, true)
	if err != nil {
		t.Fatal(err)
	}
	ins := []*datasets.TSP{asymmetric}
	for n := 1; n < 8; n++ {
		ins = append(ins, sample.Scattered(t, n, 30, 1, datasets.Euc2D))
	}
	for _, in := range ins {
		for _, preset := range []string{"best", "paper", "paper-minima", "paper-groups"} {
			for _, cross := range []string{"scx", "bcscx", "arx", "hybrid"} {
				best := solve(
					t, in, "tournament", 1, 10, preset,
					record.Of("crossover", cross, "population", 20, "minima", 3),
				)
				length, err := in.Length(best.Solution.Perm)
				if err != nil || float64(length) != best.Value {
					t.Errorf(
						"%d cities, %s %s: best %v, its tour is %d long, error %v", in.N, preset, cross, best.Value,
						length, err,
					)
				}
			}
		}
	}
}

// solve makes iterations and returns the best.
func solve(
	tb testing.TB, in *datasets.TSP, variant string, seed uint64, iterations int, preset string,
	with record.Values,
) record.Best {
	tb.Helper()
	ctx := context.Background()
	r, err := solvers.Open(
		solvers.Config{
			Solver: "ga", Variant: variant, Instance: in, Seed: seed, Preset: preset, Params: with,
		},
	)
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(ctx, iterations); err != nil {
		tb.Fatal(err)
	}
	best, err := r.Best(ctx)
	if err != nil {
		tb.Fatal(err)
	}
	return best
}

// Every crossover brings a population of random tours near the optimum of a small instance.
func TestRivalsComeNearTheOptimum(t *testing.T) {
	t.Parallel()
	in := sample.Scattered(t, 30, 1000, 3, datasets.Euc2D)
	optimum := solve(t, in, "eax", 1, 20, "best", record.Values{"population": record.Num(50)}).Value
	for _, cross := range []string{"scx", "bcscx", "arx", "hybrid"} {
		with := record.Values{"crossover": record.Text(cross)}
		got := solve(t, in, "tournament", 1, 60, "best", with).Value
		if got < optimum || got > 1.02*optimum {
			t.Errorf("%s: %v, the shortest tour known is %v", cross, got, optimum)
		}
	}
}
