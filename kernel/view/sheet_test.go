package view_test

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"metalab/kernel/view"
	"metalab/kernel/view/cells"
)

// sheet draws figures.
func sheet(t *testing.T, kinds string, l view.Look, s view.Sink, runs ...view.Data) []byte {
	t.Helper()
	f, err := view.Draw(kinds, l, runs...)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Render(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// of names a run and its title.
func of(d view.Data, name, title string) view.Data {
	d.Name, d.Title = name, title
	return d
}

func TestGoldenSheets(t *testing.T) {
	t.Parallel()
	a := of(cities(60), "a", "a: acs/seq on pr1002, iteration 200, best 259045")
	b := of(cities(90), "b", "b: mmas/scan on pr1002, iteration 40, best 259345")
	tour := view.Look{Title: "two tours"}
	golden(t, "tours.svg", sheet(t, "tour", tour, view.Sink{Graphics: view.SVG}, a, b), sameNumbers)
	golden(t, "tours.txt", sheet(t, "tour", tour, view.Sink{Graphics: view.Cells, Cols: 80, Rows: 22},
		a, b), bytes.Equal)
	both := run(120)
	both.X, both.Y, both.Tour = a.X, a.Y, a.Tour
	golden(t, "both.svg", sheet(t, "best,tour", view.Look{}, view.Sink{Graphics: view.SVG}, both),
		sameNumbers)
	golden(t, "both.txt",
		sheet(t, "best,tour", view.Look{}, view.Sink{
			Graphics: view.Cells, Cols: 100, Rows: 20,
			Depth: cells.None,
		}, both), bytes.Equal)
}

// Runs whose values have no axis in common are drawn apart: those of different problems, and
// those of different instances where a gap is not known.
func TestOneAxis(t *testing.T) {
	t.Parallel()
	on := func(d view.Data, kind, instance string) view.Data {
		d.Kind, d.Instance = kind, instance
		return d
	}
	tsp, other := on(run(20), "tsp", "pr1002"), on(run(30), "tsp", "pr2392")
	for _, c := range []struct {
		runs  []view.Data
		plots int
	}{
		{[]view.Data{tsp, tsp}, 1},
		{[]view.Data{tsp, other}, 1}, // gaps of both
		{[]view.Data{tsp, on(run(20), "qap", "tai50a")}, 2},
		{[]view.Data{tsp, on(run(20), "qap", "tai50a"), other}, 2},
		{[]view.Data{tsp, withoutBest(other)}, 2},
		{[]view.Data{withoutBest(tsp), withoutBest(tsp)}, 1},
	} {
		f, err := view.Draw("best", view.Look{}, c.runs...)
		if err != nil || len(f.Plots) != c.plots {
			t.Errorf("%d runs: %d plots, %v; want %d", len(c.runs), len(f.Plots), err, c.plots)
		}
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	d := cities(30)
	for _, c := range []struct {
		plots, columns int
		want           view.Size
	}{
		{1, 0, view.MapSize(d)},
		{2, 1, view.Size{W: view.MapSize(d).W, H: 2 * view.MapSize(d).H}},
		{2, 0, view.Size{W: 600, H: 2 * 300 * view.MapSize(d).H / view.MapSize(d).W / 2}},
		{4, 0, view.Size{W: 600, H: 2 * 300 * view.MapSize(d).H / view.MapSize(d).W}},
	} {
		f, err := view.Draw("tour", view.Look{Columns: c.columns},
			[]view.Data{d, named(d, "b"), d, d}[:c.plots]...)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Size(); got.W-c.want.W > 1 || c.want.W-got.W > 1 || got.H-c.want.H > 1 ||
			c.want.H-got.H > 1 {
			t.Errorf("%d plots in %d columns: %v, want %v", c.plots, c.columns, got, c.want)
		}
	}
	// On a narrow screen plots stand below each other, and the picture may grow.
	out := sheet(t, "tour", view.Look{}, view.Sink{
		Graphics: view.Cells, Cols: 60, Rows: 20,
		Grow: true,
	}, d, d)
	if n := bytes.Count(out, []byte("\n")); n != 32 {
		t.Errorf("%d rows, want 32", n)
	}
	if out = sheet(t, "tour", view.Look{}, view.Sink{Graphics: view.Cells, Cols: 60, Rows: 20}, d,
		d); bytes.Count(out, []byte("\n")) != 20 {
		t.Errorf("a picture of 20 rows grew:\n%s", out)
	}
}

func TestLook(t *testing.T) {
	t.Parallel()
	a, b := run(100), named(run(80), "b")
	for i := range a.Points {
		a.Points[i].Wall, a.Points[i].CPU = float64(i+1)/10, float64(i+1)/5
	}
	words := func(kinds string, l view.Look, runs ...view.Data) string {
		return string(sheet(t, kinds, l, view.Sink{Graphics: view.None}, runs...))
	}
	for _, c := range []struct {
		l    view.Look
		want []string
	}{
		{view.Look{X: view.Time}, []string{"time (s): 0.1 to 10\n", "at 2.5: q0"}},
		{view.Look{X: view.CPU}, []string{"CPU time (s): 0.2 to 20\n", "at 5: q0"}},
		{view.Look{Range: view.Range{From: 20, To: 40}}, []string{"iteration: 20 to 40\n"}},
		{
			view.Look{X: view.Time, Range: view.Range{From: 2.05, To: 4}},
			[]string{"time (s): 2.05 to 4\n"},
		},
		{view.Look{Range: view.Range{From: 500, To: 600}}, []string{"nothing from 500 to 600"}},
		{view.Look{Title: "a title"}, []string{"a title\niteration"}},
		{view.Look{NoTitle: true}, []string{"iteration"}},
	} {
		got := words("best", c.l, a)
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%+v: no %q in\n%s", c.l, w, got)
			}
		}
	}
	if got := words("best", view.Look{Legend: []string{"plain", "greedy"}}, a,
		b); !strings.Contains(got, "plain: first") || !strings.Contains(got, "greedy: first") {
		t.Errorf("names of a legend:\n%s", got)
	}
	cells := func(l view.Look) string {
		return string(sheet(t, "best", l, view.Sink{Graphics: view.Cells}, a))
	}
	if got := cells(view.Look{Legend: []string{"x1", "x2", "x3"}}); !strings.Contains(got, "x1") ||
		strings.Contains(got, "mean") {
		t.Errorf("names of a run's curves:\n%s", got)
	}
	if got := cells(view.Look{NoLegend: true}); strings.Contains(got, "mean") {
		t.Errorf("a legend:\n%s", got)
	}
	for _, c := range []struct {
		kinds string
		l     view.Look
		want  string
	}{
		{"tour", view.Look{X: view.CPU}, "tour has no x axis"},
		{"tour,heat", view.Look{Range: view.Range{From: 1, To: 2}}, "tour,heat has no range"},
		{"lengths", view.Look{NoLegend: true}, "lengths has no legend"},
		{
			"best",
			view.Look{Legend: []string{"one", "two", "three"}},
			"legend has 3 names, and there are 2 runs",
		},
		{"best,nosuch", view.Look{}, `unknown figure "nosuch"`},
	} {
		if _, err := view.Draw(c.kinds, c.l, a, b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: %v, want %q", c.kinds, c.l, err, c.want)
		}
	}
}

// One name in the legend of one run is the run's, and stands before those of its curves.
func TestLegendOfOneRun(t *testing.T) {
	t.Parallel()
	got := string(sheet(t, "best", view.Look{Legend: []string{"ACS"}}, view.Sink{Graphics: view.SVG},
		run(40)))
	if !strings.Contains(got, ">ACS, best<") || !strings.Contains(got, ">ACS, mean<") {
		t.Errorf("no name of the run in %.2000s", got)
	}
}

// Evaluations are an axis of runs that count the same; for others there is a reason why not.
func TestEvaluations(t *testing.T) {
	t.Parallel()
	counted := func(d view.Data, counts string) view.Data {
		d.Counts = counts
		for i := range d.Points {
			d.Points[i].Evals = int64(25 * (i + 1))
		}
		return d
	}
	tours := counted(run(40), "tours built")
	moves := counted(named(run(30), "m"), "neighbours looked at")
	old := named(run(30), "o")
	old.Counts = "tours built"
	l := view.Look{X: view.Evaluations}
	got := string(sheet(t, "best", l, view.Sink{Graphics: view.None}, tours))
	if !strings.Contains(got, "evaluations (tours built): 25 to 1000\n") ||
		!strings.Contains(got, "at 250: q0") {
		t.Errorf("%s", got)
	}
	for want, runs := range map[string][]view.Data{
		"the solver of b does not count evaluations; x=cpu": {
			tours,
			named(run(20), "b"),
		},
		"o was begun before evaluations were counted": {tours, old},
		"those of a are tours built and those of m are neighbours looked at, which have no": {
			tours,
			moves,
		},
	} {
		for _, figure := range []string{"best", "branching"} {
			if _, err := view.Draw(figure, l, runs...); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", figure, err, want)
			}
		}
	}
}

func TestParseLook(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]view.Size{
		"400x300": {W: 400, H: 300}, "2inx1in": {W: 144, H: 72},
		"25.4mmx2.54cm": {W: 72, H: 72}, "10ptx20": {W: 10, H: 20},
	} {
		if got, err := view.ParseSize(in); err != nil || got.W-want.W > 0.01 || want.H-got.H > 0.01 {
			t.Errorf("%s: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{
		"", "400", "400x", "x300", "-4x4", "0x0", "1e9x3", "axb",
		"4kmx3", "NaNx3",
	} {
		if got, err := view.ParseSize(in); err == nil {
			t.Errorf("%q: %v", in, got)
		}
	}
	for _, in := range []string{"", "..", "5", "5..5", "9..3", "a..b", "NaN..4"} {
		if got, err := view.ParseRange(in); err == nil {
			t.Errorf("%q: %v", in, got)
		}
	}
	if r, err := view.ParseRange("..60"); err != nil || r.To != 60 {
		t.Errorf("..60: %v, %v", r, err)
	}
	if _, err := view.ParseAxis("tme"); err == nil ||
		!strings.Contains(err.Error(), "iteration, time, cpu or evaluations") {
		t.Errorf("tme: %v", err)
	}
}

// A fork's curve does not hide that of its parent: it begins where it parts. A curve that is
// another's altogether is dashed.
func TestForkBeginsWhereItParts(t *testing.T) {
	t.Parallel()
	a := run(120)
	for name, c := range map[string]struct {
		b          view.Data
		blue, both bool
	}{
		"fork": {forked(a, "b", 70), true, false},
		"copy": {named(a, "b"), true, true},
	} {
		p, err := view.Look{}.Convergence(a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(render(t, p,
			view.Sink{Graphics: view.PNG, Size: view.Size{W: 400, H: 300}, DPI: 72})))
		if err != nil {
			t.Fatal(err)
		}
		blue, vermilion := 0, 0 // in the left third, below the legend
		for y := 60; y < 270; y++ {
			for x := 50; x < 140; x++ {
				r, g, b, _ := img.At(x, y).RGBA()
				switch {
				case b > r+0x4000 && b > g+0x2000:
					blue++
				case r > b+0x4000 && r > g+0x4000:
					vermilion++
				}
			}
		}
		if c.blue != (blue > 20) || c.both != (vermilion > 20) {
			t.Errorf("%s: %d blue and %d vermilion pixels of the shared past", name, blue, vermilion)
		}
	}
}

// Where there are no colours each curve has a letter of its own.
func TestLetters(t *testing.T) {
	t.Parallel()
	for names, want := range map[string]string{"a b m": "abm", "alpha amber m": "ABC"} {
		var runs []view.Data
		for i, n := range strings.Fields(names) {
			d := named(run(60+20*i), n)
			d.Journal = nil
			for j := range d.Points {
				d.Points[j].Best *= 1 + float64(i)/50
			}
			runs = append(runs, d)
		}
		out := string(sheet(t, "best", view.Look{}, view.Sink{Graphics: view.Cells}, runs...))
		_, below, _ := strings.Cut(out, "\n")  // the title
		_, below, _ = strings.Cut(below, "\n") // the legend
		below = below[:strings.LastIndex(below, "iteration")]
		for _, r := range want {
			if strings.Count(below, string(r)) < 2 {
				t.Errorf("%s: fewer than two %c:\n%s", names, r, out)
			}
		}
		if out = string(sheet(t, "best", view.Look{}, view.Sink{Graphics: view.Cells, Depth: cells.C256},
			runs...)); strings.Contains(out[strings.Index(out, "m\n")+2:], "A") {
			t.Errorf("letters among colours:\n%s", out)
		}
	}
}

func TestASCII(t *testing.T) {
	t.Parallel()
	for name, p := range figures(t) {
		for _, depth := range []int{cells.None, cells.C256} {
			for _, r := range string(render(t, p, view.Sink{
				Graphics: view.Cells, ASCII: true,
				Depth: depth,
			})) {
				if r > 0x7e {
					t.Fatalf("%s has %q", name, r)
				}
			}
		}
	}
	for env, want := range map[string]bool{
		"": true, "LC_ALL=C": false, "LANG=C": false, "LANG=POSIX": false, "LANG=C.UTF-8": true,
		"LANG=en_US.utf8": true, "LANG=de_DE.ISO-8859-1": false,
		"LC_ALL=C LANG=en_US.UTF-8": false, "LC_CTYPE=C.UTF-8 LANG=C": true, "LANG=de_DE@euro": true,
		"LANG=ca_ES.UTF-8@valencia": true,
	} {
		vars := map[string]string{}
		for v := range strings.FieldsSeq(env) {
			k, x, _ := strings.Cut(v, "=")
			vars[k] = x
		}
		if got := view.Unicode(func(k string) string { return vars[k] }); got != want {
			t.Errorf("%s: %v, want %v", env, got, want)
		}
	}
}

// Of plots beside each other on a screen the names of all groups are read: in rows where one row
// has no room.
func TestGroupNames(t *testing.T) {
	t.Parallel()
	names := []string{"acs/seq beta=2", "acs/seq beta=3", "mmas/wrs beta=2", "mmas/wrs beta=3"}
	var some []view.Sample
	for i, n := range names {
		some = append(some, view.Sample{Name: n, Values: []float64{float64(i), float64(i + 2)}})
	}
	p, err := view.Look{}.BoxPlot(view.Labels{Title: "e1"}, some...)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	beside := &view.Sheet{Plots: []*plot.Plot{p, p}}
	if err := beside.Render(&b, view.Sink{Graphics: view.Cells, Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if strings.Count(b.String(), n) != 2 {
			t.Errorf("%s does not stand below both plots:\n%s", n, b.String())
		}
	}
}

// Mean lengths, which are long and no integers, have no exponents in the words of a picture.
func TestNumber(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		13701000.5: "13701000.5", 1.5: "1.5", 1234.5678: "1234.57", 3e14: "300000000000000",
		-123456.25: "-123456.2", 1.5e-7: "1.5e-07", 2.5e20: "2.5e+20",
	} {
		if got := view.Number(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}
