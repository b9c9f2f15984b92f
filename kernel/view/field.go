package view

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Grid holds a value for each pair of values of two parameters.
type Grid struct {
	X, Y   []string    // the values of the parameters, in their order
	Values [][]float64 // Values[y][x] is the value for Y[y] and X[x]; NaN: none
}

// Heat draws a grid as a heat map: a field for each pair, coloured by its value, with the value in
// it if there is room. The colour scale is logarithmic if all values are above 0 and span more than
// a factor 100.
func (l Look) Heat(w Labels, g Grid) (*plot.Plot, error) {
	if len(g.Values) != len(g.Y) {
		return nil, fmt.Errorf("view: a grid of %d rows has values for %d, want as many", len(g.Y),
			len(g.Values))
	}
	h := &heat{g: g, shades: shades{lo: math.Inf(1), hi: math.Inf(-1)}}
	for i, row := range g.Values {
		if len(row) != len(g.X) {
			return nil, fmt.Errorf("view: row %d of a grid has %d values, want %d", i+1, len(row), len(g.X))
		}
		for _, v := range row {
			if finite(v) {
				h.lo, h.hi = min(h.lo, v), max(h.hi, v)
			}
		}
	}
	p := l.base(w.Title)
	if !(h.lo <= h.hi) {
		return empty(p, "no values to draw"), nil
	}
	h.log = h.lo > 0 && h.hi/h.lo > 100
	p.Add(h)
	l.below(p, g.X)
	p.Y.Min, p.Y.Max = -0.5, float64(len(g.Y))-0.5
	ticks := make([]plot.Tick, len(g.Y))
	for i, name := range g.Y {
		ticks[i] = plot.Tick{Value: float64(i), Label: name}
	}
	p.Y.Tick.Marker = plot.ConstantTicks(ticks)
	p.X.Label.Text, p.Y.Label.Text = w.X, w.Y
	p.X.Padding, p.Y.Padding = 0, 0
	return p, nil
}

// A heat draws a grid.
type heat struct {
	g Grid
	shades
}

// GlyphBoxes reserves the room of the bar of colours, right of the grid.
func (h *heat) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 1, Y: 0.5, Rectangle: vg.Rectangle{Max: vg.Point{X: barRoom}}}}
}

// speak says the values, row by row.
func (h *heat) speak(s *wordCanvas, plt *plot.Plot) {
	const most = 40 // rows
	for i, row := range h.g.Values {
		if i == most {
			s.say("and %d more rows", len(h.g.Values)-i)
			break
		}
		var fields []string
		for j, v := range row {
			if finite(v) {
				fields = append(fields, fmt.Sprintf("%s at %s", brief(v), h.g.X[j]))
			}
		}
		s.say("%s: %s", h.g.Y[i], strings.Join(fields, ", "))
	}
}

// Plot draws the fields and the bar.
func (h *heat) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	if to.words != nil {
		h.speak(to.words, plt)
		return
	}
	trX, trY := plt.Transforms(&c)
	nx, ny := len(h.g.X), len(h.g.Y)
	colours := slices.Clone(viridis[:])
	colours[0] = clear // there is no value
	img := image.NewPaletted(image.Rect(0, 0, nx, ny), colours)
	for i, row := range h.g.Values {
		for j, v := range row {
			if finite(v) {
				img.SetColorIndex(j, ny-1-i, h.shade(v))
			}
		}
	}
	tiles(c, to, vg.Rectangle{
		Min: vg.Point{X: trX(-0.5), Y: trY(-0.5)},
		Max: vg.Point{X: trX(float64(nx) - 0.5), Y: trY(float64(ny) - 0.5)},
	}, img)
	h.bar(c, to, plt)
	style := draw.TextStyle{
		Font: to.font(markSize), Handler: plt.X.Label.TextStyle.Handler,
		XAlign: draw.XCenter, YAlign: draw.YCenter,
	}
	wide, high := trX(1)-trX(0), trY(1)-trY(0)
	for i, row := range h.g.Values {
		for j, v := range row {
			text := brief(v)
			if !finite(v) || style.Width(text)*to.slack()+2 > wide || high < 10 {
				continue
			}
			if to.cells && !to.plain {
				text = " " + text + " "
			}
			style.Color = contrast(viridis[h.shade(v)])
			if to.cells {
				style.Color = ink
			}
			// The ink of dark grounds is turned round on them; a field has its own ground.
			if to.dark && !to.cells {
				style.Color = invert(style.Color)
			}
			c.FillText(style, vg.Point{X: trX(float64(j)), Y: trY(float64(i))}, text)
		}
	}
}

// brief writes a value in three digits, or a large one as a whole number of up to seven.
func brief(v float64) string {
	if a := math.Abs(v); a >= 1000 && a < 1e7 || a == 0 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// contrast is black or white, whichever is read on k.
func contrast(k color.Color) color.Color {
	c := color.NRGBAModel.Convert(k).(color.NRGBA)
	if (299*int(c.R)+587*int(c.G)+114*int(c.B))/1000 > 120 {
		return color.NRGBA{A: 0xff}
	}
	return color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
}
