package solvers_test

import (
	"slices"
	"strings"
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"
)

// What a record lacks that a run keeps is named where it is made again, and is no difference.
func TestReplayNamesWhatIsLacking(t *testing.T) {
	r := open(t, nil)
	mustStep(t, r, 20)
	if _, err := r.Set(t.Context(), record.Values{"heat": record.Num(2)}, "ann"); err != nil {
		t.Fatal(err)
	}
	mustStep(t, r, 20)
	for _, c := range []struct {
		name  string
		alter func(r *record.Record)
		want  string
	}{
		{"nothing", func(*record.Record) {}, ""},
		{"evaluations", func(r *record.Record) {
			for i := range r.Points {
				r.Points[i].Evals = 0
			}
		}, "the evaluations"},
		{"all points but the last", func(r *record.Record) {
			r.Points = r.Points[39:]
		}, "39 of its 40 points"},
		{"a point in the middle", func(r *record.Record) {
			r.Points = slices.Delete(r.Points, 10, 11)
		}, "1 of its 40 points"},
		{"what was replaced", func(r *record.Record) {
			r.Journal[0].Old = record.Value{}
		}, "what 1 of its 1 changes replaced"},
	} {
		rec := paper(t, r)
		rec.Points, rec.Journal = slices.Clone(rec.Points), slices.Clone(rec.Journal)
		c.alter(rec)
		got := "not called"
		d, err := solvers.Replay(t.Context(), rec, r.Instance(), solvers.ReplayOptions{
			Lacks: func(what []string) { got = strings.Join(what, ", ") },
		})
		if err != nil || d != nil || got != c.want {
			t.Errorf("%s: %v, %v; lacks %q, want %q", c.name, d, err, got, c.want)
		}
	}
}

// A seed that one record has and the other has not under the same setting is named.
func TestDiffNamesSeedsOfOne(t *testing.T) {
	r := open(t, nil)
	mustStep(t, r, 20)
	if _, _, err := r.Repeat(t.Context(), solvers.Repeats{
		Seeds: 3, Budget: record.Budget{Iterations: 10},
	}); err != nil {
		t.Fatal(err)
	}
	a, b := paper(t, r), paper(t, r)
	gone := b.Repeats[0].Seeds[1].Seed
	b.Repeats[0].Seeds = slices.Delete(slices.Clone(b.Repeats[0].Seeds), 1, 2)
	for _, c := range []struct {
		a, b         *record.Record
		onlyA, onlyB []uint64
	}{{a, a, nil, nil}, {a, b, []uint64{gone}, nil}, {b, a, nil, []uint64{gone}}} {
		d, err := solvers.Diff(t.Context(), c.a, c.b, r.Instance())
		if err != nil || !d.Identical() || !slices.Equal(d.OnlyA, c.onlyA) ||
			!slices.Equal(d.OnlyB, c.onlyB) {
			t.Errorf("%+v, %v: want %v and %v", d, err, c.onlyA, c.onlyB)
		}
	}
}
