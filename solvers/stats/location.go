package stats

import (
	"fmt"
	"math"
	"slices"
)

// mostDifferences is the greatest number of differences or means that an estimate sorts.
const mostDifferences = 25_000_000

// Shift estimates by how much the values of x lie above those of y: the estimator of J. L. Hodges
// and E. L. Lehmann (Estimates of location based on rank tests, Ann. Math. Statist. 34, 1963,
// doi:10.1214/aoms/1177704172), which is the median of all differences x[i] - y[j]. It assumes that
// the two distributions differ by a shift only.
//
// The interval of about the given level holds the shifts that Mann-Whitney's test does not reject
// (M. Hollander, D. A. Wolfe: Nonparametric statistical methods). Its level, exact up to 50 values
// a side, is that of samples without ties; with ties it is at least that. In small samples it can
// be below what was asked for: the interval from the least difference to the greatest has no more.
func Shift(x, y []float64, level float64) (Estimate, error) {
	n, m := len(x), len(y)
	if n == 0 || m == 0 || n > mostDifferences/m {
		return Estimate{}, fmt.Errorf("stats: shift of %d and %d values, want at least 1 of each and "+
			"at most %d pairs", n, m, mostDifferences)
	}
	all := make([]float64, 0, n*m)
	for _, a := range x {
		for _, b := range y {
			all = append(all, a-b)
		}
	}
	a, b := float64(n), float64(m)
	var ways []float64
	if n <= exactEach && m <= exactEach {
		ways = sumsOf(count(n+m), n)[n*(n+1)/2:]
	}
	return between(all, level, ways, a*b*(a+b+1)/12)
}

// ShiftOfPairs is [Shift] for pairs: the median of the means of every two of the differences
// x[i] - y[i], each with itself too. It assumes that differences are symmetric. Its interval holds
// the shifts that Wilcoxon's signed-rank test does not reject, exact up to 100 pairs.
func ShiftOfPairs(x, y []float64, level float64) (Estimate, error) {
	n := len(x)
	if n != len(y) || n == 0 || n*(n+1)/2 > mostDifferences {
		return Estimate{}, fmt.Errorf("stats: shift of pairs of %d and %d values, want as many of "+
			"each, at least 1 and at most %d means", n, len(y), mostDifferences)
	}
	all := make([]float64, 0, n*(n+1)/2)
	for i := range n {
		for j := i; j < n; j++ {
			all = append(all, (x[i]-y[i]+(x[j]-y[j]))/2)
		}
	}
	a := float64(n)
	var ways []float64
	if n <= exactPairs {
		ways = subsets(count(n))
	}
	return between(all, level, ways, a*(a+1)*(2*a+1)/24)
}

// count returns 1 to n. Its unit is 1 from n = 1 on.
func count(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

// between is the median of all, with the interval between the q-th smallest and the q-th largest. q
// is the lowest value of the test's statistic that is not rejected: by its number of ways, or where
// they are nil, by the normal distribution with the variance.
func between(all []float64, level float64, ways []float64, variance float64) (Estimate, error) {
	if err := checkLevel(level); err != nil {
		return Estimate{}, err
	}
	if slices.ContainsFunc(all, math.IsNaN) {
		return Estimate{}, fmt.Errorf("stats: shift: values that are not numbers, or infinite on both " +
			"sides, have no difference")
	}
	slices.Sort(all)
	tail, q := (1-level)/2, 1
	below := 0.0 // the probability of less than q
	if ways != nil {
		total := 0.0
		for _, w := range ways {
			total += w
		}
		below = ways[0] / total
		for q < len(ways) && below+ways[q]/total < tail {
			below += ways[q] / total
			q++
		}
	} else {
		s := math.Sqrt(variance)
		q = max(1, int(math.Ceil(float64(len(all))/2-0.5-normalQuantile(tail)*s)))
		below = math.Erfc((float64(len(all))/2-float64(q)+0.5)/s/math.Sqrt2) / 2
	}
	q = min(q, (len(all)+1)/2)
	return Estimate{
		Value: median(all), Low: all[q-1], High: all[len(all)-q], Level: 1 - 2*below,
	}, nil
}
