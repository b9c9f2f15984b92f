package view_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metalab/kernel/view"
	"metalab/kernel/view/cells"
	"metalab/solvers/record"
)

// sinks are one of each, small.
func sinks() []view.Sink {
	size := view.Size{W: 200, H: 140}
	return []view.Sink{
		{Graphics: view.SVG, Size: size},
		{Graphics: view.PNG, Size: size, DPI: 72},
		{Graphics: view.PDF, Size: size},
		{Graphics: view.Cells, Cols: 40, Rows: 12, Depth: cells.C256},
		{Graphics: view.Cells, Cols: 3, Rows: 1},
		{Graphics: view.Kitty, Cols: 20, Rows: 6, CellW: 6, CellH: 12, Background: "#000000"},
		{Graphics: view.ITerm, Cols: 20, Rows: 6, CellW: 6, CellH: 12},
		{Graphics: view.Sixel, Cols: 20, Rows: 6, CellW: 6, CellH: 12},
		{Graphics: view.None},
	}
}

// hard are data that a figure must survive.
func hard() map[string]view.Data {
	nan, inf := math.NaN(), math.Inf(1)
	num := func(v float64) *float64 { return &v }
	point := func(i int64, v ...float64) record.Point {
		return record.Point{Iter: i, Best: v[0], IterBest: v[1], Mean: v[2], Measures: []float64{v[1]}}
	}
	with := func(points ...record.Point) view.Data {
		return view.Data{Name: "a", Measures: []string{"branching"}, Points: points}
	}
	best := func(d view.Data, v float64) view.Data {
		d.Best = num(v)
		return d
	}
	place := func(x, y float64, n int) view.Data {
		d := cities(n)
		for i := range d.X {
			d.X[i], d.Y[i] = x, y
		}
		return d
	}
	many := run(50)
	for i := range 500 {
		many.Journal = append(many.Journal, record.Change{
			Iter: int64(i / 10), Kind: record.KindSet,
			Name: "q0", New: record.Num(float64(i)),
		})
	}
	broken := cities(30)
	broken.X[3], broken.Y[7], broken.X[11] = nan, inf, -inf
	broken.Trails[5].V, broken.Trails[9].V = float32(nan), float32(inf)
	same := cities(30)
	for i := range same.Trails {
		same.Trails[i].V = 0.25
	}
	short := run(10)
	short.Points[3].Measures = nil
	lengths := func(v ...float64) view.Data { return view.Data{Lengths: v} }
	return map[string]view.Data{
		"nothing":            {},
		"one point":          with(point(1, 5, 5, 5)),
		"one point, no gap":  best(with(point(1, 5, 5, 5)), 5),
		"all at the best":    best(with(point(1, 5, 5, 5), point(2, 5, 5, 5)), 5),
		"equal values":       with(point(1, 5, 5, 5), point(2, 5, 5, 5), point(9, 5, 5, 5)),
		"equal gaps":         best(with(point(1, 6, 6, 6), point(2, 6, 6, 6)), 5),
		"below the best":     best(with(point(1, 6, 6, 7), point(2, 4, 4, 6)), 5),
		"all below the best": best(with(point(1, 4, 4, 4), point(2, 3, 3, 3)), 5),
		"best of 0":          best(with(point(1, 6, 6, 7), point(2, 0, 0, 6)), 0),
		"negative best":      best(with(point(1, -6, -6, -3), point(2, -10, -8, -6)), -10),
		"best is NaN":        best(with(point(1, 6, 6, 7)), nan),
		"NaN and Inf": best(with(point(1, inf, nan, -inf), point(2, 7, nan, inf),
			point(3, nan, 6, 8)), 5),
		"only NaN": with(point(1, nan, nan, nan)),
		"huge": with(point(1, math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64),
			point(2, 1, 1, 1)),
		"huge gap": best(with(point(1, math.MaxFloat64, 1e308, 1e-320), point(2, 1, 1, 1)),
			1e-300),
		"tiny":            with(point(1, 5e-324, 5e-324, 5e-324), point(2, 0, 0, 1e-323)),
		"late":            with(point(math.MaxInt64-1, 2, 2, 2), point(math.MaxInt64, 1, 1, 1)),
		"iteration 0":     with(point(0, 2, 2, 2), point(0, 1, 1, 1)),
		"many changes":    many,
		"short measures":  short,
		"no cities' tour": {Tour: []int32{0, 1, 2}},
		"one city":        cities(1),
		"two cities":      cities(2),
		"three cities":    cities(3),
		"one place":       place(7, 7, 9),
		"far place":       place(1e15, -1e15, 9),
		"a line":          {X: []float64{1, 2, 3}, Y: []float64{5, 5, 5}, Tour: []int32{0, 1, 2}},
		"wide": {
			X: []float64{-1e308, 1e308, 0}, Y: []float64{0, 0, 1},
			Tour: []int32{0, 1, 2},
		},
		"no tour":       {X: []float64{1, 2, 3}, Y: []float64{5, 4, 5}},
		"many, no tour": {X: cities(5000).X, Y: cities(5000).Y},
		"broken cities": broken,
		"equal trails":  same,
		"trail to itself": {
			X: []float64{1, 2}, Y: []float64{1, 2},
			Trails: []view.Trail{{I: 1, J: 1, V: 3}},
		},
		"odd names": {
			Name: "\x1b[31mred\n", Title: "\x1b]0;x\a漢字 é", X: []float64{1},
			Y: []float64{1},
		},
		"lengths, equal":   lengths(3, 3, 3),
		"lengths, NaN":     lengths(nan, inf, 2),
		"lengths, huge":    lengths(-math.MaxFloat64, math.MaxFloat64, 0),
		"lengths, outlier": lengths(1, 1, 1, 1, 1, 1, 1, 1e300),
	}
}

func TestHardData(t *testing.T) {
	t.Parallel()
	for name, d := range hard() {
		if d.Measures == nil {
			d.Measures = []string{"branching"}
		}
		for _, k := range view.Kinds() {
			t.Run(name+"/"+k.Name, func(t *testing.T) {
				t.Parallel()
				p, err := k.Draw(view.Look{}, d)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range sinks() {
					if s.Graphics == view.PDF && k.Name != "best" && k.Name != "tour" {
						continue // its fonts take long
					}
					out := render(t, p, s)
					if s.Graphics == view.SVG && (bytes.Contains(out, []byte("NaN")) ||
						bytes.Contains(out, []byte("Inf"))) {
						t.Errorf("svg contains NaN or Inf: %s", out)
					}
					if s.Graphics == view.Cells && strings.ContainsAny(string(out), "\a\r\t") {
						t.Errorf("cells let control characters through: %q", out)
					}
				}
				if s := k.Size(d); s.W < 100 || s.H < 100 || s.W > 500 || s.H > 500 {
					t.Errorf("size is %v", s)
				}
			})
		}
	}
}

func TestContradictions(t *testing.T) {
	t.Parallel()
	xy := []float64{1, 2, 3}
	for name, c := range map[string]struct {
		d    view.Data
		want string
	}{
		"coordinates": {view.Data{Name: "a", X: xy, Y: xy[:2]}, "3 x coordinates and 2 y"},
		"city beyond": {
			view.Data{Name: "a", X: xy, Y: xy, Tour: []int32{0, 1, 3}},
			"city 3 at position 2, want 0 to 2",
		},
		"negative city": {
			view.Data{Name: "a", X: xy, Y: xy, PrevTour: []int32{-1}},
			"previous tour of run \"a\" has city -1",
		},
		"trail": {
			view.Data{Name: "a", X: xy, Y: xy, Trails: []view.Trail{{I: 0, J: 9}}},
			"trail 0 of run \"a\" joins cities 0 and 9",
		},
	} {
		for _, f := range []string{"tour", "trails", "heat", "best"} {
			_, err := view.Draw(f, view.Look{}, c.d)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: error is %v, want %q", name, f, err, c.want)
			}
		}
	}
	if _, err := view.Draw("tuor", view.Look{}, run(3)); err == nil ||
		!strings.Contains(err.Error(),
			"best, band, box, tour, trails, heat, branching, islands, lengths, spans, assignment, "+
				"multiset, slice, neighbourhood, solution, or a measure (here branching)") {
		t.Errorf("unknown figure: %v", err)
	}
	if _, err := (view.Look{}).Measure("entropy", run(3)); err == nil ||
		!strings.Contains(err.Error(), "measures are branching") {
		t.Errorf("unknown measure: %v", err)
	}
}

func TestAnyHistoryDraws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 10),
			rapid.SampledFrom([]float64{0, 1, math.NaN(), math.Inf(1), math.Inf(-1)}))
		var runs []view.Data
		for r := range rapid.IntRange(1, 3).Draw(t, "runs") {
			d := view.Data{Name: fmt.Sprint(r)}
			if rapid.Bool().Draw(t, "known") {
				v := value.Draw(t, "best known")
				d.Best = &v
			}
			iter := int64(0)
			for range rapid.IntRange(0, 20).Draw(t, "points") {
				iter += rapid.Int64Range(0, 1<<40).Draw(t, "pause")
				d.Points = append(d.Points, record.Point{
					Iter: iter, Best: value.Draw(t, "best"),
					IterBest: value.Draw(t, "iteration best"), Mean: value.Draw(t, "mean"),
				})
				if rapid.Bool().Draw(t, "set") {
					d.Journal = append(d.Journal, record.Change{
						Iter: iter, Kind: record.KindSet, Name: "q0",
						New: record.Num(1),
					})
				}
			}
			runs = append(runs, d)
		}
		p, err := view.Look{}.Convergence(runs...)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sinks()[:4] {
			if s.Graphics == view.PDF {
				continue
			}
			var b bytes.Buffer
			if err := view.Render(&b, p, s); err != nil {
				t.Fatalf("%s: %v", s.Graphics, err)
			}
		}
	})
}
