package ils_test

import (
	"testing"

	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// sparse are the parameters from 20,000 cities on that a quick first search depends on.
func sparse() record.Values {
	return record.Of(
		"candidates", "sparse", "neighbours", 12, "wide", true, "start", "fit", "kicks", 5, "pool", 4,
		"cooling", 0.1,
	)
}

// The laws hold where the first search is a quick one along lists without weights.
func TestGlanceConforms(t *testing.T) {
	t.Parallel()
	conform.Check(t, conform.Case{
		Solver: "ils", Instance: lattice(t, 9), Seed: 7, Params: sparse(),
		Ranges: map[string][2]float64{
			"kicks": {1, 20}, "chains": {1, 3}, "neighbours": {1, 12}, "size": {1, 60}, "exchange": {0, 3},
			"workers": {0, 4}, "cooling": {0.1, 0.3}, "mend": {0, 5}, "pool": {0, 12},
		},
		Structural: []record.Values{{"start": record.Text("boruvka")}},
	})
}

// On a lattice a quick search comes before the one that otherwise is the first. That one goes on
// from where the quick one ends, at a shorter tour.
func TestGlanceComesFirst(t *testing.T) {
	t.Parallel()
	in := lattice(t, 30)
	// after is the best after so many iterations, and how many searches were made.
	after := func(start string, iterations int) (float64, int64) {
		params := sparse()
		params["start"] = record.Text(start)
		r, err := solvers.Open(solvers.Config{Solver: "ils", Instance: in, Seed: 1, Params: params})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := r.Step(t.Context(), iterations); err != nil {
			t.Fatal(err)
		}
		return r.Last().Best, r.Last().Evals
	}
	quick, one := after("fit", 1)
	second, two := after("fit", 2)
	full, _ := after("boruvka", 1)
	if one != 1 || two != 2 {
		t.Errorf("%d and %d searches after one and two iterations, want 1 and 2", one, two)
	}
	if quick <= full {
		t.Errorf("the quick search ends at %v, the other at %v", quick, full)
	}
	if second >= quick {
		t.Errorf("the second search ends at %v, the quick one at %v", second, quick)
	}
}

// A quick search that is due is made whatever operator was set before it, also by a run that was
// saved and loaded in between: the record replays.
func TestGlanceStaysDue(t *testing.T) {
	t.Parallel()
	in := lattice(t, 9)
	for _, operator := range []string{"2opt", "3opt", "oropt"} {
		r, err := solvers.Open(solvers.Config{Solver: "ils", Instance: in, Seed: 7, Params: sparse()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Set(t.Context(), record.Of("operator", operator), "test"); err != nil {
			t.Fatal(err)
		}
		rec, err := r.Record(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		state, err := r.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		if r, err = solvers.Revive(t.Context(), rec, state, in, "a"); err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := r.Step(t.Context(), 3); err != nil {
			t.Fatal(err)
		}
		if rec, err = r.Record(t.Context()); err != nil {
			t.Fatal(err)
		}
		d, err := solvers.Replay(t.Context(), rec, in, solvers.ReplayOptions{})
		if err != nil || d != nil {
			t.Errorf("operator=%s: difference %v, error %v", operator, d, err)
		}
	}
}
