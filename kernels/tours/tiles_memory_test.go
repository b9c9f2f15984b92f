//go:build cuda

package tours

import (
	"errors"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/solvers"
	"metalab/solvers/tiles"
	"metalab/solvers/tours"
)

// TestTilesMemory holds what an engine asks the device for against what it allocates then; more
// than there is is refused before anything is allocated, and the engine goes on with less.
func TestTilesMemory(t *testing.T) {
	if !onFake(t) {
		return
	}
	for _, scale := range []float64{1, 0.3} {
		sp, err := tours.NewSpace(spread(t, 433, datasets.Euc2D, scale))
		if err != nil {
			t.Fatal(err)
		}
		p := &tiles.Problem{
			Space: sp, Near: sp.Quadrant(8), Env: &solvers.Env{Pool: solvers.NewPool(1)},
		}
		made, err := NewTiles(p)
		if err != nil {
			t.Fatal(err)
		}
		e := made.(*tilesEngine)
		for _, chains := range []int{3, 20_000, 40} {
			first := make([][]int32, chains)
			for a := range first {
				first[a] = sp.Curve()
			}
			err := e.Load(first)
			if chains == 20_000 {
				if !errors.Is(err, gpu.ErrNoRoom) || !strings.Contains(err.Error(), "there is room for") {
					t.Errorf("%v, want that there is too little room, and for how many chains", err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			const slack = 4 << 10 // buffers of a few bytes
			asked, held := e.q.bytes(chains)+e.cutBytes(), e.Dev.Holding().Held
			if held > asked || held < asked-slack {
				t.Errorf("%d chains: %d bytes are held, %d were asked for", chains, held, asked)
			}
			before := e.cutBytes()
			if _, err := e.cut(tiles.NewCut(sp, 1, chains, 50, p.Env.Pool)); err != nil {
				t.Fatal(err)
			}
			if more := e.Dev.Holding().Held - held; more != e.cutBytes()-before {
				t.Errorf("a cut takes %d bytes, and is counted with %d", more, e.cutBytes()-before)
			}
		}
		e.Close()
	}
}
