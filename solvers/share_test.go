package solvers_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

// sharing is a toy on a device that has one place.
type sharing struct {
	*toy.Search
	device *place
}

type place struct {
	free  chan struct{}
	waits chan struct{} // gets an item when somebody begins to wait, if it is empty
	inUse atomic.Int32
	both  atomic.Bool
}

func newPlace() *place {
	p := &place{free: make(chan struct{}, 1), waits: make(chan struct{}, 1)}
	p.free <- struct{}{}
	return p
}

func (s *sharing) Turn(ctx context.Context) (func(), bool, error) {
	select {
	case <-s.device.free:
		return func() { s.device.free <- struct{}{} }, false, nil
	default:
	}
	select {
	case s.device.waits <- struct{}{}:
	default:
	}
	select {
	case <-s.device.free:
		return func() { s.device.free <- struct{}{} }, true, nil
	case <-ctx.Done():
		return nil, true, ctx.Err()
	}
}

func (s *sharing) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if s.device.inUse.Add(1) > 1 {
		s.device.both.Store(true)
	}
	defer s.device.inUse.Add(-1)
	return s.Search.Iterate(ctx, it, p)
}

var shared = newPlace()

func init() {
	solvers.Register(solvers.Variant{
		Solver: "shared", Name: "one", Backend: "cpu", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true,
		Title: "exchanges on a device with one place",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			return &sharing{toy.New(inst.(*datasets.TSP)), shared}, nil
		},
	})
}

// Runs that share a device are never in an iteration at the same time, and what they compute is
// what one alone does; who gives up waiting has made no iteration, and the wait is in no clock.
func TestRunsTakeTurns(t *testing.T) {
	var runs [3]*solvers.Run
	for i := range runs {
		solver := "shared"
		if i == 2 {
			solver = "toy"
		}
		r, err := solvers.Open(solvers.Config{Solver: solver, Instance: grid(t, 20), Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		runs[i] = r
	}
	done := make(chan error, 3)
	for _, r := range runs {
		go func() { done <- r.Step(t.Context(), 300) }()
	}
	for range runs {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if shared.both.Load() {
		t.Error("two iterations at a time")
	}
	for _, r := range runs[:2] {
		if a, b := r.Last(), runs[2].Last(); a.Digest != b.Digest || a.Iter != 300 {
			t.Errorf("%x at %d, alone %x", a.Digest, a.Iter, b.Digest)
		}
	}
	<-shared.free
	clear := func() {
		select {
		case <-shared.waits:
		default:
		}
	}
	clear()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { done <- runs[0].Step(ctx, 1) }()
	<-shared.waits
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) || runs[0].Last().Iter != 300 {
		t.Errorf("%v at iteration %d", err, runs[0].Last().Iter)
	}
	clear()
	// What is between the beginning of the step and the turn is waiting, and is in no clock.
	wall := runs[0].Last().Wall
	done = make(chan error, 1)
	go func() { done <- runs[0].Step(t.Context(), 1) }()
	<-shared.waits
	time.Sleep(20 * time.Millisecond) // to have something that could be counted
	given := time.Now()
	shared.free <- struct{}{}
	if err := <-done; err != nil || runs[0].Last().Iter != 301 {
		t.Fatalf("%v at iteration %d, want 301", err, runs[0].Last().Iter)
	}
	took := time.Since(given).Seconds()
	if spent := runs[0].Last().Wall - wall; spent > took {
		t.Errorf("%v s of iterating are counted, %v s after the turn", spent, took)
	}
}
