package datasets

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// The sine of any phase against that of package math, where the phase is small enough to be
// a float64 in full.
func TestSinesOfPhases(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.Uint64().Draw(t, "phase")
		x, _ := new(big.Float).Quo(new(big.Float).SetUint64(u), big.NewFloat(0x1p64)).Float64()
		want := math.Sin(2 * math.Pi * x)
		if got := sine(u); math.Abs(got-want) > 1.5e-15 {
			t.Fatalf("the sine of %v turns is %v, want %v", x, got, want)
		}
		if got := sine32(u); math.Abs(float64(got)-want) > 3e-7 {
			t.Fatalf("in single precision the sine of %v turns is %v, want %v", x, got, want)
		}
		if f := fold(u); f < -1<<62 || f > 1<<62 {
			t.Fatalf("folded to %d", f)
		}
	})
	for u, want := range map[uint64]float64{0: 0, 1 << 62: 1, 3 << 62: -1} {
		if got := sine(u); math.Abs(got-want) > 1e-15 {
			t.Errorf("the sine of %d is %v, want %v", u, got, want)
		}
	}
}

// A phase moved by its window is the phase that multiplication gives.
func TestWindowsAreMultiples(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0, 1).Draw(t, "x")
		shift := rapid.UintRange(1, 10).Draw(t, "shift")
		p, q := newTurns(x), newTurns(x)
		for at := shift; at <= 200; at += shift {
			if got, want := p.window(at), q.times(1 << shift)[0]; got != want {
				t.Fatalf("window %d of %v is %#x, want %#x", at, x, got, want)
			}
		}
	})
}

// BenchmarkSine is the floor of every evaluation: sines of phases that lie ready, weighted
// and added up, a term at a time.
func BenchmarkSine(b *testing.B) {
	phases := make([]uint64, 100)
	weights := make([]float64, 100)
	for i := range phases {
		phases[i], weights[i] = uint64(i)*0x9e3779b97f4a7c15, 1
	}
	var sink float64
	for b.Loop() {
		var sum float64
		for i, u := range phases {
			sum += float64(weights[i] * sine(u))
		}
		sink += sum
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/100, "ns/term")
	if sink == 0 {
		b.Fatal(sink)
	}
}
