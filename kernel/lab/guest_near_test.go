package lab

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The nearest are those that sorting all gives, whatever the cities and the metric.
func TestNear(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		wide := rapid.SampledFrom([]float64{0, 1, 10, 1e6}).Draw(t, "width")
		high := rapid.SampledFrom([]float64{0, 1, 10, 1e6}).Draw(t, "height")
		p := &Problem{
			Kind: "tsp", N: n,
			metric: rapid.SampledFrom([]string{"EUC_2D", "CEIL_2D", "ATT"}).Draw(t, "metric"),
		}
		p.X = rapid.SliceOfN(rapid.Float64Range(-wide, wide), n, n).Draw(t, "x")
		p.Y = rapid.SliceOfN(rapid.Float64Range(-high, high), n, n).Draw(t, "y")
		k := rapid.IntRange(0, 12).Draw(t, "k")
		if rapid.Bool().Draw(t, "as a matrix") {
			m := make([]int32, n*n)
			for i := range m {
				m[i] = int32(p.Dist(i/n, i%n))
			}
			p.Matrix = m
		}
		got := p.Near(k)
		for i := range n {
			all := make([]int, 0, n)
			for j := range n {
				if j != i {
					all = append(all, j)
				}
			}
			slices.SortFunc(all, func(a, b int) int {
				return cmp.Or(cmp.Compare(p.Dist(i, a), p.Dist(i, b)), cmp.Compare(a, b))
			})
			if want := all[:min(k, n-1)]; !slices.Equal(got[i], want) {
				t.Fatalf("near %d: %v, want %v", i, got[i], want)
			}
		}
	})
}

func BenchmarkNear(b *testing.B) {
	r := newRand(1, 1)
	p := &Problem{
		Kind: "tsp", N: 85900, metric: "EUC_2D", X: make([]float64, 85900),
		Y: make([]float64, 85900),
	}
	for i := range p.X {
		p.X[i], p.Y[i] = 1e6*r.Float64(), 1e6*r.Float64()
	}
	for b.Loop() {
		p.Near(10)
	}
}
