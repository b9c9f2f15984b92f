package genetic_test

import (
	"context"
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/internal/sample"
	"metalab/solvers/record"
)

func TestEAXKeepsTheLaws(t *testing.T) {
	t.Parallel()
	for _, n := range []int{9, 60} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: "ga", Variant: "eax", Instance: sample.Scattered(t, n, 100, 5, datasets.Euc2D), Seed: 7,
				Params:     record.Values{"population": record.Num(8), "children": record.Num(3)},
				Ranges:     map[string][2]float64{"children": {1, 6}, "workers": {0, 4}},
				Structural: []record.Values{{"population": record.Num(5)}, {"population": record.Num(19)}},
			})
		})
	}
}

func TestEAXOnAFewCities(t *testing.T) {
	t.Parallel()
	for n := 1; n < 8; n++ {
		in := sample.Scattered(t, n, 30, 1, datasets.Euc2D)
		best := solve(t, in, "eax", 1, 10, "best", record.Values{"population": record.Num(20)})
		if length, err := in.Length(best.Solution.Perm); err != nil || float64(length) != best.Value {
			t.Errorf("%d cities: best %v, its tour is %d long, error %v", n, best.Value, length, err)
		}
	}
}

// The shortest tours that are published are found.
func TestEAXFindsOptima(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		population int
		optimum    float64
	}{{"eil51", 50, 426}, {"st70", 50, 675}, {"pr76", 50, 108159}, {"lin318", 100, 42029}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := published(t, "tsplib", c.name)
			best := solve(
				t, in, "eax", 1, 60, "best", record.Values{"population": record.Num(float64(c.population))},
			)
			if best.Value != c.optimum {
				t.Errorf("%v, want %v", best.Value, c.optimum)
			}
		})
	}
}

// The search ends by itself, says why, and is over still after it was saved and loaded.
// The optimum of d1291 has edges that lead far across rows of drilled holes, which must be in tours
// of the start.
func TestEAXAcrossRows(t *testing.T) {
	conform.Brief(t, "a search to the optimum of 1291 cities")
	t.Parallel()
	in := published(t, "tsplib", "d1291")
	if best := solve(t, in, "eax", 1, 160, "best", nil); best.Value != 50801 {
		t.Errorf("%v, want 50801", best.Value)
	}
}

func TestEAXEnds(t *testing.T) {
	t.Parallel()
	in := sample.Scattered(t, 60, 100, 5, datasets.Euc2D)
	r, err := solvers.Open(solvers.Config{Solver: "ga", Variant: "eax", Instance: in, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	why, err := r.StepUntil(context.Background(), 5000, nil)
	if err != nil || why == "" || r.Last().Iter >= 5000 {
		t.Fatalf("iteration %d, %q, error %v", r.Last().Iter, why, err)
	}
	if again, err := r.StepUntil(context.Background(), 1, nil); err != nil || again != why {
		t.Errorf("another step says %q, want %q, error %v", again, why, err)
	}
	other, err := r.Fork(context.Background(), solvers.Fork{Name: "b"})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if again, err := other.StepUntil(context.Background(), 1, nil); err != nil || again != why {
		t.Errorf("a fork says %q, want %q, error %v", again, why, err)
	}
}
