package ants_test

import (
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/internal/topology"
	"metalab/solvers/record"
)

// Several colonies keep the laws, whatever their policy, with exchanges and without.
func TestColoniesConform(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Uniform(40, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []conform.Case{
		{Solver: "mmas", Variant: "scan", Params: record.Of("exchange_period", 2, "deposit", "best")},
		{Solver: "mmas", Variant: "wrs", Params: record.Of("exchange_period", 1, "exchange", "best")},
		{Solver: "acs", Variant: "seq", Params: record.Of("exchange_period", 3)},
		{Solver: "acs", Variant: "spm-sync", Params: record.Of("exchange_period", 2)},
	} {
		if testing.Short() && i%3 != 1 {
			continue
		}
		t.Run(c.Solver+" "+c.Variant, func(t *testing.T) {
			t.Parallel()
			c.Instance, c.Seed, c.Trials, c.Iterations = inst, 7, 6, 12
			c.Params["ants"], c.Params["colonies"] = record.Num(3), record.Num(3)
			c.Ranges = map[string][2]float64{
				"ants": {1, 6}, "colonies": {1, 4}, "exchange_period": {0, 4}, "local_share": {0, 0},
				"spm_slots": {1, 8},
			}
			c.Structural = []record.Values{
				record.Of("colonies", 1), record.Of("colonies", 2), record.Of("colonies", 5),
			}
			c.Presets = []string{"default"}
			conform.Check(t, c)
		})
	}
}

// open opens a run of mmas with short iterations.
func openColonies(t *testing.T, seed uint64, more record.Values) *solvers.Run {
	t.Helper()
	inst, err := datasets.Uniform(60, 2)
	if err != nil {
		t.Fatal(err)
	}
	ps := record.Of("ants", 6, "deposit", "best", "local_search", "none")
	for n, v := range more {
		ps[n] = v
	}
	r, err := solvers.Open(solvers.Config{
		Solver: "mmas", Instance: inst, Seed: seed, Params: ps,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// Without exchange each colony is the run of its seed, and the best is the best of these runs.
func TestColoniesAreRuns(t *testing.T) {
	t.Parallel()
	const n, iterations = 3, 30
	r := openColonies(t, 9, record.Of("colonies", n, "exchange_period", 0))
	if err := r.Step(t.Context(), iterations); err != nil {
		t.Fatal(err)
	}
	lengths := lengthsOf(t, r)
	var want []float64
	best := 1e300
	for k := range n {
		one := openColonies(t, topology.Seed(9, k), nil)
		if err := one.Step(t.Context(), iterations); err != nil {
			t.Fatal(err)
		}
		want = append(want, lengthsOf(t, one)...)
		best = min(best, one.Last().Best)
	}
	if !slices.Equal(lengths, want) || r.Last().Best != best {
		t.Errorf("best %v, tours %v; of runs %v, %v", r.Last().Best, lengths, best, want)
	}
}

func lengthsOf(t *testing.T, r *solvers.Run) (out []float64) {
	t.Helper()
	if err := r.View(t.Context(), func(a solvers.Algorithm) {
		out = a.(solvers.LengthReporter).Lengths()
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// A ring of three passes the best tour on to the next at each exchange; best gives it to all.
func TestColoniesExchange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		exchange string
		most     float64 // tours received in an exchange of three
	}{{"ring", 2}, {"best", 2}} {
		r := openColonies(t, 4, record.Of("colonies", 3, "exchange_period", 10, "exchange", c.exchange))
		if err := r.Step(t.Context(), 9); err != nil {
			t.Fatal(err)
		}
		at := slices.Index(r.Header().Measures, "received")
		if at < 0 {
			t.Fatalf("measures are %v", r.Header().Measures)
		}
		if got := r.Last().Measures[at]; got != 0 {
			t.Errorf("%s: %v tours were received before the first exchange", c.exchange, got)
		}
		if err := r.Step(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if got := r.Last().Measures[at]; got < 1 || got > c.most {
			t.Errorf("%s: %v tours were received in the first exchange, want 1 to %v", c.exchange, got,
				c.most)
		}
	}
}

// The draws of a colony hang on its number alone: with more colonies the first ones make the same
// tours until they exchange.
func TestColoniesDrawApart(t *testing.T) {
	t.Parallel()
	var before []float64
	for _, n := range []int{2, 4} {
		r := openColonies(t, 4, record.Of("colonies", n))
		if err := r.Step(t.Context(), 5); err != nil {
			t.Fatal(err)
		}
		got := lengthsOf(t, r)
		if len(got) != 6*n {
			t.Fatalf("%d tours of %d colonies", len(got), n)
		}
		if before != nil && !slices.Equal(got[:len(before)], before) {
			t.Errorf("the first tours are %v, want %v", got[:len(before)], before)
		}
		seen := map[string]int{}
		for k := range n {
			text := fmt.Sprint(got[6*k : 6*k+6])
			if other, is := seen[text]; is {
				t.Errorf("colonies %d and %d made the same tours", other, k)
			}
			seen[text] = k
		}
		before = got
	}
}

// A fork with fewer colonies keeps the best tour, whichever colony has it.
func TestForkKeepsTheBestOfColonies(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		r := openColonies(t, seed, record.Of("colonies", 5, "exchange_period", 0))
		if err := r.Step(t.Context(), 8); err != nil {
			t.Fatal(err)
		}
		f, err := r.Fork(t.Context(), solvers.Fork{Name: "f", With: record.Of("colonies", 1)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Close)
		b, err := f.Best(t.Context())
		if err != nil || b.Value != r.Last().Best {
			t.Errorf("seed %d: the best of the fork is %v, of five colonies %v: %v", seed, b.Value,
				r.Last().Best, err)
		}
	}
}
