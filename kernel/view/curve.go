package view

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Curve draws values against increasing x, however many: of each column of the
// picture only the first, smallest, largest and last value are drawn. In cells,
// where noise would fill whole areas, it is the mean of each column of cells,
// unless Steps is set. Values that are not finite leave gaps.
type Curve struct {
	X, Y []float64 // as many of both; X does not decrease. Not copied.

	// Steps holds each value until the next one, as befits the best so far.
	Steps bool

	// LineStyle is the style of the line.
	draw.LineStyle
}

// DataRange returns the range of the finite values; it is empty (minimum +Inf)
// when there are none.
func (k *Curve) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i, y := range k.Y {
		if x := k.X[i]; finite(x) && finite(y) {
			xmin, xmax = min(xmin, x), max(xmax, x)
			ymin, ymax = min(ymin, y), max(ymax, y)
		}
	}
	return xmin, xmax, ymin, ymax
}

// Plot draws the curve.
func (k *Curve) Plot(c draw.Canvas, plt *plot.Plot) {
	t := targetOf(c)
	column := max(t.dot, c.Size().X/700)
	if t.cells {
		column = 2 * t.dot
	}
	trX, trY := plt.Transforms(&c)
	var lines [][]vg.Point
	d := decimator{column: column, steps: k.Steps, mean: t.cells && !k.Steps}
	for i, y := range k.Y {
		if !finite(k.X[i]) || !finite(y) {
			lines = d.end(lines)
			continue
		}
		// Far outside, where clipping would overflow, one place is as good as another.
		y := min(max(trY(y), c.Min.Y-1e6), c.Max.Y+1e6)
		d.add(vg.Point{X: trX(k.X[i]), Y: y})
	}
	lines = d.end(lines)
	for i, l := range lines {
		if len(l) == 1 { // a value alone: a short dash, that it be seen
			w := max(k.Width, column)
			lines[i] = []vg.Point{{X: l[0].X - w, Y: l[0].Y}, {X: l[0].X + w, Y: l[0].Y}}
		}
	}
	c.StrokeLines(k.LineStyle, c.ClipLinesXY(lines...)...)
}

// Thumbnail draws the curve's style for a legend.
func (k *Curve) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(k.LineStyle, c.Min.X, y, c.Max.X, y)
}

// A decimator keeps of the points that fall into one column only those that show.
type decimator struct {
	column vg.Length
	steps  bool
	mean   bool // keep the mean of each column alone

	line           []vg.Point
	any            bool
	col            float64
	first, last    vg.Point
	lowest, topmos vg.Point
	lowI, topI, n  int
	sum            vg.Length
}

// add appends a point; its X is at least that of the point before.
func (d *decimator) add(p vg.Point) {
	if d.steps && d.any && p.Y != d.last.Y {
		d.put(vg.Point{X: p.X, Y: d.last.Y})
	}
	d.put(p)
}

func (d *decimator) put(p vg.Point) {
	col := math.Floor(float64(p.X / d.column))
	if !d.any || col != d.col {
		d.flush()
		d.any, d.col, d.n, d.sum = true, col, 0, 0
		d.first, d.lowest, d.topmos, d.lowI, d.topI = p, p, p, 0, 0
	}
	if p.Y < d.lowest.Y {
		d.lowest, d.lowI = p, d.n
	}
	if p.Y > d.topmos.Y {
		d.topmos, d.topI = p, d.n
	}
	d.last = p
	d.sum += p.Y
	d.n++
}

// flush moves what is kept of the column to the line.
func (d *decimator) flush() {
	if !d.any {
		return
	}
	if d.mean {
		d.line = append(d.line, vg.Point{X: (d.first.X + d.last.X) / 2, Y: d.sum / vg.Length(d.n)})
		return
	}
	a, b := d.lowest, d.topmos
	if d.topI < d.lowI {
		a, b = b, a
	}
	for _, p := range [4]vg.Point{d.first, a, b, d.last} {
		if n := len(d.line); n == 0 || d.line[n-1] != p {
			d.line = append(d.line, p)
		}
	}
}

// end ends the line and appends it to lines.
func (d *decimator) end(lines [][]vg.Point) [][]vg.Point {
	d.flush()
	if len(d.line) > 0 {
		lines = append(lines, straighten(d.line))
	}
	d.line, d.any = nil, false
	return lines
}

// straighten drops points in the middle of level stretches.
func straighten(l []vg.Point) []vg.Point {
	out := l[:0]
	for i, p := range l {
		if i > 0 && i < len(l)-1 && out[len(out)-1].Y == p.Y && l[i+1].Y == p.Y {
			continue
		}
		out = append(out, p)
	}
	return out
}
