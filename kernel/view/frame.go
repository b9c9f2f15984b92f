package view

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Frame is a plotter that keeps a map's proportions: it shows at least its rectangle, and sets
// the ranges of both axes to the same scale. Add it before all other plotters, and hide the axes,
// which are drawn first.
type Frame struct{ XMin, XMax, YMin, YMax float64 }

// FrameOf returns the smallest frame that holds the finite places among x and y. If all places are
// equal, the frame has size 1.
func FrameOf(x, y []float64) Frame {
	f := Frame{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
	for i := range min(len(x), len(y)) {
		if finite(x[i]) && finite(y[i]) {
			f.XMin, f.XMax = min(f.XMin, x[i]), max(f.XMax, x[i])
			f.YMin, f.YMax = min(f.YMin, y[i]), max(f.YMax, y[i])
		}
	}
	if f.XMin > f.XMax {
		return Frame{0, 1, 0, 1}
	}
	if f.XMin == f.XMax && f.YMin == f.YMax {
		d := max(0.5, math.Abs(f.XMin)*1e-9, math.Abs(f.YMin)*1e-9)
		f = Frame{f.XMin - d, f.XMax + d, f.YMin - d, f.YMax + d}
	}
	return f
}

// DataRange returns the frame.
func (f Frame) DataRange() (xmin, xmax, ymin, ymax float64) {
	return f.XMin, f.XMax, f.YMin, f.YMax
}

// Plot sets the ranges of plt's axes for the canvas c.
func (f Frame) Plot(c draw.Canvas, plt *plot.Plot) {
	const edge = vg.Length(4) // so that lines at the border are seen whole
	w, h := float64(c.Size().X-2*edge), float64(c.Size().Y-2*edge)
	if !(w > 1) || !(h > 1) {
		return
	}
	unit := max((f.XMax-f.XMin)/w, (f.YMax-f.YMin)/h)
	if !(unit > 0) || !finite(unit) {
		return
	}
	span := func(lo, hi float64, size vg.Length) (float64, float64) {
		mid, half := lo/2+hi/2, unit*float64(size)/2
		return mid - half, mid + half
	}
	plt.X.Min, plt.X.Max = span(f.XMin, f.XMax, c.Size().X)
	plt.Y.Min, plt.Y.Max = span(f.YMin, f.YMax, c.Size().Y)
}

// MapSize returns a size for a map of d: 6 inches on the longer side, a height or width that fits
// the cities, and a line for the title.
func MapSize(d Data) Size {
	const long, least, title = 6 * vg.Inch, 2 * vg.Inch, vg.Length(24)
	f := FrameOf(d.X, d.Y)
	ratio := vg.Length((f.YMax - f.YMin) / (f.XMax - f.XMin))
	w, h := long, long
	switch {
	case ratio <= 1:
		h = max(long*ratio, least)
	case ratio > 1:
		w = max(long/ratio, least)
	}
	return Size{W: float64(w), H: float64(h + title)}
}

// transform returns the places of the cities on the canvas, in points; those that
// are not finite are NaN.
func transform(c draw.Canvas, plt *plot.Plot, x, y []float64) []place {
	trX, trY := plt.Transforms(&c)
	out := make([]place, min(len(x), len(y)))
	for i := range out {
		if !finite(x[i]) || !finite(y[i]) {
			out[i] = place{float32(math.NaN()), float32(math.NaN())}
			continue
		}
		out[i] = place{float32(trX(x[i])), float32(trY(y[i]))}
	}
	return out
}

// A place is a point of the canvas.
type place struct{ x, y float32 }

// gone reports whether p is no place at all.
func (p place) gone() bool { return p.x != p.x || p.y != p.y }

// apart is the distance of two places.
func apart(a, b place) float32 {
	dx, dy := float64(b.x-a.x), float64(b.y-a.y)
	return float32(math.Sqrt(dx*dx + dy*dy))
}
