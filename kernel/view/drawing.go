package view

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/solvers/record"
)

// Drawn draws the picture of a solution that a user's problem returned.
func Drawn(d Data) (*plot.Plot, error) {
	p := base(d.title())
	if d.Problem == nil || d.Problem.Drawing == nil || len(d.Problem.Drawing.Shapes) == 0 {
		return empty(p, "no solution to draw"), nil
	}
	g := d.Problem.Drawing
	if err := g.Check(); err != nil {
		return nil, fmt.Errorf("view: a drawing with %w", err)
	}
	if g.Title != "" {
		p.Title.Text = g.Title
	}
	s := &shapes{d: g}
	xlo, xhi, ylo, yhi := s.DataRange()
	if g.Map {
		p.Add(Frame{xlo, xhi, ylo, yhi})
		bare(p)
	}
	p.Add(s)
	widen(&p.X, xlo, xhi, 0.02)
	widen(&p.Y, ylo, yhi, 0.02)
	p.X.Label.Text, p.Y.Label.Text = g.X, g.Y
	return p, nil
}

// shapes draws a drawing.
type shapes struct{ d *record.Drawing }

// DataRange returns what all places span.
func (s *shapes) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, h := range s.d.Shapes {
		for k := range h.X {
			xmin, xmax = min(xmin, h.X[k]), max(xmax, h.X[k])
			ymin, ymax = min(ymin, h.Y[k]), max(ymax, h.Y[k])
		}
	}
	if xmin == xmax {
		xmin, xmax = xmin-0.5, xmax+0.5
	}
	if ymin == ymax {
		ymin, ymax = ymin-0.5, ymax+0.5
	}
	return xmin, xmax, ymin, ymax
}

// speak says how many shapes there are.
func (s *shapes) speak(w *wordCanvas) {
	w.span(s.DataRange())
	count := map[string]int{}
	for _, h := range s.d.Shapes {
		count[h.Kind]++
	}
	for _, k := range []string{record.ShapeBar, record.ShapeLine, record.ShapeDots, record.ShapeText} {
		if count[k] > 0 {
			w.say("%s: %d", k, count[k])
		}
	}
}

// Plot draws the shapes.
func (s *shapes) Plot(c draw.Canvas, plt *plot.Plot) {
	if t := targetOf(c); t.words != nil {
		s.speak(t.words)
		return
	}
	toX, toY := plt.Transforms(&c)
	text := plt.X.Tick.Label
	text.Color, text.Rotation = ink, 0
	text.XAlign, text.YAlign = draw.XCenter, draw.YCenter
	for _, h := range s.d.Shapes {
		at := make([]vg.Point, len(h.X))
		for k := range at {
			at[k] = vg.Point{X: toX(h.X[k]), Y: toY(h.Y[k])}
		}
		k := colourOf(h.Colour)
		switch h.Kind {
		case record.ShapeBar:
			a, b := at[0], at[1]
			c.FillPolygon(k, []vg.Point{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}})
		case record.ShapeLine:
			c.StrokeLines(draw.LineStyle{Color: k, Width: vg.Points(1.2)}, at)
		case record.ShapeDots:
			g := draw.GlyphStyle{Color: k, Radius: vg.Points(2), Shape: draw.CircleGlyph{}}
			for _, p := range at {
				c.DrawGlyph(g, p)
			}
		case record.ShapeText:
			c.FillText(text, at[0], h.Text)
		}
	}
}

// colourOf is the colour of a number: the ink, the palette, and then others of its sort, whose hues
// are a golden section of the circle apart.
func colourOf(k int) color.Color {
	switch {
	case k == 0:
		return ink
	case k <= len(palette):
		return palette[k-1]
	}
	hue := math.Mod(float64(k%1_000_000)*0.6180339887498949, 1) * 6
	channel := func(shift float64) uint8 {
		h := math.Mod(hue+shift, 6)
		return uint8(90 + 130*max(0, min(1, math.Abs(h-3)-1)))
	}
	return color.NRGBA{R: channel(0), G: channel(4), B: channel(2), A: 0xff}
}
