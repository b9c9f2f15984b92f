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

// TestRowsTable makes table 8 of the GPU paper at reduced repetitions when METALAB_TABLE names
// instances, as "5 d198 lin318" with the number of seeds before them: gaps in percent of the six
// algorithms after 100 iterations of n ants without lists, preset paper, and the probability of
// Friedman's test that ranks as different come from algorithms that are alike. A block is an
// instance and a seed. No difference is what is expected, so the test fails below 1 %.
func TestRowsTable(t *testing.T) {
	f := strings.Fields(os.Getenv("METALAB_TABLE"))
	if len(f) < 2 {
		t.Skip("METALAB_TABLE is not set")
	}
	seeds, err := strconv.Atoi(f[0])
	if err != nil {
		t.Fatal(err)
	}
	var blocks [][]float64
	for _, name := range f[1:] {
		inst, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		known, ok := inst.BestKnown()
		if !ok {
			t.Fatalf("%s has no known optimum", name)
		}
		mean := make([]float64, len(six))
		for seed := range seeds {
			block := make([]float64, len(six))
			for i, v := range six {
				// Seeds differ between algorithms: lc and ct walk alike from the same one.
				r, err := solvers.Open(solvers.Config{
					Solver: "mmas", Variant: "rows", Instance: inst, Seed: uint64(100*seed + i), Preset: "paper",
					Params: with(v, "candidates", record.Num(0)),
				})
				if err != nil {
					t.Fatal(err)
				}
				p := step(t, r, 100)
				r.Close()
				block[i] = 100 * (p.Best/float64(known.Value) - 1)
				mean[i] += block[i] / float64(seeds)
			}
			blocks = append(blocks, block)
			fmt.Printf("%s seed %d: %.3f\n", name, seed, block)
		}
		fmt.Printf("%s mean gap of %d seeds, rwm lc ct bt, wrs lc ct bt: %.2f\n", name, seeds, mean)
	}
	r, err := stats.Friedman(blocks)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("mean ranks %.2f, Iman-Davenport p = %.3f over %d blocks\n",
		r.Ranks, r.F.P, len(blocks))
	if r.F.P < 0.01 {
		t.Errorf("the six algorithms differ: p = %v", r.F.P)
	}
}
