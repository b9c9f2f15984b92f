package view

import (
	"fmt"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Span is a part of an iteration, with its time on a device.
type Span struct {
	Name string
	Time time.Duration
}

// columns are upright bars around 0, 1, 2 and so on.
type columns struct {
	names  []string // with what is said of them
	values []float64
}

// half is half the width of a bar.
const half = 0.35

// DataRange returns the range of the bars.
func (b *columns) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, v := range b.values {
		ymax = max(ymax, v)
	}
	return -half, float64(len(b.values)-1) + half, 0, ymax
}

// Plot draws the bars.
func (b *columns) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	if to.words != nil {
		to.words.span(b.DataRange())
		for i, name := range b.names {
			to.words.say("%s: %.4g %s", name, b.values[i], plt.Y.Label.Text)
		}
		return
	}
	trX, trY := plt.Transforms(&c)
	for i, v := range b.values {
		x0, x1, y0, y1 := trX(float64(i)-half), trX(float64(i)+half), trY(0), trY(v)
		pts := c.ClipPolygonXY([]vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		if len(pts) >= 3 {
			c.FillPolygon(palette[i%len(palette)], pts)
		}
	}
}

// unitOf is the unit in which the longest of these times has one to three digits before the point.
func unitOf(spans []Span) (unit time.Duration, name string) {
	most := time.Duration(0)
	for _, s := range spans {
		most = max(most, s.Time)
	}
	switch {
	case most >= time.Second:
		return time.Second, "s"
	case most >= time.Millisecond:
		return time.Millisecond, "ms"
	}
	return time.Microsecond, "µs"
}

// Spans draws the times of the parts of the last measured iteration on a device. The share of a
// part follows its name: of the total, or of the transfers, the host's work and the kernels if
// these were measured.
func Spans(d Data) (*plot.Plot, error) {
	p := base(d.title())
	if len(d.Spans) == 0 {
		why := d.NoSpans
		if why == "" {
			why = "no iteration was timed"
		}
		return empty(p, why), nil
	}
	grid(p)
	unit, name := unitOf(d.Spans)
	b := &columns{}
	var ticks []plot.Tick
	for i, s := range d.Spans {
		label := s.Name
		if of := whole(d.Spans, s.Name); of > 0 {
			label += fmt.Sprintf(" %.0f %%", math.Round(100*float64(s.Time)/float64(of)))
		}
		b.names = append(b.names, label)
		b.values = append(b.values, float64(s.Time)/float64(unit))
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: label})
	}
	p.Add(b)
	xlo, xhi, _, top := b.DataRange()
	widen(&p.X, xlo, xhi, 0.1)
	p.Y.Min, p.Y.Max = 0, top*1.05
	if top == 0 {
		p.Y.Max = 1
	}
	p.Y.Padding = 0
	p.Y.Label.Text = name
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	p.Y.Tick.Marker = Ticks{Want: 5}
	return p, nil
}

// shared are the spans that make a whole by the clock of the host.
var shared = map[string]bool{"transfer": true, "process": true, "kernels": true}

// whole is the sum of the spans of which the one with this name is a share; 0: of none.
func whole(spans []Span, name string) (sum time.Duration) {
	if name == "iteration" {
		return 0
	}
	for _, s := range spans {
		if s.Name != "iteration" && shared[s.Name] == shared[name] {
			sum += s.Time
		}
	}
	return sum
}
