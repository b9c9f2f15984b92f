package solvers_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"

	"go.uber.org/goleak"
)

func init() { toy.Register() }

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func grid(t testing.TB, n int) *datasets.TSP {
	t.Helper()
	var x, y []float64
	for i := range n {
		x = append(x, float64(i%5*100+i))
		y = append(y, float64(i/5*100+i*i%7))
	}
	p, err := datasets.NewTSP("grid", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func open(t testing.TB, vs record.Values) *solvers.Run {
	t.Helper()
	r, err := solvers.Open(
		solvers.Config{Name: "a", Solver: "toy", Instance: grid(t, 20), Seed: 3, Params: vs},
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func TestOpenRefuses(t *testing.T) {
	inst := grid(t, 20)
	for name, c := range map[string]struct {
		cfg  solvers.Config
		want string
	}{
		"no instance": {solvers.Config{Solver: "toy"}, "no instance"},
		"solver": {solvers.Config{
			Solver: "tyo", Instance: inst,
		}, `no solver is called "tyo"; there are`},
		"variant": {solvers.Config{
			Solver: "toy", Variant: "swop", Instance: inst,
		}, `no variant "swop"; there are broken, racy, swap`},
		"backend": {solvers.Config{
			Solver: "toy", Backend: "tpu", Instance: inst,
		}, `there is no backend "tpu": want cpu, or cuda`},
		"preset": {solvers.Config{
			Solver: "toy", Preset: "fast", Instance: inst,
		}, `preset is "fast", want one of default, slow`},
		"range": {solvers.Config{
			Solver: "toy", Instance: inst, Params: record.Values{"heat": record.Num(11)},
		}, "heat is 11, want 0 to 10"},
		"integer": {solvers.Config{
			Solver: "toy", Instance: inst, Params: record.Values{"moves": record.Num(1.5)},
		}, "moves is 1.5, want an integer from 1 to 1000"},
		"word": {solvers.Config{
			Solver: "toy", Instance: inst, Params: record.Values{"accept": record.Text("never")},
		}, "accept is never, want one of better, always"},
		"unknown": {solvers.Config{
			Solver: "toy", Instance: inst, Params: record.Values{"q0": record.Num(1)},
		}, `no parameter is called "q0"; there are`},
		"from the init": {
			solvers.Config{Solver: "toy", Instance: inst, Params: record.Values{"agents": record.Num(63)}},
			"agents is 63",
		},
	} {
		_, err := solvers.Open(c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", name, err, c.want)
		}
	}
}

func TestStepsOfTwoCallersAddUp(t *testing.T) {
	r := open(t, nil)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				if err := r.Step(t.Context(), 3); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := r.Last().Iter; got != 600 {
		t.Errorf("iteration %d after 8 callers of 25 times 3, want 600", got)
	}
	if s := r.State(); s != solvers.Paused {
		t.Errorf("state %s, want paused", s)
	}
}

// reach waits until a run that goes on has made so many iterations.
func reach(t *testing.T, r *solvers.Run, iterations int64) {
	t.Helper()
	updates := r.Watch(t.Context(), time.Millisecond)
	if r.Last().Iter >= iterations {
		return
	}
	for u := range updates {
		if u.Point.Iter >= iterations {
			return
		}
	}
	t.Fatalf("the run ended at iteration %d, before %d", r.Last().Iter, iterations)
}

func TestCancelWithdrawsOnlyOnesOwn(t *testing.T) {
	r := open(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() { gone <- r.Step(ctx, 1<<40) }()
	reach(t, r, 10)
	mine := make(chan error, 1)
	go func() { mine <- r.Step(t.Context(), 50) }()
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled step: %v", err)
	}
	if err := <-mine; err != nil {
		t.Errorf("the other's step: %v", err)
	}
	at := r.Last().Iter
	if err := r.Step(t.Context(), 1); err != nil || r.Last().Iter != at+1 {
		t.Errorf("after the cancel: %v, iteration %d, want %d", err, r.Last().Iter, at+1)
	}
}

func TestPauseTellsWho(t *testing.T) {
	r := open(t, nil)
	if err := r.Go(); err != nil {
		t.Fatal(err)
	}
	waits := make(chan error, 1)
	go func() { waits <- r.Step(t.Context(), 1<<40) }()
	reach(t, r, 10)
	for {
		if err := r.Pause("ann"); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-waits:
			if !errors.Is(err, solvers.ErrPaused) || !strings.Contains(err.Error(), "by ann") {
				t.Errorf("step paused by another: %v", err)
			}
			if s := r.State(); s != solvers.Paused {
				t.Errorf("state %s", s)
			}
			return
		case <-time.After(5 * time.Millisecond): // the step was not queued yet
		}
	}
}

// GoUntil returns at once, ends where its rule says, and the journal says why; Go and Pause
// put an end to its rule.
func TestGoUntil(t *testing.T) {
	r := open(t, nil)
	updates := r.Watch(t.Context(), time.Hour)
	if err := r.GoUntil(solvers.AtIteration(40)); err != nil {
		t.Fatal(err)
	}
	why := ""
	for u := range updates {
		if u.State == solvers.Paused && u.Why != "" {
			why = u.Why
			break
		}
	}
	j := r.Journal()
	if r.Last().Iter != 40 || why != "at iteration 40" || len(j) != 1 || j[0].Name != why ||
		j[0].Iter != 40 {
		t.Errorf("iteration %d, paused %q, journal %v", r.Last().Iter, why, j)
	}
	if err := r.GoUntil(solvers.AtIteration(60)); err != nil {
		t.Fatal(err)
	}
	if err := r.Go(); err != nil { // in its place
		t.Fatal(err)
	}
	reach(t, r, 80)
	if s := r.State(); s != solvers.Running {
		t.Errorf("state %s after another Go", s)
	}
	if err := r.GoUntil(solvers.AtIteration(1 << 40)); err != nil {
		t.Fatal(err)
	}
	if err := r.Pause(""); err != nil {
		t.Fatal(err)
	}
	if err := r.Step(t.Context(), 1); err != nil || r.State() != solvers.Paused {
		t.Errorf("a step after Pause: %v, state %s", err, r.State())
	}
}

func TestStructuralSaysFork(t *testing.T) {
	r := open(t, nil)
	_, err := r.Set(t.Context(), record.Values{"agents": record.Num(9), "moves": record.Num(2)}, "")
	if err == nil || !strings.Contains(err.Error(), "fork the run with agents=9") {
		t.Errorf("error %v", err)
	}
	if j := r.Journal(); len(j) != 0 {
		t.Errorf("a refused set left %v", j)
	}
}

func TestFailedRunSaysWhy(t *testing.T) {
	inst := grid(t, 20)
	solvers.Register(solvers.Variant{
		Solver: "failing", Name: "x", Backend: "cpu", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "fails",
		New: func(i datasets.Instance) (solvers.Algorithm, error) {
			s := toy.New(i.(*datasets.TSP))
			s.Fail = 5
			return s, nil
		},
	})
	r, err := solvers.Open(solvers.Config{Solver: "failing", Instance: inst})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	err = r.Step(t.Context(), 10)
	if !errors.Is(err, solvers.ErrFailed) ||
		!strings.Contains(err.Error(), "iteration 5: it was told to fail") {
		t.Errorf("error %v", err)
	}
	if r.State() != solvers.Failed || r.Last().Iter != 4 {
		t.Errorf("state %s at %d", r.State(), r.Last().Iter)
	}
	if err := r.Step(t.Context(), 1); !errors.Is(err, solvers.ErrFailed) {
		t.Errorf("a failed run steps: %v", err)
	}
	if _, err := r.Record(t.Context()); err != nil {
		t.Errorf("what a failed run found cannot be saved: %v", err)
	}
}

func TestSaveLoadReplay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.run")
	r := open(t, nil)
	mustStep(t, r, 1500)
	if _, err := r.Set(t.Context(), record.Values{"heat": record.Num(2)}, "ann"); err != nil {
		t.Fatal(err)
	}
	mustStep(t, r, 700)
	if err := r.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	l, err := solvers.Load(t.Context(), path, r.Instance(), "l")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	mustStep(t, r, 300)
	mustStep(t, l, 300)
	a, b := paper(t, r), paper(t, l)
	if a.Digest != b.Digest || len(a.Points) != len(b.Points) || len(b.Journal) != 1 ||
		b.Journal[0].Who != "ann" {
		t.Errorf(
			"loaded run differs: %x %d, %x %d %v", a.Digest, len(a.Points), b.Digest, len(b.Points),
			b.Journal,
		)
	}
	rec, err := record.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := solvers.Replay(t.Context(), rec, r.Instance(), solvers.ReplayOptions{}); d != nil ||
		err != nil {
		t.Errorf("replay: %v %v", d, err)
	}
	if _, err := solvers.Load(t.Context(), path, grid(t, 21), ""); err == nil ||
		!strings.Contains(err.Error(), "other data") {
		t.Errorf("loading with other data: %v", err)
	}
}

func TestDiffNamesThePlace(t *testing.T) {
	// The variant "broken" of the toy walks as "swap" does until its iteration 1<<62;
	// here it is made to part at 17.
	solvers.Register(solvers.Variant{
		Solver: "parting", Name: "swap", Backend: "cpu", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "walks as it should",
		New: func(i datasets.Instance) (solvers.Algorithm, error) {
			return toy.New(
				i.(*datasets.TSP),
			), nil
		},
	})
	solvers.Register(solvers.Variant{
		Solver: "parting", Name: "swap", Backend: "other", Revision: 1,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "parts at 1700",
		New: func(i datasets.Instance) (solvers.Algorithm, error) {
			s := toy.New(i.(*datasets.TSP))
			s.Broken = 1700
			return s, nil
		},
	})
	inst := grid(t, 20)
	var recs []*record.Record
	for _, on := range []string{"cpu", "other"} {
		r, err := solvers.Open(solvers.Config{
			Solver: "parting", Backend: on, Instance: inst, Seed: 3,
			Params: record.Values{"accept": record.Text("always")},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		mustStep(t, r, 1000)
		if _, err := r.Set(t.Context(), record.Values{"moves": record.Num(5)}, ""); err != nil {
			t.Fatal(err)
		}
		mustStep(t, r, 2000)
		recs = append(recs, paper(t, r))
	}
	rep, err := solvers.Diff(t.Context(), recs[0], recs[1], inst)
	if err != nil {
		t.Fatal(err)
	}
	if rep.First == nil || rep.First.Iter != 1700 || rep.First.Agent != 1 ||
		rep.First.What != "solution" {
		t.Errorf("difference %v, want iteration 1700, agent 1", rep.First)
	}
	if rep, err = solvers.Diff(t.Context(), recs[0], recs[0], inst); err != nil || !rep.Identical() {
		t.Errorf("a record differs from itself: %+v %v", rep, err)
	}
}

func TestRepeatIsTheRunByItself(t *testing.T) {
	cfg := solvers.Config{Solver: "toy", Instance: grid(t, 20)}
	seeds := []uint64{4, 9, 1, 77}
	var done []uint64
	res, err := solvers.Repeat(t.Context(), cfg, seeds, solvers.Budget{
		Iterations: 40,
	}, func(r solvers.Result) { done = append(done, r.Seed) })
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(done)
	if !slices.Equal(done, []uint64{1, 4, 9, 77}) {
		t.Errorf("told of %v", done)
	}
	for i, seed := range seeds {
		cfg.Seed = seed
		r, err := solvers.Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		mustStep(t, r, 40)
		if got, want := res[i].Point.Digest, r.Last().Digest; got != want || res[i].Seed != seed {
			t.Errorf("seed %d: digest %x, by itself %x", seed, got, want)
		}
	}
	cfg.Params = record.Values{"agents": record.Num(63)}
	if _, err := solvers.Repeat(
		t.Context(), cfg, seeds, solvers.Budget{Iterations: 1}, nil,
	); err == nil {
		t.Error("a configuration that cannot be opened gives no error")
	}
}

// A run that is held between two iterations gives what it gives, and the time is not its own.
func TestHeldRun(t *testing.T) {
	cfg := solvers.Config{Solver: "toy", Instance: grid(t, 20), Seed: 4}
	free, err := solvers.Once(t.Context(), cfg, solvers.Budget{Iterations: 40})
	if err != nil {
		t.Fatal(err)
	}
	const pause, times = 300 * time.Millisecond, 4
	n := 0
	held, err := solvers.Once(t.Context(), cfg, solvers.Budget{
		Iterations: 40,
		Hold: func(context.Context) bool {
			if n++; n > times {
				return false
			}
			time.Sleep(pause)
			return true
		},
	})
	if err != nil || held.Point.Digest != free.Point.Digest || n < 30 {
		t.Fatalf("held %d times: digest %x, %x when free, %v", n, held.Point.Digest, free.Point.Digest,
			err)
	}
	if whole := (times * pause).Seconds(); held.Point.Wall >= whole {
		t.Errorf("%v s, of which it was held %v", held.Point.Wall, whole)
	}
}

func TestStops(t *testing.T) {
	r := open(t, nil)
	why, err := r.StepUntil(t.Context(), -1, solvers.AtIteration(33))
	if err != nil || r.Last().Iter != 33 || why != "at iteration 33" {
		t.Errorf("%q %v at %d", why, err, r.Last().Iter)
	}
	why, err = r.StepUntil(t.Context(), -1, solvers.NoImprovement(500))
	if err != nil || !strings.Contains(why, "500 iterations") {
		t.Errorf("%q %v", why, err)
	}
	why, err = r.StepUntil(
		t.Context(), -1, solvers.Any(solvers.AtIteration(1<<40), solvers.ForWall(20*time.Millisecond)),
	)
	if err != nil || why != "after 20ms" {
		t.Errorf("%q %v", why, err)
	}
	why, err = r.StepUntil(t.Context(), -1, solvers.ForCPU(20*time.Millisecond))
	if err != nil || why == "" {
		t.Errorf("%q %v", why, err)
	}
	if why, err = r.StepUntil(t.Context(), 5, solvers.NoImprovement(1<<40)); err != nil || why != "" {
		t.Errorf("a step that ends by its count says %q, %v", why, err)
	}
	j := r.Journal()
	if len(j) != 4 || j[0].Kind != record.KindStop {
		t.Errorf("journal %v, want the four stops", j)
	}
}

func TestKept(t *testing.T) {
	n := 0
	for i := int64(1); i <= 1<<20; i++ {
		if solvers.Kept(i) {
			n++
		}
	}
	if n != 1024+10*512 {
		t.Errorf("%d points of 2^20 are kept, want %d", n, 1024+10*512)
	}
}

func TestClosedRunAnswers(t *testing.T) {
	r := open(t, nil)
	waits := make(chan error, 1)
	go func() { waits <- r.Step(t.Context(), 1<<40) }()
	reach(t, r, 3)
	r.Close()
	r.Close()
	if err := <-waits; !errors.Is(err, solvers.ErrClosed) {
		t.Errorf("waiting step: %v", err)
	}
	for what, err := range map[string]error{
		"step": r.Step(t.Context(), 1), "go": r.Go(), "pause": r.Pause(""),
		"set": second(r.Set(t.Context(), record.Values{"moves": record.Num(1)}, "")),
	} {
		if !errors.Is(err, solvers.ErrClosed) {
			t.Errorf("%s of a closed run: %v", what, err)
		}
	}
	for range r.Watch(t.Context(), time.Hour) {
		t.Error("a closed run has updates")
	}
}

func second[T any](_ T, err error) error { return err }

func TestGap(t *testing.T) {
	v := 200.0
	if g := solvers.Gap(210, &v); g != 5 {
		t.Errorf("gap %v", g)
	}
	if g := solvers.Gap(1, nil); !math.IsNaN(g) {
		t.Errorf("gap without optimum %v", g)
	}
	zero := 0.0
	if g := solvers.Gap(0, &zero); g != 0 {
		t.Errorf("gap at 0: %v", g)
	}
}

func mustStep(t testing.TB, r *solvers.Run, n int) {
	t.Helper()
	if err := r.Step(context.Background(), n); err != nil {
		t.Fatal(err)
	}
}

func paper(t testing.TB, r *solvers.Run) *record.Record {
	t.Helper()
	rec, err := r.Record(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestUnverifiedDataAreNoted: where the data came by plain http and nothing vouches for them, the
// record says from where, beside their hash.
func TestUnverifiedDataAreNoted(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "NAME: mine3\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: "+
			"EUC_2D\nNODE_COORD_SECTION\n"+
			"1 0 0\n2 3 4\n3 6 8\n4 6 0\nEOF\n")
	}))
	defer s.Close()
	inst, err := datasets.Load(
		"mine3", datasets.Folders(), datasets.Cache(""), datasets.Homes(datasets.HomeURLs{VLSI: s.URL}),
	)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{Solver: "toy", Instance: inst})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if ref := r.Header().Instance; ref.Unverified != s.URL+"/mine3.tsp" ||
		ref.SHA256 != inst.SHA256() {
		t.Errorf("the record says of the instance %+v", ref)
	}
	if ref := open(t, nil).Header().Instance; ref.Unverified != "" {
		t.Errorf("the record says of an instance that was made here %+v", ref)
	}
}
