package tours_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// ended is a context that has ended, and counts how often it was asked.
type ended struct {
	context.Context
	asked int
}

func (e *ended) Err() error {
	e.asked++
	return context.Canceled
}

// randomTour is a tour of many cities on which much is to gain.
func randomTour(t *testing.T, n int) (*tours.Space, []int32) {
	t.Helper()
	r := arith.NewStream(1, 0, 0, 0)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float64(r.IntN(100000)), float64(r.IntN(100000))
	}
	inst, err := datasets.NewTSP("random", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(inst)
	if err != nil {
		t.Fatal(err)
	}
	return sp, sp.Random(&r)
}

// A search whose context has ended makes no more than a thousand starts.
func TestSearchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	sp, tour := randomTour(t, 5000)
	for _, op := range []tours.Operator{tours.TwoOpt, tours.ThreeOpt, tours.OrOpt} {
		s, err := tours.NewSearch(sp, sp.Nearest(8), tours.DefaultSettings())
		if err != nil {
			t.Fatal(err)
		}
		ctx := &ended{}
		s.Watch(ctx)
		s.Load(tour)
		s.PushAll()
		if s.Run(op); ctx.asked != 1 || s.Pending() < sp.N-1024 {
			t.Errorf(
				"%v: asked %d times, %d of %d cities wait; want one look and most of them", op, ctx.asked,
				s.Pending(), sp.N,
			)
		}
		s.Watch(t.Context())
		s.Load(tour)
		if s.PushAll(); s.Run(op) <= 0 || s.Pending() > 0 {
			t.Errorf("%v: the next search gains nothing", op)
		}
	}
}

// One city is far from all others, which lie in one place: chains that begin at it stay open
// with a great gain and never close with one, and where they are as deep and as wide as they
// may be, they are as good as endless.
func TestWideChainsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	const n = 40
	m := make([]int32, n*n)
	for i := 1; i < n; i++ {
		m[i], m[i*n] = math.MaxInt32, math.MaxInt32
	}
	inst, err := datasets.NewMatrixTSP("one far off", n, m, false)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(inst)
	if err != nil {
		t.Fatal(err)
	}
	wide := tours.Settings{Depth: tours.MaxDepth, Breadth: []int{tours.MaxBreadth}, Far: 3}
	s, err := tours.NewSearch(sp, sp.Nearest(n), wide)
	if err != nil {
		t.Fatal(err)
	}
	ctx := &ended{}
	s.Watch(ctx)
	if s.Load(seq(n)); ctx.asked != 0 {
		t.Fatal("asked too soon")
	}
	if s.PushAll(); s.Run(tours.OrOpt) != 0 || ctx.asked != 1 {
		t.Errorf("asked %d times, want once", ctx.asked)
	}
}

func TestBestEndsWithItsContext(t *testing.T) {
	t.Parallel()
	sp, tour := randomTour(t, 3000)
	for _, op := range []tours.BestOperator{tours.BestTwo, tours.BestThree, tours.BestOrdered} {
		b := tours.NewBest(sp, sp.Nearest(8), op)
		b.Load(tour)
		ctx := &ended{}
		if _, _, err := b.Run(ctx); !errors.Is(err, context.Canceled) || ctx.asked > 2 {
			t.Errorf("error %v after %d looks; want that it was cancelled, at the first", err, ctx.asked)
		}
	}
}
