package solvers_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"metalab/solvers"
	"metalab/solvers/record"
)

// Who watches slowly gets every change of the journal, and how the run stands in the end.
func TestWatchKeepsChanges(t *testing.T) {
	r := open(t, nil)
	updates := r.Watch(t.Context(), time.Hour)
	for i := range 400 {
		made, err := r.Set(t.Context(), record.Of("moves", i%2+1), "x")
		if err != nil || len(made) != 1 || made[0].New != record.Num(float64(i%2+1)) ||
			made[0].Who != "x" {
			t.Fatalf("made %v, error %v", made, err)
		}
		if err := r.Step(t.Context(), 3); err != nil {
			t.Fatal(err)
		}
	}
	if made, err := r.Set(t.Context(), record.Of("moves", 2), "x"); err != nil || len(made) != 0 {
		t.Errorf("a value that it has: made %v, error %v", made, err)
	}
	n, seen := 0, solvers.Update{}
	for u := range updates {
		for _, c := range u.Changes {
			if c.Iter != int64(3*n) {
				t.Fatalf("change %d is of iteration %d", n, c.Iter)
			}
			n++
		}
		if seen = u; u.Point.Iter == 1200 && u.State == solvers.Paused {
			r.Close()
		}
	}
	if n != 400 || seen.State != solvers.Closed || seen.Point.Iter != 1200 {
		t.Errorf("%d changes, at last %+v", n, seen)
	}
}

// While iterations are made the points come by themselves; a pause says by whom it was.
func TestWatchSeesPoints(t *testing.T) {
	r := open(t, nil)
	points := 0
	updates := r.Watch(t.Context(), time.Millisecond)
	if err := r.Go(); err != nil {
		t.Fatal(err)
	}
	last, changes := int64(0), 0
	for u := range updates {
		if u.Point.Iter > last && u.State == solvers.Running {
			last = u.Point.Iter
			if points++; points == 3 {
				if err := r.Pause("ann"); err != nil {
					t.Fatal(err)
				}
			}
		}
		changes += len(u.Changes)
		if u.State == solvers.Paused && points >= 3 {
			if u.Why != "paused by ann" || changes != 1 {
				t.Errorf("paused: %q, %d changes", u.Why, changes)
			}
			break
		}
	}
}

// A context ends a watch of a run that rests.
func TestWatchEnds(t *testing.T) {
	r := open(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	updates := r.Watch(ctx, time.Hour)
	cancel()
	for range updates {
		t.Error("an update of a run that rests")
	}
}

func TestStructuralError(t *testing.T) {
	r := open(t, nil)
	_, err := r.Set(t.Context(), record.Of("agents", 9), "")
	var fixed *solvers.StructuralError
	if !errors.As(err, &fixed) || fixed.Name != "agents" || fixed.Now != record.Num(4) ||
		fixed.Asked != record.Num(9) {
		t.Errorf("error %v", err)
	}
}
