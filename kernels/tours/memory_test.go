//go:build cuda

package tours

import (
	"errors"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/ils"
	"metalab/solvers/tours"
)

// onFake runs a test on a driver that is none, with an image for it.
func onFake(t *testing.T) bool {
	t.Helper()
	if !emulate.OnFake(t) {
		return false
	}
	image = func(string) ([]byte, error) { return emulate.FakeImage, nil }
	return true
}

// TestMemory holds what an engine asks the device for against what it allocates then; more than
// there is is refused before anything is allocated, and the engine goes on with less.
func TestMemory(t *testing.T) {
	if !onFake(t) {
		return
	}
	for _, metric := range []datasets.Metric{datasets.Euc2D, datasets.Ceil2D, datasets.Man2D} {
		sp, err := tours.NewSpace(spread(t, 433, metric, 1))
		if err != nil {
			t.Fatal(err)
		}
		e := engine(t, &ils.BestProblem{Space: sp, Env: &solvers.Env{Pool: solvers.NewPool(1)}})
		near := sp.Quadrant(10)
		for _, chains := range []int{3, 100_000, 40} {
			before := e.Dev.Holding().Held
			err := e.Use(near, tours.BestThree, chains)
			if chains == 100_000 {
				if !errors.Is(err, gpu.ErrNoRoom) || !strings.Contains(err.Error(), "there is room for") {
					t.Errorf("%v: %v, want that there is too little room, and for how many chains", metric, err)
				}
				if held := e.Dev.Holding().Held; held > before {
					t.Errorf("%v: %d bytes are held after a refusal, %d before", metric, held, before)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			const slack = 4 << 10 // buffers of a few bytes
			asked, held := e.q.bytes(near.K, chains, e.grid), e.Dev.Holding().Held
			if held > asked || held < asked-slack {
				t.Errorf("%v, %d chains: %d bytes are held, %d were asked for", metric, chains, held, asked)
			}
		}
		e.Close()
	}
}
