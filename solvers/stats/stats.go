package stats

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/aclements/go-moremath/stats"
	"gonum.org/v1/gonum/mathext"
)

// MannWhitney returns the two-sided p-value of the Mann-Whitney U test for two
// independent samples (H. B. Mann, D. R. Whitney: On a test of whether one of two random
// variables is stochastically larger than the other, Ann. Math. Statist. 18, 1947,
// doi:10.1214/aoms/1177730491): exact for small samples, by the normal approximation
// with the correction for ties beyond. Samples of equal values have p = 1. An empty
// sample is an error.
func MannWhitney(x, y []float64) (p float64, err error) {
	if len(x) == 0 || len(y) == 0 {
		return 0, fmt.Errorf(
			"stats: mann-whitney of %d and %d values, want at least 1 of each", len(x), len(y),
		)
	}
	if first := x[0]; !slices.ContainsFunc(x, func(v float64) bool { return v != first }) &&
		!slices.ContainsFunc(y, func(v float64) bool { return v != first }) {
		return 1, nil
	}
	r, err := stats.MannWhitneyUTest(x, y, stats.LocationDiffers)
	if err != nil {
		return 0, fmt.Errorf("stats: mann-whitney: %w", err)
	}
	return min(r.P, 1), nil // sums of many terms may come out a rounding above
}

// A12 returns the effect size of A. Vargha and H. D. Delaney (A critique and
// improvement of the CL common language effect size statistics, J. Educ. Behav. Stat. 25,
// 2000, doi:10.3102/10769986025002101): the probability that a value of x is larger than
// one of y, ties counting half. 0.5 means no difference; about 0.56, 0.64 and 0.71 (or 1
// less those) are called small, medium and large. NaN when a sample is empty.
func A12(x, y []float64) float64 {
	more := 0.0
	for _, a := range x {
		for _, b := range y {
			switch {
			case a > b:
				more++
			case a == b:
				more += 0.5
			}
		}
	}
	return more / float64(len(x)*len(y))
}

// ranks returns the ranks of v from 1 on, ties sharing the mean of theirs, and the sum
// over ties of t^3 - t.
func ranks(v []float64) (r []float64, ties float64) {
	at := make([]int, len(v))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	r = make([]float64, len(v))
	for i := 0; i < len(at); {
		j := i
		for j < len(at) && v[at[j]] == v[at[i]] {
			j++
		}
		for k := i; k < j; k++ {
			r[at[k]] = float64(i+j+1) / 2
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	return r, ties
}

// Friedman returns the p-value of the Friedman test (M. Friedman: The use of ranks to avoid
// the assumption of normality implicit in the analysis of variance, J. Amer. Statist.
// Assoc. 32, 1937, doi:10.1080/01621459.1937.10503522) and the mean ranks of the
// treatments: blocks[i][j] is the value of treatment j in block i, as the gap of solver j
// on instance i. The distribution is approximated by chi-square with k - 1 degrees of
// freedom, with the correction for ties.
func Friedman(blocks [][]float64) (p float64, mean []float64, err error) {
	n := len(blocks)
	if n < 2 || len(blocks[0]) < 2 {
		return 0, nil, fmt.Errorf("stats: friedman needs 2 blocks of 2 treatments or more")
	}
	k := len(blocks[0])
	mean = make([]float64, k)
	ties := 0.0
	for i, b := range blocks {
		if len(b) != k {
			return 0, nil, fmt.Errorf("stats: friedman: block %d has %d treatments, want %d", i, len(b), k)
		}
		r, t := ranks(b)
		ties += t
		for j := range r {
			mean[j] += r[j] / float64(n)
		}
	}
	ss := 0.0
	for _, m := range mean {
		d := m - float64(k+1)/2
		ss += d * d
	}
	nn, kk := float64(n), float64(k)
	q := 12 * nn / (kk * (kk + 1)) * ss
	c := 1 - ties/(nn*(kk*kk*kk-kk))
	if c <= 0 {
		return 1, mean, nil // every block is one tie
	}
	return mathext.GammaIncRegComp((kk-1)/2, q/c/2), mean, nil
}

// Holm returns p-values adjusted for several tests by the step-down method of S. Holm (A
// simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979), in
// the order of p.
func Holm(p []float64) []float64 {
	at := make([]int, len(p))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	last := 0.0
	for k, i := range at {
		last = max(last, min(1, p[i]*float64(len(p)-k)))
		out[i] = last
	}
	return out
}
