package crew

import (
	"math"
	"testing"
)

// TestShares holds shares to what their comment promises.
func TestShares(t *testing.T) {
	t.Parallel()
	for _, least := range []int64{1, 2, 3, 426, 15780, 1 << 31, 1<<47 - 1} {
		if s := Shares(least, least); s != 1<<shareBits {
			t.Errorf("the shortest tour, of length %d, deposits %d shares, want 2^%d", least, s, shareBits)
		}
		for _, times := range []float64{1, 1.0001, 1.3, 2, 17.7, 3000, 1 << 16} {
			length := int64(float64(least) * times)
			got := float64(Shares(length, least)) * ShareUnit(least) * float64(length)
			if most := 0x1p-31 + 0x1p-50; math.Abs(got-1) > most {
				t.Errorf("a tour of length %d, the shortest being %d, deposits %v / length: off by more than "+
					"%v", length, least, got, most)
			}
		}
	}
	if s := Shares(0, 1); s != 1<<shareBits {
		t.Errorf("a tour of length 0 deposits %d shares, want 2^%d", s, shareBits)
	}
	if s := Shares(math.MaxInt64, 1); s != 1 {
		t.Errorf("the longest tour deposits %d shares, want 1", s)
	}
	// 65536 ants that go both ways over one edge.
	if sum := 2 * uint64(1<<16); sum*(1<<shareBits)/sum != 1<<shareBits {
		t.Error("a slot overflows")
	}
}

func TestOctaves(t *testing.T) {
	t.Parallel()
	for i := range 100000 {
		x := float32(math.Ldexp(1+float64(i)/100000, i%199-100))
		if got, want := float64(Octaves(x)),
			math.Log2(float64(x)); math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
			t.Fatalf("Octaves(%v) is %v, want %v", x, got, want)
		}
	}
}
