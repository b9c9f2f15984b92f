package view

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// A Tour draws a closed tour over the cities of an instance. Edges that an older tour lacks have
// another colour.
//
// Up to some thousand cities it draws every edge. For more, lines become thinner, so that pixels
// show the density of the tour; drawings of vectors or cells show a simplified tour, and say so
// below.
type Tour struct {
	X, Y  []float64 // by city; not copied
	Order []int32   // cities in the order of the tour; not copied
	Old   []int32   // the older tour; empty: no edge counts as new

	// All draws every edge, however many.
	All bool

	// LineStyle is the style of the edges, New that of the new ones.
	draw.LineStyle
	New draw.LineStyle

	// City is the style of the cities' dots, which appear only if they are few enough to be distinct.
	// A radius of 0 hides them.
	City draw.GlyphStyle
}

// NewTour returns a tour in the default style.
func NewTour(x, y []float64, order, old []int32) *Tour {
	return &Tour{
		X: x, Y: y, Order: order, Old: old,
		LineStyle: draw.LineStyle{Color: blue, Width: vg.Points(1.1)},
		New:       draw.LineStyle{Color: vermilion, Width: vg.Points(1.5)},
		City:      draw.GlyphStyle{Color: ink, Radius: vg.Points(1.6), Shape: draw.CircleGlyph{}},
	}
}

// TourMap draws the tour of d over its cities. The frame depends only on the cities.
func TourMap(d Data) (*plot.Plot, error) {
	p, err := cityMap(d)
	if err != nil || len(d.X) == 0 {
		return p, err
	}
	t := NewTour(d.X, d.Y, d.Tour, d.PrevTour)
	t.All = d.all
	p.Add(t)
	if len(d.Names) > 0 {
		p.Add(Names{X: d.X, Y: d.Y, Names: d.Names, Order: d.Tour})
	}
	if d.Km > 0 {
		p.Add(ScaleBar{Km: d.Km})
	}
	return p, nil
}

// cityMap returns the empty map of the cities of d.
func cityMap(d Data) (*plot.Plot, error) {
	p := base(d.title())
	if err := d.check(); err != nil {
		return nil, err
	}
	if len(d.X) == 0 {
		return empty(p, fmt.Sprintf("no coordinates to draw%s", of(d.Name))), nil
	}
	bare(p)
	p.Add(FrameOf(d.X, d.Y))
	return p, nil
}

// of is " of name", or nothing for no name.
func of(name string) string {
	if name == "" {
		return ""
	}
	return " " + name
}

// DataRange returns the bounding box of the cities, independent of the order, so that the frame
// stays still while a tour improves.
func (t *Tour) DataRange() (xmin, xmax, ymin, ymax float64) {
	return FrameOf(t.X, t.Y).DataRange()
}

// GlyphBoxes reserves the room of the line below.
func (t *Tour) GlyphBoxes(*plot.Plot) []plot.GlyphBox { return below(len(t.Order)) }

// Plot draws the tour and the cities.
func (t *Tour) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	if to.words != nil {
		to.words.say("%s", t.words())
		return
	}
	if left := t.draw(c, plt, to); left != "" {
		under(c, to, plt, left, allDraws)
	}
}

// draw draws the tour and the cities, and says what is left out.
func (t *Tour) draw(c draw.Canvas, plt *plot.Plot, to target) (left string) {
	at := transform(c, plt, t.X, t.Y)
	edges := walk{at: at, order: t.Order, fresh: t.fresh(), all: t.All}
	left = edges.draw(c, to, t.LineStyle, t.New)
	t.cities(c, to, at)
	return left
}

// words says what is drawn.
func (t *Tour) words() string {
	if len(t.Order) == 0 {
		return fmt.Sprintf("%s cities, no tour", grouped(int64(len(t.X))))
	}
	fresh := 0
	for _, f := range t.fresh() {
		if f {
			fresh++
		}
	}
	s := fmt.Sprintf("a tour of %s cities", grouped(int64(len(t.Order))))
	if fresh > 0 {
		s += fmt.Sprintf(", %s edges new since the last picture", grouped(int64(fresh)))
	}
	return s
}

// fresh tells for each position of Order whether the edge to the next one is new;
// nil when none is.
func (t *Tour) fresh() []bool {
	if len(t.Old) == 0 || len(t.Order) < 2 {
		return nil
	}
	near := make([][2]int32, len(t.X))
	for i := range near {
		near[i] = [2]int32{-1, -1}
	}
	n := len(t.Old)
	for i, c := range t.Old {
		if c >= 0 && int(c) < len(near) {
			near[c] = [2]int32{t.Old[(i+n-1)%n], t.Old[(i+1)%n]}
		}
	}
	fresh := make([]bool, len(t.Order))
	for i, a := range t.Order {
		b := t.Order[(i+1)%len(t.Order)]
		if a >= 0 && int(a) < len(near) {
			fresh[i] = near[a][0] != b && near[a][1] != b
		}
	}
	return fresh
}

// cities draws the dots of cities, if they are distinct.
func (t *Tour) cities(c draw.Canvas, to target, at []place) {
	if t.City.Radius <= 0 || t.City.Shape == nil || len(at) == 0 {
		return
	}
	size := c.Size()
	room := float64(size.X*size.Y) / float64(len(at)) // square points a city
	radius := t.City.Radius
	if d := vg.Length(room) / 60; d < radius { // at most a dot's width in eight or so
		radius = d
	}
	if to.pixels == nil && !to.cells {
		switch {
		case len(at) > 400 && len(t.Order) > 0:
			return // a drawing made of vectors would hold little but circles
		case len(at) > circles:
			t.inside(c, to, at)
			return
		}
	}
	if to.cells { // in cells a dot hides lines: only where there are no lines, or few
		if len(t.Order) > 60 || room < 30 {
			if len(t.Order) > 0 {
				return
			}
		}
		radius = t.City.Radius
	} else if radius < 0.35 {
		if len(t.Order) > 0 || room < 0.5 {
			if len(t.Order) == 0 {
				t.cloud(c, to, at)
			}
			return
		}
		radius = 0.35
	}
	style := t.City
	style.Radius = radius
	for _, p := range at {
		if !p.gone() {
			c.DrawGlyph(style, vg.Point{X: vg.Length(p.x), Y: vg.Length(p.y)})
		}
	}
}

// circles is how many cities without a tour a drawing made of vectors has as circles at most:
// about 200 kB of SVG.
const circles = 2000

// inside draws cities without a tour as a picture made of pixels inside a drawing made of vectors,
// which would be large with a circle for each.
func (t *Tour) inside(c draw.Canvas, to target, at []place) {
	size := c.Size()
	inches := float64(size.X/vg.Inch) * float64(size.Y/vg.Inch)
	dpi := int(min(144, math.Sqrt(mostInside/inches)))
	if !(inches > 0) || dpi < 1 {
		return
	}
	k := t.City.Color
	if k == nil {
		k = color.Black
	}
	one := *t
	one.City.Color = color.Black
	img := vgimg.NewWith(vgimg.UseWH(size.X, size.Y), vgimg.UseDPI(dpi),
		vgimg.UseBackgroundColor(color.Transparent))
	moved := make([]place, len(at))
	for i, p := range at {
		moved[i] = place{p.x - float32(c.Min.X), p.y - float32(c.Min.Y)}
	}
	one.cities(draw.New(img), targetOf(img), moved)
	c.DrawImage(c.Rectangle, opacities(img.Image(), color.NRGBAModel.Convert(to.ink(k)).(color.NRGBA)))
}

// mostInside bounds the pixels of a picture inside a drawing, half a byte each.
const mostInside = 1 << 20

// opacities is img in one colour, of which its pixels have sixteen opacities.
func opacities(img image.Image, k color.NRGBA) *image.Paletted {
	const n = 16
	var colours color.Palette
	for i := range n {
		colours = append(colours, color.NRGBA{k.R, k.G, k.B, uint8(i * 0xff / (n - 1))})
	}
	out := image.NewPaletted(img.Bounds(), colours)
	for y := out.Rect.Min.Y; y < out.Rect.Max.Y; y++ {
		for x := out.Rect.Min.X; x < out.Rect.Max.X; x++ {
			_, _, _, a := img.At(x, y).RGBA()
			out.SetColorIndex(x, y, uint8((a*(n-1)+0x7fff)/0xffff))
		}
	}
	return out
}

// cloud draws very many cities without a tour: each a speck.
func (t *Tour) cloud(c draw.Canvas, to target, at []place) {
	order := make([]int32, 0, 2*len(at))
	for i := range at {
		order = append(order, int32(i), int32(i))
	}
	specks := walk{at: at, order: order, apart: true}
	k := t.City.Color
	if k == nil {
		k = color.Black
	}
	specks.draw(c, to, draw.LineStyle{Color: k, Width: vg.Points(0.7)}, t.New)
}
