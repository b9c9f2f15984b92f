package view

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars draws a histogram.
type Bars struct {
	Edges  []float64 // of the bars, increasing; one more than Counts
	Counts []int

	// Fill is the colour of the bars; nil leaves them empty.
	Fill color.Color

	// LineStyle is the style of the outlines; a width of 0 hides them.
	draw.LineStyle
}

// NewBars counts the finite values in bars of equal width, whose number follows from the values'
// quartiles by the rule of D. Freedman and P. Diaconis, "On the histogram as a density estimator:
// L2 theory", Zeitschrift für Wahrscheinlichkeitstheorie 57, 1981, doi:10.1007/BF01025868, within 4
// to 60. Equal values give one bar.
func NewBars(values []float64) *Bars {
	var v []float64
	for _, x := range values {
		if finite(x) {
			v = append(v, x)
		}
	}
	b := &Bars{Fill: sky, LineStyle: draw.LineStyle{Color: ink, Width: vg.Points(0.4)}}
	if len(v) == 0 {
		return b
	}
	slices.Sort(v)
	lo, hi := v[0], v[len(v)-1]
	if lo == hi || math.IsInf(hi-lo, 0) {
		d := max(0.5, math.Abs(lo)*1e-3)
		b.Edges, b.Counts = []float64{lo - d, hi + d}, []int{len(v)}
		return b
	}
	n := len(v)
	wide := 2 * (v[min(3*n/4, n-1)] - v[n/4]) / math.Cbrt(float64(n))
	bars := 60
	if wide > 0 {
		bars = int(min((hi-lo)/wide+1, 60))
	}
	bars = max(bars, 4)
	b.Counts = make([]int, bars)
	for i := range bars + 1 {
		b.Edges = append(b.Edges, lo+(hi-lo)*float64(i)/float64(bars))
	}
	for _, x := range v {
		b.Counts[min(int((x-lo)/(hi-lo)*float64(bars)), bars-1)]++
	}
	return b
}

// DataRange returns the range of values and of counts.
func (b *Bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	if len(b.Counts) == 0 {
		return math.Inf(1), math.Inf(-1), 0, 1
	}
	return b.Edges[0], b.Edges[len(b.Edges)-1], 0, float64(max(slices.Max(b.Counts), 1))
}

// Plot draws the bars.
func (b *Bars) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	if to.words != nil {
		to.words.span(b.DataRange())
		return
	}
	trX, trY := plt.Transforms(&c)
	for i, n := range b.Counts {
		if n == 0 {
			continue
		}
		x0, x1, y0, y1 := trX(b.Edges[i]), trX(b.Edges[i+1]), trY(0), trY(float64(n))
		pts := c.ClipPolygonXY([]vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		if len(pts) < 3 {
			continue // a sliver outside
		}
		if b.Fill != nil {
			c.FillPolygon(b.Fill, pts)
		}
		if b.Width > 0 && !to.cells {
			c.StrokeLines(b.LineStyle, append(pts, pts[0]))
		}
	}
}

// Lengths draws the histogram of the values of an iteration's solutions, and
// lines at the best so far and at the best known value.
func Lengths(d Data) (*plot.Plot, error) {
	p := base(d.title())
	bars := NewBars(d.Lengths)
	if len(bars.Counts) == 0 {
		return empty(p, "no solutions yet"), nil
	}
	grid(p)
	p.Add(bars)
	xlo, xhi, _, top := bars.DataRange()
	var marks []Mark
	if n := len(d.Points); n > 0 && finite(d.Points[n-1].Best) {
		best := d.Sense.Value(d.Points[n-1].Best)
		marks = append(marks, Mark{X: best, Label: "best so far", Color: ink})
	}
	if d.Best != nil && finite(*d.Best) {
		marks = append(marks, Mark{X: d.Sense.Value(*d.Best), Label: "best known", Color: green})
	}
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.X, b.X) })
	for _, m := range marks {
		xlo, xhi = min(xlo, m.X), max(xhi, m.X)
	}
	p.Add(&Marks{Marks: marks, Rows: len(marks)})
	widen(&p.X, xlo, xhi, 0.02)
	p.Y.Min, p.Y.Max = 0, float64(top)*1.05
	p.Y.Padding = 0
	p.X.Label.Text, p.Y.Label.Text = d.objective(), "solutions"
	p.X.Tick.Marker = Ticks{Want: 6}
	p.Y.Tick.Marker = Ticks{Want: 5, Int: true}
	return p, nil
}
