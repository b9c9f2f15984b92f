package build

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSourcesHash(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hash := func() string {
		t.Helper()
		h, err := SourcesHash(dir)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	write("go.mod", "module x")
	write("a/a.go", "package a")
	first := hash()
	for _, name := range []string{
		"a/a_test.go", ".git/x.go", "README.md", "a/testdata/x.go",
		"notebooks/n.go",
	} {
		write(name, "other")
		if hash() != first {
			t.Errorf("%s is of no concern to the kernel", name)
		}
	}
	if Edited(dir, first) != "" || Edited(dir, "") != "" || Edited(dir+"/nothing", first) != "" {
		t.Error("sources that were not edited were")
	}
	write("a/01.patch", "of GoNB")
	if hash() == first {
		t.Error("a patch of GoNB is not noticed")
	}
	first = hash()
	write("a/a.go", "package a // edited")
	if hash() == first || Edited(dir, first) == "" {
		t.Error("an edit is not noticed")
	}
}
