package cells

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// bits are the braille dots by row and column of a cell.
var bits = [4][2]byte{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// set lights the dot in column x of row y, counted in dots.
func (c *Canvas) set(x, y int, k ink) {
	if x < 0 || y < 0 {
		return
	}
	if q := c.at(x/2, y/4); q != nil {
		q.dots |= bits[y%4][x%2]
		if q.text == 0 {
			q.ink = k
		}
	}
}

// flatten turns a path into polylines in dots. Places that are not finite break them.
func (c *Canvas) flatten(p vg.Path) [][]place {
	var lines [][]place
	var line []place
	end := func() {
		if len(line) > 0 {
			lines = append(lines, line)
		}
		line = nil
	}
	add := func(p vg.Point) {
		q := c.place(p)
		if math.IsNaN(q.x) || math.IsNaN(q.y) || math.IsInf(q.x, 0) || math.IsInf(q.y, 0) {
			end()
			return
		}
		line = append(line, q)
	}
	for _, s := range p {
		switch s.Type {
		case vg.MoveComp:
			end()
			add(s.Pos)
		case vg.LineComp:
			add(s.Pos)
		case vg.ArcComp:
			const steps = 16
			for i := range steps + 1 {
				sin, cos := math.Sincos(s.Start + s.Angle*float64(i)/steps)
				add(vg.Point{X: s.Pos.X + s.Radius*vg.Length(cos), Y: s.Pos.Y + s.Radius*vg.Length(sin)})
			}
		case vg.CurveComp:
			for _, q := range s.Control {
				add(q)
			}
			add(s.Pos)
		case vg.CloseComp:
			if len(line) > 0 {
				line = append(line, line[0])
			}
		}
	}
	end()
	return lines
}

// Stroke draws the lines of p.
func (c *Canvas) Stroke(p vg.Path) {
	k, ok := inkOf(c.now.color)
	if !ok || c.now.width <= 0 {
		return
	}
	w, h := float64(2*c.cols), float64(4*c.rows)
	for _, line := range c.flatten(p) {
		step := 0 // of the dashes, along the whole line
		if len(line) == 1 {
			c.set(int(math.Floor(line[0].x)), int(math.Floor(line[0].y)), k)
		}
		for i := 1; i < len(line); i++ {
			a, b, ok := clip(line[i-1], line[i], w, h)
			if !ok {
				continue
			}
			n := int(max(math.Abs(b.x-a.x), math.Abs(b.y-a.y))) + 1
			for j := range n + 1 {
				step++
				if c.now.dashed && step%6 >= 3 {
					continue
				}
				t := float64(j) / float64(n)
				c.set(int(math.Floor(a.x+(b.x-a.x)*t)), int(math.Floor(a.y+(b.y-a.y)*t)), k)
			}
		}
	}
}

// clip cuts the segment from a to b to the canvas, w by h dots, by the method of
// Y.-D. Liang and B. A. Barsky, "A new concept and method for line clipping", ACM
// Transactions on Graphics 3(1), 1984, doi:10.1145/357332.357333. It reports
// whether anything is left.
func clip(a, b place, w, h float64) (place, place, bool) {
	dx, dy := b.x-a.x, b.y-a.y
	t0, t1 := 0.0, 1.0
	for _, e := range [4][2]float64{{-dx, a.x}, {dx, w - a.x}, {-dy, a.y}, {dy, h - a.y}} {
		p, q := e[0], e[1]
		switch {
		case p == 0 && q < 0:
			return a, b, false
		case p < 0:
			t0 = max(t0, q/p)
		case p > 0:
			t1 = min(t1, q/p)
		}
	}
	if t0 > t1 {
		return a, b, false
	}
	return place{a.x + t0*dx, a.y + t0*dy}, place{a.x + t1*dx, a.y + t1*dy}, true
}

// Fill fills the inside of p (even-odd) by half blocks. Small round shapes are
// markers and become dots; small angular ones are the tiles of a heat map.
func (c *Canvas) Fill(p vg.Path) {
	k, ok := inkOf(c.now.color)
	if !ok {
		return
	}
	lines := c.flatten(p)
	lo := place{math.Inf(1), math.Inf(1)}
	hi := place{math.Inf(-1), math.Inf(-1)}
	for _, line := range lines {
		for _, q := range line {
			lo = place{min(lo.x, q.x), min(lo.y, q.y)}
			hi = place{max(hi.x, q.x), max(hi.y, q.y)}
		}
	}
	if lo.x > hi.x {
		return
	}
	round := func(s vg.PathComp) bool { return s.Type == vg.ArcComp || s.Type == vg.CurveComp }
	if hi.x-lo.x < 5 && hi.y-lo.y < 5 && slices.ContainsFunc(p, round) {
		x, y := int(math.Floor((lo.x+hi.x)/2)), int(math.Floor((lo.y+hi.y)/2))
		c.set(x, y, k)
		if hi.x-lo.x > 1.5 {
			c.set(x+1, y, k)
		}
		return
	}
	for y := max(0, int(lo.y/4)); y <= min(c.rows-1, int(hi.y/4)); y++ {
		for x := max(0, int(lo.x/2)); x <= min(c.cols-1, int(hi.x/2)); x++ {
			for half := range 2 {
				if inside(lines, float64(2*x)+1, float64(4*y+2*half)+1) {
					q := c.at(x, y)
					q.half[half], q.image, q.dots, q.text = k, false, 0, 0
				}
			}
		}
	}
}

// inside reports whether the place (x, y) lies within the polygons, even-odd.
func inside(lines [][]place, x, y float64) bool {
	in := false
	for _, l := range lines {
		for i, j := 0, len(l)-1; i < len(l); j, i = i, i+1 {
			a, b := l[i], l[j]
			if (a.y > y) != (b.y > y) && x < (b.x-a.x)*(y-a.y)/(b.y-a.y)+a.x {
				in = !in
			}
		}
	}
	return in
}

// DrawImage fills the rectangle r with the image, by half blocks that take the
// mean colour of the pixels below them. Pixels that are almost transparent leave
// what was there.
func (c *Canvas) DrawImage(r vg.Rectangle, img image.Image) {
	p, q := c.place(r.Min), c.place(r.Max)
	x0, x1, y0, y1 := p.x/2, q.x/2, q.y/2, p.y/2 // in cells across and half cells down
	b := img.Bounds()
	if !(x1 > x0) || !(y1 > y0) || b.Empty() {
		return
	}
	sx, sy := float64(b.Dx())/(x1-x0), float64(b.Dy())/(y1-y0)
	for y := max(0, int(math.Round(y0))); y < min(2*c.rows, int(math.Round(y1))); y++ {
		for x := max(0, int(math.Round(x0))); x < min(c.cols, int(math.Round(x1))); x++ {
			box := image.Rect(
				b.Min.X+int((float64(x)-x0)*sx), b.Min.Y+int((float64(y)-y0)*sy),
				b.Min.X+int((float64(x)+1-x0)*sx), b.Min.Y+int((float64(y)+1-y0)*sy),
			)
			k := mean(img, box)
			if k.A < faintest {
				continue
			}
			cell := c.at(x, y/2)
			cell.half[y%2], cell.image = ink{kind: colored, r: k.R, g: k.G, b: k.B}, true
		}
	}
}

// mean is the mean colour of the box, which has at least the pixel at its corner.
func mean(img image.Image, box image.Rectangle) color.NRGBA {
	box.Max.X, box.Max.Y = max(box.Max.X, box.Min.X+1), max(box.Max.Y, box.Min.Y+1)
	box = box.Intersect(img.Bounds())
	if box.Empty() {
		return color.NRGBA{}
	}
	var r, g, b, a, n uint64
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			pr, pg, pb, pa := img.At(x, y).RGBA()
			r, g, b, a, n = r+uint64(pr), g+uint64(pg), b+uint64(pb), a+uint64(pa), n+1
		}
	}
	m := color.RGBA64{uint16(r / n), uint16(g / n), uint16(b / n), uint16(a / n)}
	return color.NRGBAModel.Convert(m).(color.NRGBA)
}
