package view

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/kernel/view/cells"
)

// The greatest numbers of cities whose names are looked at, for of more few would find room, and of
// those whose names keep clear of the tour.
const (
	mostNames = 2000
	mostClear = 300
)

// Names writes the names of cities beside them. It omits a name without room beside its city,
// between the other cities and the names already placed.
type Names struct {
	X, Y  []float64 // by city; not copied
	Names []string
	Order []int32 // the tour; names avoid it if they can
}

// Plot writes the names.
func (l Names) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	if to.words != nil || len(l.Names) > mostNames {
		return
	}
	style := draw.TextStyle{
		Font: to.font(markSize), Color: ink, Handler: plt.X.Label.TextStyle.Handler,
	}
	at := transform(c, plt, l.X, l.Y)
	var taken []vg.Rectangle
	radius := vg.Length(2.5)
	if to.cells {
		radius = cells.Width / 2
	}
	for _, p := range at {
		if x, y := vg.Length(p.x), vg.Length(p.y); !p.gone() {
			taken = append(taken, around(x, y, radius, radius))
		}
	}
	for i, p := range at {
		if i >= len(l.Names) || l.Names[i] == "" || p.gone() {
			continue
		}
		w, h := style.Width(l.Names[i])*to.slack(), vg.Length(markSize)
		var best vg.Rectangle
		least := math.MaxInt
		for _, r := range places(vg.Length(p.x), vg.Length(p.y), w, h, to) {
			if r.Min.X < c.Min.X || r.Max.X > c.Max.X || r.Min.Y < c.Min.Y || r.Max.Y > c.Max.Y ||
				meets(r, taken) {
				continue
			}
			if n := l.crossed(r, at, to); n < least {
				best, least = r, n
			}
		}
		if least < math.MaxInt {
			taken = append(taken, best)
			c.FillText(style, vg.Point{X: best.Min.X, Y: best.Min.Y + h/5}, l.Names[i])
		}
	}
}

// crossed counts the edges of the tour that a rectangle lies on.
func (l Names) crossed(r vg.Rectangle, at []place, to target) (n int) {
	if len(l.Order) > mostClear || to.cells {
		return 0
	}
	for i, a := range l.Order {
		b := l.Order[(i+1)%len(l.Order)]
		if passes(at[a], at[b], r) {
			n++
		}
	}
	return n
}

// passes tells whether the line from a to b goes through a rectangle: whether a part of it is left
// when it is cut off at each side (Liang and Barsky).
func passes(a, b place, r vg.Rectangle) bool {
	from, to := 0.0, 1.0
	for _, side := range [4][2]float64{
		{float64(a.x - b.x), float64(a.x) - float64(r.Min.X)},
		{float64(b.x - a.x), float64(r.Max.X) - float64(a.x)},
		{float64(a.y - b.y), float64(a.y) - float64(r.Min.Y)},
		{float64(b.y - a.y), float64(r.Max.Y) - float64(a.y)},
	} {
		switch p, q := side[0], side[1]; {
		case p == 0 && q < 0:
			return false
		case p < 0:
			from = max(from, q/p)
		case p > 0:
			to = min(to, q/p)
		}
	}
	return from < to
}

// places are where a name may stand: right and left of its city, above and below it; in cells right
// and left, from the next cell on.
func places(x, y, w, h vg.Length, to target) []vg.Rectangle {
	box := func(left, bottom vg.Length) vg.Rectangle {
		return vg.Rectangle{
			Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: left + w, Y: bottom + h},
		}
	}
	if to.cells {
		h = cells.Height * 0.9
		column, line := vg.Length(int(x/cells.Width)), vg.Length(int(y/cells.Height))*cells.Height
		wide := vg.Length(math.Ceil(float64(w / cells.Width)))
		return []vg.Rectangle{
			box((column+1)*cells.Width, line), box((column-wide)*cells.Width, line),
		}
	}
	const gap, near = 4, 3
	return []vg.Rectangle{
		box(x+gap, y-h/2), box(x-gap-w, y-h/2), box(x-w/2, y+gap), box(x-w/2, y-gap-h),
		box(x+near, y+near), box(x+near, y-near-h), box(x-near-w, y+near), box(x-near-w, y-near-h),
	}
}

// around is the rectangle about a point.
func around(x, y, w, h vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x - w, Y: y - h}, Max: vg.Point{X: x + w, Y: y + h}}
}

// meets tells whether a rectangle overlaps one of others.
func meets(r vg.Rectangle, others []vg.Rectangle) bool {
	for _, o := range others {
		if r.Min.X < o.Max.X && o.Min.X < r.Max.X && r.Min.Y < o.Max.Y && o.Min.Y < r.Max.Y {
			return true
		}
	}
	return false
}

// A ScaleBar is a line below a map, labelled with its length in kilometres.
type ScaleBar struct {
	Km float64 // per unit of the map
}

// GlyphBoxes reserves the room below the map.
func (s ScaleBar) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 0.5, Y: 0, Rectangle: vg.Rectangle{Min: vg.Point{Y: -row}}}}
}

// length is the length of the bar on a map so many units wide, and what it says.
func (s ScaleBar) length(wide float64) (units float64, text string) {
	km := s.Km * wide
	if !(km > 0) || !finite(km) {
		return 0, ""
	}
	step, _ := niceStep(km/4, false)
	if step > km/2 {
		step /= 2
	}
	if step < 1 {
		return step / s.Km, Number(1000*step) + " m"
	}
	return step / s.Km, Number(step) + " km"
}

// Plot draws the bar.
func (s ScaleBar) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	units, text := s.length(plt.X.Max - plt.X.Min)
	if to.words != nil || text == "" {
		return
	}
	trX, _ := plt.Transforms(&c)
	x, y := c.Min.X+2, c.Min.Y-row/2
	wide := trX(plt.X.Min+units) - trX(plt.X.Min)
	style := draw.TextStyle{
		Font: to.font(markSize), Color: ink, Handler: plt.X.Label.TextStyle.Handler,
	}
	if to.cells {
		y = vg.Length(int((c.Min.Y-1)/cells.Height))*cells.Height + cells.Height/2
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: vg.Points(1)}, x, y, x+wide, y)
		c.FillText(style, vg.Point{
			X: vg.Length(int((x+wide)/cells.Width)+2) * cells.Width, Y: y - cells.Height/2,
		}, text)
		return
	}
	line := draw.LineStyle{Color: ink, Width: vg.Points(1)}
	c.StrokeLine2(line, x, y, x+wide, y)
	c.StrokeLine2(line, x, y-2, x, y+2)
	c.StrokeLine2(line, x+wide, y-2, x+wide, y+2)
	c.FillText(style, vg.Point{X: x + wide + 4, Y: y - 3}, text)
}
