package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// mostDifferences is the greatest number of differences or means of an estimate. They are counted,
// not stored.
const mostDifferences = 1 << 50

// Shift estimates how far the values of x lie above those of y, by the estimator of J. L. Hodges
// and E. L. Lehmann (Estimates of location based on rank tests, Ann. Math. Statist. 34, 1963,
// doi:10.1214/aoms/1177704172), which is the median of all differences x[i] - y[j]. It assumes that
// the two distributions differ by a shift only.
//
// The interval of about the given level holds the shifts that Mann-Whitney's test does not reject
// (M. Hollander, D. A. Wolfe: Nonparametric statistical methods). Its level, exact up to 50 values
// per sample, is that of samples without ties; with ties it is at least that. With small samples it
// can be below the requested level: even the interval from the least difference to the greatest has
// no more.
func Shift(x, y []float64, level float64) (Estimate, error) {
	n, m := len(x), len(y)
	if n == 0 || m == 0 || n > mostDifferences/m {
		return Estimate{}, fmt.Errorf("stats: shift of %d and %d values, want at least 1 of each and "+
			"at most %d pairs", n, m, mostDifferences)
	}
	u, v := slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	slices.Reverse(v) // so that the differences grow along both
	all := values{n * m, func(limit float64) (below int) {
		for i, at := 0, m; i < n && at > 0; i++ {
			for at > 0 && !(u[i]-v[at-1] <= limit) {
				at--
			}
			below += at
		}
		return below
	}}
	if undefined(x, y) {
		return Estimate{}, errNoDifference
	}
	a, b := float64(n), float64(m)
	var ways []float64
	if n <= exactEach && m <= exactEach {
		ways = sumsOf(count(n+m), n)[n*(n+1)/2:]
	}
	e, err := between(all, level, ways, a*b*(a+b+1)/12)
	return e.lessRounding(x, y), err
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
	d := make([]float64, n)
	for i := range d {
		d[i] = x[i] - y[i]
	}
	slices.Sort(d)
	all := values{n * (n + 1) / 2, func(limit float64) (below int) {
		for i, at := 0, n; i < at; i++ {
			for at > i && !((d[i]+d[at-1])/2 <= limit) {
				at--
			}
			below += at - i
		}
		return below
	}}
	if slices.ContainsFunc(d, math.IsNaN) || math.IsInf(d[0], -1) && math.IsInf(d[n-1], 1) {
		return Estimate{}, errNoDifference
	}
	a := float64(n)
	var ways []float64
	if n <= exactPairs {
		ways = subsets(count(n))
	}
	e, err := between(all, level, ways, a*(a+1)*(2*a+1)/24)
	return e.lessRounding(x, y), err
}

// rounding is the size of what the rounding of decimals leaves, as 0.35 - 0.3 - 0.05 does, in
// proportion to the least of the values that are not 0.
const rounding = 0x1p-44

// lessRounding returns an estimate of differences of x and y in which what rounding leaves is 0.
func (e Estimate) lessRounding(x, y []float64) Estimate {
	least := math.Inf(1)
	for _, v := range slices.Concat(x, y) {
		if v != 0 {
			least = min(least, math.Abs(v))
		}
	}
	for _, v := range []*float64{&e.Value, &e.Low, &e.High} {
		if math.Abs(*v) <= rounding*least && least <= math.MaxFloat64 {
			*v = 0
		}
	}
	return e
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
func between(all values, level float64, ways []float64, variance float64) (Estimate, error) {
	if err := checkLevel(level); err != nil {
		return Estimate{}, err
	}
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
		q = max(1, int(math.Ceil(float64(all.n)/2-0.5-normalQuantile(tail)*s)))
		below = math.Erfc((float64(all.n)/2-float64(q)+0.5)/s/math.Sqrt2) / 2
	}
	q = min(q, (all.n+1)/2)
	middle := all.at(all.n / 2)
	if all.n%2 == 0 {
		middle = (all.at(all.n/2-1) + middle) / 2
	}
	return Estimate{
		Value: middle, Low: all.at(q - 1), High: all.at(all.n - q), Level: 1 - 2*below,
	}, nil
}

// values are numbers that are counted and not stored: n of them, of which atMost says how many are
// at most a limit. None is NaN.
type values struct {
	n      int
	atMost func(limit float64) int
}

// at returns the value with number k in ascending order: the least limit that more than k values do
// not exceed, found by halving the range of all floating-point numbers.
func (v values) at(k int) float64 {
	low, high := orderOf(math.Inf(-1)), orderOf(math.Inf(1))
	for low < high {
		middle := low + (high-low)/2
		if v.atMost(ofOrder(middle)) > k {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return ofOrder(low) + 0 // no zero with a sign
}

// orderOf maps floating-point numbers to integers in the same order, and ofOrder maps them back.
func orderOf(x float64) uint64 {
	b := math.Float64bits(x)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

func ofOrder(b uint64) float64 {
	if b>>63 == 1 {
		return math.Float64frombits(b &^ (1 << 63))
	}
	return math.Float64frombits(^b)
}

var errNoDifference = errors.New("stats: shift: values that are not numbers, or infinite on both " +
	"sides, have no difference")

// undefined tells whether a difference of x and y is not a number.
func undefined(x, y []float64) bool {
	for _, sign := range []int{-1, 1} {
		infinite := func(v float64) bool { return math.IsInf(v, sign) }
		if slices.ContainsFunc(x, infinite) && slices.ContainsFunc(y, infinite) {
			return true
		}
	}
	return slices.ContainsFunc(x, math.IsNaN) || slices.ContainsFunc(y, math.IsNaN)
}
