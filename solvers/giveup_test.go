package solvers_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

// halfway is a toy whose iteration 5 waits, half made, until it is cancelled, and then
// ends as end says. Its state is corrupt from then on.
type halfway struct {
	*toy.Search
	reached chan struct{}
	end     func(ctx context.Context) error
	times   int
}

func (h *halfway) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if it != 5 || h.times > 0 {
		return h.Search.Iterate(ctx, it, p)
	}
	h.times++
	close(h.reached)
	<-ctx.Done()
	return h.end(ctx)
}

// halfways counts the solvers that were registered.
var halfways atomic.Int64

// halfwayRun opens a run of a solver that ends its fifth iteration so, and asks it for ten
// iterations, of which a pause cancels the fifth.
func halfwayRun(t *testing.T, end func(ctx context.Context) error) (r *solvers.Run, stepped error) {
	t.Helper()
	reached := make(chan struct{})
	v := solvers.Variant{
		Solver: fmt.Sprintf("halfway %d", halfways.Add(1)), Name: "x", Backend: "cpu", Revision: 1,
		Default: true,
		Kinds:   []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "stops half-way",
		New: func(i datasets.Instance) (solvers.Algorithm, error) {
			return &halfway{Search: toy.New(i.(*datasets.TSP)), reached: reached, end: end}, nil
		},
	}
	solvers.Register(v)
	r, err := solvers.Open(solvers.Config{Name: "a", Solver: v.Solver, Instance: grid(t, 20)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	done := make(chan error, 1)
	go func() { done <- r.Step(context.Background(), 10) }()
	<-reached
	if err := r.Pause("ann"); err != nil {
		t.Fatal(err)
	}
	return r, <-done
}

func TestGivenUpIsOnlyWhatSaysSo(t *testing.T) {
	for name, end := range map[string]func(ctx context.Context) error{
		"ctx":     func(ctx context.Context) error { return ctx.Err() },
		"wrapped": func(ctx context.Context) error { return fmt.Errorf("ant 3: %w", ctx.Err()) },
	} {
		t.Run(name, func(t *testing.T) {
			r, err := halfwayRun(t, end)
			if !errors.Is(err, solvers.ErrPaused) || r.State() != solvers.Paused || r.Last().Iter != 4 {
				t.Errorf("%v, %s at %d; want paused at 4", err, r.State(), r.Last().Iter)
			}
			if err := r.Step(t.Context(), 6); err != nil || r.Last().Iter != 10 {
				t.Errorf("going on: %v, iteration %d", err, r.Last().Iter)
			}
		})
	}
}

func TestErrorsAndPanicsWhileCancelledFailTheRun(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(ctx context.Context) error
		want string
	}{
		"error": {func(context.Context) error {
			return errors.New(
				"ant 3 is lost",
			)
		}, "iteration 5: ant 3 is lost"},
		"panic": {func(context.Context) error {
			panic(
				"ant 3 is lost",
			)
		}, "iteration 5: panic: ant 3 is lost"},
		"panic of ctx": {
			func(ctx context.Context) error { panic(ctx.Err()) },
			"iteration 5: panic: context canceled",
		},
		"panic in worker": {inPool, "iteration 5: panic: index 7"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := halfwayRun(t, c.end)
			if !errors.Is(err, solvers.ErrFailed) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the step says %v, want %q", err, c.want)
			}
			if r.State() != solvers.Failed || r.Last().Iter != 4 {
				t.Errorf("%s at %d; want failed at 4", r.State(), r.Last().Iter)
			}
			if err := r.Step(t.Context(), 1); !errors.Is(err, solvers.ErrFailed) {
				t.Errorf("it steps on: %v", err)
			}
			if _, err := r.Snapshot(t.Context()); !errors.Is(err, solvers.ErrFailed) {
				t.Errorf("its state is given away: %v", err)
			}
			if _, err := r.Fork(t.Context(), solvers.Fork{Name: "b"}); !errors.Is(err, solvers.ErrFailed) {
				t.Errorf("it is forked: %v", err)
			}
		})
	}
}

// inPool panics in one of four workers of a pool.
func inPool(context.Context) error {
	p := solvers.NewPool(4)
	defer p.Close()
	p.Run(64, func(i, _ int) {
		if i == 7 {
			panic("index 7")
		}
	})
	return errors.New("the pool went on")
}

// What a failed run found before can be saved, and going on from it makes it again.
func TestFailedRunIsSavedWithoutItsState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.run")
	r, _ := halfwayRun(t, func(context.Context) error { panic("ant 3 is lost") })
	if err := r.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	l, err := solvers.Load(t.Context(), path, r.Instance(), "l")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got, want := l.Last().Digest, r.Last().Digest; got != want || l.Last().Iter != 4 {
		t.Errorf("loaded: iteration %d, digest %x, want 4, %x", l.Last().Iter, got, want)
	}
}
