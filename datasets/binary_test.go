package datasets_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metalab/datasets"
)

// naivePPP is the energy as it is written down.
func naivePPP(p *datasets.PPP, v []int8) int64 {
	var energy int64
	hist := make([]int32, p.N+1)
	for j := range p.M {
		y := 0
		for k := range p.N {
			y += int(p.A[j*p.N+k]) * int(v[k])
		}
		if y < 0 {
			energy += 30 * int64(-y-y)
		} else if y > 0 {
			hist[y]++
		}
	}
	for i := 1; i <= p.N; i++ {
		energy += int64(max(p.H[i]-hist[i], hist[i]-p.H[i]))
	}
	return energy
}

func TestPPPSecretSolves(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1, 1}, {73, 73}, {81, 81}, {101, 117}, {401, 417}} {
		p, secret, err := datasets.NewPPP(size[0], size[1], 5)
		if err != nil {
			t.Fatal(err)
		}
		if f, err := p.Cost(secret); err != nil || f != 0 {
			t.Errorf("%s: the secret has energy %d (%v), want 0", p.Name(), f, err)
		}
		total := int32(0)
		for i, h := range p.H {
			if h > 0 && i%2 == 0 {
				t.Errorf("%s: the even product %d is there", p.Name(), i)
			}
			total += h
		}
		if int(total) != p.M {
			t.Errorf("%s: %d products, want %d", p.Name(), total, p.M)
		}
	}
}

func TestPPPCost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := 2*rapid.IntRange(1, 12).Draw(t, "half") + 1
		m := rapid.IntRange(1, 25).Draw(t, "m")
		p, _, err := datasets.NewPPP(m, n, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		v := rapid.SliceOfN(rapid.SampledFrom([]int8{-1, 1}), n, n).Draw(t, "v")
		if got, err := p.Cost(v); err != nil || got != naivePPP(p, v) {
			t.Fatalf("energy %d, want %d (%v)", got, naivePPP(p, v), err)
		}
	})
}

func TestPPPRefuses(t *testing.T) {
	t.Parallel()
	p, _, err := datasets.NewPPP(3, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range [][]int8{nil, {1, 1}, {1, 0, 1}} {
		if _, err := p.Cost(v); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("Cost(%v): %v", v, err)
		}
	}
}

func TestWeierstrassAgreesWithMath(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SampledFrom([]int{2, 3, 10}).Draw(t, "b")
		h := rapid.Float64Range(0.05, 0.95).Draw(t, "h")
		// While b^i x fits in a float64 package math has the exact argument too.
		terms := map[int]int{2: 100, 3: 20, 10: 8}[b]
		x := rapid.Float64Range(-1, 1).Draw(t, "x")
		if b != 2 {
			x = math.Round(x*(1<<20)) / (1 << 20)
		}
		w, err := datasets.NewWeierstrass(1, b, h, terms)
		if err != nil {
			t.Fatal(err)
		}
		want, power := 0.0, 1.0
		for i := 1; i <= terms; i++ {
			power *= float64(b)
			weight := math.Pow(float64(b), -float64(i)*h)
			if math.Abs(w.Weight(i)-weight) > 1e-13*weight {
				t.Fatalf("weight %d is %v, want %v", i, w.Weight(i), weight)
			}
			want += weight * math.Sin(power*x)
		}
		if got := w.At(x); math.Abs(got-want) > 1e-12*float64(terms) {
			t.Fatalf("W(%v) = %v, want %v", x, got, want)
		}
		if w.At(-x) != -w.At(x) {
			t.Fatalf("W(%v) = %v is not the negative of W(%v) = %v", -x, w.At(-x), x, w.At(x))
		}
	})
}

func TestWeierstrassDelta(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, err := datasets.NewWeierstrass(5, 2, 0.25, 100)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "the largest") {
			if w, err = w.Combined("max"); err != nil {
				t.Fatal(err)
			}
		}
		in := rapid.Float64Range(-1, 1)
		x := rapid.SliceOfN(in, 5, 5).Draw(t, "x")
		k, y := rapid.IntRange(0, 4).Draw(t, "k"), in.Draw(t, "y")
		before, err := w.Cost(x)
		if err != nil {
			t.Fatal(err)
		}
		if single := w.Value32(x); w.Value(x) != before || math.Abs(float64(single)-before) > 1e-4 {
			t.Fatalf("value %v, in single precision %v, cost %v", w.Value(x), single, before)
		}
		if w.Max && !slices.ContainsFunc(x, func(v float64) bool { return w.At(v) == before }) {
			t.Fatalf("the largest is %v, which is none of the coordinates' values", before)
		}
		delta := w.Delta(x, k, y)
		x[k] = y
		if after, err := w.Cost(x); err != nil || math.Abs(before+delta-after) > 1e-12 {
			t.Fatalf("delta %v, want %v (%v)", delta, after-before, err)
		}
	})
}

func TestWeierstrassRefuses(t *testing.T) {
	t.Parallel()
	for _, p := range []struct {
		n, b  int
		h     float64
		terms int
	}{
		{0, 2, .5, 9},
		{1, 1, .5, 9},
		{1, 2, 0, 9},
		{1, 2, 1, 9},
		{1, 2, math.NaN(), 9},
		{1, 2, .5, 0},
		{1, 2, .5, 201},
		{1, 1024, .5, 21},
	} {
		if _, err := datasets.NewWeierstrass(p.n, p.b, p.h, p.terms); err == nil {
			t.Errorf("NewWeierstrass(%v) is taken", p)
		}
	}
	w, err := datasets.NewWeierstrass(2, 2, 0.25, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range [][]float64{{0}, {0, 1.1}, {math.NaN(), 0}} {
		if _, err := w.Cost(x); err == nil {
			t.Errorf("Cost(%v) is taken", x)
		}
	}
	if _, err := w.Combined("mean"); err == nil {
		t.Error("combined by mean")
	}
	if !math.IsNaN(w.Value([]float64{0, 2})) {
		t.Error("a value outside of the box")
	}
	if !math.IsNaN(w.At(1.5)) || w.At(0) != 0 {
		t.Errorf("W(1.5) = %v, W(0) = %v", w.At(1.5), w.At(0))
	}
}

func BenchmarkWeierstrassAt(b *testing.B) {
	w, err := datasets.NewWeierstrass(1, 2, 0.25, 100)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		w.At(0.3)
	}
}
