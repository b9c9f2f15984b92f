package stats

import (
	"fmt"
	"math"
)

// A Test is the outcome of a test of the hypothesis that nothing differs.
type Test struct {
	Name      string  // such as "Mann-Whitney U"
	Symbol    string  // of the statistic, such as "U"
	Statistic float64 // its value
	DF        float64 // degrees of freedom of chi-square, or of F's numerator; else 0
	DF2       float64 // of F's denominator; else 0
	P         float64 // two-sided, if there are two sides
	// P counts arrangements; otherwise it is an approximation by the named distribution
	Exact bool
}

// How describes the origin of P.
func (t Test) How() string {
	switch {
	case t.Exact:
		return "exact"
	case t.DF2 > 0:
		return fmt.Sprintf("F with %v and %v degrees of freedom", t.DF, t.DF2)
	case t.DF > 0:
		return fmt.Sprintf("chi-square with %v degrees of freedom", t.DF)
	}
	return "normal approximation"
}

// numbers returns an error where v has a value that has no rank. Infinite values have one: a target
// that was never reached took longer than all that were.
func numbers(test, name string, v []float64) error {
	for i, x := range v {
		if math.IsNaN(x) {
			return fmt.Errorf("stats: %s: value %d of %s is not a number", test, i, name)
		}
	}
	return nil
}

// bilateral is the two-sided p-value of a deviation d from the mean with standard deviation s under
// the normal distribution; step is that between two values of the statistic, for the correction for
// continuity.
func bilateral(d, s, step float64) float64 {
	if s == 0 {
		return 1
	}
	z := max(0, math.Abs(d)-step/2) / s
	return math.Erfc(z / math.Sqrt2)
}

// normalQuantile returns the z that a standard normal variable exceeds with probability p.
func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(1-2*p) }
