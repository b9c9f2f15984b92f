package view_test

import (
	"strings"
	"testing"
	"time"

	"metalab/kernel/view"
)

// The parts of an iteration are bars, with their shares of what they are parts of; without any the
// figure says why.
func TestSpans(t *testing.T) {
	t.Parallel()
	d := view.Data{Name: "t", Title: "t: 3 iterations", Spans: []view.Span{
		{Name: "scans", Time: 4 * time.Millisecond},
		{Name: "iteration", Time: 5 * time.Millisecond},
		{Name: "transfer", Time: time.Millisecond},
		{Name: "process", Time: 0},
		{Name: "kernels", Time: 3 * time.Millisecond},
	}}
	p, err := view.Spans(d)
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		labels = append(labels, tick.Label)
	}
	want := "scans 100 %|iteration|transfer 25 %|process 0 %|kernels 75 %"
	if got := strings.Join(labels, "|"); got != want || p.Y.Label.Text != "ms" {
		t.Errorf("the bars are %s, in %s, want %s, in ms", got, p.Y.Label.Text, want)
	}
	for _, d := range []view.Data{{Name: "t"}, {Name: "t", NoSpans: "no device times it"}} {
		if _, err := view.Spans(d); err != nil {
			t.Error(err)
		}
	}
}
