// Package raster draws very many thin lines into a picture fast.
//
// A general vector rasteriser takes seconds for the tour of a million cities.
// Here each segment adds its coverage to the pixels near it and nothing else:
// one sweep along the segment's longer axis, a few pixels wide. A line thinner
// than a pixel covers them in part, so that where lines lie dense their density
// is seen instead of a black block.
package raster

import (
	"image"
	"image/color"
	"math"
)

// Lines is a layer of lines: the part of each pixel that they cover, 0 to 1.
type Lines struct {
	W, H  int       // pixels
	Cover []float32 // row by row from the top, W x H
}

// New returns an empty layer of w by h pixels.
func New(w, h int) *Lines {
	w, h = max(w, 0), max(h, 0)
	return &Lines{W: w, H: h, Cover: make([]float32, w*h)}
}

// Segment draws the line from (x0, y0) to (x1, y1), in pixels from the top left
// corner, with the given width in pixels and opacity 0 to 1. What lies outside is
// cut; coordinates that are not finite draw nothing.
func (l *Lines) Segment(x0, y0, x1, y1, width, opacity float32) {
	if !(width > 0) || !finite(x0, y0, x1, y1) {
		return
	}
	if width < 1 { // a pixel wide and that much fainter
		opacity *= width
		width = 1
	}
	reach := width/2 + 0.5 // beyond it the coverage is 0
	dx, dy := x1-x0, y1-y0
	steep := abs(dy) > abs(dx)
	if steep {
		x0, y0, x1, y1, dx, dy = y0, x0, y1, x1, dy, dx
	}
	if x0 > x1 {
		x0, y0, x1, dx, dy = x1, y1, x0, -dx, -dy
	}
	long, wide := l.W, l.H
	if steep {
		long, wide = wide, long
	}
	if x1+reach < 0 || x0-reach > float32(long) {
		return
	}
	norm := dx*dx + dy*dy
	slope, inv := float32(0), float32(0)
	if norm > 0 {
		slope, inv = dy/dx, 1/norm
	}
	span := reach * float32(math.Sqrt(float64(1+slope*slope)))
	for i := max(0, floor(x0-reach)); i <= min(long-1, floor(x1+reach)); i++ {
		x := float32(i) + 0.5 - x0
		mid := y0 + slope*min(max(x, 0), dx)
		for j := max(0, floor(mid-span)); j <= min(wide-1, floor(mid+span)); j++ {
			y := float32(j) + 0.5 - y0
			t := min(max((x*dx+y*dy)*inv, 0), 1)
			ex, ey := x-t*dx, y-t*dy
			d2 := ex*ex + ey*ey
			if d2 >= reach*reach {
				continue
			}
			c := min(reach-float32(math.Sqrt(float64(d2))), 1) * opacity
			at := j*l.W + i
			if steep {
				at = i*l.W + j
			}
			l.Cover[at] += c * (1 - l.Cover[at])
		}
	}
}

// Over draws the layer in colour k over img, whose bounds must be those of the
// layer moved to at. Parts outside the image are left out.
func (l *Lines) Over(img *image.RGBA, at image.Point, k color.Color) {
	r, g, b, a := k.RGBA()
	b0 := img.Bounds()
	for y := max(0, b0.Min.Y-at.Y); y < min(l.H, b0.Max.Y-at.Y); y++ {
		for x := max(0, b0.Min.X-at.X); x < min(l.W, b0.Max.X-at.X); x++ {
			c := l.Cover[y*l.W+x]
			if c == 0 {
				continue
			}
			p := img.Pix[img.PixOffset(x+at.X, y+at.Y):][:4:4]
			rest := 1 - c*float32(a)/0xffff
			p[0] = blend(p[0], r, c, rest)
			p[1] = blend(p[1], g, c, rest)
			p[2] = blend(p[2], b, c, rest)
			p[3] = blend(p[3], a, c, rest)
		}
	}
}

// blend lays the part c of the 16-bit channel v over the 8-bit channel p.
func blend(p uint8, v uint32, c, rest float32) uint8 {
	return uint8(min(float32(p)*rest+c*float32(v)/257+0.5, 255))
}

func finite(vs ...float32) bool {
	for _, v := range vs {
		if !(abs(v) < 1e7) { // also NaN; farther away no pixel could be told
			return false
		}
	}
	return true
}

func abs(v float32) float32 { return max(v, -v) }

func floor(v float32) int {
	i := int(v)
	if float32(i) > v {
		i--
	}
	return i
}
