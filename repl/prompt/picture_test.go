package prompt

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hinshun/vt10x"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"metalab/kernel/view/pngtext"

	"metalab/solvers/conform"
)

// pictured are the lines of README's first picture, from its first five minutes, and what is
// waited for after each.
var pictured = [][2]string{
	{"open acs E1k.0 as a seed=42", "local_share=1"},
	{"step a 200", "200 iterations in"},
	{"set a q0=0.9 ants=20", "q0 0.98 → 0.9"},
	{"step a 100", "100 iterations in"},
	{"plot a best tour", "iteration 300, best"},
}

// session.png shows what its lines still show, but for times: it holds the text of its screen.
// METALAB_PICTURES=1 makes it anew.
func TestPictureOfASession(t *testing.T) {
	conform.Brief(t, "compares a picture")
	const cols, rows = 100, 36
	s := onScreen(t, shortDir(t), cols, rows)
	s.want("lab>")
	s.keys("\x0c")
	for _, l := range pictured {
		s.line(l[0])
		s.want(l[1])
	}
	got := ""
	for same := 0; same < 5; time.Sleep(100 * time.Millisecond) { // until all is drawn
		now := withoutTimes(s.text())
		if now == got && strings.HasSuffix(now, "\nlab>") {
			same++
		} else {
			got, same = now, 0
		}
	}
	const path = "../session.png"
	if os.Getenv("METALAB_PICTURES") != "" {
		s.mu.Lock()
		b := drawScreen(t, s.vt, cols, rows)
		s.mu.Unlock()
		if err := os.WriteFile(path, pngtext.With(b, got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(pngtext.In(b), got); d != "" {
		t.Errorf("%s shows what its lines do not show any more; METALAB_PICTURES=1 makes it anew: %s",
			path, d)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range pictured[:1] {
		if !strings.Contains(string(readme), "\n"+l[0]+"\n") {
			t.Errorf("README's first five minutes do not have %q", l[0])
		}
	}
}

var times = regexp.MustCompile(`[\d.]+ (ms|s|min|it/s)\b|[\d.]+/s|[▁▂▃▄▅▆▇█ ]+$`)

// withoutTimes is a screen without what a clock says.
func withoutTimes(screen string) string {
	lines := strings.Split(strings.TrimRight(screen, " \n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(times.ReplaceAllString(strings.TrimRight(l, " "), ""), " ")
	}
	return strings.Join(lines, "\n")
}

// Cells of the picture, in points.
const (
	cellW, cellH = 7.2, 15.0
	margin       = 12.0
)

// drawScreen draws a terminal.
func drawScreen(t *testing.T, vt vt10x.Terminal, cols, rows int) []byte {
	t.Helper()
	faces := font.NewCache(liberation.Collection())
	face := faces.Lookup(font.Font{Typeface: "Liberation", Variant: "Mono"}, 12)
	w, h := vg.Length(cols)*cellW+2*margin, vg.Length(rows)*cellH+2*margin
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(144),
		vgimg.UseBackgroundColor(rgb(vt10x.DefaultBG)))
	fill := func(k color.Color, x, y, w, h vg.Length) {
		c.SetColor(k)
		c.Fill(vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + w, Y: y + h}}.Path())
	}
	for row := range rows {
		for col := range cols {
			g := vt.Cell(col, row)
			fg, bg := rgb(g.FG), rgb(g.BG)
			x, y := margin+vg.Length(col)*cellW, h-margin-vg.Length(row+1)*cellH
			if bg != rgb(vt10x.DefaultBG) {
				fill(bg, x-0.2, y, cellW+0.4, cellH)
			}
			switch r := g.Char; {
			case r == 0 || r == ' ':
			case r >= 0x2800 && r < 0x2900:
				for i, at := range [8][2]int{
					{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3},
				} {
					if r>>i&1 == 0 {
						continue
					}
					var dot vg.Path
					mid := vg.Point{
						X: x + cellW*(0.25+0.5*vg.Length(at[0])), Y: y + cellH*(0.875-0.25*vg.Length(at[1])),
					}
					dot.Move(mid.Add(vg.Point{X: 1.25}))
					dot.Arc(mid, 1.25, 0, 6.2831853)
					c.SetColor(fg)
					c.Fill(dot)
				}
			case r >= '▁' && r <= '█':
				fill(fg, x, y, cellW, cellH*vg.Length(r-'▁'+1)/8)
			case r == '▀':
				fill(fg, x, y+cellH/2, cellW, cellH/2)
			case r == '─':
				fill(fg, x, y+cellH/2, cellW, 0.8)
			default:
				c.SetColor(fg)
				c.FillString(face, vg.Point{X: x, Y: y + 4}, string(r))
			}
		}
	}
	// Of few colours, and small.
	img := c.Image()
	seen := map[color.Color]bool{}
	var palette color.Palette
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			k := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			k.R, k.G, k.B = k.R&0xf0|k.R>>4, k.G&0xf0|k.G>>4, k.B&0xf0|k.B>>4
			if !seen[k] && len(palette) < 256 {
				seen[k], palette = true, append(palette, k)
			}
		}
	}
	small := image.NewPaletted(img.Bounds(), palette)
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			small.Set(x, y, img.At(x, y))
		}
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, small); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rgb is a colour of the terminal, on a dark ground.
func rgb(k vt10x.Color) color.RGBA {
	switch {
	case k == vt10x.DefaultFG:
		return color.RGBA{0xdd, 0xdd, 0xdd, 0xff}
	case k >= vt10x.DefaultFG:
		return color.RGBA{0x11, 0x11, 0x11, 0xff}
	case k < 16:
		v := [8]uint32{
			0x111111, 0xd05050, 0x50c050, 0xd0b040, 0x5080e0, 0xc060c0, 0x40b0b0, 0xdddddd,
		}[k%8]
		return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
	case k < 256:
		if k >= 232 {
			v := uint8(8 + 10*(k-232))
			return color.RGBA{v, v, v, 0xff}
		}
		level := func(v vt10x.Color) uint8 { return [6]uint8{0, 95, 135, 175, 215, 255}[v%6] }
		return color.RGBA{level((k - 16) / 36), level((k - 16) / 6), level(k - 16), 0xff}
	}
	return color.RGBA{uint8(k >> 16), uint8(k >> 8), uint8(k), 0xff}
}
