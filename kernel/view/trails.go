package view

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/kernel/view/internal/raster"
)

// Trails draws the strongest pheromone trails over the cities: the stronger, the more opaque. If
// there are too many, each region of the map has its share, and a line below gives the number
// drawn.
type Trails struct {
	X, Y   []float64 // by city; not copied
	Trails []Trail   // not copied
	Of     int       // the number of all, if Trails is a part of them; 0: it is all

	// Most is the largest number of trails drawn; a canvas may show fewer.
	Most int

	// All draws all trails, whatever Most is.
	All bool

	// LineStyle is the style of the strongest trail.
	draw.LineStyle
}

// NewTrails returns trails in the default style: at most three per city.
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
	trails := NewTrails(d.X, d.Y, d.Trails)
	trails.Of, trails.All = d.AllTrails, d.all
	p.Add(trails)
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

// Plot draws the tour unless the canvas consists of cells, without a note.
func (o overlay) Plot(c draw.Canvas, plt *plot.Plot) {
	if to := targetOf(c); !to.cells && to.words == nil {
		o.draw(c, plt, to)
	}
}

// GlyphBoxes reserves nothing.
func (o overlay) GlyphBoxes(*plot.Plot) []plot.GlyphBox { return nil }

// DataRange returns the bounding box of the cities.
func (t *Trails) DataRange() (xmin, xmax, ymin, ymax float64) {
	return FrameOf(t.X, t.Y).DataRange()
}

// GlyphBoxes reserves the room of the line below.
func (t *Trails) GlyphBoxes(*plot.Plot) []plot.GlyphBox { return below(len(t.Trails)) }

// levels is the number of opacities that a drawing made of vectors tells apart.
const levels = 8

// Plot draws the trails, the weakest first.
func (t *Trails) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	most := t.Most
	size := c.Size()
	area := float64(size.X * size.Y)
	switch {
	case t.All:
		most = len(t.Trails)
	case to.pixels != nil:
		most = min(most, 400_000)
	case to.cells:
		most = min(most, int(area/float64(to.dot*to.dot)/20))
	default:
		most = min(most, vertices/2)
	}
	strong, all := strongest(t.Trails, t.X, t.Y, most)
	all = max(all, t.Of)
	if to.words != nil {
		to.words.say("%s trails", grouped(int64(all)))
		return
	}
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
	drawn := len(strong)
	if to.pixels != nil {
		t.paint(c, to, at, strong, width, k)
	} else {
		drawn = t.stroke(c, to, at, strong, width, k)
	}
	if drawn < all {
		text := fmt.Sprintf("%s of %s trails, the strongest of each region", grouped(int64(drawn)),
			grouped(int64(all)))
		under(c, to, plt, text, allDraws)
	}
}

// stroke draws lines, level by level, and returns how many.
func (t *Trails) stroke(c draw.Canvas, to target, at []place, strong []Trail, width vg.Length,
	k color.Color,
) int {
	full := color.NRGBAModel.Convert(k).(color.NRGBA)
	drawn := 0
	for from := 0; from < len(strong); {
		level := levelOf(strong[from].V)
		first := from
		var lines [][]vg.Point
		for ; from < len(strong) && levelOf(strong[from].V) == level; from++ {
			a, b := at[strong[from].I], at[strong[from].J]
			if a.gone() || b.gone() || !t.All && apart(a, b) < float32(to.dot)/2 {
				continue
			}
			lines = append(lines, []vg.Point{
				{X: vg.Length(a.x), Y: vg.Length(a.y)},
				{X: vg.Length(b.x), Y: vg.Length(b.y)},
			})
		}
		if level == 1 && from < len(strong) && !t.All {
			continue // hardly to be seen, and the most by far
		}
		shade := full
		if to.cells {
			shade = mix(full, float64(level)/levels)
		} else {
			shade.A = uint8(int(full.A) * level / levels)
		}
		strokeAll(c, draw.LineStyle{Color: shade, Width: width}, lines)
		drawn += from - first // those that are shorter than a dot count: there is no more to see
	}
	return drawn
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
func (t *Trails) paint(c draw.Canvas, to target, at []place, strong []Trail, width vg.Length,
	k color.Color,
) {
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
		layer.Segment(a.x*px-left, height-a.y*px-top, b.x*px-left, height-b.y*px-top, float32(width)*px,
			max(s.V, 0.06))
	}
	layer.Over(to.pixels, frame.Min, to.ink(k))
}
