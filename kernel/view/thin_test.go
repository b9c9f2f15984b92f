package view_test

import (
	"bytes"
	"encoding/base64"
	"image/color"
	"image/png"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"metalab/kernel/view"
	"metalab/kernel/view/cells"
)

// Trails that are too many are drawn from everywhere, also where all are equal and where the
// strongest are all in one corner, and the figure says how many; all draws each.
func TestTrailsFromEverywhere(t *testing.T) {
	t.Parallel()
	const n = 20_000
	for name, strength := range map[string]func(i int32) float32{
		"equal":            func(int32) float32 { return 1 },
		"strong in corner": func(i int32) float32 { return float32(n - i) },
	} {
		d := cities(n)
		for i := range d.Trails {
			d.Trails[i].V = strength(d.Trails[i].I)
		}
		d.AllTrails = 1_234_567
		d.Tour = nil
		p, err := view.PheromoneMap(d)
		if err != nil {
			t.Fatal(err)
		}
		var rec recorder.Canvas
		p.Draw(draw.NewCanvas(&rec, 400, 300))
		var quarter [4]int
		lines := 0
		for _, a := range rec.Actions {
			s, ok := a.(*recorder.Stroke)
			if !ok {
				continue
			}
			for _, at := range s.Path {
				if at.Type != vg.MoveComp {
					continue
				}
				lines++
				q := 0
				if at.Pos.X > 200 {
					q++
				}
				if at.Pos.Y > 150 {
					q += 2
				}
				quarter[q]++
			}
		}
		for q, k := range quarter {
			if k < 300 || k > 3000 {
				t.Errorf("%s: %d of %d trails in quarter %d: %v", name, k, lines, q, quarter)
			}
		}
		out := string(render(t, p, view.Sink{Graphics: view.SVG}))
		drawn := `([0-9,]+) of 1,234,567 trails, the strongest of each region; the word all draws each`
		m := regexp.MustCompile(drawn).FindStringSubmatch(out)
		if m == nil {
			t.Fatalf("%s: the figure does not say how many trails it draws", name)
		}
		// two strokes are the axes
		if k, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", "")); k < lines-2 || k > 6000 {
			t.Errorf("%s: it says %d trails and draws %d", name, k, lines)
		}
	}
	d := cities(2000)
	all := sheet(t, "trails", view.Look{All: true}, view.Sink{Graphics: view.SVG}, d)
	if k := bytes.Count(all, []byte("M")); k < len(d.Trails) {
		t.Errorf("all draws %d lines, want the %d trails at least", k, len(d.Trails))
	}
	if strings.Contains(string(all), "of each region") {
		t.Error("all says that something is left out")
	}
}

// A tour that is drawn by fewer lines than it has edges says so; all draws each.
func TestTourSaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cities int
		all    bool
		sink   view.Sink
		want   string // an expression; empty: nothing is said
	}{
		{1000, false, view.Sink{Graphics: view.SVG}, ""},
		{
			100_000, false,
			view.Sink{Graphics: view.SVG},
			`100,000 edges drawn as \d,\d\d\d segments; the word all draws each`,
		},
		{40_000, true, view.Sink{Graphics: view.SVG}, ""},
		{60, false, view.Sink{Graphics: view.Cells, Cols: 80, Rows: 22}, ""},
		{
			5000, false,
			view.Sink{Graphics: view.Cells, Cols: 80, Rows: 22},
			`5,000 edges drawn as \d+ segments; the word all draws each`,
		},
		{
			5000, false,
			view.Sink{Graphics: view.Cells, Cols: 40, Rows: 22, Depth: cells.C256},
			`5,000 edges drawn as \d+ segments`,
		},
		{5000, true, view.Sink{Graphics: view.Cells, Cols: 80, Rows: 22}, ""},
	} {
		d := cities(c.cities)
		d.PrevTour = nil
		out := sheet(t, "tour", view.Look{All: c.all}, c.sink, d)
		if c.want == "" && bytes.Contains(out, []byte("drawn as")) || c.want != "" &&
			!regexp.MustCompile(c.want).Match(out) {
			t.Errorf("%d cities, all %v, %s: want %q", c.cities, c.all, c.sink.Graphics, c.want)
		}
		if c.all && c.sink.Graphics == view.SVG {
			if k := bytes.Count(out, []byte("L")); k < c.cities-1 {
				t.Errorf("all draws %d edges of %d", k, c.cities)
			}
		}
	}
}

// Cities without a tour that are too many for circles are pixels inside a drawing made of vectors:
// in every part of the map, in the colour of the ink, and the file stays small.
func TestManyCitiesAreSmall(t *testing.T) {
	t.Parallel()
	picture := regexp.MustCompile(`data:image/png;base64,([^"]+)"`)
	for _, c := range []struct {
		cities     int
		background string
		light      bool
	}{{2500, "", false}, {100_000, "", false}, {100_000, "#202020", true}} {
		d := cities(c.cities)
		d.Tour, d.PrevTour = nil, nil
		out := sheet(t, "tour", view.Look{}, view.Sink{Graphics: view.SVG, Background: c.background}, d)
		if len(out) > 500_000 {
			t.Errorf("%d cities: %d bytes", c.cities, len(out))
		}
		m := picture.FindSubmatch(out)
		if m == nil {
			t.Fatalf("%d cities: no picture in the SVG", c.cities)
		}
		b, err := base64.StdEncoding.DecodeString(string(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		var inks [4]int
		box := img.Bounds()
		for y := range box.Dy() {
			for x := range box.Dx() {
				k := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
				if k.A < 0x80 {
					continue
				}
				inks[2*y/box.Dy()*2+2*x/box.Dx()]++
				if c.light != (k.R > 0x80) {
					t.Fatalf("%d cities on %q: ink is %v", c.cities, c.background, k)
				}
			}
		}
		for q, n := range inks {
			if n < 200 || n > box.Dx()*box.Dy()/8 {
				t.Errorf("%d cities: %d pixels of ink in quarter %d of %v", c.cities, n, q, box)
			}
		}
		pdf := sheet(t, "tour", view.Look{}, view.Sink{Graphics: view.PDF}, d)
		if len(pdf) > 700_000 {
			t.Errorf("%d cities: %d bytes of PDF", c.cities, len(pdf))
		}
	}
}
