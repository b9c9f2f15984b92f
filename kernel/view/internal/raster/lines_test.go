package raster_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"pgregory.net/rapid"

	"metalab/kernel/view/internal/raster"
)

// ink is what a layer covers, in pixels.
func ink(l *raster.Lines) float64 {
	sum := 0.0
	for _, c := range l.Cover {
		sum += float64(c)
	}
	return sum
}

func TestInkIsLengthTimesWidth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		x0, y0, x1, y1 float32
		width          float32
	}{
		{"level", 20, 50, 180, 50, 2},
		{"upright", 50, 20, 50, 180, 3},
		{"leftwards", 180, 50.5, 20, 50.5, 1},
		{"diagonal", 20, 20, 180, 180, 2},
		{"slanted", 20, 30, 180, 71, 1.5},
		{"steep", 90, 180, 71, 20, 4},
		{"thinner than a pixel", 20, 30, 180, 71, 0.25},
	} {
		l := raster.New(200, 200)
		l.Segment(c.x0, c.y0, c.x1, c.y1, c.width, 1)
		want := math.Hypot(float64(c.x1-c.x0), float64(c.y1-c.y0)) * float64(c.width)
		if got := ink(l); math.Abs(got/want-1) > 0.06 {
			t.Errorf("%s: covers %.1f pixels, want %.1f", c.name, got, want)
		}
	}
}

func TestSegmentPlace(t *testing.T) {
	t.Parallel()
	l := raster.New(5, 3)
	l.Segment(0, 1.5, 5, 1.5, 1, 0.5)
	for y := range 3 {
		for x := range 5 {
			want := float32(0)
			if y == 1 {
				want = 0.5
			}
			if got := l.Cover[y*5+x]; math.Abs(float64(got-want)) > 1e-6 {
				t.Errorf("pixel %d, %d is covered by %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestSegmentIsSymmetric(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const n = 30
		v := func(s string) float32 { return float32(rapid.IntRange(-40, 280).Draw(t, s)) / 8 }
		x0, y0, x1, y1 := v("x0"), v("y0"), v("x1"), v("y1")
		there, back, turned := raster.New(n, n), raster.New(n, n), raster.New(n, n)
		there.Segment(x0, y0, x1, y1, 1.5, 1)
		back.Segment(x1, y1, x0, y0, 1.5, 1)
		turned.Segment(y0, x0, y1, x1, 1.5, 1)
		near := func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-3 }
		for y := range n {
			for x := range n {
				c := there.Cover[y*n+x]
				if !near(c, back.Cover[y*n+x]) || !near(c, turned.Cover[x*n+y]) {
					t.Fatalf("pixel %d, %d is covered by %v, backwards %v, turned %v", x, y, c, back.Cover[y*n+x],
						turned.Cover[x*n+y])
				}
			}
		}
	})
}

func TestDensityAddsUp(t *testing.T) {
	t.Parallel()
	l := raster.New(1, 1)
	before := float32(0)
	for range 50 {
		l.Segment(0, 0.5, 1, 0.5, 0.1, 1)
		if c := l.Cover[0]; c <= before || c > 1 {
			t.Fatalf("cover went from %v to %v", before, c)
		}
		before = l.Cover[0]
	}
	if before < 0.99 {
		t.Errorf("fifty lines cover %v", before)
	}
}

func TestAnySegment(t *testing.T) {
	t.Parallel()
	inf := float32(math.Inf(1))
	rapid.Check(t, func(t *rapid.T) {
		v := func(s string) float32 {
			return rapid.OneOf(rapid.Float32Range(-40, 80), rapid.Float32(),
				rapid.SampledFrom([]float32{0, inf, -inf, float32(math.NaN()), 1e30})).Draw(t, s)
		}
		w, h := rapid.IntRange(0, 30).Draw(t, "w"), rapid.IntRange(0, 30).Draw(t, "h")
		l := raster.New(w, h)
		l.Segment(v("x0"), v("y0"), v("x1"), v("y1"), rapid.Float32Range(0, 5).Draw(t, "width"),
			rapid.Float32Range(0, 1).Draw(t, "opacity"))
		for i, c := range l.Cover {
			if !(c >= 0 && c <= 1) {
				t.Errorf("pixel %d is covered by %v", i, c)
			}
		}
	})
}

func TestOver(t *testing.T) {
	t.Parallel()
	img := image.NewRGBA(image.Rect(0, 0, 3, 1))
	for x := range 3 {
		img.Set(x, 0, color.White)
	}
	l := raster.New(2, 2)
	l.Cover[0], l.Cover[1] = 1, 0.5
	l.Over(img, image.Pt(1, 0), color.RGBA{R: 0xff, A: 0xff})
	for x, want := range []color.RGBA{
		{0xff, 0xff, 0xff, 0xff},
		{0xff, 0, 0, 0xff},
		{0xff, 0x80, 0x80, 0xff},
	} {
		if got := img.RGBAAt(x, 0); got != want {
			t.Errorf("pixel %d is %v, want %v", x, got, want)
		}
	}
	l.Over(img, image.Pt(-1, -1), color.Black)
	l.Over(img, image.Pt(50, 50), color.Black)
}

func BenchmarkMillionShortSegments(b *testing.B) {
	l := raster.New(800, 800)
	for b.Loop() {
		for i := range 1_000_000 {
			x, y := float32(i%797), float32(i%787)
			l.Segment(x, y, x+0.6, y+0.4, 0.4, 1)
		}
	}
}
