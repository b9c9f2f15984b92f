package view

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// decoded reads a thumbnail and returns how much of it is inked.
func decoded(t testing.TB, b []byte) (img image.Image, ink float64) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if _, _, _, a := img.At(x, y).RGBA(); a > 0x4000 {
				n++
			}
		}
	}
	return img, float64(n) / float64(img.Bounds().Dx()*img.Bounds().Dy())
}

func TestThumbnailCities(t *testing.T) {
	t.Parallel()
	if ThumbnailCities(nil, nil) != nil || ThumbnailCities([]float64{math.NaN()},
		[]float64{1}) != nil {
		t.Error("a picture of nothing")
	}
	// Two cities, one above the other: the picture is upright, and north is up.
	img, _ := decoded(t, ThumbnailCities([]float64{0, 0, 5}, []float64{0, 100, 100}))
	if b := img.Bounds(); b.Dy() <= 2*b.Dx() {
		t.Errorf("%v, want it upright", b)
	}
	if _, _, _, a := img.At(img.Bounds().Dx()-7, 7).RGBA(); a == 0 {
		t.Error("the city in the north east is not there")
	}
	if _, _, _, a := img.At(img.Bounds().Dx()-7, img.Bounds().Dy()-7).RGBA(); a != 0 {
		t.Error("a city in the south east, where none is")
	}
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(rt, "cities")
		f := rapid.Float64Range(-1e300, 1e300)
		if rapid.Bool().Draw(rt, "small") {
			f = rapid.Float64Range(0, 1)
		}
		x, y := make([]float64, n), make([]float64, n)
		a, b := f.Draw(rt, "a"), f.Draw(rt, "b")
		for i := range x {
			x[i], y[i] = a*math.Sin(float64(i)), b*math.Cos(float64(i*i))
		}
		p := ThumbnailCities(x, y)
		if len(p) > 30_000 {
			rt.Fatalf("%d bytes of %d cities", len(p), n)
		}
		img, ink := decoded(t, p)
		if s := max(img.Bounds().Dx(), img.Bounds().Dy()); s > ThumbnailSide+2 || ink == 0 ||
			ink > 0.9 && n > 10 {
			rt.Fatalf("side %d, %.0f%% inked", s, 100*ink)
		}
	})
}

func TestThumbnailMatrices(t *testing.T) {
	t.Parallel()
	one := func(i, j int) float64 { return float64((i + j) % 2) }
	if ThumbnailMatrices(0, 1, one) != nil || ThumbnailMatrices(2, 2) != nil {
		t.Error("a picture of nothing")
	}
	for _, c := range []struct{ n, m, w, h int }{
		{2, 2, 400, 400},
		{10, 20, 400, 200},
		{1000, 500, 200, 400},
	} {
		img, ink := decoded(t, ThumbnailMatrices(c.n, c.m, one))
		if img.Bounds().Dx() != c.w || img.Bounds().Dy() != c.h || ink < 0.3 {
			t.Errorf("%d x %d: %v, %.0f%% inked", c.n, c.m, img.Bounds(), 100*ink)
		}
	}
	if img, _ := decoded(t, ThumbnailMatrices(5, 5, one, one)); img.Bounds().Dx() != 400 ||
		img.Bounds().Dy() != 192 {
		t.Errorf("two: %v", img.Bounds())
	}
}

func TestThumbnailFunction(t *testing.T) {
	t.Parallel()
	if ThumbnailFunction(func(float64) float64 { return 1 }, 0, 1) != nil {
		t.Error("a picture of nothing")
	}
	_, ink := decoded(t, ThumbnailFunction(math.Sin, -3, 3))
	if ink == 0 || ink > 0.1 {
		t.Errorf("%.1f%% inked", 100*ink)
	}
}
