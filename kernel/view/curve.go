package view

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/solvers/record"
)

// A Curve draws values against increasing x, however many: for each column of the picture it draws
// only the first, smallest, largest and last value. In cells, where noise would fill whole areas,
// it draws the mean of each column of cells, unless Steps is set. Values that are not finite leave
// gaps.
type Curve struct {
	X, Y []float64 // of equal length; X does not decrease. Not copied.

	// Low and High are the edges of a band around the curve, of the length of X; nil: there is none.
	Low, High []float64

	// Steps holds each value until the next one, which suits the best so far.
	Steps bool

	// Name is the curve's name in legends and descriptions.
	Name string

	// Letter marks the curve if there are no colours; 0: none.
	Letter rune

	// Start marks the first point with a dot, for a curve that begins on another one.
	Start bool

	// LineStyle is the style of the line.
	draw.LineStyle
}

// fill takes values of points against an axis.
func (k *Curve) fill(points []record.Point, x Axis, of func(record.Point) float64) {
	k.X, k.Y = make([]float64, len(points)), make([]float64, len(points))
	last := math.Inf(-1)
	for i, p := range points {
		last = max(last, x.at(p)) // clocks of a loaded record may begin again
		k.X[i], k.Y[i] = last, of(p)
	}
}

// covers reports whether the curve lies on another one, which is then seen between its dashes.
func (k *Curve) covers(other *Curve) bool {
	return slices.Equal(k.X, other.X) && slices.Equal(k.Y, other.Y)
}

// any reports whether there is something to draw.
func (k *Curve) any() bool {
	_, _, lo, hi := k.DataRange()
	return lo <= hi
}

// cut leaves what lies in the range, with the values at its ends.
func (k *Curve) cut(r Range) {
	if !r.given() {
		return
	}
	k.Start = k.Start && len(k.X) > 0 && k.X[0] >= r.From
	if k.Low != nil {
		_, k.Low = k.cutTo(r, k.Low)
		_, k.High = k.cutTo(r, k.High)
	}
	k.X, k.Y = k.cutTo(r, k.Y)
}

// cutTo returns what lies in the range of values over k.X.
func (k *Curve) cutTo(r Range, all []float64) (xs, ys []float64) {
	end := func(i int, x float64) (y float64) { // between i-1 and i
		if y = all[i-1]; !k.Steps {
			y += (all[i] - y) * (x - k.X[i-1]) / (k.X[i] - k.X[i-1])
		}
		return y
	}
	add := func(x, y float64) { xs, ys = append(xs, x), append(ys, y) }
	for i, x := range k.X {
		switch {
		case x < r.From:
			if i+1 < len(k.X) && k.X[i+1] > r.From {
				add(r.From, end(i+1, r.From))
			}
		case x <= r.To:
			add(x, all[i])
		}
		if x <= r.To && i+1 < len(k.X) && k.X[i+1] > r.To {
			add(r.To, end(i+1, r.To))
		}
	}
	return xs, ys
}

// DataRange returns the range of the finite values; it is empty (minimum +Inf) if there are none.
func (k *Curve) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, ys := range [...][]float64{k.Y, k.Low, k.High} {
		for i, y := range ys {
			if x := k.X[i]; finite(x) && finite(y) {
				xmin, xmax = min(xmin, x), max(xmax, x)
				ymin, ymax = min(ymin, y), max(ymax, y)
			}
		}
	}
	return xmin, xmax, ymin, ymax
}

// Plot draws the curve.
func (k *Curve) Plot(c draw.Canvas, plt *plot.Plot) {
	t := targetOf(c)
	if t.words != nil {
		k.speak(t.words)
		return
	}
	column := max(t.dot, c.Size().X/700)
	if t.cells {
		column = 2 * t.dot
	}
	if k.Low != nil {
		k.shade(c, plt, t, column)
	}
	lines := k.lines(k.Y, c, plt, t, column)
	for i, l := range lines {
		if len(l) == 1 { // a value alone: a short dash, that it be seen
			w := max(k.Width, column)
			lines[i] = []vg.Point{{X: l[0].X - w, Y: l[0].Y}, {X: l[0].X + w, Y: l[0].Y}}
		}
	}
	c.StrokeLines(k.LineStyle, c.ClipLinesXY(lines...)...)
	switch {
	case t.plain && k.Letter != 0:
		k.letters(c, lines)
	case k.Start && !t.cells && len(lines) > 0 && c.Contains(lines[0][0]):
		c.DrawGlyph(draw.GlyphStyle{Color: k.Color, Radius: 1.6 * k.Width, Shape: draw.CircleGlyph{}},
			lines[0][0])
	}
}

// lines are the lines through values over k.X, as few points as show.
func (k *Curve) lines(ys []float64, c draw.Canvas, plt *plot.Plot, t target,
	column vg.Length,
) (lines [][]vg.Point) {
	trX, trY := plt.Transforms(&c)
	d := decimator{column: column, steps: k.Steps, mean: t.cells && !k.Steps}
	for i, y := range ys {
		if !finite(k.X[i]) || !finite(y) {
			lines = d.end(lines)
			continue
		}
		// Far outside, where clipping would overflow, one place is as good as another.
		y := min(max(trY(y), c.Min.Y-1e6), c.Max.Y+1e6)
		d.add(vg.Point{X: trX(k.X[i]), Y: y})
	}
	return d.end(lines)
}

// Thumbnail draws the curve's style for a legend.
func (k *Curve) Thumbnail(c *draw.Canvas) {
	k.thumbnail(c, targetOf(*c), c.Min.X, c.Max.X, c.Center().Y)
}

// thumbnail draws the curve's style from x0 to x1.
func (k *Curve) thumbnail(c *draw.Canvas, t target, x0, x1, y vg.Length) {
	c.StrokeLine2(k.LineStyle, x0, y, x1, y)
	if t.plain && k.Letter != 0 {
		t.letter(*c, k.Letter, vg.Point{X: (x0 + x1) / 2, Y: y})
	}
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

// flush appends the column's values to the line.
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
