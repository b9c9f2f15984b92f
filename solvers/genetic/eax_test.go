package genetic_test

import (
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

func TestEAXKeepsTheLaws(t *testing.T) {
	t.Parallel()
	for _, n := range []int{9, 60} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: "ga", Variant: "eax", Instance: scattered(t, n, 100, 5, datasets.Euc2D), Seed: 7,
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
		in := scattered(t, n, 30, 1, datasets.Euc2D)
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
