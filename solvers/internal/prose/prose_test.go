package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCount counts the habits of a file, and none of its test.
func TestCount(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "// Package a is plain. Of it nothing is told: see below.\npackage a\n\n" +
			"// What it holds, B is given; too short.\nvar B int // where it was put\n",
		"a_test.go": "// Who reads this was told.\npackage a\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := count(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 {
		t.Fatalf("got %d folders, want 1", len(list))
	}
	got := list[0]
	if got.sentences != 4 || len(got.clauses) != 2 || len(got.passive) != 3 {
		t.Errorf("got %d sentences, clauses %q, passives %q; want 4, 2 and 3",
			got.sentences, got.clauses, got.passive)
	}
}
