package view

import (
	"image"
	"image/color"
	"math"
)

// middle is the grey of ink on a ground that may be light or dark: its contrast is 4.6 with white
// and 4.1 with the ground of Jupyter's dark theme.
const middle = 0x75

// strays is how far a colour may lie from the shades between white and a colour of figures to count
// as one of them.
const strays = 24

// pale is the least part of red, green and blue of colours that are areas over one another.
const pale = 0x90

// cleared makes a picture on white one without a ground, which is seen on white as before, and on
// dark grounds too. Shades between white and a colour of figures become that colour, more or less
// transparent; so do those of areas over one another. Ink becomes grey. Other colours stay.
func cleared(img *image.Paletted) *image.Paletted {
	out := *img
	out.Palette = make(color.Palette, len(img.Palette))
	for i, k := range img.Palette {
		out.Palette[i] = clearedColour(color.RGBAModel.Convert(k).(color.RGBA))
	}
	return &out
}

// clearedColour is the colour of cleared for one on white.
func clearedColour(k color.RGBA) color.NRGBA {
	c := [3]float64{255 - float64(k.R), 255 - float64(k.G), 255 - float64(k.B)} // below white
	best, share, at := math.Inf(1), 0.0, -1
	for i := -1; i < len(palette); i++ {
		p := ink
		if i >= 0 {
			p = palette[i]
		}
		full := [3]float64{255 - float64(p.R), 255 - float64(p.G), 255 - float64(p.B)}
		t := (c[0]*full[0] + c[1]*full[1] + c[2]*full[2]) /
			(full[0]*full[0] + full[1]*full[1] + full[2]*full[2])
		far := math.Hypot(math.Hypot(c[0]-t*full[0], c[1]-t*full[1]), c[2]-t*full[2])
		if far < best {
			best, share, at = far, t, i
		}
	}
	opaque := color.NRGBA{R: k.R, G: k.G, B: k.B, A: 0xff}
	if best > strays && min(k.R, k.G, k.B) >= pale { // of areas over one another
		at, share = 0, max(c[0], c[1], c[2])/255
	} else if best > strays || at >= 0 && share >= 1 {
		return opaque
	}
	alpha := math.Round(255*min(share, 1)) / 255
	if alpha == 0 {
		return color.NRGBA{R: 0xff, G: 0xff, B: 0xff}
	}
	a := uint8(math.Round(255 * alpha))
	if at < 0 {
		return color.NRGBA{R: middle, G: middle, B: middle, A: a}
	}
	of := func(below float64) uint8 { return uint8(math.Round(max(0, 255-below/alpha))) }
	return color.NRGBA{R: of(c[0]), G: of(c[1]), B: of(c[2]), A: a}
}
