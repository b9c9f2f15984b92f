package ants_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/stats"
)

// TestSystemTable compares as/wrs with as/scan when METALAB_TABLE_AS names instances, as "10 100
// eil101 d198" with the number of seeds and of iterations before them: best lengths of n ants,
// lists of 32, preset paper, no local search, and the probability of the Mann-Whitney test that
// lengths as different come from one distribution.
func TestSystemTable(t *testing.T) {
	f := strings.Fields(os.Getenv("METALAB_TABLE_AS"))
	if len(f) < 3 {
		t.Skip("METALAB_TABLE_AS is not set")
	}
	seeds, err := strconv.Atoi(f[0])
	if err != nil {
		t.Fatal(err)
	}
	iterations, err := strconv.Atoi(f[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range f[2:] {
		inst, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		known, ok := inst.BestKnown()
		if !ok {
			t.Fatalf("%s has no known optimum", name)
		}
		var gaps [2][]float64
		var falls [2]float64
		for seed := range seeds {
			for i, variant := range []string{"scan", "wrs"} {
				r, err := solvers.Open(solvers.Config{
					Solver: "as", Variant: variant, Instance: inst, Seed: uint64(100 + 2*seed + i),
					Preset: "paper",
					Params: record.Values{"candidates": record.Num(32)},
				})
				if err != nil {
					t.Fatal(err)
				}
				p := step(t, r, iterations)
				r.Close()
				gaps[i] = append(gaps[i], 100*(p.Best/float64(known.Value)-1))
				falls[i] += p.Measures[1] / float64(seeds)
			}
		}
		test, err := stats.MannWhitney(gaps[0], gaps[1])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%s: gaps of scan %.2f, of wrs %.2f; Mann-Whitney p = %.4f, A12 %.2f; fall-backs "+
			"%.5f and %.5f\n",
			name, gaps[0], gaps[1], test.P, stats.A12(gaps[0], gaps[1]), falls[0], falls[1])
	}
}
