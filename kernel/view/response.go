package view

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Response holds the results of a group at each value of a parameter, or of a size.
type Response struct {
	Name   string
	X      []float64   // the values of the parameter, increasing
	Values [][]float64 // the values at each, in any order; those that are not finite are ignored
}

// check returns an error where the response contradicts itself.
func (r *Response) check() error {
	if len(r.X) != len(r.Values) {
		return fmt.Errorf("view: %q has %d places and values at %d, want as many", r.Name, len(r.X),
			len(r.Values))
	}
	for i, x := range r.X {
		if !finite(x) {
			return fmt.Errorf("view: place %d of %q is %v, want a number", i+1, r.Name, x)
		}
		if i > 0 && !(x > r.X[i-1]) {
			return fmt.Errorf("view: place %d of %q is %v after %v, want places that increase", i+1, r.Name,
				x, r.X[i-1])
		}
	}
	return nil
}

// Response draws values against a parameter: a line through the medians at its values, the band
// between the quartiles, and a dot for each value.
func (l Look) Response(w Labels, groups ...Response) (*plot.Plot, error) {
	return l.responses(w, groups, math.NaN())
}

// Speedup draws speed-ups, or other ratios, against a size as [Look.Response] does, with a line at
// 1, where both are equally fast. An axis is logarithmic if its values span much.
func (l Look) Speedup(w Labels, groups ...Response) (*plot.Plot, error) {
	for _, g := range groups {
		for i, vs := range g.Values {
			for _, v := range vs {
				if v <= 0 {
					return nil, fmt.Errorf("view: a speed-up of %q at place %d is %v, want above 0", g.Name,
						i+1, v)
				}
			}
		}
	}
	w.LogX = true
	if w.Y == "" {
		w.Y = "speed-up"
	}
	return l.responses(w, groups, 1)
}

// responses draws groups, and a level line unless that is NaN.
func (l Look) responses(w Labels, groups []Response, level float64) (*plot.Plot, error) {
	p := l.base(w.Title)
	names, err := l.renamed(len(groups), func(i int) string { return groups[i].Name })
	if err != nil {
		return nil, err
	}
	var cs []*Curve
	var say told
	dots := &dots{}
	for i := range groups {
		g := &groups[i]
		if err := g.check(); err != nil {
			return nil, err
		}
		k := palette[i%len(palette)]
		c := &Curve{Name: names[i], LineStyle: line(k, 1.5)}
		if i >= len(palette) {
			c.Dashes = dashes
		}
		for j, x := range g.X {
			v := Sample{Values: g.Values[j]}.sorted()
			if len(v) == 0 {
				continue
			}
			q1, q2, q3 := quantile(v, 0.25), quantile(v, 0.5), quantile(v, 0.75)
			c.X, c.Y = append(c.X, x), append(c.Y, q2)
			c.Low, c.High = append(c.Low, q1), append(c.High, q3)
			dots.add(x, v, q2, k)
			text := fmt.Sprintf("%s at %s: median %s", names[i], Number(x), Number(q2))
			if len(v) > 1 {
				text += fmt.Sprintf(" of %d, quartiles %s and %s", len(v), Number(q1), Number(q3))
			}
			say = append(say, text)
		}
		if c.any() {
			cs = append(cs, c)
		}
	}
	if len(cs) == 0 {
		return empty(p, "no values to draw"), nil
	}
	p.Add(say)
	if !math.IsNaN(level) {
		p.Add(levelLine(level))
	}
	if err := l.curves(p, w, cs); err != nil {
		return nil, err
	}
	p.Add(dots)
	xlo, xhi, lo, hi := extent(cs)
	lo, hi = min(lo, dots.lo), max(hi, dots.hi)
	if !math.IsNaN(level) {
		lo, hi = min(lo, level), max(hi, level)
	}
	p.Y.Scale = plot.LinearScale{}
	l.up(p, lo, hi)
	if x := marked(cs); len(x) <= l.few(10) {
		p.X.Tick.Marker = plot.ConstantTicks(x) // the values that were tried
	}
	if !w.LogX || xlo <= 0 {
		widen(&p.X, xlo, xhi, 0.03)
	}
	return p, nil
}

// marked are the places of curves as ticks, each once.
func marked(cs []*Curve) (out []plot.Tick) {
	var xs []float64
	for _, c := range cs {
		xs = append(xs, c.X...)
	}
	slices.Sort(xs)
	for _, x := range slices.Compact(xs) {
		out = append(out, plot.Tick{Value: x, Label: Number(x)})
	}
	return out
}

// A levelLine is a dashed line across the plot.
type levelLine float64

// Plot draws the line.
func (y levelLine) Plot(c draw.Canvas, plt *plot.Plot) {
	_, trY := plt.Transforms(&c)
	style := line(ink, 0.8)
	style.Dashes = dashes
	if at := trY(float64(y)); c.ContainsY(at) {
		c.StrokeLine2(style, c.Min.X, at, c.Max.X, at)
	}
}

// dots are values as points of their colours. On a canvas of cells the medians alone are drawn.
type dots struct {
	x, y   []float64
	middle []bool // the dot of a median
	styles []draw.GlyphStyle
	lo, hi float64
}

// add takes in the values at x and their median.
func (d *dots) add(x float64, v []float64, median float64, k color.Color) {
	if len(d.x) == 0 {
		d.lo, d.hi = v[0], v[0]
	}
	d.lo, d.hi = min(d.lo, v[0]), max(d.hi, v[len(v)-1])
	if len(v) <= fewValues {
		for _, y := range v {
			d.point(x, y, false, draw.GlyphStyle{Color: k, Radius: 1.3, Shape: draw.CircleGlyph{}})
		}
	}
	d.point(x, median, true, draw.GlyphStyle{Color: k, Radius: 2.6, Shape: draw.CircleGlyph{}})
}

func (d *dots) point(x, y float64, middle bool, s draw.GlyphStyle) {
	d.x, d.y = append(d.x, x), append(d.y, y)
	d.middle, d.styles = append(d.middle, middle), append(d.styles, s)
}

// Plot draws the dots.
func (d *dots) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	if to.words != nil {
		return
	}
	trX, trY := plt.Transforms(&c)
	for i, x := range d.x {
		if p := (vg.Point{X: trX(x), Y: trY(d.y[i])}); (d.middle[i] || !to.cells) && c.Contains(p) {
			c.DrawGlyph(d.styles[i], p)
		}
	}
}
