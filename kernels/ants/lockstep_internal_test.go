package ants

import "testing"

// TestCounters asks that each warp that counts has words to read: one without any would tell of
// synchronization points that nobody has come to.
func TestCounters(t *testing.T) {
	for all := 1; all <= 1<<15; all++ {
		for _, ants := range []int{1, 7, 16, 31} {
			n := counters(all, ants)
			if words := (all + 3) / 4; n < 1 || ants+n > 32 || (n-1)*warpThreads >= words {
				t.Fatalf("%d ants, %d of a block: %d warps count %d words of four", all, ants, n, words)
			}
		}
	}
}
