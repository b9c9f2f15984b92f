package solvers_test

import (
	"errors"
	"strings"
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"
)

// altered is a record in which something was altered, and what a replay says of it; empty: it is
// identical, for nothing of the run depends on it.
type altered struct {
	name  string
	alter func(r *record.Record)
	what  string
}

// What a record holds is compared with the run that is made again, or named as not compared.
func TestReplayComparesAllThatARecordHolds(t *testing.T) {
	r := open(t, nil)
	mustStep(t, r, 20)
	if _, err := r.Set(t.Context(), record.Values{"heat": record.Num(2)}, "ann"); err != nil {
		t.Fatal(err)
	}
	mustStep(t, r, 20)
	if _, _, err := r.Repeat(t.Context(), solvers.Repeats{
		Seeds: 3, Budget: record.Budget{Iterations: 30},
	}); err != nil {
		t.Fatal(err)
	}
	mid := func(r *record.Record) *record.Point { return &r.Points[len(r.Points)/2] }
	seed := func(r *record.Record) *record.Seeded { return &r.Repeats[0].Seeds[1] }
	for _, c := range []altered{
		{"nothing", func(*record.Record) {}, ""},
		{"a point's best", func(r *record.Record) { mid(r).Best-- }, "iteration 21: best"},
		{"its best of the iteration", func(r *record.Record) { mid(r).IterBest-- }, "iter_best"},
		{"its mean", func(r *record.Record) { mid(r).Mean++ }, "mean"},
		{"its digest", func(r *record.Record) { mid(r).Digest++ }, "digest"},
		{"its measures", func(r *record.Record) { mid(r).Measures[0]++ }, "iteration 21: "},
		{"improved", func(r *record.Record) { mid(r).Improved = !mid(r).Improved }, "improved"},
		{"its evaluations", func(r *record.Record) { mid(r).Evals /= 10 }, "evaluations"},
		{"all evaluations", func(r *record.Record) {
			for i := range r.Points {
				r.Points[i].Evals /= 10
			}
		}, "iteration 1: evaluations: 3 against 32"},
		{"times", func(r *record.Record) { mid(r).Wall, mid(r).CPU = 1e9, 1e9 }, ""},
		{"a point before the first", func(r *record.Record) {
			r.Points = append([]record.Point{{}}, r.Points...)
		}, "iteration 0: a point"},
		{"a point after the end", func(r *record.Record) {
			r.Points = append(r.Points, record.Point{Iter: 50})
		}, "iteration 50: a point"},
		{"the end", func(r *record.Record) { r.Digest++ }, "iteration 40: digest"},
		{"what a change replaced", func(r *record.Record) {
			r.Journal[0].Old = record.Num(7)
		}, "iteration 20: heat before it was set: 7 against"},
		{"what a change set", func(r *record.Record) { r.Journal[0].New = record.Num(9) }, "iteration "},
		{"who made a change", func(r *record.Record) { r.Journal[0].Who = "bob" }, ""},
		{"no best", func(r *record.Record) { r.Best = record.Best{} }, "iteration of the best solution"},
		{"the best's iteration", func(r *record.Record) { r.Best.Iter++ }, "of the best solution"},
		{"the best's value", func(r *record.Record) { r.Best.Value = 1 }, "value of the best solution"},
		{"the best solution", func(r *record.Record) {
			p := r.Best.Solution.Perm
			p[0], p[1] = p[1], p[0]
		}, "best solution, position 0"},
		{"a seed's best", func(r *record.Record) { seed(r).Best = 1 }, "best: 1 against"},
		{"a seed's digest", func(r *record.Record) { seed(r).Digest++ }, "the repeat with seed"},
		{"a seed's curve", func(r *record.Record) { seed(r).Curve.Best[0]-- }, "iteration 1: best"},
		{"a seed's times", func(r *record.Record) { seed(r).Wall, seed(r).CPU = 1e9, 1e9 }, ""},
		{"the budget of seeds", func(r *record.Record) {
			r.Repeats[0].Budget.Iterations = 3000
		}, "iterations of the budget: 3000 against 30"},
		{"the seeds' parameters", func(r *record.Record) {
			r.Repeats[0].Params["heat"] = record.Num(5)
		}, "the repeat with seed"},
		{"what is better", func(r *record.Record) { r.Header.Instance.Maximise = true }, "better"},
		{"machine and build", func(r *record.Record) { r.Header.Machine, r.Header.Build = "m", "b" }, ""},
	} {
		rec := paper(t, r)
		rec.Journal, rec.Repeats = append([]record.Change(nil), rec.Journal...), r.Repeats()
		rec.Repeats[0].Params = record.Values{}
		for n, v := range r.Repeats()[0].Params {
			rec.Repeats[0].Params[n] = v
		}
		for i := range rec.Points {
			rec.Points[i].Measures = append([]float64(nil), rec.Points[i].Measures...)
		}
		s := seed(rec)
		s.Curve.Best = append([]float64(nil), s.Curve.Best...)
		c.alter(rec)
		d, err := solvers.Replay(t.Context(), rec, r.Instance(), solvers.ReplayOptions{Repeats: true})
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.what == "" && d != nil || c.what != "" && d == nil:
			t.Errorf("%s: difference %v, want %q", c.name, d, c.what)
		case d != nil && !strings.Contains(d.String(), c.what):
			t.Errorf("%s: %q lacks %q", c.name, d, c.what)
		}
	}
}

// A record without points is not identical to anything.
func TestNothingToCompare(t *testing.T) {
	r := open(t, nil)
	o := solvers.ReplayOptions{}
	empty := paper(t, r)
	if d, err := solvers.Replay(t.Context(), empty, r.Instance(), o); d != nil ||
		!errors.Is(err, solvers.ErrNothing) {
		t.Errorf("a run without iterations: %v, %v", d, err)
	}
	if d, err := solvers.Diff(t.Context(), empty, empty, r.Instance()); err != nil || d.Identical() ||
		!d.Nothing {
		t.Errorf("diff of it with itself: %+v, %v", d, err)
	}
	mustStep(t, r, 10)
	rec := paper(t, r)
	rec.Points = nil
	if d, err := solvers.Replay(t.Context(), rec, r.Instance(), o); d != nil ||
		!errors.Is(err, solvers.ErrNothing) {
		t.Errorf("a record without points: %v, %v", d, err)
	}
	d, err := solvers.Diff(t.Context(), rec, paper(t, r), r.Instance())
	if err != nil || d.Identical() {
		t.Errorf("diff with it: %+v, %v", d, err)
	}
}

// Diff compares the best solutions and the seeds that both have, too.
func TestDiffComparesBestsAndSeeds(t *testing.T) {
	r := open(t, nil)
	mustStep(t, r, 20)
	if _, _, err := r.Repeat(t.Context(), solvers.Repeats{
		Seeds: 2, Budget: record.Budget{Iterations: 10},
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []altered{
		{"nothing", func(*record.Record) {}, ""},
		{"the best's value", func(r *record.Record) { r.Best.Value-- }, "value of the best solution"},
		{"improved", func(r *record.Record) { r.Points[9].Improved = !r.Points[9].Improved }, "improved"},
		{"evaluations", func(r *record.Record) { r.Points[9].Evals++ }, "iteration 10: evaluations"},
		{"a seed", func(r *record.Record) { r.Repeats[0].Seeds[1].Best-- }, "the repeat with seed"},
	} {
		b := paper(t, r)
		c.alter(b)
		d, err := solvers.Diff(t.Context(), paper(t, r), b, r.Instance())
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case d.Identical() != (c.what == ""):
			t.Errorf("%s: %+v", c.name, d)
		case c.what != "" && !strings.Contains(d.First.String(), c.what):
			t.Errorf("%s: %q lacks %q", c.name, d.First, c.what)
		}
	}
}
