package solvers_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"metalab/solvers"
	"metalab/solvers/internal/worth"
)

// Helpers are woken for loops that pay, as many as pay, and each index is called once.
func TestHelpersAreWokenForWorkThatPays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		size, n int
		steps   int64
		woken   int64
	}{
		{8, 100, 0, 0},
		{8, 100, 2*worth.Default - 1, 0},
		{8, 100, 2 * worth.Default, 1},
		{8, 100, 5 * worth.Default, 4},
		{8, 100, 100 * worth.Default, 7},
		{8, 3, 100 * worth.Default, 2},
		{8, 1, 100 * worth.Default, 0},
		{1, 100, 100 * worth.Default, 0},
		{8, 0, 100 * worth.Default, 0},
	} {
		p := solvers.NewPool(c.size)
		p.Worth = worth.Default
		for loop := range 3 {
			calls, busy := make([]atomic.Int32, c.n), make([]sync.Mutex, c.size)
			p.RunOf(c.n, c.steps, func(i, worker int) {
				if !busy[worker].TryLock() {
					t.Errorf("two calls of worker %d", worker)
					return
				}
				defer busy[worker].Unlock()
				calls[i].Add(1)
			})
			for i := range calls {
				if n := calls[i].Load(); n != 1 {
					t.Errorf("%+v: index %d is called %d times", c, i, n)
				}
			}
			if n := p.Woken(); n != int64(loop+1)*c.woken {
				t.Errorf("%+v: %d helpers were woken by %d loops", c, n, loop+1)
			}
		}
		p.Close()
	}
}

// A loop that panics ends for all workers, its caller panics, and the pool goes on.
func TestPoolPanics(t *testing.T) {
	t.Parallel()
	p := solvers.NewPool(4)
	defer p.Close()
	for range 50 {
		func() {
			defer func() {
				if x, ok := recover().(string); !ok || !strings.HasPrefix(x, "of the body") {
					t.Errorf("recovered %v", x)
				}
			}()
			p.Run(64, func(i, _ int) {
				if i%7 == 3 {
					panic("of the body")
				}
			})
			t.Error("it did not panic")
		}()
		var calls atomic.Int32
		p.Run(64, func(int, int) { calls.Add(1) })
		if n := calls.Load(); n != 64 {
			t.Errorf("%d calls after a panic", n)
		}
	}
}
