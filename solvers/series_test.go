package solvers_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/solvers"
	"metalab/solvers/record"

	"github.com/google/go-cmp/cmp"
)

func repeat(t *testing.T, r *solvers.Run, seeds int, n int64) (record.Series, int) {
	t.Helper()
	s, had, err := r.Repeat(
		t.Context(), solvers.Repeats{Seeds: seeds, Budget: record.Budget{Iterations: n}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return s, had
}

// TestRepeatsAreOfTheRecord repeats a run that was never stepped, saves, loads and goes on.
func TestRepeatsAreOfTheRecord(t *testing.T) {
	r := open(t, nil)
	s, had := repeat(t, r, 3, 50)
	if len(s.Seeds) != 3 || had != 0 || r.Last().Iter != 0 {
		t.Fatalf("%d seeds, %d of before, the run at %d", len(s.Seeds), had, r.Last().Iter)
	}
	path := filepath.Join(t.TempDir(), "a.run")
	if err := r.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	b, err := solvers.Load(t.Context(), path, r.Instance(), "b")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if d := cmp.Diff(micro(r.Repeats()), b.Repeats(), values); d != "" {
		t.Error(d)
	}
	s, had = repeat(t, b, 5, 50)
	if len(s.Seeds) != 5 || had != 3 || len(b.Repeats()) != 1 {
		t.Errorf("went on to %d seeds, %d of before, in %d series", len(s.Seeds), had, len(b.Repeats()))
	}
	for i, x := range s.Seeds {
		if x.Seed != r.Seed()+uint64(i) || x.Iter != 50 || x.Curve.Iter[0] != 1 ||
			x.Curve.Iter[len(x.Curve.Iter)-1] != 50 {
			t.Errorf("seed %d: %d iterations, curve %v", x.Seed, x.Iter, x.Curve.Iter)
		}
	}
	// Other parameters, and another budget, are series of their own; what was made stays.
	if _, err := b.Set(t.Context(), record.Values{"moves": record.Num(3)}, "x"); err != nil {
		t.Fatal(err)
	}
	if s, had = repeat(t, b, 2, 50); len(s.Seeds) != 2 || had != 0 {
		t.Errorf("with other parameters %d seeds, %d of before", len(s.Seeds), had)
	}
	if s, had = repeat(t, b, 2, 60); len(s.Seeds) != 2 || had != 0 || len(b.Repeats()) != 3 ||
		len(b.Repeats()[0].Seeds) != 5 {
		t.Errorf(
			"with another budget %d seeds, %d of before, %d series", len(s.Seeds), had, len(b.Repeats()),
		)
	}
	if v := b.Repeats()[1].Params["moves"]; v != record.Num(3) {
		t.Errorf("the second series has moves=%v", v)
	}
	if n := len(fork(t, b, solvers.Fork{Name: "c"}).Repeats()); n != 0 {
		t.Errorf("a fork has %d series of its parent", n)
	}
}

var values = cmp.Comparer(func(a, b record.Value) bool { return a == b })

// micro rounds times as a file does.
func micro(s []record.Series) []record.Series {
	round := func(v *float64) { *v = float64(int64(*v*1e6+0.5)) / 1e6 }
	for i := range s {
		for j := range s[i].Seeds {
			x := &s[i].Seeds[j]
			round(&x.Wall)
			round(&x.CPU)
			x.Curve.Wall, x.Curve.CPU = slices.Clone(x.Curve.Wall), slices.Clone(x.Curve.CPU)
			for k := range x.Curve.Wall {
				round(&x.Curve.Wall[k])
				round(&x.Curve.CPU[k])
			}
		}
	}
	return s
}

func fork(t *testing.T, r *solvers.Run, f solvers.Fork) *solvers.Run {
	t.Helper()
	n, err := r.Fork(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// TestCancelledRepeatKeepsWhatIsDone cancels after two seeds, and goes on.
func TestCancelledRepeatKeepsWhatIsDone(t *testing.T) {
	r := open(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var done []uint64
	q := solvers.Repeats{Seeds: 40, Budget: record.Budget{
		Iterations: 200,
	}, Done: func(x record.Seeded) {
		if done = append(done, x.Seed); len(done) == 2 {
			cancel()
		}
	}}
	s, _, err := r.Repeat(ctx, q)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
	if len(s.Seeds) < 2 || len(s.Seeds) == 40 || len(s.Seeds) != len(done) {
		t.Fatalf("%d seeds are kept of %d that were told", len(s.Seeds), len(done))
	}
	left := len(s.Seeds)
	q.Done = nil
	s, had, err := r.Repeat(t.Context(), q)
	if err != nil || had != left || len(s.Seeds) != 40 {
		t.Errorf("went on with %d of before to %d, %v", had, len(s.Seeds), err)
	}
	for _, seed := range done {
		x := s.Has(seed)
		res, err := solvers.Repeat(
			t.Context(), solvers.Config{Solver: "toy", Instance: r.Instance()}, []uint64{seed},
			solvers.Budget{Iterations: 200}, nil,
		)
		if err != nil || x == nil || x.Digest != res[0].Point.Digest {
			t.Errorf("seed %d is not the run by itself: %v", seed, err)
		}
	}
}

// TestSeedsAreAutosavedAtOnce waits until the file has a seed, while others are not done.
func TestSeedsAreAutosavedAtOnce(t *testing.T) {
	r := open(t, nil)
	path := filepath.Join(t.TempDir(), "a.run")
	ctx, cancel := context.WithCancel(t.Context())
	saved := make(chan error, 1)
	// With this interval, an autosave that is not made at once would come after an hour.
	follow, err := solvers.Autosave(r, path, solvers.AutosaveOptions{Every: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	go func() { saved <- follow(ctx) }()
	first := make(chan struct{}) // closed when the file has the first
	n := 0
	_, _, err = r.Repeat(t.Context(), solvers.Repeats{Seeds: 3, Budget: record.Budget{
		Iterations: 20,
	}, Done: func(record.Seeded) {
		if n++; n > 1 {
			return
		}
		defer close(first)
		for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
			rec, err := record.ReadFile(path)
			if err == nil && len(rec.Repeats) == 1 && len(rec.Repeats[0].Seeds) == 1 {
				return
			}
		}
		t.Error("the file has no seed")
	}})
	if err != nil {
		t.Fatal(err)
	}
	<-first
	cancel()
	if err := <-saved; err != nil {
		t.Fatal(err)
	}
	rec, err := record.ReadFile(path)
	if err != nil || len(rec.Repeats) != 1 || len(rec.Repeats[0].Seeds) != 3 {
		t.Fatalf("the autosave: %v, %+v", err, rec)
	}
	b, err := solvers.Load(t.Context(), path, r.Instance(), "b")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if d := cmp.Diff(micro(r.Repeats()), b.Repeats(), values); d != "" {
		t.Error(d)
	}
}

func TestReplayOfRepeats(t *testing.T) {
	r := open(t, nil)
	mustStep(t, r, 30)
	repeat(t, r, 3, 300)
	if _, _, err := r.Repeat(
		t.Context(),
		solvers.Repeats{
			Seeds: 1, Budget: record.Budget{CPU: 0.002}, Stop: solvers.ForCPU(2 * time.Millisecond),
		},
	); err != nil {
		t.Fatal(err)
	}
	rec := paper(t, r)
	o := solvers.ReplayOptions{Repeats: true}
	if d, err := solvers.Replay(t.Context(), rec, r.Instance(), o); d != nil || err != nil {
		t.Fatalf("%v %v", d, err)
	}
	for what, spoil := range map[string]func(x *record.Seeded){
		"digest": func(x *record.Seeded) { x.Digest++ },
		"best":   func(x *record.Seeded) { x.Best-- },
		"a new one in": func(x *record.Seeded) {
			x.Curve.Iter = slices.Clone(x.Curve.Iter)
			x.Curve.Iter[0]++
		},
	} {
		bad := *rec
		bad.Repeats = r.Repeats()
		spoil(&bad.Repeats[0].Seeds[1])
		d, err := solvers.Replay(t.Context(), &bad, r.Instance(), o)
		if err != nil || d == nil || d.Seed == nil || *d.Seed != r.Seed()+1 ||
			!strings.Contains(d.String(), what) {
			t.Errorf("%s: %v %v", what, d, err)
		}
		if d, err := solvers.Replay(t.Context(), &bad, r.Instance(), solvers.ReplayOptions{}); d != nil ||
			err != nil {
			t.Errorf("the run alone: %v %v", d, err)
		}
	}
}

func TestGauge(t *testing.T) {
	var g solvers.Gauge
	if parts, seeds, left := g.Far(); parts != 0 || seeds != 0 || left != 0 {
		t.Errorf("before: %v of %d, %v left", parts, seeds, left)
	}
	r := open(t, nil)
	q := solvers.Repeats{Seeds: 4, Budget: record.Budget{Iterations: 100}, Gauge: &g}
	n := 0.0
	q.Done = func(record.Seeded) {
		n++
		parts, seeds, left := g.Far()
		if parts < n || parts > 4 || seeds != 4 || (left <= 0) != (parts == 4) {
			t.Errorf("after %v: %v of %d, %v left", n, parts, seeds, left)
		}
	}
	if _, _, err := r.Repeat(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if parts, _, left := g.Far(); parts != 4 || left != 0 {
		t.Errorf("in the end %v of 4, %v left", parts, left)
	}
}
