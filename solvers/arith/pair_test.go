package arith_test

import (
	"testing"

	"metalab/solvers/arith"

	"pgregory.net/rapid"
)

func TestPhiloxPair(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Uint64().Draw(t, "key")
		var c [4]uint32
		for i := range c {
			c[i] = rapid.Uint32().Draw(t, "counter")
		}
		a0, a1, a2, a3, b0, b1, b2, b3 := arith.PhiloxPair(key, c[0], c[1], c[2], c[3])
		first := arith.Philox4x32(key, c)
		c[3]++
		second := arith.Philox4x32(key, c)
		if got := [4]uint32{a0, a1, a2, a3}; got != first {
			t.Fatalf("first block is %x, want %x", got, first)
		}
		if got := [4]uint32{b0, b1, b2, b3}; got != second {
			t.Fatalf("second block is %x, want %x", got, second)
		}
	})
}
