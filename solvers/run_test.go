package solvers_test

import (
	"context"
	"errors"
	"math"
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

// A run that is held between two iterations gives what it gives, and the time is not its own.
func TestHeldRun(t *testing.T) {
	cfg := solvers.Config{Solver: "toy", Instance: grid(t, 20), Seed: 4}
	free, err := solvers.Once(t.Context(), cfg, solvers.Budget{Iterations: 40})
	if err != nil {
		t.Fatal(err)
	}
	const pause, times = 20 * time.Millisecond, 4
	began := time.Now()
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
	if most := (time.Since(began) - times*pause).Seconds(); held.Point.Wall > most {
		t.Errorf("%v s are its own, want at most %v", held.Point.Wall, most)
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
