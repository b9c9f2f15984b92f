package stats_test

import (
	"math"
	"testing"

	"metalab/solvers/stats"

	"pgregory.net/rapid"
)

// The level of an interval is that of both tails: with five values a side, ranks 3 and 23 of the 25
// differences leave out 4 of 252 orders at each end.
func TestLevelOfBothTails(t *testing.T) {
	e, err := stats.Shift([]float64{1, 2, 3, 4, 5}, []float64{11, 12, 13, 14, 15}, 0.95)
	if want := 1 - 8.0/252; err != nil || math.Abs(e.Level-want) > 1e-12 {
		t.Errorf("%v, %v, want the level %v", e, err, want)
	}
}

// Decimals whose difference is 0 have a shift of 0, and not one of their rounding.
func TestShiftHasNoRounding(t *testing.T) {
	e, err := stats.ShiftOfPairs([]float64{0.2, 0.25}, []float64{0.15, 0.3}, 0.5)
	if e.Value != 0 || err != nil {
		t.Errorf("0.05 and -0.05: %v, %v", e, err)
	}
	for name, shift := range map[string]func(x, y []float64, level float64) (stats.Estimate, error){
		"shift": stats.Shift, "pairs": stats.ShiftOfPairs,
	} {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 9).Draw(t, "n")
			x, y := make([]float64, n), make([]float64, n)
			var a, b []float64 // the same in twentieths
			for i := range n {
				a = append(a, float64(rapid.IntRange(-9, 9).Draw(t, "x")))
				b = append(b, float64(rapid.IntRange(-9, 9).Draw(t, "y")))
				x[i], y[i] = a[i]/20, b[i]/20
			}
			got, err := shift(x, y, 0.95)
			want, werr := shift(a, b, 0.95)
			if err != nil || werr != nil {
				t.Fatal(err, werr)
			}
			for i, v := range [][2]float64{
				{got.Value, want.Value}, {got.Low, want.Low}, {got.High, want.High},
			} {
				if (v[0] == 0) != (v[1] == 0) {
					t.Errorf("%s of %v and %v: number %d is %v, want %v", name, x, y, i, v[0], v[1]/20)
				}
			}
		})
	}
}

// Lengths of tours, which have many digits, stand in sentences without exponents.
func TestEstimateWithoutExponent(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]stats.Estimate{
		"3174970 (2967297 to 3298141 at 96.83%)": {
			Value: 3174970, Low: 2967297, High: 3298141, Level: 0.9683,
		},
		"-20000 (-1000000 to 0.125 at 95%)": {Value: -2e4, Low: -1e6, High: 0.125, Level: 0.95},
		"1.235 (0 to 9999 at 95%)":          {Value: 1.23456, Low: 0, High: 9999.4, Level: 0.95},
	} {
		if got := e.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
