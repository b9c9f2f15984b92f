package view

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// Ticks marks round numbers: steps of 1, 2 or 5 times a power of ten, in decimal notation if that
// is short.
type Ticks struct {
	Want int  // approximate number of marks; at least 2
	Int  bool // whole numbers only, for example for iterations
}

// Ticks returns the marks from lo to hi.
func (t Ticks) Ticks(lo, hi float64) []plot.Tick {
	if !finite(lo) || !finite(hi) || !(lo < hi) || math.IsInf(hi-lo, 0) {
		return nil
	}
	step, digits := niceStep((hi-lo)/float64(max(t.Want, 2)), t.Int)
	var ticks []plot.Tick
	first := math.Ceil(lo/step - 1e-9)
	for i := range 100 {
		v := (first + float64(i)) * step
		if v > hi+step*1e-9 || step == 0 {
			break
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: number(v, step, digits)})
	}
	return ticks
}

// niceStep returns the smallest step of 1, 2 or 5 times a power of ten that is at
// least raw, and how many decimals its multiples have.
func niceStep(raw float64, whole bool) (step float64, digits int) {
	e := int(math.Floor(math.Log10(max(raw, 1e-300))))
	for ; ; e++ {
		for _, m := range [3]float64{1, 2, 5} {
			step = m * math.Pow10(e)
			if step >= raw*(1-1e-9) && (!whole || step >= 1) {
				return step, max(0, -e)
			}
		}
	}
}

// number writes v, a multiple of step, with so many decimals, or with a power of ten when that
// would be long, and then with the digits that tell neighbours apart.
func number(v, step float64, digits int) string {
	if a := math.Abs(v); a >= 1e10 || digits > 6 {
		if v == 0 || a < 1e-300 {
			return "0"
		}
		all := 6
		if step > 0 {
			all = min(max(all, int(math.Log10(a/step))+2), 17)
		}
		return strconv.FormatFloat(v, 'g', all, 64)
	}
	if v == 0 {
		v = 0 // not -0
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// logTicks marks powers of ten and, when there are few, 2 and 5 times them, or
// more round numbers when the range is less than a decade. Values at or below
// floor are written as zero: see logScale.
type logTicks struct {
	floor float64 // 0: none
	zero  string  // the label at the floor
}

// Ticks returns the marks from lo to hi.
func (t logTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(lo > 0) || !finite(hi) || !(lo < hi) {
		return nil
	}
	from := lo
	if t.floor > 0 {
		from = t.floor * math.Pow(hi/t.floor, 0.07) // clear of the label at the floor
	}
	var ticks []plot.Tick
	for _, m := range [...][]float64{{1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}} {
		ticks = ticks[:0]
		for e := int(math.Floor(math.Log10(lo))); e <= int(math.Ceil(math.Log10(hi))); e++ {
			for _, m := range m {
				if v := m * math.Pow10(e); v >= from*(1-1e-9) && v <= hi*(1+1e-9) {
					ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 6, 64)})
				}
			}
		}
		if len(ticks) >= 4 || len(m) == 3 && len(ticks) == 3 {
			break
		}
	}
	if len(ticks) < 3 {
		ticks = Ticks{Want: 5}.Ticks(from, hi)
	}
	if len(ticks) > 9 {
		every := (len(ticks) + 8) / 9
		for i := range ticks {
			if i%every != 0 {
				ticks[i].Label = ""
			}
		}
	}
	if t.floor > 0 {
		ticks = append([]plot.Tick{{Value: t.floor, Label: t.zero}}, ticks...)
	}
	return ticks
}

// logScale is a logarithmic scale on which everything at or below floor lies at
// floor, so that a gap of zero has a place. The floor must be above 0.
type logScale struct{ floor float64 }

// Normalize returns where x lies between lo, 0, and hi, 1.
func (s logScale) Normalize(lo, hi, x float64) float64 {
	lo, hi = max(lo, s.floor), max(hi, s.floor)
	if !(lo < hi) {
		return 0.5
	}
	if math.IsNaN(x) {
		return x
	}
	a := math.Log(lo)
	return (math.Log(max(x, s.floor)) - a) / (math.Log(hi) - a)
}
