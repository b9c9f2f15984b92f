package view

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"pgregory.net/rapid"
)

// Names that would be cut stand upright in pictures, whole, and these are higher for them; in a
// terminal they are cut.
func TestNamesStandUpright(t *testing.T) {
	var samples []Sample
	for _, s := range []string{"acs/seq", "mmas/wrs", "as/scan"} {
		for _, b := range []string{"2", "3", "4"} {
			samples = append(samples, Sample{s + " beta=" + b + " candidates=10", []float64{1, 2, 3}},
				Sample{s + " beta=" + b + " candidates=20", []float64{2, 3, 4}})
		}
	}
	p, err := Look{}.BoxPlot(Labels{}, samples...)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range p.X.Tick.Marker.Ticks(0, 1) {
		if k.Label != samples[i].Name {
			t.Errorf("%q stands for %q", k.Label, samples[i].Name)
		}
	}
	if p.X.Tick.Label.Rotation == 0 {
		t.Error("long names of many groups lie over one another")
	}
	few, err := Look{}.BoxPlot(Labels{}, samples[:2]...)
	if err != nil {
		t.Fatal(err)
	}
	usual := (&Sheet{Plots: []*plot.Plot{few}}).Size()
	_, low, err := lengths(usual)
	if high := (&Sheet{Plots: []*plot.Plot{p}}).Size(); err != nil || high.H < float64(low)+100 {
		t.Errorf("the height is %v beside %v: %v", high, low, err)
	}
	var b strings.Builder
	if err := Render(&b, p, Sink{Graphics: Cells, Cols: 60, Rows: 20}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "acs") {
		t.Errorf("a terminal shows no names: %s", b.String())
	}
}

// The plots of three instances have one legend with all names, and in each of them the names of
// groups stand beside each other.
func TestPlotsOfInstances(t *testing.T) {
	var names []string
	for _, s := range []string{"acs/seq", "mmas/scan", "tabu/robust", "ga/tournament"} {
		for _, b := range []string{"2", "4"} {
			names = append(names, s+" beta="+b)
		}
	}
	curves, boxes := &Sheet{}, &Sheet{}
	for _, place := range []string{"one", "two", "three"} {
		w := Labels{Title: "e on " + place, X: "iteration", Y: "best"}
		var lines []Response
		var samples []Sample
		for i, n := range names {
			v := float64(i)
			lines = append(lines, Response{Name: n, X: []float64{1, 2, 3}, Values: [][]float64{
				{v + 1}, {v + 2}, {v + 3},
			}})
			samples = append(samples, Sample{Name: n, Values: []float64{v, v + 1, v + 2}})
		}
		p, err := Look{}.In(curves, 3).Response(w, lines...)
		if err != nil {
			t.Fatal(err)
		}
		curves.Plots = append(curves.Plots, p)
		if p, err = (Look{}).In(boxes, 3).BoxPlot(w, samples...); err != nil {
			t.Fatal(err)
		}
		boxes.Plots = append(boxes.Plots, p)
	}
	for _, q := range []struct {
		of    string
		sheet *Sheet
		to    Sink
		times int
	}{
		{"curves", curves, Sink{Graphics: SVG}, 1},
		{"curves in a terminal", curves, Sink{Graphics: Cells, Cols: 120, Rows: 40}, 1},
		{"boxes", boxes, Sink{Graphics: SVG}, 3},
	} {
		var b strings.Builder
		if err := q.sheet.Render(&b, q.to); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if _, drawn, ok := strings.Cut(text, "<path"); ok { // after the words for who sees nothing
			text = drawn
		}
		if strings.Contains(text, " more") || strings.Contains(text, "…") {
			t.Errorf("%s: names are left out or cut:\n%s", q.of, text)
		}
		for _, n := range names {
			if got := strings.Count(text, n); got != q.times {
				t.Errorf("%s: %q stands there %d times, want %d", q.of, n, got, q.times)
			}
		}
	}
	g, ok := boxes.Plots[0].X.Tick.Marker.(groupNames)
	if g = g.within(widest / 3); !ok || !g.upright {
		t.Error("eight names lie over one another in a third of a page")
	}
	// Where a name has another colour in another plot, each has its own legend.
	other := &Sheet{}
	for _, order := range [][]string{{"acs", "ga"}, {"ga", "acs"}} {
		var lines []Response
		for i, n := range order {
			v := float64(i)
			lines = append(lines, Response{
				Name: n, X: []float64{1, 2}, Values: [][]float64{{v + 1}, {v + 2}},
			})
		}
		p, err := Look{}.In(other, 2).Response(Labels{}, lines...)
		if err != nil {
			t.Fatal(err)
		}
		other.Plots = append(other.Plots, p)
	}
	var b strings.Builder
	if err := other.Render(&b, Sink{Graphics: SVG}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), ">acs<"); n != 2 {
		t.Errorf("acs of two colours stands in %d legends, want 2", n)
	}
}

// Ranks name what solvers differ in, and leave out what all have before they cut.
func TestNamesOfRanks(t *testing.T) {
	r := Ranking{Distance: 0.5}
	for i, n := range []string{"acs/seq", "mmas/scan", "as/scan"} {
		for j, b := range []string{"2", "4"} {
			r.Names = append(r.Names, n+" ants=20 local_search=none candidates=20 beta="+b)
			r.Ranks = append(r.Ranks, float64(2*i+j+1))
		}
	}
	p, err := Look{}.Ranks(Labels{}, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []Sink{{Graphics: SVG}, {Graphics: Cells, Cols: 80, Rows: 24}} {
		var b strings.Builder
		if err := Render(&b, p, to); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"acs/seq beta=2 1.00", "as/scan beta=4 6.00"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q", to.Graphics, want)
			}
		}
	}
}

// Runs on several instances are told with theirs.
func TestTitlesNameInstances(t *testing.T) {
	for want, runs := range map[string][]Data{
		"a, b on x":      {{Name: "a", Instance: "x"}, {Name: "b", Instance: "x"}},
		"a on x, b on y": {{Name: "a", Instance: "x"}, {Name: "b", Instance: "y"}},
	} {
		if got := titleOf(runs); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The ends and the middle of colours are told apart.
func TestColoursAreToldApart(t *testing.T) {
	for _, q := range []struct {
		lo, hi float64
		want   string
	}{{1, 3, "2"}, {6779978, 6816433, "6.8e+06"}, {1000, 1001, "1000.5"}} {
		m := &shades{lo: q.lo, hi: q.hi}
		write := m.apart(2)
		mid := write((q.lo + q.hi) / 2)
		if mid == write(q.lo) || mid == write(q.hi) || mid != q.want && q.lo != 1000 {
			t.Errorf("%v to %v: %s %s %s", q.lo, q.hi, write(q.lo), mid, write(q.hi))
		}
	}
}

// Names below groups are whole where there is room; else what all have is left out before they are
// cut.
func TestNamesOfGroups(t *testing.T) {
	labels := func(g groupNames) (out []string) {
		for _, k := range g.Ticks(0, 1) {
			out = append(out, strings.TrimLeft(k.Label, "\n"))
		}
		return out
	}
	long := []string{
		"acs/seq local_search=none ants=5", "acs/seq local_search=none ants=10",
		"mmas/scan local_search=none ants=5", "mmas/scan local_search=none ants=10",
	}
	for _, q := range []struct {
		names []string
		width int
		want  []string
	}{
		{long, 200, long},
		{long, 40, []string{
			"acs/seq ants=5", "acs/seq ants=10", "mmas/scan ants=5", "mmas/scan ants=10",
		}},
		{long[:2], 30, []string{"ants=5", "ants=10"}},
		{[]string{"same name", "same name"}, 6, []string{"same", "same"}},
		{[]string{"abcdefghij", "klmnopqrst"}, 10, []string{"abcdefgh…", "klmnopqr…"}},
		{[]string{""}, 10, []string{""}},
		{ // what rows differ in stands at the end, and stays
			[]string{"focused beta=2", "lockstep beta=4", "spm-alt beta=2", "scan beta=4"},
			20,
			[]string{"focused beta=2", "lockst… beta=4", "spm-alt beta=2", "scan beta=4"},
		},
	} {
		if got := labels(groupNames{names: q.names, width: q.width}); !slices.Equal(got, q.want) {
			t.Errorf("%q in %d letters: %q, want %q", q.names, q.width, got, q.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"acs", "mmas", "ants=5", "ants=10", "local_search=none"})
		name := rapid.Map(rapid.SliceOfN(word, 0, 4),
			func(w []string) string { return strings.Join(w, " ") })
		names := rapid.SliceOfN(name, 1, 12).Draw(t, "names")
		width := rapid.IntRange(1, 120).Draw(t, "width")
		got := groupNames{names: names, width: width}.Ticks(0, 1)
		if len(got) != len(names) {
			t.Fatalf("%d labels of %d names", len(got), len(names))
		}
		// In a row no label is wider than the room up to the next one in that row.
		space := max(width/len(names), 1)
		rows := 1
		for _, k := range got {
			rows = max(rows, strings.Count(k.Label, "\n")+1)
		}
		for _, k := range got {
			if n := len([]rune(strings.TrimLeft(k.Label, "\n"))); n > max(space*rows-1, 3) {
				t.Fatalf("%q has %d letters, and there is room for %d", k.Label, n, space*rows-1)
			}
		}
	})
}

// A title of one word that is wider than its picture, for which no letters are small enough, is cut
// and says so; one that fits is not.
func TestLongTitlesAreCut(t *testing.T) {
	for _, n := range []int{10, 400} {
		title := strings.Repeat("w", n)
		p := plot.New()
		p.Title.Text = title
		fit(p, 300)
		style := p.Title.TextStyle
		if wide := style.Width(p.Title.Text); wide > 300 {
			t.Errorf("a title of %d letters is %v points wide, want 300 at most", n, wide)
		}
		if cut := strings.HasSuffix(p.Title.Text, "…"); cut != (n == 400) ||
			!strings.HasPrefix(title, strings.TrimSuffix(p.Title.Text, "…")) {
			t.Errorf("a title of %d letters became %q", n, p.Title.Text)
		}
	}
}
