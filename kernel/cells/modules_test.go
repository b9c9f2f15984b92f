package cells

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// What a cell lacks is read of what the compiler says.
func TestMissing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"main.go:4:2: no required module provides package a.b/c; to add it:\n\tgo get a.b/c": {"a.b/c"},
		"a.go:4:2: no required module provides package a.b/c/v2: go.mod file not found\n" +
			"a.go:5:2: missing go.sum entry for module providing package d.e/f (imported by x); to add:\n" +
			"a.go:6:2: no required module provides package a.b/c/v2; to add it:": {"a.b/c/v2", "d.e/f"},
		"main.go:4:2: package fmtx is not in std (/usr/local/go/src/fmtx)":     nil,
		"main.go:4:2: no required module provides package nodot/x; to add it:": nil,
		"main.go:4:2: undefined: x": nil,
	} {
		if got := Missing(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	got := NotFetched([]string{"a.b/c"}, "go: downloading a.b/c v1\ngo: a.b/c: no such path")
	if !strings.HasPrefix(got, "the module of a.b/c is not there, and go get could not fetch it: "+
		"a.b/c: no such path; ") {
		t.Errorf("not fetched: %s", got)
	}
}

// A command that fetches works in the module of the cells, unless the notebook's folder is in one.
func TestGoGet(t *testing.T) {
	t.Chdir(t.TempDir())
	if ownModule() {
		t.Skip("the folder of temporary files is in a module")
	}
	for line, want := range map[string]string{
		"!go get a.b/c@v1": "!*go get a.b/c@v1", "! go  get a.b/c": "!*go  get a.b/c",
		"!*go get a.b/c": "!*go get a.b/c", "!go version": "!go version", "!go getx": "!go getx",
		"x := \"!go get\"": "x := \"!go get\"",
	} {
		if got := Typed(line); got != want {
			t.Errorf("%q becomes %q, want %q", line, got, want)
		}
	}
	if err := os.WriteFile("go.mod", []byte("module m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Typed("!go get a.b/c"); got != "!go get a.b/c" {
		t.Errorf("in a module it becomes %q", got)
	}
}
