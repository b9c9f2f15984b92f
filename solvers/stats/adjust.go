package stats

import (
	"cmp"
	"math"
	"slices"
)

// byP are the indices of p from the smallest value to the largest.
func byP(p []float64) []int {
	at := make([]int, len(p))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return at
}

// stepDown adjusts p from the smallest to the largest: each becomes at least the one before it.
func stepDown(p []float64, adjust func(p float64, before int) float64) []float64 {
	out := make([]float64, len(p))
	last := 0.0
	for k, i := range byP(p) {
		last = max(last, min(1, adjust(p[i], k)))
		out[i] = last
	}
	return out
}

// Holm returns p-values adjusted for several tests by the step-down method of S. Holm (A simple
// sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979), in the order of p.
// It holds however the tests depend on each other.
func Holm(p []float64) []float64 {
	m := len(p)
	return stepDown(p, func(p float64, k int) float64 { return p * float64(m-k) })
}

// Hochberg returns p-values adjusted by the step-up method of Y. Hochberg (A sharper Bonferroni
// procedure for multiple tests of significance, Biometrika 75, 1988, doi:10.1093/biomet/75.4.800),
// in the order of p. They are at most those of [Holm]; the tests must be independent or positively
// dependent.
func Hochberg(p []float64) []float64 {
	out := make([]float64, len(p))
	last := 1.0
	at := byP(p)
	for k := len(at) - 1; k >= 0; k-- {
		last = min(last, p[at[k]]*float64(len(p)-k))
		out[at[k]] = last
	}
	return out
}

// Finner returns p-values adjusted by the step-down method of H. Finner (On a monotonicity problem
// in step-down multiple test procedures, J. Amer. Statist. Assoc. 88, 1993,
// doi:10.1080/01621459.1993.10476358), in the order of p: 1 - (1 - p)^(m/i) for the i-th smallest
// of m. The tests must be independent or positively dependent.
func Finner(p []float64) []float64 {
	m := float64(len(p))
	return stepDown(p, func(p float64, k int) float64 {
		if p >= 1 {
			return 1
		}
		return -math.Expm1(m / float64(k+1) * math.Log1p(-p))
	})
}
