package ils_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

func TestPoolsKeepsTheLaws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n                  int
		crossing, descent  string
		ripen, temperature float64
		cities, reach      float64
	}{
		{9, "rounds", "2opt", 0, 0, 1000, 0},
		{61, "several", "none", 2, 0.5, 1000, 0},
		{75, "several", "2opt", 0.5, 0, 10, 3},
		{90, "rounds", "oropt", 1, 0, 1000, 0},
	} {
		t.Run(fmt.Sprint(c.n, c.crossing), func(t *testing.T) {
			t.Parallel()
			if testing.Short() && c.n > 9 {
				t.Skip("long")
			}
			conform.Check(t, conform.Case{
				Solver: "ils", Variant: "pools", Instance: uniform(t, c.n, 5), Seed: 7,
				Params: record.Values{
					"tours": record.Num(6), "piece": record.Num(30), "kicks": record.Num(0.3),
					"ripen": record.Num(c.ripen), "temperature": record.Num(c.temperature),
					"crossing": record.Text(c.crossing), "descent": record.Text(c.descent),
					"cuts": record.Num(4), "cities": record.Num(c.cities), "reach": record.Num(c.reach),
				},
				Ranges: map[string][2]float64{
					"kicks": {0.01, 1}, "width": {1, 20}, "workers": {0, 4}, "cuts": {1, 8}, "piece": {8, 200},
					"ripen": {0, 3}, "temperature": {0, 2}, "cities": {1, 100}, "reach": {0, 9},
				},
				Structural: []record.Values{
					{"tours": record.Num(3)},
					{"tours": record.Num(9)},
					{"neighbours": record.Num(5), "candidates": record.Text("alpha")},
					{"crossing": record.Text("several")},
				},
			})
		})
	}
}

func poolsOf(t *testing.T, in *datasets.TSP, with record.Values) *solvers.Run {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Solver: "ils", Variant: "pools", Instance: in, Seed: 1, Params: with,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// Few cities are no error, and the best is what it says.
func TestPoolsOnAFewCities(t *testing.T) {
	t.Parallel()
	for n := 1; n < 12; n += 1 + n/6 {
		for _, crossing := range []string{"rounds", "several"} {
			r := poolsOf(t, uniform(t, n, 5), record.Of("tours", 3, "crossing", crossing, "ripen", 1))
			if err := r.Step(context.Background(), 8); err != nil {
				t.Errorf("%d cities, %s: %v", n, crossing, err)
			}
			if _, err := r.Best(context.Background()); err != nil {
				t.Errorf("%d cities, %s: %v", n, crossing, err)
			}
		}
	}
}

// What kicks in tiles of 40 cities leave, crossing removes: each stage of a pool makes the tours
// shorter, and the second pool is not worse than the first.
func TestPoolsGain(t *testing.T) {
	t.Parallel()
	for _, crossing := range []string{"rounds", "several"} {
		if testing.Short() && crossing == "rounds" {
			continue
		}
		r := poolsOf(t, uniform(t, 400, 3), record.Of(
			"tours", 12, "piece", 40, "ripen", 1, "crossing", crossing, "descent", "2opt",
		))
		var mean [4]float64 // by stage, after its last iteration
		one := 0.0
		for r.Last().Iter == 0 || r.Last().Measures[5] < 2 {
			if err := r.Step(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			p := r.Last()
			if mean[int(p.Measures[3])] = p.Mean; p.Measures[5] == 0 {
				one = p.Best
			}
			if p.Measures[3] == 0 && p.Measures[5] == 1 && p.IterBest != one {
				t.Errorf("%s: the second pool begins without the best of the first", crossing)
			}
			if p.Iter > 2000 {
				t.Fatalf("%s: two pools are not over after %d iterations", crossing, p.Iter)
			}
		}
		for stage := 1; stage < len(mean); stage++ {
			if mean[stage] > mean[stage-1] {
				t.Errorf("%s: mean by stage %v, want it to fall", crossing, mean)
				break
			}
		}
		if mean[2] > 0.985*mean[1] {
			t.Errorf("%s: crossing made the mean %v of %v, want 1.5 %% less", crossing, mean[2], mean[1])
		}
		if best := r.Last().Best; best > one {
			t.Errorf("%s: the best is %v after two pools, %v after one", crossing, best, one)
		}
	}
}

// The tour that is given is one of the first pool, and so the best is never longer.
func TestPoolsBeginsAtATour(t *testing.T) {
	t.Parallel()
	in := uniform(t, 200, 3)
	q := poolsOf(t, in, record.Of("tours", 8))
	if err := q.Step(context.Background(), 60); err != nil {
		t.Fatal(err)
	}
	best, err := q.Best(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Solver: "ils", Variant: "pools", Instance: in, Seed: 2,
		Start:  &record.Start{Solution: best.Solution},
		Params: record.Of("tours", 4, "descent", "none"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	if err := r.Step(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if r.Last().Best != best.Value {
		t.Errorf("begun at a tour of length %v the best is %v", best.Value, r.Last().Best)
	}
}

func TestPoolsNeedsAPlane(t *testing.T) {
	t.Parallel()
	in, err := datasets.NewTSP("blocks", datasets.Man2D, []float64{1, 2, 5}, []float64{1, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	_, err = solvers.Open(solvers.Config{Solver: "ils", Variant: "pools", Instance: in, Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "blocks is MAN_2D; pools cuts the plane") {
		t.Errorf("error %v", err)
	}
}

// A fork goes on as its parent wherever a pool stands, also between generations that bring nothing:
// those that end a stage are counted in the state.
func TestPoolsForksAnywhere(t *testing.T) {
	t.Parallel()
	r := poolsOf(t, uniform(t, 60, 3), record.Of("tours", 10, "ripen", 1, "piece", 30))
	forks := map[*solvers.Run]int64{}
	for range 12 {
		if err := r.Step(t.Context(), 8); err != nil {
			t.Fatal(err)
		}
		f, err := r.Fork(t.Context(), solvers.Fork{Name: fmt.Sprint("at ", r.Last().Iter)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Close)
		forks[f] = r.Last().Iter
	}
	for f, at := range forks {
		if err := f.Step(t.Context(), int(r.Last().Iter-at)); err != nil {
			t.Fatal(err)
		}
		if a, b := f.Last(), r.Last(); a.Digest != b.Digest || a.Measures[5] != b.Measures[5] {
			t.Errorf("forked after %d iterations it is elsewhere after %d: digest %x and %x, %v and %v "+
				"pools are over", at, b.Iter, a.Digest, b.Digest, a.Measures[5], b.Measures[5])
		}
	}
}
