package arith_test

import (
	"math"
	"math/big"
	"math/bits"
	"testing"

	"metalab/solvers/arith"

	"pgregory.net/rapid"
)

// The known-answer vectors of Random123's distribution for philox4x32-10.
func TestPhiloxKnownAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key  uint64
		ctr  [4]uint32
		want [4]uint32
	}{
		{0, [4]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{
			math.MaxUint64,
			[4]uint32{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
			[4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
		},
		{
			0x299f31d0a4093822,
			[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
		},
	} {
		if got := arith.Philox4x32(c.key, c.ctr); got != c.want {
			t.Errorf("Philox4x32(%x, %x) = %x, want %x", c.key, c.ctr, got, c.want)
		}
	}
}

func TestStreamIsPhilox(t *testing.T) {
	t.Parallel()
	s := arith.NewStream(7, 1<<33+5, 3, 2)
	for d := range 10 {
		want := arith.Philox4x32(7, [4]uint32{5, 2 ^ 2<<24, 3, uint32(d / 4)})[d%4]
		if got := s.Uint32(); got != want {
			t.Fatalf("draw %d is %x, want %x", d, got, want)
		}
	}
}

func TestExp2Log2(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-1000, 1000).Draw(t, "x")
		if got, want := arith.Exp2(x), math.Exp2(x); math.Abs(got-want) > 5e-16*want {
			t.Fatalf("Exp2(%v) = %v, want %v", x, got, want)
		}
		// math.Log2 itself is off by as much as 3e-16 near 1; relative precision
		// there is looked at below.
		y := rapid.Float64Range(1e-300, 1e300).Draw(t, "y")
		if got, want := arith.Log2(y), math.Log2(y); math.Abs(got-want) > 1e-15*math.Abs(want)+4e-16 {
			t.Fatalf("Log2(%v) = %v, want %v", y, got, want)
		}
		z := 1 + rapid.Float64Range(-1e-3, 1e-3).Draw(t, "z")
		got, want := arith.Log2(z), math.Log1p(z-1)/math.Ln2
		if math.Abs(got-want) > 2e-15*math.Abs(want) {
			t.Fatalf("Log2(%v) = %v, want %v", z, got, want)
		}
	})
}

func TestPow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-6, 1e6).Draw(t, "x")
		y := rapid.Float64Range(-20, 20).Draw(t, "y")
		if got, want := arith.Pow(x, y), math.Pow(x, y); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("Pow(%v, %v) = %v, want %v", x, y, got, want)
		}
	})
	for _, c := range [][3]float64{{0, 0, 1}, {0, 2, 0}, {3, 2, 9}, {7, 1, 7}, {5, 0, 1}} {
		if got := arith.Pow(c[0], c[1]); got != c[2] {
			t.Errorf("Pow(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
	if got := arith.PowInt(3, 13); got != 1594323 {
		t.Errorf("PowInt(3, 13) = %v", got)
	}
}

func TestSpecialValues(t *testing.T) {
	t.Parallel()
	if v := arith.Log2(0); !math.IsInf(v, -1) {
		t.Errorf("Log2(0) = %v", v)
	}
	if v := arith.Log2(-1); v == v {
		t.Errorf("Log2(-1) = %v", v)
	}
	if v := arith.Log2(0x1p-1070); v != -1070 {
		t.Errorf("Log2(2^-1070) = %v", v)
	}
	if v := arith.Exp2(2000); !math.IsInf(v, 1) {
		t.Errorf("Exp2(2000) = %v", v)
	}
	if v := arith.Exp2(-2000); v != 0 {
		t.Errorf("Exp2(-2000) = %v", v)
	}
	for k := -1022; k <= 1023; k++ {
		if v := arith.Exp2(float64(k)); v != math.Ldexp(1, k) {
			t.Fatalf("Exp2(%d) = %v", k, v)
		}
	}
}

func TestHashPerm(t *testing.T) {
	t.Parallel()
	a, b := arith.HashPerm([]int32{0, 1, 2}), arith.HashPerm([]int32{0, 2, 1})
	if a == b {
		t.Error("two permutations have one hash")
	}
	if arith.Chain(arith.Chain(0, a), b) == arith.Chain(arith.Chain(0, b), a) {
		t.Error("Chain does not depend on the order")
	}
}

func TestBelow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, math.MaxUint32).Draw(t, "n")
		u := rapid.Uint32().Draw(t, "u")
		if k := arith.Below(u, n); k < 0 || k >= n {
			t.Fatalf("Below(%d, %d) = %d", u, n, k)
		}
	})
}

func BenchmarkPhilox(b *testing.B) {
	var s uint32
	for i := 0; b.Loop(); i++ {
		s += arith.Philox4x32(42, [4]uint32{uint32(i), 0, 0, 0})[0]
	}
	_ = s
}

func TestExpo32(t *testing.T) {
	t.Parallel()
	check := func(t interface{ Fatalf(string, ...any) }, u uint32) {
		u |= 1
		x := (float64(u) + 0.5/math.Exp2(float64(bits.LeadingZeros32(u)))) / (1 << 32)
		want := -math.Log1p(x-1) / math.Ln2
		if got := float64(arith.Expo32(u)); math.Abs(got-want) > 3e-6*want {
			t.Fatalf("Expo32(%#x) = %v, want %v", u, got, want)
		}
	}
	for _, u := range []uint32{
		0, 1, 2, 0xAAAAAAA9, 0xAAAAAAAB, 0x55555555, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFF00,
	} {
		check(t, u)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.Uint32().Draw(t, "u")) })
}

func TestClock32(t *testing.T) {
	t.Parallel()
	check := func(t interface{ Fatalf(string, ...any) }, u uint32) {
		y := float64(u*arith.ClockFactor) / (1 << 32)
		want := -256 * (math.Log1p(-y/2)/math.Ln2 - float64(bits.LeadingZeros32(u)))
		if u == 0 {
			want = 158 * 256
		}
		if got := float64(arith.Clock32(u)); math.Abs(got-want) > 3.3e-4*want {
			t.Fatalf("Clock32(%#x) = %v, want %v", u, got, want)
		}
	}
	for i := range uint32(1000) {
		for _, u := range []uint32{i, -i, i << 22, i * 0x9E3779B9, -i * 0x9E3779B9} {
			check(t, u)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.Uint32().Draw(t, "u")) })
}

// TestClockPartsAreIndependent: of the words with the least fractions, however few, a half have the
// whole number 0, a quarter 1 and so on.
func TestClockPartsAreIndependent(t *testing.T) {
	t.Parallel()
	inverse := uint32(1)
	for range 5 {
		inverse *= 2 - arith.ClockFactor*inverse // Newton
	}
	if inverse*arith.ClockFactor != 1 {
		t.Fatalf("%#x is not the inverse", inverse)
	}
	var count [33]int
	for m := 1; m < 1<<21; m++ {
		count[bits.LeadingZeros32(uint32(m)*inverse)]++
		for k, c := range count[:20] {
			if want := float64(m) / float64(uint64(2)<<k); math.Abs(float64(c)-want) > 4 {
				t.Fatalf("of the %d least fractions %d have the whole number %d, want %.1f", m, c, k, want)
			}
		}
	}
}

// TestRaceIsFair draws from weights that differ by orders of magnitude and compares the
// counts with the probabilities (chi-square, 7 degrees of freedom: 24.3 at 0.1 %).
func TestRaceIsFair(t *testing.T) {
	t.Parallel()
	w := []float32{1, 2, 3, 1000, 0.5, 10, 100, 7}
	sum := 0.0
	for _, x := range w {
		sum += float64(x)
	}
	const n = 400_000
	for i, clock := range []func(uint32) float32{arith.Expo32, arith.Clock32} {
		count := make([]int, len(w))
		for k := range uint32(n) {
			best := uint32(math.MaxUint32)
			for l := range w {
				u := arith.Philox4x32(5, [4]uint32{k, uint32(l), uint32(i), 0})[0]
				best = min(best, arith.RaceKey(clock(u), 1/w[l], uint32(l)))
			}
			count[best&31]++
		}
		chi := 0.0
		for l, x := range w {
			e := n * float64(x) / sum
			chi += (float64(count[l]) - e) * (float64(count[l]) - e) / e
		}
		if chi > 24.3 {
			t.Errorf("clock %d: chi-square %v at 7 degrees of freedom: counts %v", i, chi, count)
		}
	}
}

func TestFMA32RoundsOnce(t *testing.T) {
	t.Parallel()
	// The product is halfway between two floats, and the addend decides.
	x := float32(1 + 0x1p-12)
	if got, want := arith.FMA32(x, x, 0x1p-60), float32(1+0x1p-11+0x1p-23); got != want {
		t.Errorf("got %x, want %x", got, want)
	}
	if got, want := arith.FMA32(x, x, -0x1p-60), float32(1+0x1p-11); got != want {
		t.Errorf("got %x, want %x", got, want)
	}
	// Any floats, small ones and halves included, against numbers of 2000 bits.
	r := arith.NewStream(1, 0, 0, 0)
	draw := func(exponents int) float32 {
		m := float64(int(r.Uint32()>>8)<<1 - 1<<24)
		if r.IntN(2) == 0 {
			m = float64(r.IntN(64) - 32)
		}
		return float32(math.Ldexp(m, r.IntN(exponents)-exponents/2-24))
	}
	for i := range 20000 {
		exponents := []int{4, 30, 140}[i%3]
		x, y, z := draw(exponents), draw(exponents), draw(exponents)
		if i%6 > 2 {
			z = draw(290) // small ones as well
		}
		exact := new(big.Float).SetPrec(2000).SetFloat64(float64(x) * float64(y))
		want, _ := exact.Add(exact, big.NewFloat(float64(z))).Float32()
		if got := arith.FMA32(x, y, z); got != want {
			t.Fatalf("%x * %x + %x is %x, want %x", x, y, z, got, want)
		}
	}
}
