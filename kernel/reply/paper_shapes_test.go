package reply

import (
	"math"
	"strings"
	"testing"
)

// Rows count that have the figures that a condition asks for.
func TestShapes(t *testing.T) {
	t.Parallel()
	cell := func(published, measured float64) PaperCell {
		return PaperCell{Published: Num(published), Measured: Num(measured)}
	}
	none := math.NaN()
	r := PaperReply{Table: BenchTable{Name: "mmas-4"}, Columns: []string{"BT", "LC"}, Rows: []PaperRow{
		{Label: "a", Cells: []PaperCell{cell(2, 2), cell(1, 3)}},
		{Label: "b", Cells: []PaperCell{cell(2, none), cell(1, 1)}},
		{Label: "c", Cells: []PaperCell{cell(2, 5), cell(1, 4)}},
	}}
	s := r.Shape("BT is slower", func(v func(string) float64) bool { return v("BT") > v("LC") })
	if s.Published != (Count{3, 3}) || s.Measured != (Count{1, 2}) || s.Verdict() != "in part" {
		t.Errorf("%+v, %s: want 3 of 3 published, 1 of 2 measured, in part", s, s.Verdict())
	}
	r.Rows[0].Cells[1].Not = "another program" // 1, as published, and not 3
	s = r.Shape("BT is slower", func(v func(string) float64) bool { return v("BT") > v("LC") })
	if s.Measured != (Count{2, 2}) {
		t.Errorf("beside another program %+v, want 2 of 2", s.Measured)
	}
	r.Rows[2].Cells[0].Verdict = "not comparable: its zeros count otherwise"
	s = r.Shape("BT is slower", func(v func(string) float64) bool { return v("BT") > v("LC") })
	if s.Published != (Count{3, 3}) || s.Measured != (Count{1, 1}) {
		t.Errorf("with a row that is not comparable %+v, want 3 of 3 and 1 of 1", s)
	}
	for mark, want := range map[string]Count{"better": {1, 1}, "worse": {1, 1}, "none": {0, 1}} {
		p := PaperReply{Columns: []string{"p"}, Rows: []PaperRow{{Cells: []PaperCell{{Mark: mark}}}}}
		got := p.Shape("differs", func(v func(string) float64) bool { return v("p") < .05 })
		if got.Published != want {
			t.Errorf("a test marked %s: %s, want %s", mark, got.Published, want)
		}
	}
	s.Measured = Count{1, 2}
	for _, text := range []string{Shapes{s}.String(), Shapes{s}.HTML()} {
		for _, want := range []string{"mmas-4", "BT is slower", "3 of 3", "1 of 2", "in part"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %s", want, text)
			}
		}
	}
	none1 := Shape{Table: "mmas-9", Says: "published only", Published: Count{3, 3}}
	if got, want := (Shapes{s, none1}).String(), "0 of 1 lines hold, 1 in part; published only, "+
		"and not counted: 1"; !strings.Contains(got, want) {
		t.Errorf("%s has no %q", got, want)
	}
	for m, want := range map[Count]string{
		{0, 0}: "not measured", {8, 8}: "yes", {6, 8}: "mostly", {5, 8}: "in part", {2, 8}: "no",
	} {
		if got := (&Shape{Measured: m}).Verdict(); got != want {
			t.Errorf("%s: %q, want %q", m, got, want)
		}
	}
}

// A table of which nothing can be measured does not say that bench measures it.
func TestPaperThatIsNotMeasured(t *testing.T) {
	t.Parallel()
	cell := PaperCell{Published: 4, Measured: Num(math.NaN())}
	r := PaperReply{
		Table: BenchTable{Name: "mmas-1"}, Columns: []string{"LC"},
		Rows: []PaperRow{{Label: "a", Cells: []PaperCell{cell}}},
	}
	if text := r.String(); !strings.Contains(text, "bench mmas-1 measures it") {
		t.Errorf("it does not say that nothing was measured yet:\n%s", text)
	}
	r.Rows[0].Cells[0].Not = "a property of the layout"
	for _, text := range []string{r.String(), r.HTML()} {
		if strings.Contains(text, "measures it") {
			t.Errorf("it says that bench measures it:\n%s", text)
		}
	}
}

// Sentences about a wide table are no wider than is easily read.
func TestPaperSentences(t *testing.T) {
	t.Parallel()
	r := PaperReply{
		Table:   BenchTable{Name: "mmas-1", Title: "bytes of a city", Source: "a paper"},
		Columns: []string{"LC"},
		Rows:    []PaperRow{{Label: "a", Cells: []PaperCell{{Published: 4, Measured: Num(math.NaN())}}}},
	}
	before, after, ok := strings.Cut(r.HTML(), "<table")
	_, below, whole := strings.Cut(after, "</table></div>")
	if !ok || !whole || !strings.Contains(before, proseStart+"<p><b>bytes of a city") ||
		!strings.HasPrefix(below, proseStart) || strings.Count(r.HTML(), "<div") !=
		strings.Count(r.HTML(), "</div>") {
		t.Errorf("title or source are as wide as the table:\n%s", r.HTML())
	}
}
