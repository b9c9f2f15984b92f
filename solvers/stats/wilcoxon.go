package stats

import (
	"fmt"
	"math"
)

// exactPairs is the greatest number of pairs that differ for which the p-value of [Wilcoxon] is
// exact.
const exactPairs = 100

// Zeros says how [Wilcoxon] treats pairs of equal values.
type Zeros int

const (
	// DropZeros omits them, as Wilcoxon did. They then carry no information, not even that the
	// difference is small.
	DropZeros Zeros = iota
	// Pratt ranks them with the others and then omits their ranks (J. W. Pratt: Remarks on zeros and
	// ties in the Wilcoxon signed rank procedures, J. Amer. Statist. Assoc. 54, 1959,
	// doi:10.1080/01621459.1959.10501526).
	Pratt
)

// Wilcoxon is the two-sided signed-rank test for pairs (F. Wilcoxon: Individual comparisons by
// ranking methods, Biometrics Bulletin 1, 1945, doi:10.2307/3001968), such as the gaps of two
// solvers on the same instances. Its statistic W is the sum of the ranks of |x[i] - y[i]| over the
// pairs in which x is larger. It assumes that differences are symmetric about their median.
//
// With at most 100 pairs that differ the p-value is exact, also with ties: the share of all choices
// of signs whose W is at least as far from its mean. Beyond that the normal distribution
// approximates it, with the corrections for ties and for continuity. Pairs that are all equal have
// p = 1.
func Wilcoxon(x, y []float64, zeros Zeros) (Test, error) {
	t := Test{Name: "Wilcoxon signed-rank", Symbol: "W"}
	if len(x) != len(y) || len(x) == 0 {
		return t, fmt.Errorf(
			"stats: wilcoxon of %d and %d values, want at least 1 and as many of each", len(x), len(y),
		)
	}
	d := make([]float64, 0, len(x))
	for i := range x {
		switch v := x[i] - y[i]; {
		case x[i] == y[i]: // also where both are infinite
			if zeros == Pratt {
				d = append(d, 0)
			}
		case math.IsNaN(v):
			return t, fmt.Errorf("stats: wilcoxon: pair %d is %v and %v, which have no difference",
				i, x[i], y[i])
		default:
			d = append(d, v)
		}
	}
	size := make([]float64, len(d))
	for i, v := range d {
		size[i] = math.Abs(v)
	}
	r, _ := ranks(size)
	var of []float64
	var all, squares float64
	for i, v := range d {
		if v == 0 {
			continue
		}
		of = append(of, r[i])
		all += r[i]
		squares += r[i] * r[i]
		if v > 0 {
			t.Statistic += r[i]
		}
	}
	if len(of) <= exactPairs {
		t.Exact = true
		k := doubled(of)
		t.P = farther(subsets(k), unit(k), int(2*all), int(2*t.Statistic))
		return t, nil
	}
	t.P = bilateral(t.Statistic-all/2, math.Sqrt(squares/4), 1)
	return t, nil
}
