package moves

import (
	"testing"

	"metalab/solvers/wave"
)

// TestSpread asks for launches of so many neighbours at once, whose coordinates have a thread each.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		name              string
		neighbours, block int
		threads           int64
	}{
		{"weierstrass-10", 10000, 256, 400 * 256}, // 25 neighbours a block
		{"weierstrass-1", 10000, 256, 40 * 256},
		{"weierstrass-100", 7, 64, 7 * 64},
	} {
		p, err := newBall(load(t, c.name))
		if err != nil {
			t.Fatal(err)
		}
		got := p.(*ball).spread(wave.Config{Threads: int64(c.neighbours), Block: c.block})
		if got.Threads != c.threads || got.Block != c.block {
			t.Errorf("%s: %+v, want %d threads", c.name, got, c.threads)
		}
	}
}
