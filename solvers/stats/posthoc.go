package stats

import (
	"fmt"
	"math"
	"sync"
)

// Range returns the probability that the range of k independent standard normal variables is q or
// more: the upper tail of the studentized range with infinitely many degrees of freedom. Small
// values also have 10 correct digits.
func Range(q float64, k int) float64 {
	switch {
	case math.IsNaN(q) || k < 2:
		return math.NaN()
	case q <= 0:
		return 1
	case math.IsInf(q, 1):
		return 0
	}
	upper := func(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }
	// Over the least of them, z: the others are above it (a), but not all below z + q (b). The
	// difference of powers is written as a sum of positive terms.
	f := func(z float64) float64 {
		a, d := upper(z), upper(z+q)
		b, sum, power := a-d, 0.0, 1.0
		for range k - 1 {
			sum = sum*a + power
			power *= b
		}
		return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * d * sum
	}
	// Beyond, f is below 1e-18 of the integral: it is largest between -q and 0.
	nodes := legendre()
	const half = 0.25 // of a panel
	out := 0.0
	for z := -q - 9; z < 9; z += 2 * half {
		for i, x := range nodes[0] {
			out += nodes[1][i] * f(z+half*(1+x))
		}
	}
	return min(1, float64(k)*half*out)
}

// legendre returns the nodes and weights of Gauss and Legendre, which integrate over -1 to 1: the
// roots of the Legendre polynomial by Newton's method (W. H. Press et al., Numerical Recipes, 4.6).
// Gonum's package quad has them beside a megabyte of other tables, which every start of the prompt
// from a clone would compile.
var legendre = sync.OnceValue(func() (out [2][12]float64) {
	n := len(out[0])
	for i := range (n + 1) / 2 {
		x := math.Cos(math.Pi * (float64(i) + 0.75) / (float64(n) + 0.5))
		slope := 0.0
		for range 8 { // it doubles the digits each time
			p, before := x, 1.0
			for k := 2; k <= n; k++ {
				p, before = (float64(2*k-1)*x*p-float64(k-1)*before)/float64(k), p
			}
			slope = float64(n) * (x*p - before) / (x*x - 1)
			x -= p / slope
		}
		w := 2 / ((1 - x*x) * slope * slope)
		out[0][i], out[0][n-1-i] = x, -x
		out[1][i], out[1][n-1-i] = w, w
	}
	return out
})

// RangeQuantile returns the q whose [Range] for k variables is p, 0 < p < 1.
func RangeQuantile(p float64, k int) float64 {
	if !(p > 0 && p < 1) || k < 2 {
		return math.NaN()
	}
	lo, hi := 0.0, 1.0
	for Range(hi, k) > p && hi < 100 {
		hi *= 2
	}
	for range 200 {
		mid := (lo + hi) / 2
		if mid == lo || mid == hi {
			break
		}
		if Range(mid, k) > p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// deviation is the standard deviation of the difference of two mean ranks of k treatments over n
// blocks.
func deviation(k, n int) float64 { return math.Sqrt(float64(k*(k+1)) / (6 * float64(n))) }

// CriticalDifference returns the least difference of mean ranks, of k treatments over n blocks,
// that is significant at level alpha by Nemenyi's test.
func CriticalDifference(alpha float64, k, n int) float64 {
	return RangeQuantile(alpha, k) / math.Sqrt2 * deviation(k, n)
}

// Nemenyi returns the p-value for each pair of treatments, by the test that follows [Friedman] (P.
// B. Nemenyi: Distribution-free multiple comparisons, thesis, Princeton, 1963; J. Demsar:
// Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006). It accounts for
// the number of pairs.
func Nemenyi(r Ranked) [][]float64 {
	out := make([][]float64, len(r.Ranks))
	for i := range out {
		out[i] = make([]float64, len(r.Ranks))
		for j := range out[i] {
			d := math.Abs(r.Ranks[i]-r.Ranks[j]) / deviation(len(r.Ranks), r.Blocks)
			out[i][j] = Range(d*math.Sqrt2, len(r.Ranks))
		}
	}
	return out
}

// Against returns the p-value of each treatment's mean rank against that of control, by z tests as
// in J. Demsar (2006). The entry of control is 1. The p-values are not adjusted for their number:
// leave the control out, and pass the others to [Holm], [Hochberg] or [Finner].
func Against(r Ranked, control int) ([]float64, error) {
	if control < 0 || control >= len(r.Ranks) {
		return nil, fmt.Errorf("stats: control is treatment %d, want 0 to %d", control, len(r.Ranks)-1)
	}
	out := make([]float64, len(r.Ranks))
	for i, m := range r.Ranks {
		out[i] = bilateral(m-r.Ranks[control], deviation(len(r.Ranks), r.Blocks), 0)
	}
	return out, nil
}
