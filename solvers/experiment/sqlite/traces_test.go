package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"metalab/solvers/experiment"
)

// Traces come by the numbers of their units, though several readers read them; a reader may stop
// anywhere, and an end of the context is an error.
func TestTraces(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "x.sqlite"))
	us := units(t, plan(50, 3)) // 150: several stretches of each reader
	if _, err := s.Add(t.Context(), "e", plan(50, 3), us); err != nil {
		t.Fatal(err)
	}
	q, err := s.Queue(t.Context(), "e", false)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for range us {
		u, _, err := q.Take(t.Context(), "cpu")
		if err != nil {
			t.Fatal(err)
		}
		r := experiment.Result{Best: float64(u.Number)}
		for i := range u.Number % 3 { // every third has no trace
			r.Trace = append(r.Trace, experiment.TracePoint{Iteration: int64(i + 1), Best: r.Best})
		}
		if err := q.Finish(t.Context(), u, r); err != nil {
			t.Fatal(err)
		}
	}
	last, n := 0, 0
	for x, err := range s.Traces(t.Context(), "e") {
		if err != nil || x.Number <= last || len(x.Points) != x.Number%3 ||
			x.Points[0].Best != float64(x.Number) {
			t.Fatalf("after unit %d: %+v, %v", last, x, err)
		}
		last = x.Number
		n++
	}
	if n != 100 {
		t.Errorf("%d traces, want 100", n)
	}
	for range s.Traces(t.Context(), "e") {
		break // the readers end
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	err = nil
	for x, e := range s.Traces(ctx, "e") {
		if x.Number == 1 {
			end()
		}
		err = e
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}
