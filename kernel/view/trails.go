package view

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/kernel/view/raster"
)

// Trails draws the strongest pheromone trails over the cities: the stronger, the
// more opaque.
type Trails struct {
	X, Y   []float64 // by city; not copied
	Trails []Trail   // not copied

	// Most is the number of trails drawn at most, the strongest ones; what a
	// canvas can show may be fewer.
	Most int

	// LineStyle is the style of the strongest trail.
	draw.LineStyle
}

// NewTrails returns trails in the house's style: at most three a city.
func NewTrails(x, y []float64, trails []Trail) *Trails {
	return &Trails{
		X: x, Y: y, Trails: trails, Most: 3 * len(x),
		LineStyle: draw.LineStyle{Color: vermilion, Width: vg.Points(2.2)},
	}
}

// PheromoneMap draws the trails of d over its cities, and its tour as a thin line.
func PheromoneMap(d Data) (*plot.Plot, error) {
	p, err := cityMap(d)
	if err != nil || len(d.X) == 0 {
		return p, err
	}
	if len(d.Trails) == 0 {
		return empty(base(d.title()), "no trails to draw"), nil
	}
	p.Add(NewTrails(d.X, d.Y, d.Trails))
	if len(d.Tour) > 0 {
		t := NewTour(d.X, d.Y, d.Tour, nil)
		t.LineStyle = draw.LineStyle{Color: ink, Width: vg.Points(0.5)}
		p.Add(overlay{t})
	}
	return p, nil
}

// overlay is a tour that is left out where lines have only one width, because it
// would hide what it lies on.
type overlay struct{ *Tour }

// Plot draws the tour unless the canvas is made of cells.
func (o overlay) Plot(c draw.Canvas, plt *plot.Plot) {
	if !targetOf(c).cells {
		o.Tour.Plot(c, plt)
	}
}

// DataRange returns the bounding box of the cities.
func (t *Trails) DataRange() (xmin, xmax, ymin, ymax float64) {
	return FrameOf(t.X, t.Y).DataRange()
}

// levels is the number of opacities that a drawing made of vectors tells apart.
const levels = 8

// Plot draws the trails, the weakest first.
func (t *Trails) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	most := t.Most
	size := c.Size()
	area := float64(size.X * size.Y)
	switch {
	case to.pixels != nil:
		most = min(most, 400_000)
	case to.cells:
		most = min(most, int(area/float64(to.dot*to.dot)/20))
	default:
		most = min(most, vertices/2)
	}
	strong := strongest(t.Trails, len(t.X), most)
	if len(strong) == 0 || t.Width <= 0 || !(area > 0) {
		return
	}
	at := transform(c, plt, t.X, t.Y)
	var length float64
	for _, s := range strong {
		if d := float64(apart(at[s.I], at[s.J])); d == d {
			length += d * float64(s.V)
		}
	}
	width := max(min(t.Width, vg.Length(fill*area/max(length, 1))), thinnest)
	k := t.Color
	if k == nil {
		k = color.Black
	}
	if to.pixels != nil {
		t.paint(c, to, at, strong, width, k)
		return
	}
	full := color.NRGBAModel.Convert(k).(color.NRGBA)
	for from := 0; from < len(strong); {
		level := levelOf(strong[from].V)
		var lines [][]vg.Point
		for ; from < len(strong) && levelOf(strong[from].V) == level; from++ {
			a, b := at[strong[from].I], at[strong[from].J]
			if a.gone() || b.gone() || apart(a, b) < float32(to.dot)/2 {
				continue
			}
			lines = append(lines, []vg.Point{{X: vg.Length(a.x), Y: vg.Length(a.y)}, {X: vg.Length(b.x), Y: vg.Length(b.y)}})
		}
		if level == 1 && from < len(strong) {
			continue // hardly to be seen, and the most by far
		}
		shade := full
		if to.cells {
			shade = mix(full, float64(level)/levels)
		} else {
			shade.A = uint8(int(full.A) * level / levels)
		}
		strokeAll(c, draw.LineStyle{Color: shade, Width: width}, lines)
	}
}

// mix is k mixed with a middle grey, of which share parts of k are left: how
// cells, which are not transparent, show a weak line.
func mix(k color.NRGBA, share float64) color.NRGBA {
	m := func(v uint8) uint8 { return uint8(math.Round(float64(v)*share + 0x70*(1-share))) }
	return color.NRGBA{R: m(k.R), G: m(k.G), B: m(k.B), A: k.A}
}

// levelOf returns the opacity, 1 to levels, of a strength from 0 to 1.
func levelOf(v float32) int { return min(1+int(v*levels), levels) }

// paint draws the trails into pixels.
func (t *Trails) paint(c draw.Canvas, to target, at []place, strong []Trail, width vg.Length, k color.Color) {
	px := float32(to.dpi / 72)
	bounds := to.pixels.Bounds()
	height := float32(bounds.Dy())
	frame := image.Rect(
		floor(float32(c.Min.X)*px)-2, floor(height-float32(c.Max.Y)*px)-2,
		floor(float32(c.Max.X)*px)+3, floor(height-float32(c.Min.Y)*px)+3,
	).Intersect(bounds)
	if frame.Empty() {
		return
	}
	layer := raster.New(frame.Dx(), frame.Dy())
	left, top := float32(frame.Min.X), float32(frame.Min.Y)
	for _, s := range strong {
		a, b := at[s.I], at[s.J]
		layer.Segment(a.x*px-left, height-a.y*px-top, b.x*px-left, height-b.y*px-top, float32(width)*px, max(s.V, 0.06))
	}
	layer.Over(to.pixels, frame.Min, to.ink(k))
}

// strongest returns the most strongest of the trails among n cities, weakest
// first, each edge once with the smaller city first, and V turned into a strength
// from 0, for the weakest of all trails, to 1. When all trails are equal, there
// is nothing to tell and all have strength 0.25.
func strongest(trails []Trail, n, most int) []Trail {
	lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
	sound := func(t Trail) bool {
		return t.I != t.J && t.I >= 0 && t.J >= 0 && int(t.I) < n && int(t.J) < n && finite(float64(t.V))
	}
	for _, t := range trails {
		if sound(t) {
			lo, hi = min(lo, t.V), max(hi, t.V)
		}
	}
	if !(lo <= hi) || most <= 0 {
		return nil
	}
	scale := func(v float32) float32 {
		if hi == lo {
			return 0.25
		}
		return (v - lo) / (hi - lo)
	}
	// A histogram finds the strength of the weakest that is drawn; edges that are
	// given both ways count twice there.
	const bins = 4096
	var count [bins]int
	for _, t := range trails {
		if sound(t) {
			count[min(int(scale(t.V)*bins), bins-1)]++
		}
	}
	from, sum := bins, 0
	for from > 0 && sum+count[from-1] <= 2*most {
		from--
		sum += count[from]
	}
	if sum == 0 {
		from = max(from-1, 0) // one bin holds more than all that are drawn: cut below
	}
	var strong []Trail
	for _, t := range trails {
		if sound(t) && min(int(scale(t.V)*bins), bins-1) >= from {
			strong = append(strong, Trail{I: min(t.I, t.J), J: max(t.I, t.J), V: scale(t.V)})
		}
	}
	slices.SortFunc(strong, func(a, b Trail) int {
		return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J), cmp.Compare(b.V, a.V))
	})
	strong = slices.CompactFunc(strong, func(a, b Trail) bool { return a.I == b.I && a.J == b.J })
	slices.SortStableFunc(strong, func(a, b Trail) int { return cmp.Compare(a.V, b.V) })
	return strong[max(0, len(strong)-most):]
}
