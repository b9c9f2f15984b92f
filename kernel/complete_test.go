package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// complete asks for what may follow a text.
func (s *book) complete(text string) (words []string, status string) {
	s.Helper()
	id, err := s.Send(s.Socket, "complete_request",
		map[string]any{"code": text, "cursor_pos": len(text)})
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
// and what fits in quotes.
func TestCompletion(t *testing.T) {
	s := start(t)
	if got, status := s.complete("%%\npr := lab.Load(\"E1"); status != "ok" ||
		!slices.Contains(got, "E1k.0") {
		t.Errorf("the first request, in quotes: %s %q", status, got)
	}
	s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\"))")
	if got, _ := s.complete("%%\nlab.Get(\"a\").Set(\"q"); !slices.Equal(got, []string{"q0"}) {
		t.Errorf("parameters: %q", got)
	}
	if _, err := os.Stat(filepath.Join(installed.place.Dir, "bin", "gopls")); err != nil {
		t.Skip("no gopls")
	}
	// However slow the machine is, the first answer is not a failure.
	got, status := s.complete("%%\nlab.")
	s.until("gopls to have loaded the packages", func() bool {
		if status != "ok" {
			t.Fatalf("the kernel answers %s", status)
		}
		if len(got) == 0 {
			got, status = s.complete("%%\nlab.")
		}
		return len(got) > 0
	})
	for _, name := range []string{"Open", "Step", "Sliders", "Watch"} {
		if !slices.Contains(got, name) {
			t.Errorf("lab.%s is not offered in %q", name, got)
		}
	}
	for _, name := range []string{"SetFront", "Front", "EnvSaid", "Red"} {
		if slices.Contains(got, name) {
			t.Errorf("lab.%s is offered", name)
		}
	}
}
