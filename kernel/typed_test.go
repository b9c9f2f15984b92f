package main

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/internal/jupyter/execute"
)

// promptLine is what a cell says whose first line is one of the prompt.
const promptLine = `line 1: step r 10 is a line of the prompt: in a cell it is %lab step r 10, ` +
	`or lab.Do("step r 10")`

// inspect asks what stands at a place of a text.
func (s *book) inspect(text string, at int) string {
	s.Helper()
	id, err := s.Send(s.Socket, "inspect_request",
		map[string]any{"code": text, "cursor_pos": at, "detail_level": 0})
	if err != nil {
		s.Fatal(err)
	}
	m, err := s.Reply(id)
	if err != nil {
		s.Fatal(err)
	}
	var r struct {
		Found bool              `json:"found"`
		Data  map[string]string `json:"data"`
	}
	if err := json.Unmarshal(m.Content, &r); err != nil {
		s.Fatal(err)
	}
	if r.Data == nil {
		s.Errorf("the data told of %q are no dictionary: %s", text, m.Content)
	}
	if !r.Found {
		return ""
	}
	return cmp.Or(r.Data["text/plain"], r.Data["text/markdown"])
}

// A cell takes lines of the prompt, and shows the value of its last expression.
func TestTypedInCells(t *testing.T) {
	t.Parallel()
	s := start(t)
	if got := s.run("%lab open acs rand-50-1 as r\n%lab step r 10; best r"); !strings.Contains(got,
		"r: iteration 10,") || !strings.Contains(got, "opened") {
		t.Errorf("lines of the prompt show %s", got)
	}
	res, err := s.Do(t.Context(), "%lab plot r tour")
	if err != nil || res.Failed != "" || !slices.ContainsFunc(res.Outputs,
		func(o execute.Output) bool {
			return o.Data["image/png"] != nil
		}) {
		t.Errorf("no picture: %v %s", err, res.Failed)
	}
	for code, want := range map[string]string{
		"%%\nlab.Get(\"r\").Best()":                                   "r: ",
		"%%\nx := 20\n%lab step r 1\nx + 1":                           "21",
		"%%\nlab.Get(\"r\").Step(1)":                                  "1 iteration in",
		"func twice() (int, string) { return 2, \"b\" }\n%%\ntwice()": "2\nb",
	} {
		if got := s.run(code); !strings.Contains(got, want) {
			t.Errorf("%s shows %q, want %q", code, got, want)
		}
	}
	for code, wants := range map[string][]string{
		"%lab":           {"experiment", "step"},
		"%lab help step": {"step <run", "until"},
		"%lab help q0":   {"q0: a live parameter of acs/seq", "0 to 1"},
	} {
		got := s.run(code)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q: %s", code, want, got)
			}
		}
	}
	if res, err := s.Do(t.Context(), "%lab watch r"); err != nil ||
		res.Failed != `ERROR: line 1: watch: it is for the prompt's screen; in a cell it is `+
			`lab.Watch(lab.Get("r"))` {
		t.Errorf("watch in a cell: %q, %v", res.Failed, err)
	}
	// What returns nothing is carried out as it stands, and once.
	const say = "func say() { fmt.Println(\"said\") }\n%%\nsay()"
	if got := s.run(say); strings.TrimSpace(got) != "said" {
		t.Errorf("a function without a result shows %q", got)
	}
	if got := s.run("%%\nlab.Get(\"r\").Best();"); strings.TrimSpace(got) != "" {
		t.Errorf("a quiet expression shows %q", got)
	}
	for _, code := range []string{"step r 10", "%%\nstep r 10"} {
		res, err := s.Do(t.Context(), code)
		if err != nil || !strings.Contains(res.Failed,
			strings.TrimPrefix(promptLine, "line 1: ")) {
			t.Errorf("%q is answered with %q, %v", code, res.Failed, err)
		}
	}
	if res, err := s.Do(t.Context(), "%lab step nobody 10"); err != nil ||
		!strings.HasPrefix(res.Failed, `ERROR: line 1: there is no run "nobody"`) {
		t.Errorf("a line that is wrong: %q, %v", res.Failed, err)
	}
	const set = `lab.Get("r").Set("q0", 0.9)`
	if got := s.inspect("%%\n"+set, 3+strings.Index(set, "0\"")); !strings.Contains(got, "q0") ||
		strings.Contains(got, "gopls") {
		t.Errorf("of a parameter in quotes is told %q", got)
	}
	if got := s.inspect("%%\nlab.Load(\"none of these\")", 20); got != "" {
		t.Errorf("of words in quotes is told %q", got)
	}
}
