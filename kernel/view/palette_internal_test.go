package view

import (
	"bytes"
	"image"
	"image/color"
	"testing"

	"pgregory.net/rapid"
)

// A picture whose pixels are read as they lie has the colours of one that is asked for each.
func TestReducedEitherWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		img := image.NewRGBA(image.Rect(-3, 2, 20, 15))
		shades := rapid.SliceOfN(rapid.Uint8(), 1, 40).Draw(t, "shades")
		for i := range img.Pix {
			img.Pix[i] = shades[i*i%len(shades)]
			if i%4 == 3 {
				img.Pix[i] = 0xff
			}
		}
		most := rapid.IntRange(8, 64).Draw(t, "most")
		a, b := reduced(img, most), reduced(struct{ image.Image }{img}, most)
		if !bytes.Equal(a.Pix, b.Pix) || len(a.Palette) != len(b.Palette) {
			t.Fatalf("%v and %v differ", a.Pix, b.Pix)
		}
		for i := range a.Palette {
			if a.Palette[i].(color.RGBA) != b.Palette[i] {
				t.Fatalf("colour %d is %v and %v", i, a.Palette[i], b.Palette[i])
			}
		}
	})
}
