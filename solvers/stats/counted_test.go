package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What is found by counting is what sorting all differences or means finds.
func TestCountedIsSorted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.SampledFrom([]float64{-1e300, -3, -1, -0.1, 0, 0.1, 0.3, 2, 7, 1e300})
		x := rapid.SliceOfN(one, 1, 12).Draw(t, "x")
		y := rapid.SliceOfN(one, len(x), len(x)).Draw(t, "y")
		var shifts, means []float64
		for i := range x {
			for j := range y {
				shifts = append(shifts, x[i]-y[j])
			}
			for j := i; j < len(x); j++ {
				means = append(means, (x[i]-y[i]+(x[j]-y[j]))/2)
			}
		}
		for _, c := range []struct {
			of  func(x, y []float64, level float64) (Estimate, error)
			all []float64
		}{{Shift, shifts}, {ShiftOfPairs, means}} {
			e, err := c.of(x, y, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(c.all)
			rounded := func(v float64) float64 { return Estimate{Value: v}.lessRounding(x, y).Value }
			middle := rounded(median(c.all))
			for i, v := range c.all {
				c.all[i] = rounded(v)
			}
			if e.Value != middle || !slices.Contains(c.all, e.Low) ||
				!slices.Contains(c.all, e.High) {
				t.Fatalf("%+v of %v", e, c.all)
			}
			low, n := slices.Index(c.all, e.Low), len(c.all)
			last := n - 1
			for c.all[last] != e.High {
				last--
			}
			if low > (n-1)/2 || last < n/2 {
				t.Fatalf("%+v is from %d to %d of %d", e, low, last, n)
			}
		}
	})
}

// An estimate of many values does not store their differences.
func TestShiftOfManyValues(t *testing.T) {
	n := 10_000
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float64(i%97)+3, float64((i*31)%97)
	}
	used := testing.AllocsPerRun(1, func() {
		for _, of := range []func(x, y []float64, level float64) (Estimate, error){Shift, ShiftOfPairs} {
			if e, err := of(x, y, 0.95); err != nil || math.Abs(e.Value-3) > 1 {
				t.Errorf("%+v, %v", e, err)
			}
		}
	})
	if used > 200 { // not one a value; the race detector has some more
		t.Errorf("%g allocations", used)
	}
}
