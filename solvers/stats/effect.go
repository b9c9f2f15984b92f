package stats

import (
	"fmt"
	"math"
	"slices"
)

// An Estimate is an estimate with an interval.
type Estimate struct {
	Value     float64
	Low, High float64
	Level     float64 // of the interval; with small samples it may exceed the requested one
}

// String returns the estimate in words, to four digits, or to the unit.
func (e Estimate) String() string {
	return fmt.Sprintf("%s (%s to %s at %.4g%%)", fourDigits(e.Value), fourDigits(e.Low),
		fourDigits(e.High), 100*e.Level)
}

// fourDigits writes a number in four digits, or a large one, such as a length, as a whole number.
func fourDigits(v float64) string {
	if a := math.Abs(v); a >= 1e4 && a < 1e15 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}

// checkLevel returns an error for a level that is none.
func checkLevel(level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("stats: level of the interval is %v, want above 0 and below 1", level)
	}
	return nil
}

// A12 returns the effect size of A. Vargha and H. D. Delaney (A critique and improvement of the CL
// common language effect size statistics, J. Educ. Behav. Stat. 25, 2000,
// doi:10.3102/10769986025002101): the probability that a value of x is larger than one of y, ties
// counting half. 0.5 means no difference; about 0.56, 0.64 and 0.71 (or 1 less those) are called
// small, medium and large. It is NaN if a sample is empty or has a value that is not a number.
func A12(x, y []float64) float64 {
	r, _, err := pooled(x, y)
	if err != nil {
		return math.NaN()
	}
	n, sum := float64(len(x)), 0.0
	for _, v := range r[:len(x)] {
		sum += v
	}
	return (sum - n*(n+1)/2) / (n * float64(len(y)))
}

// CliffsDelta returns the effect size of N. Cliff (Dominance statistics: ordinal analyses to answer
// ordinal questions, Psychol. Bull. 114, 1993, doi:10.1037/0033-2909.114.3.494): the probability
// that a value of x is larger than one of y, minus the probability that it is smaller: 2 [A12] - 1.
//
// Its interval of the given level is Cliff's asymmetric one, or, if all values of one sample exceed
// the other sample, that of D. Feng and N. Cliff (Monte Carlo evaluation of ordinal d with improved
// confidence interval, J. Mod. Appl. Stat. Methods 3, 2004, doi:10.22237/jmasm/1099267560). Both
// need at least two values per sample.
func CliffsDelta(x, y []float64, level float64) (Estimate, error) {
	out := Estimate{Level: level}
	if err := checkLevel(level); err != nil {
		return out, err
	}
	if len(x) < 2 || len(y) < 2 {
		return out, fmt.Errorf("stats: cliff's delta of %d and %d values, want at least 2 of each",
			len(x), len(y))
	}
	r, _, err := pooled(x, y)
	if err != nil {
		return out, err
	}
	n, m := float64(len(x)), float64(len(y))
	rx, _ := ranks(x)
	ry, _ := ranks(y)
	// How far x[i] is above all of y in the mean follows from its rank among all and among x.
	rows, columns := make([]float64, len(x)), make([]float64, len(y))
	squares, sum := 0.0, 0.0
	for i := range x {
		rows[i] = 2*(r[i]-rx[i])/m - 1
		sum += rows[i]
	}
	for j := range y {
		columns[j] = 1 - 2*(r[len(x)+j]-ry[j])/n
	}
	d := sum / n
	out.Value = d
	z := normalQuantile((1 - level) / 2)
	if math.Abs(d) == 1 {
		few := min(n, m)
		end := (few - z*z) / (few + z*z)
		out.Low, out.High = min(d, d*end), max(d, d*end)
		return out, nil
	}
	squares = n*m - float64(equalPairs(x, y)) // each pair that differs has 1
	about := func(v []float64) (s float64) {
		for _, a := range v {
			s += (a - d) * (a - d)
		}
		return s
	}
	all := squares - n*m*d*d
	variance := (m*m*about(rows) + n*n*about(columns) - all) / (n * m * (n - 1) * (m - 1))
	// The unbiased estimate may come out below 0; this is its least sensible value.
	variance = max(variance, (1-d*d)/(n*m-1))
	root := z * math.Sqrt(variance) * math.Sqrt((1-d*d)*(1-d*d)+z*z*variance)
	under := 1 - d*d + z*z*variance
	out.Low = max(-1, (d-d*d*d-root)/under)
	out.High = min(1, (d-d*d*d+root)/under)
	return out, nil
}

// equalPairs counts the pairs of equal values of x and y.
func equalPairs(x, y []float64) (out int) {
	count := map[float64]int{}
	for _, v := range y {
		count[v]++
	}
	for _, v := range x {
		out += count[v]
	}
	return out
}

// median is the middle of v, which must be sorted and not empty.
func median(v []float64) float64 {
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return (v[n/2-1] + v[n/2]) / 2
}

// Median returns the middle value of v, the mean of two if their number is even; NaN if v is empty.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	return median(slices.Sorted(slices.Values(v)))
}
