package lab

import (
	"testing"

	"metalab/kernel/reply"

	"github.com/google/go-cmp/cmp"
)

// A figure in a cell is PNG, with the size at which a page shows it and its words, and a line of
// text. A frame of a run that goes on is SVG within HTML that is not wider than the page.
func TestFormsOfAFigure(t *testing.T) {
	t.Parallel()
	p := &reply.PlotReply{
		Status: reply.Status{Run: "a", Iteration: 3, Best: 7, Gap: 1, WallS: 2, CPUS: 1},
		Runs:   []string{"a", "b"}, Figure: "best,tour", Mime: "image/png", Data: []byte("\x89PNG"),
		Wide: 624, High: 384, Words: "a curve",
	}
	want := []mime{
		{"image/png", "iVBORw==", &pixels{624, 384, "a curve"}},
		textForm("best,tour of a, b; a: iteration 3, best 7 (gap 1.000%)"),
	}
	same := cmp.AllowUnexported(mime{}, pixels{})
	if d := cmp.Diff(want, forms(p), same); d != "" {
		t.Error(d)
	}
	p.Mime = "image/svg+xml"
	p.Data = []byte("<?xml version=\"1.0\"?>\n<svg width=\"9pt\">x</svg>\n")
	want[0] = htmlForm(`<svg style="max-width:100%;height:auto" width="9pt">x</svg>`)
	if d := cmp.Diff(want, forms(p), same); d != "" {
		t.Error(d)
	}
	chart := &reply.PlotReply{
		Runs: []string{"e"}, Figure: "ranks", Mime: "image/png", Data: []byte("\x89PNG"),
	}
	if got := forms(chart)[1].text; got != "ranks of e" {
		t.Errorf("a figure of an experiment in text: %s", got)
	}
}
