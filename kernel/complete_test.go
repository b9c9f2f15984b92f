package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"metalab/kernel/internal/jupyter/messages"
)

// complete asks for what may follow a text.
func (s *book) complete(text string) (words []string, status string) {
	s.Helper()
	id, err := s.Send(s.Socket, "complete_request",
		map[string]any{"code": text, "cursor_pos": utf8.RuneCountInString(text)})
	if err != nil {
		s.Fatal(err)
	}
	m, err := s.Reply(id)
	if err != nil {
		s.Fatal(err)
	}
	var r struct {
		Matches []string `json:"matches"`
		Status  string   `json:"status"`
	}
	if err := json.Unmarshal(m.Content, &r); err != nil {
		s.Fatal(err)
	}
	return r.Matches, r.Status
}

// A notebook completes from its first request on: what lab has, without what is not for people,
// and what fits in quotes; also while a cell runs.
func TestCompletion(t *testing.T) {
	t.Parallel()
	s := start(t)
	names := func(when string) {
		t.Helper()
		began := time.Now()
		got, status := s.complete("%%\nlab.")
		load, _ := os.ReadFile("/proc/loadavg")
		t.Logf("%s: lab. after %v; load %s", when, time.Since(began), load)
		for _, name := range []string{"Open", "Step", "Sliders", "Watch"} {
			if status != "ok" || !slices.Contains(got, name) {
				t.Errorf("%s: lab.%s is not offered in %q", when, name, got)
			}
		}
		for _, name := range []string{"SetFront", "Front", "EnvSaid", "Red"} {
			if slices.Contains(got, name) {
				t.Errorf("%s: lab.%s is offered", when, name)
			}
		}
	}
	names("the first request")
	names("the second")
	if got, status := s.complete("%%\npr := lab.Load(\"E1"); status != "ok" ||
		!slices.Contains(got, "E1k.0") {
		t.Errorf("in quotes: %s %q", status, got)
	}
	s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\"))")
	cell, err := s.Send(s.Socket, "execute_request", messages.Execute{
		Code: "%%\nlab.Get(\"a\").Step(1_000_000_000)", Store: true, StopErr: true,
		Exprs: map[string]any{},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.stands(t.Context(), 10)
	names("while a cell runs")
	if got, _ := s.complete("%%\nlab.Get(\"a\").Set(\"q"); !slices.Equal(got, []string{"q0"}) {
		t.Errorf("parameters: %q", got)
	}
	at := func(code string) string { return s.inspect(code, len(code)) }
	if text := at("%%\na.Set(\"q0"); !strings.Contains(text, "0 to 1") {
		t.Errorf("of q0 is told %q", text)
	}
	if text := at("%%\nlab.Sliders("); !strings.HasPrefix(text, "func Sliders(") {
		t.Errorf("of lab.Sliders is told %q", text)
	}
	if err := s.Interrupt(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Reply(cell); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(installed.place.Dir, "bin", "gopls")); err != nil {
		t.Skip("no gopls")
	}
	// However slow the machine is, the first answer of gopls is not a failure.
	const run = "%%\na := lab.Get(\"a\")\na."
	got, status := s.complete(run)
	s.until("gopls to have loaded the packages", func() bool {
		if status != "ok" {
			t.Fatalf("the kernel answers %s", status)
		}
		if len(got) == 0 {
			got, status = s.complete(run)
		}
		return len(got) > 0
	})
	if !slices.Contains(got, "Step") || !slices.Contains(got, "Set") {
		t.Errorf("a run has %q", got)
	}
	for _, code := range []string{"fmt.Println(", "x := fmt.Sprint(fmt.Sprint("} { // not closed
		if text := at("%%\n" + code); !strings.Contains(text, "func fmt.") {
			t.Errorf("within %s is told %q", code, text)
		}
	}
	s.completesModules()
}

// completesModules changes the module of the cells, as go get does, and looks whether its packages
// and those of before are completed and told about.
func (s *book) completesModules() {
	s.Helper()
	dir := filepath.Join(s.temporary(), "quote")
	for name, text := range map[string]string{
		"go.mod":   "module example.org/quote\n",
		"quote.go": "package quote\n\n// Go quotes Go.\nfunc Go() string { return \"\" }\n",
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			s.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			s.Fatal(err)
		}
	}
	s.run("!*go mod edit -replace=example.org/quote=" + dir + " -require=example.org/quote@v0.0.0")
	for code, want := range map[string]string{
		"import \"example.org/quote\"\n%%\nquote.": "Go",
		"%%\nstrings.Spl":                          "Split",
		"%%\ns := \"😀\"; s = strings.ToU":          "ToUpper",
	} {
		var got []string
		s.until("completion in another module", func() bool {
			got, _ = s.complete(code)
			return len(got) > 0
		})
		if !slices.Contains(got, want) {
			s.Errorf("%q is completed by %q, want %q", code, got, want)
		}
	}
	const code = "import \"example.org/quote\"\n%%\nquote.Go()"
	if text := s.inspect(code, len(code)-3); !strings.Contains(text, "quotes Go") {
		s.Errorf("of quote.Go is told %q", text)
	}
}
