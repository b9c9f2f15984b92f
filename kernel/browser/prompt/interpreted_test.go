package prompt

import (
	"fmt"
	"strings"
	"testing"

	"metalab/kernel/wire"
)

// page is a page of a test: Go answers as it is told.
type page struct {
	s      *Session
	wishes []Wish
	went   Went
	said   []string
	lines  int
}

// line types a line.
func (p *page) line(t *testing.T, text string) (last Event) {
	t.Helper()
	p.lines++ // a request that comes again under its name is answered as before
	p.s.Do(t.Context(), fmt.Sprint("line ", p.lines), Request{Do: "line", Text: text}, func(e Event) {
		switch e.Kind {
		case "go":
			p.wishes = append(p.wishes, *e.Wish)
			went := p.went
			went.Key = e.Wish.Key
			go p.s.Do(t.Context(), "2", Request{Do: "went", Went: &went}, func(Event) {})
		case "out":
			p.said = append(p.said, e.Text)
		default:
			last = e
		}
	})
	return last
}

// Go is wished of the page, and a slip of the pen only once Go was typed.
func TestGoIsWished(t *testing.T) {
	s, end, err := Start(t.Context(), t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	p := &page{s: s}
	if e := p.line(t, "stp a 3"); len(p.wishes) > 0 || !strings.Contains(e.Text, "did you mean step") {
		t.Errorf("a slip: %+v, %v", e, p.wishes)
	}
	p.went.More = true
	if e := p.line(t, "for {"); e.Kind != "done" || !e.More || p.wishes[0].Text != "for {" {
		t.Errorf("the beginning of an input: %+v, %v", e, p.wishes)
	}
	p.went = Went{Error: "undefined: stp"}
	if e := p.line(t, "stp"); len(p.wishes) != 2 || !strings.Contains(e.Text, "did you mean step") {
		t.Errorf("a slip after Go: %+v, %v", e, p.wishes)
	}
	p.went = Went{Error: "undefined: f"}
	if e := p.line(t, "f(3)"); e.Kind != "error" || e.Text != "undefined: f" {
		t.Errorf("an error of Go: %+v", e)
	}
	p.went = Went{Text: "func Open(…)"}
	if e := p.line(t, "help lab.Open"); e.Kind != "done" || p.wishes[4-1].Do != "describe" ||
		!strings.Contains(strings.Join(p.said, "\n"), "func Open(…)") {
		t.Errorf("help of a name: %+v, %v, %q", e, p.wishes, p.said)
	}
}

// Help lists the verbs that a page has, and says of others why not.
func TestHelpOfAPage(t *testing.T) {
	s, end, err := Start(t.Context(), t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	p := &page{s: s}
	p.line(t, "help all")
	listed := map[string]bool{}
	for line := range strings.Lines(strings.Join(p.said, "\n")) {
		if w := strings.Fields(line); strings.HasPrefix(line, "  ") && len(w) > 0 {
			listed[w[0]] = true
		}
	}
	for _, v := range wire.Verbs {
		if listed[v.Name] == (absent[v.Name] != "") {
			t.Errorf("help: %s is listed: %v; it is lacking: %q", v.Name, listed[v.Name], absent[v.Name])
		}
	}
	p.said = nil
	p.line(t, "help bench")
	if got := strings.Join(p.said, "\n"); !strings.HasPrefix(got, "not here: "+absent["bench"]) {
		t.Errorf("help bench: %s", got)
	}
}

// What Go asks of the runs is a call, with the errors of verbs and their codes.
func TestGoCalls(t *testing.T) {
	s, end, err := Start(t.Context(), t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	call := func(verb, body string) (last Event) {
		s.Do(t.Context(), verb, Request{Do: "call", Verb: verb, Body: []byte(body)},
			func(e Event) { last = e })
		return last
	}
	for _, q := range []struct{ verb, body, raw, err string }{
		{"open", `{"solver":"tabu","instance":"rand-20-1","as":"a"}`, `"run":"a"`, ""},
		{"array", `{"run":"a","name":"coordinates"}`, `"Shape":[20,2]`, ""},
		{"array", `{"run":"b","name":"tour"}`, "", "b"},
		{"watch", `{"runs":["a"]}`, "{}", ""},
		{"gpu", `{}`, "", noDevice},
		{"nothing", `{}`, "", "there is no verb"},
	} {
		e := call(q.verb, q.body)
		if q.err == "" && !strings.Contains(string(e.Raw), q.raw) ||
			!strings.Contains(e.Text, q.err) || (e.Kind == "error") != (q.err != "") {
			t.Errorf("%s %s: %+v (%s)", q.verb, q.body, e, e.Raw)
		}
		if q.err != "" && e.Code == "" {
			t.Errorf("%s %s: the error has no code: %+v", q.verb, q.body, e)
		}
	}
}
