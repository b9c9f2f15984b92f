package view_test

import (
	"testing"

	"metalab/datasets"
	"metalab/kernel/view"
	"metalab/solvers"
	_ "metalab/solvers/anneal"
	"metalab/solvers/record"
)

// A run of a program is drawn in two lines, with its tour where it has one.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		instance, objective, figures string
		tour                         int
	}{
		{"rand-20-1", "tour length", "best,tour", 20},
		{"weierstrass-4", "function value", "best", 0},
		{"glass-6x6-1", "energy", "best", 0},
		{"gset-like-20-20-1", "cut", "best", 0},
	} {
		inst, _, err := datasets.Generate(c.instance)
		if err != nil {
			t.Fatal(err)
		}
		r, err := solvers.Open(solvers.Config{Name: "a", Solver: "anneal", Instance: inst, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := r.Step(t.Context(), 30); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Set(t.Context(), record.Of("cooling", 0.5), "me"); err != nil {
			t.Fatal(err)
		}
		if _, err := view.Of(t.Context(), nil); err == nil {
			t.Error("a nil run has figures")
		}
		d, err := view.Of(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if d.Objective != c.objective || len(d.Points) != 30 || len(d.Tour) != c.tour ||
			len(d.X) != c.tour || len(d.Journal) != 1 || d.Instance != c.instance ||
			d.Title != "a: anneal/"+r.Variant().Name+" on "+c.instance+", iteration 30" {
			t.Errorf("%s: %d points, %d of the tour, %+v", c.instance, len(d.Points), len(d.Tour), d)
		}
		if _, err := view.Draw(c.figures, view.Look{}, d); err != nil {
			t.Errorf("%s: %v", c.instance, err)
		}
	}
}
