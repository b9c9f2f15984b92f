package stats_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"metalab/solvers/stats"

	"pgregory.net/rapid"
)

// few draws small values, so that there are ties.
func few(t *rapid.T, name string, least, most int) []float64 {
	v := rapid.SliceOfN(rapid.IntRange(0, 6), least, most).Draw(t, name)
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

func probability(t *rapid.T, p float64) {
	if !(p >= 0 && p <= 1) {
		t.Fatalf("p = %v", p)
	}
}

// grown is a growing function of each value.
func grown(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Exp(x) - 3
	}
	return out
}

// Mann-Whitney's p is that of all ways to choose x from all values; it does not change when samples
// change places or all values grow by one function.
func TestMannWhitneyIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, y := few(t, "x", 1, 5), few(t, "y", 1, 6)
		r, err := stats.MannWhitney(x, y)
		if err != nil {
			t.Fatal(err)
		}
		probability(t, r.P)
		all := slices.Concat(x, y)
		n, m := len(x), len(y)
		middle := float64(n*m) / 2
		seen, far, ways := math.Abs(r.Statistic-middle), 0, 0
		for set := range 1 << (n + m) {
			if bits.OnesCount(uint(set)) != n {
				continue
			}
			u := 0.0
			for i, a := range all {
				for j, b := range all {
					if set>>i&1 == 1 && set>>j&1 == 0 {
						switch {
						case a > b:
							u++
						case a == b:
							u += 0.5
						}
					}
				}
			}
			ways++
			if math.Abs(u-middle) >= seen {
				far++
			}
		}
		if want := float64(far) / float64(ways); math.Abs(r.P-want) > 1e-12 {
			t.Fatalf("p = %v, by counting %v", r.P, want)
		}
		if s, _ := stats.MannWhitney(y, x); s.P != r.P || s.Statistic != float64(n*m)-r.Statistic {
			t.Fatalf("other way round %v, want %v", s, r)
		}
		if s, _ := stats.MannWhitney(grown(x), grown(y)); s != r {
			t.Fatalf("of grown values %v, want %v", s, r)
		}
		if a := stats.A12(x, y); math.Abs(a-r.Statistic/float64(n*m)) > 1e-15 {
			t.Fatalf("A12 = %v of U = %v", a, r.Statistic)
		}
	})
}

func TestWilcoxonIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := few(t, "x", 1, 9)
		y := few(t, "y", len(x), len(x))
		for _, zeros := range []stats.Zeros{stats.DropZeros, stats.Pratt} {
			r, err := stats.Wilcoxon(x, y, zeros)
			if err != nil {
				t.Fatal(err)
			}
			probability(t, r.P)
			if s, _ := stats.Wilcoxon(y, x, zeros); s.P != r.P {
				t.Fatalf("other way round %v, want %v", s, r)
			}
			// All signs of the differences, by the test's own statistic.
			up := make([]float64, 0, len(x))
			for set := range 1 << len(x) {
				a, b := slices.Clone(x), slices.Clone(y)
				for i := range a {
					if set>>i&1 == 1 {
						a[i], b[i] = b[i], a[i]
					}
				}
				s, _ := stats.Wilcoxon(a, b, zeros)
				up = append(up, s.Statistic)
			}
			middle, far := mean(up), 0
			for _, w := range up {
				if math.Abs(w-middle) >= math.Abs(r.Statistic-middle)-1e-9 {
					far++
				}
			}
			if want := float64(far) / float64(len(up)); math.Abs(r.P-want) > 1e-12 {
				t.Fatalf("p = %v, by counting %v", r.P, want)
			}
		}
	})
}

// Exact and approximate p-values of several samples are near each other where both are good, and
// keep the order of the samples.
func TestSeveralSamples(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := few(t, "a", 1, 3), few(t, "b", 1, 4), few(t, "c", 1, 12)
		r, err := stats.KruskalWallis(a, b, c)
		if err != nil {
			t.Fatal(err)
		}
		probability(t, r.P)
		s, _ := stats.KruskalWallis(grown(c), grown(a), grown(b))
		if s.P != r.P || math.Abs(s.Statistic-r.Statistic) > 1e-9 {
			t.Fatalf("in another order %v, want %v", s, r)
		}
		// Of two samples it is Mann-Whitney's test.
		u, _ := stats.MannWhitney(a, b)
		if h, _ := stats.KruskalWallis(a, b); math.Abs(h.P-u.P) > 1e-12 {
			t.Fatalf("of two %v, Mann-Whitney %v", h, u)
		}
	})
}

func TestFriedmanOfBlocks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k, n := rapid.IntRange(2, 6).Draw(t, "k"), rapid.IntRange(2, 3).Draw(t, "n")
		blocks, other := make([][]float64, n), make([][]float64, n)
		for i := range blocks {
			blocks[i] = few(t, "block", k, k)
			other[i] = grown(blocks[i])
			slices.Reverse(other[i])
		}
		r, err := stats.Friedman(blocks)
		if err != nil {
			t.Fatal(err)
		}
		probability(t, r.Chi.P)
		probability(t, r.F.P)
		s, _ := stats.Friedman(other)
		slices.Reverse(s.Ranks)
		if s.Chi.P != r.Chi.P || !slices.Equal(s.Ranks, r.Ranks) {
			t.Fatalf("in another order %v, want %v", s, r)
		}
		for i, row := range stats.Nemenyi(r) {
			for j, p := range row {
				if probability(t, p); i == j && p != 1 {
					t.Fatalf("%d against itself: %v", i, p)
				}
			}
		}
	})
}

func TestAdjustedValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 8).Draw(t, "p")
		holm, hochberg, finner := stats.Holm(p), stats.Hochberg(p), stats.Finner(p)
		for i := range p {
			probability(t, holm[i])
			if !(p[i] <= hochberg[i] && hochberg[i] <= holm[i]) {
				t.Fatalf("p %v, Hochberg %v, Holm %v", p[i], hochberg[i], holm[i])
			}
			if finner[i] < p[i]-1e-12 || finner[i] > holm[i]+1e-12 {
				t.Fatalf("p %v, Finner %v, Holm %v", p[i], finner[i], holm[i])
			}
			for j := range p {
				if p[i] < p[j] && (holm[i] > holm[j] || finner[i] > finner[j]) {
					t.Fatalf("order of %v and %v is lost", p[i], p[j])
				}
			}
		}
	})
}

func TestIntervals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, y := few(t, "x", 2, 9), few(t, "y", 2, 9)
		d, err := stats.CliffsDelta(x, y, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		o, _ := stats.CliffsDelta(y, x, 0.9)
		if math.Abs(d.Value-(2*stats.A12(x, y)-1)) > 1e-12 || math.Abs(d.Value+o.Value) > 1e-12 ||
			math.Abs(d.Low+o.High) > 1e-9 || d.Low < -1 || d.High > 1 {
			t.Fatalf("Cliff's delta %v, other way round %v", d, o)
		}
		s, err := stats.Shift(x, y, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := stats.Shift(y, x, 0.9)
		if s.Low > s.Value || s.Value > s.High || r.Low != -s.High || r.Value != -s.Value {
			t.Fatalf("shift %v, other way round %v", s, r)
		}
	})
}
