package ants_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// TestForkVariant: a fork to another variant has the best tour and the trails of its parent, as far
// as there is room for them, and its record replays and loads.
func TestForkVariant(t *testing.T) {
	conform.Brief(t, "forks between all pairs of variants")
	t.Parallel()
	inst := uniform(t, 60)
	for solver, variants := range map[string][]string{
		"as":   {"scan", "wrs"},
		"mmas": {"scan", "wrs", "rows", "thin"},
		"acs":  {"seq", "gpu", "lockstep", "alt", "spm", "spm-sync"},
	} {
		for _, from := range variants {
			a := openVariant(t, [2]string{solver, from}, solvers.Config{Instance: inst, Params: few()})
			step(t, a, 30)
			for _, to := range variants {
				if from == to {
					continue
				}
				b := forkTo(t, a, to)
				if p, q := a.Last(), b.Last(); p.Iter != q.Iter || p.Best != q.Best || p.Digest != q.Digest {
					t.Errorf("%s/%s to %s: forked at %+v, from %+v", solver, from, to, q, p)
				}
				strongest(t, a, b)
				best := b.Last().Best
				if p := step(t, b, 10); p.Best > best || p.Iter != 40 {
					t.Errorf("%s/%s to %s: after %v comes %+v", solver, from, to, best, p)
				}
				replayed(t, b, from != "gpu" && to != "gpu")
			}
		}
	}
}

func few() record.Values {
	return record.Values{
		"ants": record.Num(8), "candidates": record.Num(10), "local_search": record.Text("none"),
	}
}

func forkTo(t *testing.T, a *solvers.Run, variant string) *solvers.Run {
	t.Helper()
	b, err := a.Fork(t.Context(), solvers.Fork{Name: "b", Variant: variant})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// strongest fails when the strongest trail of two runs is another. What is shown of a memory is
// that of the city with the smaller number, what is carried over the greater one of both cities.
func strongest(t *testing.T, a, b *solvers.Run) {
	t.Helper()
	var tau [2]float64
	for i, r := range []*solvers.Run{a, b} {
		err := r.View(t.Context(), func(alg solvers.Algorithm) {
			if list, _ := alg.(solvers.Trailer).Trails(1); len(list) > 0 {
				tau[i] = float64(list[0].Strength)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	most := tau[0]
	if strings.HasPrefix(a.Variant().Name, "spm") {
		most *= 1.1
	}
	if tau[0] == 0 || tau[1] < tau[0] || tau[1] > most {
		t.Errorf("%v to %v: the strongest trail was %v and is %v", a.Variant().Name, b.Variant().Name,
			tau[0], tau[1])
	}
}

// replayed saves a run, loads it, and makes it again where it has one history.
func replayed(t *testing.T, r *solvers.Run, again bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "b.run")
	if err := r.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	rec, err := record.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l, err := solvers.Load(t.Context(), path, r.Instance(), "l")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if again {
		d, err := solvers.Replay(t.Context(), rec, r.Instance(), solvers.ReplayOptions{})
		if err != nil || d != nil {
			t.Errorf("%s: a replay differs by %v, error %v", r.Variant().Name, d, err)
		}
		if a, b := step(t, r, 3), step(t, l, 3); a.Digest != b.Digest {
			t.Errorf("%s: %+v, loaded %+v", r.Variant().Name, a, b)
		}
	}
}

// TestForkBack: there and back again nothing is lost between variants with the same trails.
func TestForkBack(t *testing.T) {
	t.Parallel()
	inst := uniform(t, 60)
	for _, c := range [][3]string{
		{"acs", "seq", "alt"},
		{"acs", "seq", "gpu"},
		{"mmas", "wrs", "rows"},
		{"mmas", "wrs", "scan"},
		{"acs", "spm", "spm-sync"},
		{"as", "wrs", "scan"},
	} {
		a := openVariant(t, [2]string{c[0], c[1]}, solvers.Config{Instance: inst, Params: few()})
		step(t, a, 30)
		b := forkTo(t, forkTo(t, a, c[2]), c[1])
		if p, q := step(t, a, 10), step(t, b, 10); p.Digest != q.Digest {
			t.Errorf("%v: %+v, there and back again %+v", c, p, q)
		}
	}
}

// TestForkMeasures: the history of a fork has a measure that its parent lacked, which was no number
// until then.
func TestForkMeasures(t *testing.T) {
	t.Parallel()
	a := openVariant(t, [2]string{"acs", "seq"},
		solvers.Config{Instance: uniform(t, 40), Params: few()})
	step(t, a, 5)
	b := forkTo(t, a, "spm")
	step(t, b, 5)
	rec, err := b.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rec.Header.Measures, " "); got != "branching fallback hit_ratio" {
		t.Errorf("measures are %s", got)
	}
	for _, p := range rec.Points {
		if m := p.Measures; len(m) != 3 || math.IsNaN(m[2]) != (p.Iter <= 5) {
			t.Errorf("iteration %d has the measures %v", p.Iter, m)
		}
	}
	c := forkTo(t, b, "seq")
	if m := step(t, c, 1).Measures; len(m) != 3 || !math.IsNaN(m[2]) {
		t.Errorf("forked to seq again the measures are %v", m)
	}
}

// TestForkRefused: what shares no state says why.
func TestForkRefused(t *testing.T) {
	t.Parallel()
	a := openVariant(t, [2]string{"mmas", "scan"},
		solvers.Config{Instance: uniform(t, 40), Params: record.Values{"candidates": record.Num(39)}})
	for variant, want := range map[string]string{
		"focused": "mmas/focused and mmas/scan do not share their state (the ants of mmas/focused " +
			"change one tour",
		"wrs":     "candidates is 39",
		"nothing": "nothing",
	} {
		_, err := a.Fork(t.Context(), solvers.Fork{Name: "b", Variant: variant})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", variant, err, want)
		}
	}
	with := record.Values{"candidates": record.Num(20)}
	b, err := a.Fork(t.Context(), solvers.Fork{Name: "b", Variant: "wrs", With: with})
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
}
