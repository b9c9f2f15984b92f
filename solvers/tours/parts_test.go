package tours_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"

	"metalab/datasets"
	"metalab/solvers/tours"
)

// backwards calls the body of each index on a goroutine of its own, the last first.
func backwards(n int, body func(i, worker int)) {
	var all sync.WaitGroup
	for i := n - 1; i >= 0; i-- {
		all.Go(func() { body(i, i) })
	}
	all.Wait()
}

func inTurn(n int, body func(i, worker int)) {
	for i := range n {
		body(i, 0)
	}
}

// TestParts makes starts and descents in 4 and in 16 parts, in two orders of work, and compares
// with a search of the whole. With a list of one neighbour, parts have cities without any.
func TestParts(t *testing.T) {
	for _, trial := range []struct {
		clustered   bool
		n, k, parts int
		longer      float64 // than the whole, at most
	}{{true, 32768, 8, 4, 1.03}, {false, 65537, 1, 16, 1.10}} {
		inst, err := datasets.DIMACS(trial.clustered, trial.n, 3)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := tours.NewSpace(inst)
		if err != nil {
			t.Fatal(err)
		}
		if got := sp.Parts(); got != trial.parts {
			t.Fatalf("%d cities are in %d parts, want %d", trial.n, got, trial.parts)
		}
		near := sp.Quadrant(trial.k)
		whole := sp.Greedy(near)
		tour := sp.GreedyParts(near, inTurn)
		if other := sp.GreedyParts(near, backwards); !slices.Equal(tour, other) {
			t.Error("the start depends on the order of work")
		}
		if err := datasets.CheckPermutation(tour, sp.N); err != nil {
			t.Fatal(err)
		}
		if a, b := float64(sp.Length(tour)), float64(sp.Length(whole)); a > 1.1*b {
			t.Errorf("the start has length %g, greedy %g", a, b)
		}
		set := tours.DefaultSettings()
		descend := func(run tours.Runner) []int32 {
			out := slices.Clone(tour)
			if err := sp.Descend(t.Context(), near, out, tours.TwoOpt, set, run); err != nil {
				t.Fatal(err)
			}
			return out
		}
		got := descend(inTurn)
		if !slices.Equal(got, descend(backwards)) {
			t.Error("the descent depends on the order of work")
		}
		if err := datasets.CheckPermutation(got, sp.N); err != nil {
			t.Fatal(err)
		}
		s, err := tours.NewSearch(sp, near, set)
		if err != nil {
			t.Fatal(err)
		}
		s.Load(whole)
		s.PushAll()
		s.Run(tours.TwoOpt)
		s.Store(whole)
		if a, b := float64(sp.Length(got)), float64(sp.Length(whole)); a > trial.longer*b {
			t.Errorf("%d cities: the descent comes to %g, that of the whole to %g", trial.n, a, b)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := sp.Descend(ctx, near, tour, tours.OrOpt, set, inTurn); !errors.Is(err, ctx.Err()) {
			t.Errorf("a descent that was cancelled: %v", err)
		}
	}
}

// TestPrepareOnCores makes the numbering and the lists on one core and on five.
func TestPrepareOnCores(t *testing.T) {
	inst, err := datasets.DIMACS(true, 1<<15+3, 5)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var lists [2]tours.Neighbours
	var spaces [2]*tours.Space
	for i, cores := range []int{1, 5} {
		runtime.GOMAXPROCS(cores)
		if spaces[i], err = tours.NewSpace(inst); err != nil {
			t.Fatal(err)
		}
		lists[i] = spaces[i].Quadrant(8)
	}
	if !slices.Equal(spaces[0].Orig, spaces[1].Orig) || !slices.Equal(lists[0].ID, lists[1].ID) ||
		!slices.Equal(lists[0].Dist, lists[1].Dist) {
		t.Error("numbers or lists depend on the number of cores")
	}
}
