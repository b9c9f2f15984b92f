package ils_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// uniform makes n cities at random in a square of side 10^6, as the DIMACS E instances.
func uniform(tb testing.TB, n int, seed uint64) *datasets.TSP {
	tb.Helper()
	r := arith.NewStream(seed, 0, 0, 0)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float64(r.IntN(1_000_000)), float64(r.IntN(1_000_000))
	}
	in, err := datasets.NewTSP(fmt.Sprintf("uniform%d", n), datasets.Euc2D, x, y)
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

func TestQueueKeepsTheLaws(t *testing.T) {
	t.Parallel()
	for _, n := range []int{9, 61} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: "ils", Instance: uniform(t, n, 5), Seed: 7,
				Params: record.Values{
					"kicks": record.Num(7), "chains": record.Num(3), "exchange": record.Num(2),
					"start": record.Text("random"), "accept": record.Text("threshold"),
				},
				Ranges: map[string][2]float64{
					"kicks": {1, 20}, "chains": {1, 6}, "neighbours": {1, 12}, "size": {1, 60}, "exchange": {0, 3},
					"workers": {0, 4}, "cooling": {0.1, 2}, "mend": {0, 5}, "pool": {0, 6},
					"hunt": {0, 12},
				},
				Structural: []record.Values{
					{"start": record.Text("either"), "accept": record.Text("annealing")},
					{"start": record.Text("curve"), "chains": record.Num(5)},
				},
			})
		})
	}
}

// A pool follows nearly every iteration of kicks here.
func TestQueueWithPoolsKeepsTheLaws(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 61} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: "ils", Instance: uniform(t, n, 5), Seed: 7,
				Params: record.Of(
					"kicks", 7, "chains", 2, "exchange", 2, "start", "curve", "operator", "2opt", "pool", 7,
					"cooling", 0.1,
				),
				Ranges: map[string][2]float64{
					"kicks": {1, 20}, "chains": {1, 6}, "neighbours": {1, 12}, "size": {1, 60}, "exchange": {0, 3},
					"workers": {0, 4}, "cooling": {0.1, 0.3}, "mend": {0, 5}, "pool": {0, 12},
				},
				Structural: []record.Values{{"start": record.Text("greedy"), "pool": record.Num(3)}},
			})
		})
	}
}

// Fewer cities than a kick or a move needs are no error.
func TestQueueOnAFewCities(t *testing.T) {
	t.Parallel()
	for n := 1; n < 9; n++ {
		for _, candidates := range []string{"near", "alpha", "mixed", "weighted", "sparse"} {
			for _, start := range []string{"fit", "either", "boruvka", "greedy", "nn", "curve", "random"} {
				u := uniform(t, n, 5)
				r, err := solvers.Open(solvers.Config{
					Solver: "ils", Instance: u, Seed: 1,
					Params: record.Of("start", start, "chains", 2, "candidates", candidates),
				})
				if err != nil {
					t.Fatalf("%d cities: %v", n, err)
				}
				if err := r.Step(context.Background(), 3); err != nil {
					t.Errorf("%d cities, %s from %s: %v", n, candidates, start, err)
				}
				best, err := r.Best(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				length, err := u.Length(best.Solution.Perm)
				if err != nil || float64(length) != best.Value {
					t.Errorf(
						"%d cities, %s from %s: best %v, its tour is %d long, error %v", n, candidates, start,
						best.Value, length, err,
					)
				}
				r.Close()
			}
		}
	}
}

// A search from a greedy start leaves long edges between clusters; mend takes some of them away.
func TestQueueMendsLongEdges(t *testing.T) {
	t.Parallel()
	in, err := datasets.DIMACS(true, 2000, 2)
	if err != nil {
		t.Fatal(err)
	}
	after := func(mend int) float64 {
		r, err := solvers.Open(solvers.Config{
			Solver: "ils", Instance: in, Seed: 1, Params: record.Of("mend", mend),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := r.Step(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		length, err := in.Length(solution(t, r))
		if err != nil || float64(length) != r.Last().Best {
			t.Errorf("mend=%d: best %v, its tour is %d long, error %v", mend, r.Last().Best, length, err)
		}
		return r.Last().Best
	}
	if with, without := after(20), after(0); with > 0.97*without {
		t.Errorf("%v after mending, %v without, want 3 %% less", with, without)
	}
}

func solution(tb testing.TB, r *solvers.Run) []int32 {
	tb.Helper()
	best, err := r.Best(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return best.Solution.Perm
}

func TestQueueSolvesASmallInstance(t *testing.T) {
	t.Parallel()
	// On a 6 x 6 grid of side 10 the shortest tour has 36 edges of length 10.
	var x, y []float64
	for i := range 36 {
		x, y = append(x, float64(10*(i%6))), append(y, float64(10*(i/6)))
	}
	in, err := datasets.NewTSP("grid36", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	for _, preset := range []string{"best"} {
		for _, start := range []string{"fit", "either", "boruvka", "greedy", "nn", "curve", "random"} {
			r, err := solvers.Open(solvers.Config{
				Solver: "ils", Instance: in, Seed: 1, Preset: preset,
				Params: record.Values{"start": record.Text(start)},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if err := r.Step(context.Background(), 20); err != nil {
				t.Fatal(err)
			}
			if best := r.Last().Best; best != 360 {
				t.Errorf("%s from %s: %v, want 360", preset, start, best)
			}
		}
	}
}

// With accept=annealing tours become longer within a cycle, but not from one to the next.
func TestQueueAnneals(t *testing.T) {
	t.Parallel()
	r, err := solvers.Open(solvers.Config{
		Solver: "ils", Instance: uniform(t, 100, 5), Seed: 1,
		Params: record.Of(
			"start", "greedy", "accept", "annealing", "temperature", 2, "cooling", 2, "kicks", 50,
			"operator", "2opt", "size", 5, "pool", 0,
		),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	last, longer := math.Inf(1), 0
	for it := range 1 + 4*10 { // a search from all cities, and cycles of 200 kicks
		if err := r.Step(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		length := r.Last().IterBest
		if length > last {
			longer++
		}
		if it%4 == 0 {
			if length > last {
				t.Errorf("cycle %d ends with %v, the one before with %v", it/4, length, last)
			}
			last = length
		}
	}
	if longer == 0 {
		t.Error("no kick that made the tour longer was kept")
	}
}

// start=either ends its second iteration with the shorter of two tours.
func TestQueueTakesTheBetterStart(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		in := uniform(t, 300, seed)
		after := func(start string, its int) float64 {
			r, err := solvers.Open(solvers.Config{
				Solver: "ils", Instance: in, Seed: 1, Params: record.Of("start", start),
			})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if err := r.Step(context.Background(), its); err != nil {
				t.Fatal(err)
			}
			return r.Last().IterBest
		}
		got, want := after("either", 2), min(after("greedy", 1), after("boruvka", 1))
		if got != want {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// lattice makes side x side cities 20 apart, of which some are missing.
func lattice(tb testing.TB, side int) *datasets.TSP {
	tb.Helper()
	r := arith.NewStream(3, 0, 0, 0)
	var x, y []float64
	for i := range side * side {
		if r.IntN(10) > 0 {
			x, y = append(x, float64(20*(i%side))), append(y, float64(20*(i/side)))
		}
	}
	in, err := datasets.NewTSP(fmt.Sprintf("lattice%d", side), datasets.Euc2D, x, y)
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// On a lattice start=fit is Quick-Boruvka and hunt=0 draws ten cities for a kick until the first
// cycle is over; elsewhere they are greedy and one city.
func TestQueueFitsLattices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in            *datasets.TSP
		start         string
		first, second float64 // draws in the cycles
	}{
		{lattice(t, 25), "boruvka", 10, 1},
		{uniform(t, 600, 4), "greedy", 1, 1},
	} {
		// An iteration of kicks is a cycle.
		digest := func(start string, first, second float64) string {
			r, err := solvers.Open(solvers.Config{
				Solver: "ils", Instance: c.in, Seed: 1,
				Params: record.Of("start", start, "hunt", first, "cooling", 0.01, "pool", 0),
			})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if err := r.Step(t.Context(), 2); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Set(t.Context(), record.Of("hunt", second), "test"); err != nil {
				t.Fatal(err)
			}
			if err := r.Step(t.Context(), 3); err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(r.Last().Digest)
		}
		want := digest(c.start, c.first, c.second)
		if got := digest("fit", 0, 0); got != want {
			t.Errorf("%s: fit and 0 are not %s, %v and %v", c.in.Title, c.start, c.first, c.second)
		}
		for _, other := range [][2]float64{{11 - c.first, c.second}, {c.first, 11 - c.second}} {
			if digest(c.start, other[0], other[1]) == want {
				t.Errorf("%s: hunt=%v changes nothing", c.in.Title, other)
			}
		}
	}
}
