package solvers_test

import (
	"path/filepath"
	"strings"
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"
)

func set(t *testing.T, r *solvers.Run, vs record.Values) {
	t.Helper()
	if _, err := r.Set(t.Context(), vs, "ann"); err != nil {
		t.Fatal(err)
	}
}

// changed is a run of 60 iterations that was changed after 20, 30 and 40.
func changed(t *testing.T) *solvers.Run {
	t.Helper()
	r := open(t, nil)
	mustStep(t, r, 20)
	set(t, r, record.Of("heat", 2.0))
	mustStep(t, r, 10)
	set(t, r, record.Of("moves", 3))
	mustStep(t, r, 10)
	set(t, r, record.Of("heat", 0.5))
	mustStep(t, r, 20)
	return r
}

// forkAt forks a run as the host does, at an earlier iteration.
func forkAt(t *testing.T, r *solvers.Run, at int64, f solvers.Fork) (*solvers.Run, []string) {
	t.Helper()
	rec := paper(t, r)
	to := solvers.Before(rec, at)
	o := solvers.ReplayOptions{}
	past, err := solvers.Back(t.Context(), rec, nil, r.Instance(), "p", to, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	defer past.Close()
	var left []string
	if f.Later, left, err = past.Later(t.Context(), rec, to, f.With); err != nil {
		t.Fatal(err)
	}
	n, err := past.Fork(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n, left
}

// A fork at an earlier iteration that changes nothing is the run that it was forked from: what was
// changed later is changed in it, too, through saves, loads and forks.
func TestForkAtMakesLaterChanges(t *testing.T) {
	r := changed(t)
	want := r.Last().Digest
	for _, at := range []int64{0, 15, 20, 30, 35} {
		n, left := forkAt(t, r, at, solvers.Fork{Name: "n"})
		if len(left) != 0 {
			t.Errorf("at %d, left out: %v", at, left)
		}
		mustStep(t, n, 25)
		path := filepath.Join(t.TempDir(), "n.run")
		if err := n.Save(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		l, err := solvers.Load(t.Context(), path, r.Instance(), "l")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(l.Close)
		f, err := n.Fork(t.Context(), solvers.Fork{Name: "f"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Close)
		for _, x := range []*solvers.Run{n, l, f} {
			mustStep(t, x, int(60-25-at))
			if got := x.Last(); got.Iter != 60 || got.Digest != want || len(x.Pending()) != 0 {
				t.Errorf("at %d, %s: digest %x after %d, want %x; pending %v", at, x.Name(), got.Digest,
					got.Iter, want, x.Pending())
			}
			if d, err := solvers.Replay(t.Context(), paper(t, x), r.Instance(),
				solvers.ReplayOptions{}); d != nil || err != nil {
				t.Errorf("at %d, %s does not replay: %v, %v", at, x.Name(), d, err)
			}
		}
	}
}

// What a fork sets is its own, and so is what is set in it later.
func TestForkKeepsItsOwnParameters(t *testing.T) {
	r := changed(t)
	n, left := forkAt(t, r, 25, solvers.Fork{Name: "n", With: record.Of("heat", 7.0)})
	if got := strings.Join(left, ", "); got != "heat=0.5 after iteration 40" || len(n.Pending()) != 1 {
		t.Errorf("left out: %q, pending %v", got, n.Pending())
	}
	mustStep(t, n, 35)
	if v := valueOf(t, n, "heat"); v != "7" {
		t.Errorf("heat is %s at the end, want 7, which the fork has set", v)
	}
	if v := valueOf(t, n, "moves"); v != "3" {
		t.Errorf("moves is %s at the end, want 3, as in the run", v)
	}
	m, _ := forkAt(t, r, 10, solvers.Fork{Name: "m"})
	set(t, m, record.Of("heat", 9.0))
	mustStep(t, m, 50)
	if v := valueOf(t, m, "heat"); v != "9" {
		t.Errorf("heat is %s at the end, want 9, which was set in the fork", v)
	}
	a, _ := forkAt(t, r, 10, solvers.Fork{Name: "a", Alone: true})
	mustStep(t, a, 50)
	if j := a.Journal(); len(j) != 1 || len(a.Pending()) != 0 {
		t.Errorf("alone it was changed: %v", j)
	}
}

// A later fork that no run makes while it goes on is named, with what follows it.
func TestForkNamesWhatItCannotMake(t *testing.T) {
	r := open(t, nil)
	mustStep(t, r, 20)
	seed := uint64(5)
	f, err := r.Fork(t.Context(), solvers.Fork{Name: "f", Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	mustStep(t, f, 10)
	set(t, f, record.Of("heat", 2.0))
	mustStep(t, f, 10)
	n, left := forkAt(t, f, 10, solvers.Fork{Name: "n"})
	if len(left) != 1 || !strings.Contains(left[0], "after iteration 20 (seed=5) and what follows") ||
		len(n.Pending()) != 0 {
		t.Errorf("left out: %q, pending %v", left, n.Pending())
	}
	_, _, err = f.Repeat(t.Context(), solvers.Repeats{
		Seeds: 2, Changes: true, Budget: record.Budget{Iterations: 10},
	})
	if err == nil || !strings.Contains(err.Error(), "seed=5") {
		t.Errorf("repeat with changes that cannot be made: %v", err)
	}
}

// Seeds with the run's changes are the run: that of its own seed has its digest.
func TestRepeatWithChanges(t *testing.T) {
	r := changed(t)
	q := solvers.Repeats{Seeds: 3, Changes: true, Budget: record.Budget{Iterations: 60}}
	s, _, err := r.Repeat(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if x := s.Has(r.Seed()); x == nil || x.Digest != r.Last().Digest || len(s.Changes) != 3 {
		t.Errorf("the seed of the run: %+v with %v, want digest %x", x, s.Changes, r.Last().Digest)
	}
	q.Changes = false
	p, had, err := r.Repeat(t.Context(), q)
	if err != nil || had != 0 || p.Has(r.Seed()).Digest == r.Last().Digest {
		t.Errorf("present parameters from iteration 1 on: %d had, %v", had, err)
	}
	path := filepath.Join(t.TempDir(), "r.run")
	if err := r.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	rec, err := record.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Repeats) != 2 || !rec.Repeats[0].Same(&s) {
		t.Fatalf("series: %+v", rec.Repeats)
	}
	if d, err := solvers.Replay(t.Context(), rec, r.Instance(),
		solvers.ReplayOptions{Repeats: true}); d != nil || err != nil {
		t.Errorf("replay: %v, %v", d, err)
	}
}

func valueOf(t *testing.T, r *solvers.Run, name string) string {
	t.Helper()
	ps, err := r.Params(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		if p.Name == name {
			return p.Value.String()
		}
	}
	t.Fatalf("no parameter %s", name)
	return ""
}
