package view

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// finest is the number of rows and columns of a matrix drawn, at most.
const finest = 256

// A Matrix draws the trails as a heat map whose rows and columns are the cities in the order of a
// tour, so that a settled search shows as a bright diagonal. If there are more cities than 256, or
// than the canvas can show, each field shows the strongest of its trails. The colour scale is
// logarithmic if all trails are positive and span more than a factor 100.
type Matrix struct {
	N      int     // cities
	Order  []int32 // rows and columns; empty: by number. Not copied.
	Trails []Trail // not copied
	shades
	anything bool
}

// shades are what colours mean: values from lo to hi, on a logarithmic scale or not.
type shades struct {
	lo, hi float64
	log    bool
}

// NewMatrix returns a matrix of the trails among n cities.
func NewMatrix(n int, order []int32, trails []Trail) *Matrix {
	m := &Matrix{N: n, Order: order, Trails: trails, shades: shades{lo: math.Inf(1), hi: math.Inf(-1)}}
	for _, t := range trails {
		if v := float64(t.V); finite(v) {
			m.lo, m.hi = min(m.lo, v), max(m.hi, v)
		}
	}
	m.anything = m.lo <= m.hi
	m.log = m.lo > 0 && m.hi/m.lo > 100
	return m
}

// PheromoneHeat draws the trails of d as a matrix in the order of its tour, with a bar that
// explains the colours.
func PheromoneHeat(d Data) (*plot.Plot, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	p := base(d.title())
	n := max(len(d.X), len(d.Tour))
	for _, t := range d.Trails {
		n = max(n, int(t.I)+1, int(t.J)+1)
	}
	m := NewMatrix(n, d.Tour, d.Trails)
	if !m.anything {
		return empty(p, "no trails to draw"), nil
	}
	p.Add(m)
	by := "position in the tour"
	if len(d.Tour) == 0 {
		by = "city"
	}
	p.X.Label.Text, p.Y.Label.Text = by, by
	p.X.Tick.Marker, p.Y.Tick.Marker = Ticks{Want: 6, Int: true}, Ticks{Want: 6, Int: true}
	p.X.Padding, p.Y.Padding = 0, 0
	return p, nil
}

// DataRange returns the range of positions.
func (m *Matrix) DataRange() (xmin, xmax, ymin, ymax float64) {
	n := float64(max(m.N, 1))
	return 0, n, 0, n
}

// GlyphBoxes reserves the room of the bar of colours, right of the matrix.
func (m *Matrix) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 1, Y: 0.5, Rectangle: vg.Rectangle{Max: vg.Point{X: barRoom}}}}
}

const barRoom = vg.Length(66)

// bins returns the strongest trail of each field of a k by k matrix as a shade
// from 1 to 255; 0 where there is none.
func (m *Matrix) bins(k int) []uint8 {
	position := make([]int32, m.N)
	for i := range position {
		position[i] = int32(i)
	}
	for i, c := range m.Order {
		if c >= 0 && int(c) < m.N {
			position[c] = int32(i)
		}
	}
	field := make([]uint8, k*k)
	for _, t := range m.Trails {
		if t.I < 0 || t.J < 0 || int(t.I) >= m.N || int(t.J) >= m.N || !finite(float64(t.V)) {
			continue
		}
		i := min(int(position[t.I])*k/m.N, k-1)
		j := min(int(position[t.J])*k/m.N, k-1)
		s := m.shade(float64(t.V))
		field[i*k+j] = max(field[i*k+j], s)
		field[j*k+i] = max(field[j*k+i], s)
	}
	return field
}

// shade returns the shade of a value, 1 to 255.
func (m *shades) shade(v float64) uint8 {
	if m.hi == m.lo {
		return 128
	}
	x := (v - m.lo) / (m.hi - m.lo)
	if m.log {
		x = math.Log(v/m.lo) / math.Log(m.hi/m.lo)
	}
	return uint8(1 + math.Round(254*min(max(x, 0), 1)))
}

// Plot draws the matrix and its bar.
func (m *Matrix) Plot(c draw.Canvas, plt *plot.Plot) {
	if m.N <= 0 || !m.anything {
		return
	}
	to := targetOf(c)
	trX, trY := plt.Transforms(&c)
	r := vg.Rectangle{
		Min: vg.Point{X: trX(0), Y: trY(0)},
		Max: vg.Point{X: trX(float64(m.N)), Y: trY(float64(m.N))},
	}
	k := min(finest, m.N)
	if short := min(r.Size().X, r.Size().Y) / to.dot; to.cells && float64(short) > 4 {
		k = min(k, max(int(short), 8))
	}
	field := m.bins(k)
	img := image.NewPaletted(image.Rect(0, 0, k, k), viridis[:])
	for i := range k {
		for j := range k {
			img.SetColorIndex(j, k-1-i, field[i*k+j])
		}
	}
	tiles(c, to, r, img)
	m.bar(c, to, plt)
}

// apart writes numbers with so many digits at least that both ends and the middle of the colours
// differ.
func (m *shades) apart(digits int) func(v float64) string {
	write := func(v float64) string { return strconv.FormatFloat(v, 'g', digits, 64) }
	for mid := (m.lo + m.hi) / 2; digits < 7; digits++ {
		if m.lo == m.hi || write(m.lo) != write(mid) && write(mid) != write(m.hi) {
			break
		}
	}
	return write
}

// bar draws the meaning of the colours.
func (m *shades) bar(c draw.Canvas, to target, plt *plot.Plot) {
	wide := vg.Length(10)
	x := c.Max.X + 8
	if to.cells {
		wide, x = 12, c.Max.X+9
	}
	y0, y1 := c.Min.Y+c.Size().Y*0.1, c.Min.Y+c.Size().Y*0.9
	img := image.NewPaletted(image.Rect(0, 0, 1, 64), viridis[:])
	for i := range 64 {
		img.SetColorIndex(0, i, uint8(255-i*254/63))
	}
	tiles(c, to, vg.Rectangle{Min: vg.Point{X: x, Y: y0}, Max: vg.Point{X: x + wide, Y: y1}}, img)
	style := draw.TextStyle{
		Font: to.font(tickSize), Color: ink,
		Handler: plt.X.Label.TextStyle.Handler, YAlign: draw.YCenter,
	}
	number := m.apart(2)
	tell := func(y vg.Length, v float64) {
		c.FillText(style, vg.Point{X: x + wide + 3, Y: y}, number(v))
	}
	if m.hi == m.lo {
		tell((y0+y1)/2, m.lo)
		return
	}
	tell(y0, m.lo)
	tell(y1, m.hi)
	mid := (m.lo + m.hi) / 2
	if m.log {
		mid = math.Sqrt(m.lo) * math.Sqrt(m.hi)
	}
	tell((y0+y1)/2, mid)
}

// clear is the colour of pixels of tiles that show the ground.
var clear = color.NRGBA{}

// tiles draws a picture of large pixels, which stay sharp, into a rectangle.
func tiles(c draw.Canvas, to target, r vg.Rectangle, img *image.Paletted) {
	if to.pixels == nil {
		c.DrawImage(r, img)
		return
	}
	px := to.dpi / 72
	h := float64(to.pixels.Bounds().Dy())
	b := image.Rect(
		int(math.Round(float64(r.Min.X)*px)), int(math.Round(h-float64(r.Max.Y)*px)),
		int(math.Round(float64(r.Max.X)*px)), int(math.Round(h-float64(r.Min.Y)*px)),
	)
	in := b.Intersect(to.pixels.Bounds())
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			u, v := (x-b.Min.X)*img.Rect.Dx()/b.Dx(), (y-b.Min.Y)*img.Rect.Dy()/b.Dy()
			if k := img.At(u, v); k != clear {
				to.pixels.Set(x, y, k)
			}
		}
	}
}

// viridis is a scale of 256 colours from dark to bright that is even to the eye
// and to the colour-blind: S. van der Walt and N. Smith's of 2015, through ten of
// its colours.
var viridis = func() (p [256]color.Color) {
	stops := [...][3]float64{
		{0x44, 0x01, 0x54},
		{0x48, 0x28, 0x78},
		{0x3e, 0x4a, 0x89},
		{0x31, 0x68, 0x8e},
		{0x26, 0x82, 0x8e},
		{0x1f, 0x9e, 0x89},
		{0x35, 0xb7, 0x79},
		{0x6d, 0xcd, 0x59},
		{0xb4, 0xde, 0x2c},
		{0xfd, 0xe7, 0x25},
	}
	for i := range p {
		x := float64(i) / 255 * float64(len(stops)-1)
		k := min(int(x), len(stops)-2)
		t := x - float64(k)
		var c [3]uint8
		for j := range c {
			c[j] = uint8(math.Round(stops[k][j]*(1-t) + stops[k+1][j]*t))
		}
		p[i] = color.RGBA{c[0], c[1], c[2], 0xff}
	}
	return p
}()
