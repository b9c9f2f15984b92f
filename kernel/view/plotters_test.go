package view_test

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"pgregory.net/rapid"

	"metalab/kernel/view"
	"metalab/solvers/record"
)

var (
	_ plot.Plotter     = (*view.Tour)(nil)
	_ plot.DataRanger  = (*view.Tour)(nil)
	_ plot.Plotter     = (*view.Trails)(nil)
	_ plot.DataRanger  = (*view.Trails)(nil)
	_ plot.Plotter     = (*view.Curve)(nil)
	_ plot.DataRanger  = (*view.Curve)(nil)
	_ plot.Thumbnailer = (*view.Curve)(nil)
	_ plot.Plotter     = (*view.Matrix)(nil)
	_ plot.Plotter     = (*view.Bars)(nil)
	_ plot.Plotter     = (*view.Marks)(nil)
	_ plot.Plotter     = view.Frame{}
	_ plot.Ticker      = view.Ticks{}
)

// strokes returns the vertices of all lines that p draws in a colour.
func strokes(p *plot.Plot, k color.Color) (vertices int, points []vg.Point) {
	var rec recorder.Canvas
	p.Draw(draw.NewCanvas(&rec, 400, 300))
	var now color.Color
	for _, a := range rec.Actions {
		switch a := a.(type) {
		case *recorder.SetColor:
			now = a.Color
		case *recorder.Stroke:
			if now == k {
				for _, s := range a.Path {
					vertices++
					points = append(points, s.Pos)
				}
			}
		}
	}
	return vertices, points
}

func TestCurveKeepsExtremes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20000).Draw(t, "n")
		seed := rapid.IntRange(1, 1000).Draw(t, "seed")
		red := color.RGBA{R: 0xff, A: 0xff}
		c := &view.Curve{
			LineStyle: draw.LineStyle{Color: red, Width: 1},
			Steps:     rapid.Bool().Draw(t, "steps"),
		}
		for i := range n {
			c.X, c.Y = append(c.X, float64(i)), append(c.Y, wave(i, seed))
		}
		peak := rapid.IntRange(0, n-1).Draw(t, "peak")
		c.Y[peak] = 5
		p := plot.New()
		p.HideAxes()
		p.Y.Padding = 0
		p.Add(c)
		vertices, points := strokes(p, red)
		if vertices > 6*701 {
			t.Errorf("%d vertices for %d points", vertices, n)
		}
		top := vg.Length(math.Inf(-1))
		for _, q := range points {
			top = max(top, q.Y)
		}
		if top < 299.99 && n > 1 { // the peak reaches the upper border of 300 points
			t.Errorf("the highest vertex is at %v", top)
		}
	})
}

func TestTourDrawsEachEdge(t *testing.T) {
	t.Parallel()
	d := cities(100)
	p, err := view.TourMap(d)
	if err != nil {
		t.Fatal(err)
	}
	blue := color.NRGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}
	vermilion := color.NRGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}
	// Two reversed stretches of the previous tour change two edges each; a line of
	// k edges has k+1 vertices.
	if n, _ := strokes(p, vermilion); n != 4*2 {
		t.Errorf("new edges have %d vertices, want 8", n)
	}
	if n, _ := strokes(p, blue); n != 96+5 {
		t.Errorf("old edges have %d vertices, want 101", n)
	}
}

func TestTourFrameStays(t *testing.T) {
	t.Parallel()
	d := cities(40)
	p1, _ := view.TourMap(d)
	d.Tour = d.Tour[:3]
	p2, _ := view.TourMap(d)
	for _, s := range []view.Size{{W: 300, H: 100}, {W: 100, H: 300}} {
		for _, p := range []*plot.Plot{p1, p2} {
			p.Draw(draw.NewCanvas(&recorder.Canvas{}, vg.Length(s.W), vg.Length(s.H)))
		}
		if p1.X.Min != p2.X.Min || p1.Y.Max != p2.Y.Max {
			t.Errorf("the frame moved: x from %v to %v", p1.X.Min, p2.X.Min)
		}
		x, y := p1.X.Max-p1.X.Min, p1.Y.Max-p1.Y.Min
		if (s.W > s.H) != (x > y) {
			t.Errorf("%v: shows %v by %v", s, x, y)
		}
	}
}

func TestFrameIsEqual(t *testing.T) {
	t.Parallel()
	// A circle must stay one: its extent in pixels is the same both ways.
	p := plot.New()
	p.HideAxes()
	p.X.Padding, p.Y.Padding = 0, 0
	p.BackgroundColor = nil
	xys := make(plotter.XYs, 400)
	for i := range xys {
		sin, cos := math.Sincos(float64(i) / 400 * 2 * math.Pi)
		xys[i] = plotter.XY{X: 10 + 3*cos, Y: -5 + 3*sin}
	}
	p.Add(view.Frame{XMin: 7, XMax: 13, YMin: -8, YMax: -2})
	l, err := plotter.NewLine(xys)
	if err != nil {
		t.Fatal(err)
	}
	p.Add(l)
	img, err := png.Decode(bytes.NewReader(render(t, p,
		view.Sink{Graphics: view.PNG, DPI: 72, Size: view.Size{W: 300, H: 160}})))
	if err != nil {
		t.Fatal(err)
	}
	x0, x1, y0, y1 := 1000, 0, 1000, 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
				x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
			}
		}
	}
	if dx, dy := x1-x0, y1-y0; dx < 100 || dx-dy > 2 || dy-dx > 2 {
		t.Errorf("the circle is %d by %d pixels", dx, dy)
	}
}

func TestManyCitiesStaySmall(t *testing.T) {
	t.Parallel()
	d := cities(60000)
	random := d
	random.Tour = make([]int32, len(d.Tour))
	for i := range random.Tour {
		random.Tour[i] = int32(i * 7919 % len(d.Tour))
	}
	random.PrevTour = nil
	for name, d := range map[string]view.Data{"rows": d, "random": random} {
		p, err := view.TourMap(d)
		if err != nil {
			t.Fatal(err)
		}
		if out := render(t, p, view.Sink{Graphics: view.SVG, Size: view.MapSize(d)}); len(
			out) > 250_000 || len(out) < 20_000 {
			t.Errorf("%s: the SVG has %d bytes", name, len(out))
		}
		out := string(render(t, p, view.Sink{Graphics: view.Cells, Cols: 80, Rows: 24}))
		inked := 0
		for _, r := range out {
			if r > 0x2800 && r <= 0x28ff {
				inked++
			}
		}
		if inked < 200 || strings.Count(out, "⣿") > 1000 {
			t.Errorf("%s: %d cells with dots, %d full:\n%s", name, inked, strings.Count(out, "⣿"), out)
		}
	}
}

func TestMarks(t *testing.T) {
	t.Parallel()
	set := func(i int64, name string, from, to float64) record.Change {
		return record.Change{
			Iter: i, Kind: record.KindSet, Name: name, Old: record.Num(from),
			New: record.Num(to),
		}
	}
	d := run(100)
	d.Journal = []record.Change{
		set(20, "q0", 0.9, 0.98), set(20, "ants", 10, 20), set(20, "beta", 2, 3),
		set(60, "rho", 0.1, 0.2),
		{Iter: 70, Kind: record.KindFork, Name: "b"},
		{Iter: 80, Kind: record.KindStop, Name: "target"},
	}
	p, err := view.Look{}.Convergence(d)
	if err != nil {
		t.Fatal(err)
	}
	text := string(render(t, p, view.Sink{Graphics: view.Cells}))
	for _, want := range []string{"q0 0.9→0.98 +2", "rho 0.1→0.2", "fork b"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "target") {
		t.Errorf("a stop is marked:\n%s", text)
	}

	d.Journal = nil
	for i := range 2000 {
		d.Journal = append(d.Journal, set(int64(i/20), "q0", 0, float64(i)))
	}
	if p, err = (view.Look{}).Convergence(d); err != nil {
		t.Fatal(err)
	}
	out := render(t, p, view.Sink{Graphics: view.SVG})
	if n := bytes.Count(out, []byte("stroke-dasharray")); n > 31 || n < 10 {
		t.Errorf("%d lines for 2000 changes", n)
	}
	if !strings.Contains(string(render(t, p, view.Sink{Graphics: view.Cells})), " changes") {
		t.Errorf("no label counts the changes:\n%s",
			string(render(t, p, view.Sink{Graphics: view.Cells})))
	}
}

// A fork has its parent's journal: what both did is one mark, not two.
// The mark of the last iteration is drawn, and its label stands whole inside the figure and
// left of the line.
func TestLastMark(t *testing.T) {
	t.Parallel()
	d := run(100)
	d.Journal = []record.Change{{
		Iter: 100, Kind: record.KindSet, Name: "local_period", Old: record.Num(1), New: record.Num(4),
	}}
	p, err := view.Look{}.Convergence(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, cols := range []int{36, 80, 199} {
		out := render(t, p, view.Sink{Graphics: view.Cells, Cols: cols, Rows: 20})
		if !bytes.Contains(out, []byte("local_period 1→4\n")) {
			t.Errorf("%d columns:\n%s", cols, out)
		}
	}
	var rec recorder.Canvas
	p.Draw(draw.NewCanvas(&rec, 400, 300))
	label, line := vg.Length(0), vg.Length(0)
	for _, a := range rec.Actions {
		switch a := a.(type) {
		case *recorder.FillString:
			if a.String == "local_period 1→4" {
				label = a.Point.X + p.X.Label.TextStyle.Width(a.String)*0.8 // it is smaller
			}
		case *recorder.Stroke:
			if n := len(a.Path); n == 2 && a.Path[0].Pos.X == a.Path[1].Pos.X {
				line = max(line, a.Path[0].Pos.X)
			}
		}
	}
	if label == 0 || label > line || line > 400 {
		t.Errorf("the label ends at %v, the last line is at %v of 400", label, line)
	}
}

func TestMarksOfForks(t *testing.T) {
	t.Parallel()
	past := record.Change{
		Iter: 20, Kind: record.KindSet, Name: "q0", Old: record.Num(0.9),
		New: record.Num(0.5),
	}
	a, b, c := run(100), run(100), run(100)
	a.Name, b.Name, c.Name = "a", "b", "c"
	a.Journal = []record.Change{past}
	b.Journal = []record.Change{past, {Iter: 60, Kind: record.KindFork, Name: "b"}}
	for _, x := range []struct {
		runs []view.Data
		want []string
		not  string
	}{
		{[]view.Data{a, b}, []string{"q0 0.9→0.5", "b: fork b"}, "a, b:"},
		{[]view.Data{a, b, c}, []string{"a, b: q0 0.9→0.5", "b: fork b"}, " changes"},
		{[]view.Data{a, a, b, c}, []string{"3 runs: q0 0.9→0.5"}, " changes"},
	} {
		p, err := view.Look{}.Convergence(x.runs...)
		if err != nil {
			t.Fatal(err)
		}
		text := string(render(t, p, view.Sink{Graphics: view.Cells}))
		for _, want := range x.want {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		if strings.Contains(text, x.not) || strings.Contains(text, "2 changes") {
			t.Errorf("a change of both is marked twice, or named of each:\n%s", text)
		}
	}
}

func TestTicks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e12, 1e12).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1e-3, 1e12).Draw(t, "range")
		k := view.Ticks{Want: rapid.IntRange(3, 9).Draw(t, "want"), Int: rapid.Bool().Draw(t, "int")}
		ticks := k.Ticks(lo, hi)
		if len(ticks) > k.Want+2 {
			t.Errorf("%d ticks, wanted %d", len(ticks), k.Want)
		}
		if !k.Int && lo < hi && len(ticks) < k.Want/3 {
			t.Errorf("%d ticks, wanted %d", len(ticks), k.Want)
		}
		for i, q := range ticks {
			if q.Label == "" || q.Value < lo-(hi-lo)*1e-6 || q.Value > hi+(hi-lo)*1e-6 {
				t.Errorf("tick %d is %v %q, want within [%v, %v]", i, q.Value, q.Label, lo, hi)
			}
			if k.Int && q.Value != math.Trunc(q.Value) {
				t.Errorf("tick %v is not whole", q.Value)
			}
		}
	})
	var got []string
	for _, k := range (view.Ticks{Want: 5}).Ticks(0.1, 0.33) {
		got = append(got, k.Label)
	}
	if want := "0.10 0.15 0.20 0.25 0.30"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	for _, c := range []struct {
		lo, hi float64
		want   string // integers as integers, and never two that read alike
	}{
		{23_403_100, 23_408_100, "23404000 23405000 23406000 23407000 23408000"},
		{
			2.00000001e12, 2.00000003e12,
			"2.00000001e+12 2.000000015e+12 2.00000002e+12 2.000000025e+12 2.00000003e+12",
		},
	} {
		got = nil
		for _, k := range (view.Ticks{Want: 5}).Ticks(c.lo, c.hi) {
			got = append(got, k.Label)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v to %v: %v, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

func TestSparkline(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, c := range []struct {
		values []float64
		width  int
		want   string
	}{
		{nil, 5, ""},
		{[]float64{1, 2}, 0, ""},
		{[]float64{1, 2}, -1, ""},
		{[]float64{7}, 5, "▁"},
		{[]float64{7, 7, 7}, 5, "▁▁▁"},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, "▁▂▃▄▅▆▇█"},
		{[]float64{8, 6, 1, 1}, 2, "█▁"},
		{[]float64{0, nan, 1}, 3, "▁ █"},
		{[]float64{0, math.Inf(1), math.MaxFloat64, -math.MaxFloat64}, 4, "▅ █▁"},
	} {
		got := view.Sparkline(c.values, c.width)
		if got != c.want {
			t.Errorf("%v in %d: %q, want %q", c.values, c.width, got, c.want)
		}
		if utf8.RuneCountInString(got) > max(c.width, 0) {
			t.Errorf("%q is wider than %d", got, c.width)
		}
	}
}

func TestBarsCountAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Float64Range(-1e6, 1e6)).Draw(t, "values")
		b := view.NewBars(values)
		sum := 0
		for _, n := range b.Counts {
			sum += n
		}
		if sum != len(values) || len(values) > 0 && len(b.Edges) != len(b.Counts)+1 {
			t.Errorf("%d counted of %d in %d bars with %d edges", sum, len(values), len(b.Counts),
				len(b.Edges))
		}
	})
}

func ExampleSparkline() {
	fmt.Println(view.Sparkline([]float64{100, 60, 40, 35, 33, 32, 32, 31}, 8))
	// Output: █▄▂▁▁▁▁▁
}
