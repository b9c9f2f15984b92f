package view

import (
	"image"
	"image/color"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"metalab/kernel/view/cells"
)

// A target describes the kind of a canvas, so that plotters draw no more than it can show.
type target struct {
	dot    vg.Length   // the size of the smallest visible detail
	pixels *image.RGBA // of a canvas of pixels; nil otherwise
	dpi    float64     // of pixels
	cells  bool        // the canvas consists of terminal cells
	plain  bool        // whether those have no colours
	dark   bool        // whether neutral colours are to be turned round
	words  *wordCanvas // of a canvas that takes words; nil otherwise
}

// targetOf looks through the wrappings of c.
func targetOf(c vg.Canvas) target {
	var t target
	for {
		switch v := c.(type) {
		case draw.Canvas:
			c = v.Canvas
		case *draw.Canvas:
			c = v.Canvas
		case themed:
			c, t.dark = v.CanvasSizer, true
		case solid:
			c = v.CanvasSizer
		case vgimg.PngCanvas:
			c = v.Canvas
		case vgimg.JpegCanvas:
			c = v.Canvas
		case vgimg.TiffCanvas:
			c = v.Canvas
		case *vgimg.Canvas:
			if img, ok := v.Image().(*image.RGBA); ok {
				t.pixels, t.dpi = img, v.DPI()
			}
			t.dot = vg.Inch / vg.Length(v.DPI())
			return t
		case *cells.Canvas:
			t.cells, t.dot, t.plain = true, cells.Dot, v.Plain
			return t
		case *wordCanvas:
			t.words, t.dot = v, vg.Points(1)
			return t
		default:
			t.dot = vg.Points(0.3)
			return t
		}
	}
}

// ink returns the colour in which k is seen on the target.
func (t target) ink(k color.Color) color.Color {
	if t.dark {
		return invert(k)
	}
	return k
}

// slack is by how much text may be wider than it was measured: who reads an SVG may have
// other letters.
func (t target) slack() vg.Length {
	if t.pixels == nil && !t.cells {
		return 1.12
	}
	return 1
}

// font returns the font for text of the given size that plotters write.
func (t target) font(size font.Length) font.Font {
	if t.cells {
		return cells.Font()
	}
	return sans(size)
}

// themed is a canvas for dark backgrounds: neutral colours change places, dark
// for light, and dark colours get lighter.
type themed struct{ vg.CanvasSizer }

// SetColor sets the colour, turned round if it is neutral.
func (t themed) SetColor(k color.Color) {
	if k == nil {
		k = color.Black
	}
	t.CanvasSizer.SetColor(invert(k))
}

// solid is a canvas for formats without transparency: colours are mixed with
// that of the ground before.
type solid struct {
	vg.CanvasSizer
	ground color.RGBA
}

// SetColor sets the colour that k has over the ground.
func (s solid) SetColor(k color.Color) {
	if k == nil {
		k = color.Black
	}
	r, g, b, a := k.RGBA()
	over := func(v uint32, ground uint8) uint8 {
		return uint8((v + uint32(ground)*0x101*(0xffff-a)/0xffff) >> 8)
	}
	s.CanvasSizer.SetColor(color.RGBA{
		over(r, s.ground.R), over(g, s.ground.G),
		over(b, s.ground.B), 0xff,
	})
}

// invert returns the colour for a dark background that k is for a light one.
func invert(k color.Color) color.Color {
	c := color.NRGBAModel.Convert(k).(color.NRGBA)
	if max(c.R, c.G, c.B)-min(c.R, c.G, c.B) <= 0x10 {
		c.R, c.G, c.B = 0xff-c.R, 0xff-c.G, 0xff-c.B
		return c
	}
	if luma := (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000; luma < 115 {
		lift := func(v uint8) uint8 { return v + (0xff-v)/4 }
		c.R, c.G, c.B = lift(c.R), lift(c.G), lift(c.B)
	}
	return c
}
