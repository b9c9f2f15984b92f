package view

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// reduced is img in at most so many colours: those of figures, and those that most of its
// pixels are like. A figure is drawn in few, and its edges in shades between them: what is lost
// is hardly seen, and as a PNG it is a fraction as large.
func reduced(img image.Image, most int) *image.Paletted {
	type bin struct {
		index   int
		count   int
		r, g, b int
	}
	const bits = 5 // of each channel
	at := func(c color.RGBA) int {
		return int(c.R>>(8-bits))<<(2*bits) | int(c.G>>(8-bits))<<bits | int(c.B>>(8-bits))
	}
	box := img.Bounds()
	bins := make([]bin, 1<<(3*bits))
	rgba := pixelsOf(img)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c := rgba(x, y)
			b := &bins[at(c)]
			b.count++
			b.r, b.g, b.b = b.r+int(c.R), b.g+int(c.G), b.b+int(c.B)
		}
	}
	var used []bin
	for i, b := range bins {
		if b.count > 0 {
			b.index = i
			used = append(used, b)
		}
	}
	own := map[int]bool{}
	for _, k := range palette {
		own[at(color.RGBA(k))] = true
	}
	slices.SortFunc(used, func(x, y bin) int {
		if own[x.index] != own[y.index] {
			if own[x.index] {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(y.count, x.count), cmp.Compare(x.index, y.index))
	})
	colours := make(color.Palette, 0, most)
	if len(used) > most { // letters stay grey, whatever is drawn with them
		for v := 0x22; v < 0xff && len(colours) < min(most/4, 8); v += 0x2a {
			colours = append(colours, color.RGBA{uint8(v), uint8(v), uint8(v), 0xff})
		}
	}
	greys := len(colours)
	used = used[:min(most-greys, len(used))]
	for _, b := range used {
		mean := func(v int) uint8 { return uint8((v + b.count/2) / b.count) }
		colours = append(colours, color.RGBA{mean(b.r), mean(b.g), mean(b.b), 0xff})
	}
	nearest := make([]int16, len(bins)) // 1 more than the place in the palette; 0: not known yet
	for i, b := range used {
		nearest[b.index] = int16(greys + i + 1)
	}
	out := image.NewPaletted(box, colours)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c := rgba(x, y)
			n := &nearest[at(c)]
			if *n == 0 {
				*n = int16(colours.Index(c) + 1)
			}
			out.Pix[out.PixOffset(x, y)] = uint8(*n - 1)
		}
	}
	return out
}

// pixelsOf returns the colours of img by place, without a conversion for each where it can be.
func pixelsOf(img image.Image) func(x, y int) color.RGBA {
	if m, ok := img.(*image.RGBA); ok {
		return m.RGBAAt
	}
	return func(x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
}
