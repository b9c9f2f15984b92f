package prompt

import (
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
