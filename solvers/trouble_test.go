package solvers_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

// liar is a toy whose best is from an iteration on better than its tour.
type liar struct {
	*toy.Search
	inst *datasets.TSP
	lies bool
}

func (l *liar) Best() float64 {
	if v := l.Search.Best(); !l.lies {
		return v
	}
	return l.Search.Best() / 2
}

func (l *liar) Verify() error {
	got, err := solvers.Cost(l.inst, l.Solution())
	return solvers.Claimed(l.Best(), got, err)
}

func openLiar(t *testing.T) (*solvers.Run, *liar) {
	t.Helper()
	inst := grid(t, 20)
	l := &liar{Search: toy.New(inst), inst: inst}
	v := solvers.Variant{
		Solver: "liar " + t.Name(), Name: "x", Backend: "cpu", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "claims too much",
		New: func(datasets.Instance) (solvers.Algorithm, error) { return l, nil },
	}
	solvers.Register(v)
	r, err := solvers.Open(solvers.Config{Name: "a", Solver: v.Solver, Instance: inst})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r, l
}

// lie makes the best a wrong one, or right again.
func (l *liar) lie(t *testing.T, r *solvers.Run, lies bool) {
	t.Helper()
	if err := r.View(t.Context(), func(solvers.Algorithm) { l.lies = lies }); err != nil {
		t.Fatal(err)
	}
}

// At the end of a step a wrong best is said at once, and the run has none.
func TestWrongBestIsSaidAtTheEndOfAStep(t *testing.T) {
	r, l := openLiar(t)
	mustStep(t, r, 10)
	l.lie(t, r, true)
	err := r.Step(t.Context(), 5)
	const says = "iteration 15: the best is not what it says: it claims "
	if !errors.Is(err, solvers.ErrWrongBest) || !strings.Contains(err.Error(), says) {
		t.Errorf("the step says %v, want %q", err, says)
	}
	if sound, doubt := r.Doubt(); sound != 10 || doubt == nil ||
		!strings.Contains(r.Trouble(), "it claims") || r.State() != solvers.Paused {
		t.Errorf("%s, %v from iteration %d on, trouble %q", r.State(), doubt, sound, r.Trouble())
	}
	if j := r.Journal(); len(j) != 1 || !strings.Contains(j[0].Name, says) {
		t.Errorf("the journal says %v", j)
	}
	l.lie(t, r, false)
	mustStep(t, r, 5)
	if sound, doubt := r.Doubt(); sound != 20 || doubt != nil || r.Trouble() != "" {
		t.Errorf("once it is right: %v from iteration %d on, %q", doubt, sound, r.Trouble())
	}
}

func TestWrongBestIsSaidAtAPause(t *testing.T) {
	r, l := openLiar(t)
	if err := r.Go(); err != nil {
		t.Fatal(err)
	}
	l.lie(t, r, true)
	if err := r.Pause("ann"); err != nil {
		t.Fatal(err)
	}
	if _, doubt := r.Doubt(); doubt == nil || !strings.Contains(r.Trouble(), "it claims") {
		t.Errorf("in doubt for %v, trouble %q", doubt, r.Trouble())
	}
}

// A limit of time ends a step whose iteration goes on, and says so.
func TestLateEndsAStepWithoutAnError(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	r := open(t, nil)
	once := func(record.Point) func(*record.Point) string {
		return func(*record.Point) string {
			cancel(&solvers.Late{Why: "after 2s"})
			return ""
		}
	}
	why, err := r.StepUntil(ctx, -1, once)
	if why != "after 2s" || err != nil || r.State() != solvers.Paused {
		t.Errorf("%q, %v, %s", why, err, r.State())
	}
	if j := r.Journal(); len(j) != 1 || j[0].Name != "after 2s" || r.Trouble() != "after 2s" {
		t.Errorf("the journal says %v, trouble %q", j, r.Trouble())
	}
}
