package view

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/solvers/record"
)

// Seeds holds the results of a run's repeats.
type Seeds struct {
	Budget  string // of each, as "100 iterations"
	Results []record.Seeded
}

// words says how many there are.
func (s *Seeds) words() string {
	if len(s.Results) == 1 {
		return "1 seed, " + s.Budget
	}
	return fmt.Sprintf("%d seeds, %s each", len(s.Results), s.Budget)
}

// repeated reports whether d has seeds.
func (d *Data) repeated() bool { return d.Seeds != nil && len(d.Seeds.Results) > 0 }

// Band draws, for each repeated run, the median of its seeds' best values and the band between
// their quartiles. A seed that has ended counts with its last value.
func (l Look) Band(runs ...Data) (*plot.Plot, error) {
	var have []Data
	for _, d := range runs {
		if d.repeated() {
			d.Points, d.Journal = nil, nil
			d.Title = d.Name + ": median and quartiles of " + d.Seeds.words()
			have = append(have, d)
		}
	}
	if len(have) == 0 {
		return empty(l.base(titleOf(runs)), noSeeds(runs)), nil
	}
	return l.Convergence(have...)
}

// noSeeds says that there is nothing to draw.
func noSeeds(runs []Data) string {
	if len(runs) == 1 {
		return runs[0].Name + " was not repeated"
	}
	return "none of the runs was repeated"
}

// bandGrid is the number of places of a band, unless there are very many seeds.
const bandGrid = 2000

// band is the curve of the seeds' median with the band of their quartiles; of is what is
// drawn of a best value.
func (d *Data) band(x Axis, style draw.LineStyle, of func(best float64) float64) *Curve {
	c := &Curve{Name: "median of the seeds", LineStyle: style, Steps: true}
	if x == Evaluations {
		return c // they are not counted over seeds
	}
	runs := make([]Trace, 0, len(d.Seeds.Results))
	for _, s := range d.Seeds.Results {
		r := Trace{Y: make([]float64, len(s.Curve.Best))}
		last := math.Inf(-1)
		for i := range s.Curve.Iter {
			at := x.at(record.Point{Iter: s.Curve.Iter[i], Wall: s.Curve.Wall[i], CPU: s.Curve.CPU[i]})
			last = max(last, at) // clocks of a loaded record may begin again
			r.X, r.Y[i] = append(r.X, last), of(s.Curve.Best[i])
		}
		runs = append(runs, r)
	}
	c.medians(runs)
	return c
}

// quantile interpolates between the order statistics of sorted values.
func quantile(sorted []float64, part float64) float64 {
	at := float64(len(sorted)-1) * part
	lo := int(at)
	hi := min(lo+1, len(sorted)-1)
	return sorted[lo] + (at-float64(lo))*(sorted[hi]-sorted[lo])
}

// shade draws the band of a curve: filled, in cells its edges alone, so that other curves are
// seen behind it.
func (k *Curve) shade(c draw.Canvas, plt *plot.Plot, t target, column vg.Length) {
	low, high := k.lines(k.Low, c, plt, t, column), k.lines(k.High, c, plt, t, column)
	full, ok := color.NRGBAModel.Convert(k.Color).(color.NRGBA)
	if !ok || len(low) == 0 || len(high) == 0 {
		return
	}
	if t.cells {
		style := draw.LineStyle{
			Color: mix(full, 0.55), Width: k.Width, Dashes: []vg.Length{2 * t.dot, 4 * t.dot},
		}
		c.StrokeLines(style, c.ClipLinesXY(low[0], high[0])...)
		return
	}
	full.A /= 5
	around := slices.Clone(high[0])
	for _, p := range slices.Backward(low[0]) {
		around = append(around, p)
	}
	if around = c.ClipPolygonXY(around); len(around) > 2 {
		c.FillPolygon(full, around)
	}
}
