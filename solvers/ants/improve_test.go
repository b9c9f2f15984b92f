package ants_test

import (
	"testing"

	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

func TestConformLocalShare(t *testing.T) {
	t.Parallel()
	for _, solver := range all {
		t.Run(solver, func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: solver, Instance: uniform(t, 45), Seed: 11, Iterations: 12,
				Params: record.Values{
					"ants": record.Num(6), "local_search": record.Text("2opt"),
					"local_share": record.Num(0.4),
				},
				Ranges: map[string][2]float64{"ants": {1, 12}},
			})
		})
	}
}

// TestLocalShare: the share that is improved are the ants with the shortest tours, the
// others walk as without a local search.
func TestLocalShare(t *testing.T) {
	t.Parallel()
	inst := uniform(t, 200)
	for _, solver := range all {
		lengths := func(share float64) []float64 {
			a := open(t, solver, inst, record.Values{
				"ants": record.Num(10), "local_search": record.Text("oropt"), "local_share": record.Num(share),
			})
			step(t, a, 1)
			var out []float64
			if err := a.View(t.Context(),
				func(alg solvers.Algorithm) { out = alg.(solvers.Lengther).Lengths() }); err != nil {
				t.Fatal(err)
			}
			return out
		}
		none, some, every := lengths(0), lengths(0.25), lengths(1)
		improved, worst, best := 0, 0.0, 1e18
		for k := range none {
			switch some[k] {
			case none[k]:
				best = min(best, none[k])
			case every[k]:
				improved++
				worst = max(worst, none[k])
			default:
				t.Errorf("%s: ant %d has %v, want %v or %v", solver, k, some[k], none[k], every[k])
			}
		}
		if improved != 3 || worst > best {
			t.Errorf("%s: %d of 10 ants are improved, whose tours had up to %v; others had from %v", solver,
				improved, worst, best)
		}
	}
}
