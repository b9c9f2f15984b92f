package prompt

import (
	"strings"
	"testing"

	"metalab/kernel/host"
	"metalab/kernel/wire"
)

// Every verb is carried out by a page, or a page says why it is not.
func TestEveryVerbIsThereOrSaysWhyNot(t *testing.T) {
	s, end, err := Start(t.Context(), t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	known := map[string]bool{}
	for _, v := range wire.Verbs {
		known[v.Name] = true
		if v.Front || absent[v.Name] != "" || v.Name == "end" {
			continue
		}
		// A request that no verb has tells whether somebody answers.
		_, err := s.c.host.Do(t.Context(), host.Request{Verb: v.Name, Body: []byte(`{"no such":1}`)})
		if err == nil || err.Code == wire.CodeVerb {
			t.Errorf("%s is carried out by nobody: %v", v.Name, err)
		}
	}
	for name := range absent {
		if !known[name] {
			t.Errorf("%s is no verb", name)
		}
	}
}

// What is no command is answered with what to type, as in a terminal.
func TestNoCommand(t *testing.T) {
	for line, want := range map[string]string{
		"q0=0.5":             `"q0=0.5" is not a command; set changes a parameter of a run: set a q0=0.5`,
		"repl worker nats:x": "repl worker is typed in another terminal, in the shell: go run",
		"repl worker x":      "repl worker is typed in another terminal",
		"opne acs":           `"opne" is not a command, did you mean open?`,
		"ls":                 "ls is a word of the shell; here runs lists the runs",
	} {
		if err := noCommand(line); !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	for _, line := range []string{"fmt.Println(1)", "x := 3", "for {", "go f(x)"} {
		if err := noCommand(line); err != nil {
			t.Errorf("%s, which is Go: %v", line, err)
		}
	}
}
