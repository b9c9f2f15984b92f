package stats

import (
	"fmt"
	"math"
)

// exactEach is the greatest size of each sample for which the p-value of [MannWhitney] is exact.
const exactEach = 50

// MannWhitney is the two-sided Mann-Whitney U test for two independent samples (H. B. Mann, D. R.
// Whitney: On a test of whether one of two random variables is stochastically larger than the
// other, Ann. Math. Statist. 18, 1947, doi:10.1214/aoms/1177730491). Its statistic is the number of
// pairs in which the value of x is larger, ties counting half.
//
// With at most 50 values in each sample the p-value is exact, also with ties: the share of all
// splits into two such samples whose U is at least as far from its mean. Beyond that the normal
// distribution approximates it, with the corrections for ties and for continuity. Samples of equal
// values have p = 1. An empty sample is an error.
//
// The package computes the exact distribution itself: go-moremath uses the lower tail for the upper
// one, which differs if there are ties, and returns p = 0 for {2, 3} against {1, 1, 1}.
func MannWhitney(x, y []float64) (Test, error) {
	t := Test{Name: "Mann-Whitney U", Symbol: "U"}
	if len(x) == 0 || len(y) == 0 {
		return t, fmt.Errorf(
			"stats: mann-whitney of %d and %d values, want at least 1 of each", len(x), len(y),
		)
	}
	r, ties, err := pooled(x, y)
	if err != nil {
		return t, err
	}
	sum := 0.0
	for _, v := range r[:len(x)] {
		sum += v
	}
	n, m := float64(len(x)), float64(len(y))
	t.Statistic = sum - n*(n+1)/2
	if len(x) <= exactEach && len(y) <= exactEach {
		t.Exact = true
		d := doubled(r)
		few, seen := len(x), int(2*sum)
		if len(y) < few { // both sums deviate alike
			few, seen = len(y), len(r)*(len(r)+1)-seen
		}
		// Twice the mean of doubled rank sums is 2 few (N + 1).
		t.P = farther(sumsOf(d, few), unit(d), 2*few*(len(r)+1), seen)
		return t, nil
	}
	all := n + m
	variance := n * m / 12 * (all + 1 - ties/(all*(all-1)))
	t.P = bilateral(t.Statistic-n*m/2, math.Sqrt(max(0, variance)), 1)
	return t, nil
}

// pooled are the ranks of x and then y among all their values.
func pooled(x, y []float64) (r []float64, ties float64, err error) {
	if err = numbers("mann-whitney", "the first sample", x); err == nil {
		err = numbers("mann-whitney", "the second sample", y)
	}
	if err != nil {
		return nil, 0, err
	}
	all := make([]float64, 0, len(x)+len(y))
	r, ties = ranks(append(append(all, x...), y...))
	return r, ties, nil
}
