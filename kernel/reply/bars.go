package reply

import (
	"fmt"
	"math"
)

// barColours are of the series of a bar chart, told apart by colour-blind readers too (after
// M. Okabe and K. Ito).
var barColours = []string{
	"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#f0e442",
}

const (
	barLeft, barRight = 64., 12.
	barTop, barBottom = 34., 34.
	barHeight         = 300.
)

// Bars draws values as groups of bars, with a group per label and a bar per series, on a scale from
// 0 or, with log, on a logarithmic one. A value that is no number has no bar.
func Bars(alt, unit string, log bool, labels []string, series ...Sample) *Sketch {
	width := math.Max(420, barLeft+barRight+float64(len(labels)*(14*len(series)+14)))
	width = math.Min(width, 900)
	s := &Sketch{Width: int(width), Height: int(barHeight), Alt: alt}
	least, most := math.Inf(1), 0.
	for _, x := range series {
		for _, v := range x.Values {
			if v > 0 && !math.IsInf(v, 0) {
				least, most = math.Min(least, v), math.Max(most, v)
			}
		}
	}
	if most == 0 {
		return s.Text(width/2, barHeight/2, 13, "middle", "#666", "no values")
	}
	high := barHeight - barTop - barBottom
	from, to := 0., niceAbove(most)
	at := func(v float64) float64 { return barHeight - barBottom - high*(v-from)/(to-from) }
	ticks := []float64{}
	for i := range 5 {
		ticks = append(ticks, to*float64(i)/4)
	}
	if log {
		from, to = math.Floor(math.Log10(least)), math.Ceil(math.Log10(most))
		if from == to {
			to++
		}
		linear := at
		at = func(v float64) float64 { return linear(math.Log10(v)) }
		ticks = ticks[:0]
		for e := from; e <= to; e++ {
			ticks = append(ticks, math.Pow(10, e))
		}
	}
	for _, v := range ticks {
		s.Line(barLeft, at(v), width-barRight, at(v), "#ddd", 1)
		s.Text(barLeft-6, at(v)+4, 11, "end", "#333", fmt.Sprintf("%.4g", v))
	}
	s.Text(6, 11, 11, "", "#333", unit)
	x := barLeft
	for k, one := range series {
		s.Box(x, 18, 10, 10, barColours[k%len(barColours)])
		s.Text(x+14, 27, 11, "", "#333", one.Name)
		x += 26 + 6.2*float64(len([]rune(one.Name)))
	}
	group := (width - barLeft - barRight) / float64(len(labels))
	bar := group * .8 / float64(len(series))
	for i, label := range labels {
		x0 := barLeft + group*(float64(i)+.1)
		for k, one := range series {
			if i >= len(one.Values) || !(one.Values[i] > 0) || math.IsInf(one.Values[i], 0) {
				continue
			}
			y := at(one.Values[i])
			s.Box(x0+float64(k)*bar, y, bar*.92, barHeight-barBottom-y, barColours[k%len(barColours)])
		}
		s.Text(x0+.4*group, barHeight-barBottom+15, 11, "middle", "#333", label)
	}
	return s.Line(barLeft, barHeight-barBottom, width-barRight, barHeight-barBottom, "#333", 1)
}

// niceAbove is the least round number that is not below v, so that a quarter of it is short.
func niceAbove(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 1.2, 1.6, 2, 3, 4, 5, 6, 8} {
		if m*p >= v {
			return m * p
		}
	}
	return 10 * p
}
