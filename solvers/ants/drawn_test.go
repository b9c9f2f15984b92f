package ants_test

import (
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// TestDrawnResets: trails are set back again and again, at every 10th iteration; the laws hold.
func TestDrawnResets(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, 40, 5)
	if err != nil {
		t.Fatal(err)
	}
	ps := record.Values{"ants": record.Num(6), "reset": record.Num(50), "rho": record.Num(0.98)}
	r, err := solvers.Open(solvers.Config{
		Solver: "mmas", Variant: "rows", Instance: inst, Seed: 3, Preset: "program-2opt", Params: ps,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	last := 0.0
	for it := 1; it <= 400; it++ {
		p := step(t, r, 1)
		if resets := p.Measures[4]; resets != last {
			if last = resets; it%10 != 0 {
				t.Errorf("iteration %d has a reset, want one at a multiple of 10", it)
			}
		}
	}
	if last < 3 {
		t.Errorf("%v resets in 400 iterations, want some", last)
	}
	conform.Check(t, conform.Case{
		Solver: "mmas", Variant: "rows", Instance: inst, Seed: 5, Iterations: 60,
		Params: with(with(ps, "deposit", record.Text("drawn")), "local_search", record.Text("none")),
	})
}
