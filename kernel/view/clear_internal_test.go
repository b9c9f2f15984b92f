package view

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"
)

// contrastOf is the contrast of WCAG 2.
func contrastOf(a, b color.Color) float64 {
	bright := func(k color.Color) float64 {
		r, g, b, _ := k.RGBA()
		of := func(v uint32) float64 {
			x := float64(v) / 0xffff
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return 0.2126*of(r) + 0.7152*of(g) + 0.0722*of(b) + 0.05
	}
	x, y := bright(a), bright(b)
	return max(x, y) / min(x, y)
}

// over is what k looks like on a ground.
func over(k color.NRGBA, ground uint8) color.RGBA {
	mix := func(v uint8) uint8 {
		return uint8((int(v)*int(k.A) + int(ground)*(255-int(k.A)) + 127) / 255)
	}
	return color.RGBA{mix(k.R), mix(k.G), mix(k.B), 0xff}
}

// On white, colours are as before, and ink is grey; on the ground of a dark notebook letters and
// lines are seen.
func TestClearedColours(t *testing.T) {
	const dark = 0x11
	if c := over(clearedColour(color.RGBA(ink)), 0xff); contrastOf(c, color.White) < 4.5 {
		t.Errorf("letters are %v on white", c)
	}
	for i, p := range append(palette[:], ink) {
		full := clearedColour(color.RGBA(p))
		if c := contrastOf(over(full, dark), color.Gray{Y: dark}); c < 3 {
			t.Errorf("colour %d has a contrast of %.2f with a dark ground", i, c)
		}
		last := math.Inf(1)
		for share := range 101 { // from the colour to white
			k := p
			k.A = uint8(255 - share*255/100)
			on := over(k, 0xff)
			c := clearedColour(on)
			if got := over(c, 0xff); i < len(palette) {
				for _, d := range [...]int{
					int(got.R) - int(on.R), int(got.G) - int(on.G), int(got.B) - int(on.B),
				} {
					if d < -3 || d > 3 {
						t.Fatalf("colour %d: %v on white becomes %v", i, on, got)
					}
				}
			}
			now := contrastOf(over(c, dark), color.Gray{Y: dark})
			if now > last+0.2 {
				t.Errorf("colour %d, %d %% white: brighter on dark than with less white", i, share)
			}
			last = now
		}
		if last > 1.05 {
			t.Errorf("colour %d ends in a ground that is not clear", i)
		}
	}
	// Three areas over one another.
	on := color.RGBA{0xd4, 0xdc, 0xb0, 0xff}
	c := clearedColour(on)
	if got := over(c, 0xff); got != on || c.A > 0x60 {
		t.Errorf("%v becomes %v, on white %v", on, c, got)
	}
	full := color.RGBA{0xfd, 0xe7, 0x25, 0xff} // of a heat map
	if c := clearedColour(full); c != color.NRGBA(full) {
		t.Errorf("%v becomes %v", full, c)
	}
	if c := clearedColour(color.RGBA{0xff, 0xff, 0xff, 0xff}); c.A != 0 {
		t.Errorf("white is %v", c)
	}
}

// A kept picture has no ground, one that has a ground and a file have theirs.
func TestKeptPicturesHaveNoGround(t *testing.T) {
	p := base("a title")
	for _, q := range []struct {
		sink  Sink
		clear bool
	}{
		{Sink{Graphics: PNG, Colors: 64, Kept: true}, true},
		{Sink{Graphics: PNG, Colors: 64, Kept: true, Background: "#202020"}, false},
		{Sink{Graphics: PNG, Colors: 64}, false},
		{Sink{Graphics: PNG}, false},
	} {
		var b bytes.Buffer
		if err := Render(&b, p, q.sink); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if _, few := img.(*image.Paletted); few != (q.sink.Colors > 0) {
			t.Errorf("%+v: %T", q.sink, img)
		}
		if _, _, _, a := img.At(0, 0).RGBA(); (a == 0) != q.clear {
			t.Errorf("%+v: the alpha of its corner is %d", q.sink, a)
		}
	}
}
