package pages_test

import (
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/wire"
)

// The table that a notebook keeps of its sliders says how things stood last.
func TestTablesFollowTheirRuns(t *testing.T) {
	t.Parallel()
	type told struct {
		id    string
		forms map[string]string
	}
	all := make(chan told, 1000)
	o := hosttest.Options(t)
	o.Display = func(id string, forms map[string]string) { all <- told{id, forms} }
	l := start(t, o)
	l.Do("open walk rand-20-1 as a; open walk rand-20-1 as b")
	if _, err := l.C.Page(t.Context(), wire.PageRequest{
		Kind: wire.PageSliders, Element: "e",
		Table: "t1", Run: "a", Names: []string{"moves"}, Kernel: "k",
	}); err != nil {
		t.Fatal(err)
	}
	l.Do("set b moves=3; set a moves=5; set a moves=7; step a 3")
	for got := range all {
		if got.id != "t1" {
			t.Fatalf("%s is told", got.id)
		}
		text, page := got.forms["text/plain"], got.forms["text/html"]
		if strings.Contains(text, "moves") && strings.Contains(text, "7") &&
			strings.Contains(page, "iteration 3") {
			if !strings.HasPrefix(page, `<div id="t1">`) || strings.Contains(page, "<script") ||
				strings.Contains(text, "set a") {
				t.Errorf("%s and %s", page, text)
			}
			break
		}
	}
	if _, err := l.C.Page(t.Context(), wire.PageRequest{
		Kind: wire.PageSliders, Element: "e",
		Table: `"><b>`, Run: "a", Kernel: "k",
	}); err == nil {
		t.Error("a table of any name")
	}
}
