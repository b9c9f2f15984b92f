package cells_test

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	_ "gonum.org/v1/plot" // loads the fonts
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"

	"metalab/kernel/view/cells"
)

var red = color.RGBA{R: 0xff, A: 0xff}

// show returns what c looks like.
func show(t testing.TB, c *cells.Canvas, d cells.Depth) string {
	t.Helper()
	var b strings.Builder
	if err := c.Encode(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func line(c *cells.Canvas, x0, y0, x1, y1 vg.Length) {
	c.Stroke(vg.Path{
		{Type: vg.MoveComp, Pos: vg.Point{X: x0, Y: y0}},
		{Type: vg.LineComp, Pos: vg.Point{X: x1, Y: y1}},
	})
}

func box(x0, y0, x1, y1 vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: x0, Y: y0})
	p.Line(vg.Point{X: x1, Y: y0})
	p.Line(vg.Point{X: x1, Y: y1})
	p.Line(vg.Point{X: x0, Y: y1})
	p.Close()
	return p
}

func TestLines(t *testing.T) {
	t.Parallel()
	c := cells.New(4, 2)
	line(c, 0, 1, 23, 1) // the lowest row of dots
	if got, want := show(t, c, cells.None), "\n⣀⣀⣀⣀\n"; got != want {
		t.Errorf("level line: %q, want %q", got, want)
	}
	c = cells.New(4, 2)
	line(c, 1, 0, 1, 23.9)
	if got, want := show(t, c, cells.None), "⡇\n⡇\n"; got != want {
		t.Errorf("upright line: %q, want %q", got, want)
	}
	c = cells.New(4, 2)
	c.SetColor(color.RGBA{A: 0x20})
	line(c, 0, 1, 23, 1)
	c.SetColor(color.Black)
	c.SetLineWidth(0)
	line(c, 0, 1, 23, 1)
	if got := show(t, c, cells.None); got != "\n\n" {
		t.Errorf("faint and thin lines are seen: %q", got)
	}
}

func TestColors(t *testing.T) {
	t.Parallel()
	c := cells.New(2, 1)
	c.SetColor(red)
	line(c, 0, 1, 5, 1)
	c.SetColor(color.Black)
	line(c, 7, 1, 11, 1)
	for d, want := range map[cells.Depth]string{
		cells.True: "\x1b[38;2;255;0;0m⣀\x1b[39m⣀\n",
		cells.C256: "\x1b[38;5;196m⣀\x1b[39m⣀\n",
		cells.None: "⣀⣀\n",
	} {
		if got := show(t, c, d); got != want {
			t.Errorf("depth %d: %q, want %q", d, got, want)
		}
	}
	for k, want := range map[color.RGBA]string{
		{0x80, 0x80, 0x80, 0xff}: "244", {0xff, 0xff, 0xff, 0xff}: "231", {0x5f, 0x87, 0xaf, 0xff}: "67",
	} {
		c := cells.New(1, 1)
		c.SetColor(k)
		line(c, 0, 1, 5, 1)
		if got := show(t, c, cells.C256); !strings.Contains(got, "38;5;"+want+"m") {
			t.Errorf("%v: %q, want colour %s", k, got, want)
		}
	}
}

func TestFills(t *testing.T) {
	t.Parallel()
	c := cells.New(3, 2)
	c.SetColor(red)
	c.Fill(box(0, 0, 12, 18)) // three half rows high
	if got, want := show(t, c, cells.None), "▄▄\n██\n"; got != want {
		t.Errorf("box: %q, want %q", got, want)
	}
	if got, want := show(t, c, cells.True),
		"\x1b[38;2;255;0;0m▄▄\x1b[0m\n\x1b[38;2;255;0;0m██\x1b[0m\n"; got != want {
		t.Errorf("box in colour: %q, want %q", got, want)
	}
	c = cells.New(3, 1)
	var dot vg.Path
	dot.Move(vg.Point{X: 10, Y: 6})
	dot.Arc(vg.Point{X: 8, Y: 6}, 2, 0, 2*math.Pi)
	dot.Close()
	c.Fill(dot)
	if got := show(t, c, cells.None); !strings.ContainsAny(got, "⠄⠂⠤⠠⠐⠒") {
		t.Errorf("a marker is %q, want dots", got)
	}
}

func TestImages(t *testing.T) {
	t.Parallel()
	img := image.NewRGBA(image.Rect(0, 0, 4, 2))
	for x := range 4 {
		v := uint8(x * 85)
		img.Set(x, 0, color.RGBA{v, v, v, 0xff})
		img.Set(x, 1, color.RGBA{v, v, v, 0xff})
	}
	c := cells.New(4, 1)
	c.DrawImage(vg.Rectangle{Max: vg.Point{X: 24, Y: 12}}, img)
	if got, want := show(t, c, cells.None), " ░▓█\n"; got != want {
		t.Errorf("shades: %q, want %q", got, want)
	}
	if got := show(t, c, cells.True); !strings.Contains(got, "\x1b[38;2;255;255;255m█") {
		t.Errorf("white is missing: %q", got)
	}
	c.DrawImage(vg.Rectangle{Max: vg.Point{X: vg.Length(math.NaN()), Y: 12}}, img)
	c.DrawImage(vg.Rectangle{}, img)
	c.DrawImage(vg.Rectangle{Max: vg.Point{X: 24, Y: 12}}, image.NewRGBA(image.Rectangle{}))
}

func TestText(t *testing.T) {
	t.Parallel()
	face := font.DefaultCache.Lookup(cells.Font(), 10)
	if w := face.Width("0123456789"); math.Abs(float64(w-60)) > 0.1 {
		t.Fatalf("ten characters are %v points wide, want 60", w)
	}
	c := cells.New(12, 3)
	c.FillString(face, vg.Point{X: 12, Y: 15}, "left")
	c.Text(0, 0, "a\x1bb\u202e漢", red)
	c.Text(10, 2, "outside", red)
	if got, want := show(t, c, cells.None), "a?b?漢\n  left\n          ou\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c = cells.New(3, 8)
	c.Push()
	c.Rotate(math.Pi / 2)
	c.FillString(face, vg.Point{X: 36, Y: -12}, "up")
	c.Pop()
	if got := strings.Fields(show(t, c, cells.None)); len(got) != 2 || got[0] != "u" || got[1] != "p" {
		t.Errorf("turned text: %q", got)
	}
}

func TestAnythingDraws(t *testing.T) {
	t.Parallel()
	value := rapid.OneOf(rapid.Float64Range(-50, 100), rapid.Float64(),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, 1e300}))
	rapid.Check(t, func(t *rapid.T) {
		c := cells.New(rapid.IntRange(-1, 9).Draw(t, "cols"), rapid.IntRange(-1, 5).Draw(t, "rows"))
		var p vg.Path
		for range rapid.IntRange(0, 9).Draw(t, "parts") {
			q := vg.Point{X: vg.Length(value.Draw(t, "x")), Y: vg.Length(value.Draw(t, "y"))}
			switch rapid.IntRange(0, 4).Draw(t, "part") {
			case 0:
				p.Move(q)
			case 1:
				p.Line(q)
			case 2:
				p.Arc(q, vg.Length(value.Draw(t, "radius")), 0, value.Draw(t, "angle"))
			case 3:
				p.QuadTo(q, q)
			case 4:
				p.Close()
			}
		}
		c.Stroke(p)
		c.Fill(p)
		cols, rows := c.Cells()
		var b strings.Builder
		if err := c.Encode(&b, cells.None); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != rows {
			t.Errorf("%d lines, want %d", len(lines), rows)
		}
		for _, l := range lines {
			if n := len([]rune(l)); n > cols {
				t.Errorf("a line of %d cells, want at most %d", n, cols)
			}
		}
	})
}
