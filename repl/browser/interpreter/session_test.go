package interpreter

import (
	"strings"
	"testing"
)

// Go and commands have the same runs; the beginning of an input waits for its end, and what is
// wrong is told in one line.
func TestLines(t *testing.T) {
	b := newTab(t)
	for _, q := range []struct{ line, said, wrong string }{
		{`a := lab.Open("a", "acs", lab.Load("rand-40-1"), lab.Seed(1)); a.Step(3)`, "iteration 3", ""},
		{"step a 2; best a", "iteration 5", ""},
		{"for i := range 2 {", "", ""},
		{"a.Step(i + 1)", "", ""},
		{"}; a.Show().Iteration", "8", ""},
		{`len(a.Array("tour").Int32s())`, "40", ""},
		{`a.Go(); a.Pause(); lab.Watch(a); "rests"`, "rests", ""},
		{"help lab.Open", "lab.Open func(", ""},
		{"stp a 3", "", "did you mean step?"},
		{`a.Set("q0", 7)`, "", "q0 is 7, want 0 to 1"},
		{"lab.GPU(0)", "", "a page has no GPU"},
		{"undefinedName(3)", "", "undefined: undefinedName"},
		{`lab.Declare("w", func() lab.Solver { return nil })`, "", "a page has no compiler"},
	} {
		b.said = nil
		wrong := b.line(q.line)
		said := strings.Join(b.said, "\n")
		if !strings.Contains(said, q.said) || !strings.Contains(wrong, q.wrong) ||
			(wrong == "") != (q.wrong == "") {
			t.Errorf("%s: %q, %q; want %q, %q", q.line, said, wrong, q.said, q.wrong)
		}
	}
	var last Event
	b.gopher.do(t.Context(), Request{Do: "complete", Text: "x := a.Ste"}, func(e Event) { last = e })
	if last.From != len("x := a.") || len(last.Offers) == 0 || last.Offers[0].Text != "Step" {
		t.Errorf("completion: %+v", last)
	}
	b.gopher.do(t.Context(), Request{Do: "nothing"}, func(e Event) { last = e })
	if last.Kind != "error" || !strings.Contains(last.Text, `no request "nothing"`) {
		t.Errorf("a request that there is not: %+v", last)
	}
}
