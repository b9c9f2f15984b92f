package ils_test

import (
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Pools come after cycles, each with twice as many tours as the one before. An iteration adds five,
// or one for each chain, and the generations that follow end with the chains at the pool's shortest
// tours.
func TestQueuePoolsGrow(t *testing.T) {
	t.Parallel()
	for _, chains := range []int{1, 7} {
		r, err := solvers.Open(solvers.Config{
			Solver: "ils", Instance: uniform(t, 200, 5), Seed: 1,
			Params: record.Of(
				"pool", 18, "chains", chains, "kicks", 50, "cooling", 0.5, "exchange", 0, "operator", "2opt",
			),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var sizes, generations []int
		last := record.Point{Measures: []float64{0, 0, 0}}
		shortest := 0.0
		for len(sizes) < 3 {
			if err := r.Step(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			p := r.Last()
			was, now := int(last.Measures[2]), int(p.Measures[2])
			switch most := 18 << len(sizes); {
			case now > was && now < most:
				if now != was+max(5, chains) {
					t.Fatalf("a pool of %d tours has %d an iteration later, with %d chains", was, now, chains)
				}
			case now == most:
				if was < now {
					generations = append(generations, 0)
				} else {
					generations[len(sizes)]++
				}
				shortest = p.IterBest
			case now > most:
				t.Fatalf("a pool of %d tours, want %d", now, most)
			case was > 0:
				sizes = append(sizes, was)
				if p.IterBest > shortest || p.IterBest != p.Best {
					t.Errorf("a pool ends with %v, its shortest tour was %v, the best is %v", p.IterBest,
						shortest, p.Best)
				}
			}
			last = p
		}
		if want := []int{18, 36, 72}; !slices.Equal(sizes, want) {
			t.Errorf("pools of %v tours, want %v", sizes, want)
		}
		if slices.Min(generations) < 5 {
			t.Errorf("generations of the pools: %v, want some", generations)
		}
	}
}

// On clusters it depends on the start how these are joined, and kicks hardly change it: a pool from
// several starts is far ahead after the same number of local searches.
func TestQueuePoolsMendClusters(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes two searches of 2000 optima each")
	}
	inst, _, err := datasets.Generate("C1k.1")
	if err != nil {
		t.Fatal(err)
	}
	in := inst.(*datasets.TSP)
	after := func(pool int, cooling float64) record.Point {
		r, err := solvers.Open(solvers.Config{
			Solver: "ils", Instance: in, Seed: 1, Params: record.Of("pool", pool, "cooling", cooling),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for r.Last().Evals < 2000 {
			if err := r.Step(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		}
		p := r.Last()
		if length, err := in.Length(solution(t, r)); err != nil || float64(length) != p.Best {
			t.Errorf("pool=%d: best %v, its tour is %d long, error %v", pool, p.Best, length, err)
		}
		return p
	}
	if with, without := after(10, 0.5), after(0, 5); with.Best > 0.99*without.Best {
		t.Errorf("%v with pools, %v without, want 1 %% less", with.Best, without.Best)
	}
}
