package lab

import (
	"testing"

	"metalab/kernel/reply"

	"github.com/google/go-cmp/cmp"
)

// A figure in a cell is SVG that is not wider than the page, PNG for pages that do not trust
// the notebook, and a line of text.
func TestFormsOfAFigure(t *testing.T) {
	t.Parallel()
	p := &reply.PlotReply{
		Status: reply.Status{Run: "a", Iteration: 3, Best: 7, Gap: 1, WallS: 2, CPUS: 1},
		Runs:   []string{"a", "b"}, Figure: "best,tour", Mime: "image/svg+xml",
		Data: []byte("<?xml version=\"1.0\"?>\n<svg width=\"9pt\">x</svg>\n"), PNG: []byte("\x89PNG"),
	}
	want := []mime{
		{"image/svg+xml", `<svg style="max-width:100%;height:auto" width="9pt">x</svg>`},
		{"image/png", "iVBORw=="},
		{"text/plain", "best,tour of a, b; " + p.Line()},
	}
	if d := cmp.Diff(want, forms(p), cmp.AllowUnexported(mime{})); d != "" {
		t.Error(d)
	}
	p.PNG = nil
	if got := forms(p); len(got) != 2 {
		t.Errorf("without PNG: %v", got)
	}
	chart := &reply.PlotReply{
		Runs: []string{"e"}, Figure: "ranks", Mime: "image/svg+xml", Data: []byte("<svg></svg>"),
	}
	if got := forms(chart)[1].text; got != "ranks of e" {
		t.Errorf("a figure of an experiment in text: %s", got)
	}
}
