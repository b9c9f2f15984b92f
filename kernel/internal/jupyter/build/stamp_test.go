package build

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
)

// All that decides what is built is noticed, and nothing else is.
func TestStamp(t *testing.T) { // not parallel: the environment is the process's
	if testing.Short() {
		t.Skip("asks Go for its settings again and again")
	}
	t.Setenv("GOWORK", "off")
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
	files := func() string { // of a stamp
		t.Helper()
		sum := sha256.New()
		if err := addFiles(sum, dir); err != nil {
			t.Fatal(err)
		}
		return string(sum.Sum(nil))
	}
	stamp := func() string {
		t.Helper()
		s, err := Stamp(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	write("go.mod", "module x\n\ngo 1.26\n")
	write("a/a.go", "package a")
	first, last := stamp(), files()
	for _, name := range []string{"a/a_test.go", ".git/x.go", "a/testdata/x.go", "notebooks/n.go"} {
		write(name, "other")
		if files() != last {
			t.Errorf("%s is in no build", name)
		}
	}
	for _, c := range []struct{ name, text string }{
		{"a/a.go", "package b"},       // as long as before
		{"a/images/sm_80", "\x7fELF"}, // it may be embedded
		{"include/cuda.h", "int cuInit(unsigned);"},
		{"go.sum", "x v1.0.0 h1:x"},
		{"a/01.patch", "of GoNB"},
		{"go.mod", "module x\n\ngo 1.25\n"},
	} {
		write(c.name, c.text)
		if now := files(); now == last {
			t.Errorf("a change of %s is not noticed", c.name)
		} else {
			last = now
		}
	}
	whole := stamp()
	if whole == first || first == "" {
		t.Error("changed files are not noticed")
	}
	for name, value := range map[string]string{
		"GOFLAGS": "-tags=other", "CGO_CFLAGS": "-O1", "CGO_ENABLED": "0", "GOARCH": "riscv64",
		"CC": "/nowhere/cc",
	} {
		before, was := os.LookupEnv(name)
		t.Setenv(name, value)
		if now := stamp(); now == whole || now == "" {
			t.Errorf("%s=%s is not noticed", name, value)
		}
		if t.Setenv(name, before); !was {
			os.Unsetenv(name)
		}
	}
	if stamp() != whole {
		t.Error("the same is another")
	}
	t.Setenv("GOFLAGS", "-overlay=x.json")
	if stamp() != "" {
		t.Error("files come from elsewhere, and there is a stamp")
	}
	t.Setenv("GOFLAGS", "")
	write("go.mod", "module x\n\ngo 1.26\n\nreplace y => ../y\n")
	if stamp() != "" {
		t.Error("a module is a folder, and there is a stamp")
	}
}

// Only what was noted stands: not for another stamp, and not where a program is another, or gone.
func TestStanding(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b, file := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "built.json")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(a, "1")
	write(b, "2")
	stands := func(stamp string) bool {
		words, ok := Standing(file, stamp, a, b)
		if ok && words != "well" {
			t.Errorf("built %q", words)
		}
		return ok
	}
	if stands("s") {
		t.Error("nothing was noted, and it stands")
	}
	if err := Note(t.Context(), file, "s", "well", a, b); err != nil {
		t.Fatal(err)
	}
	if !stands("s") {
		t.Error("what was noted does not stand")
	}
	if stands("other") || stands("") {
		t.Error("it stands for another stamp")
	}
	write(b, "3")
	if stands("s") {
		t.Error("a program that was changed stands")
	}
	write(b, "2")
	if !stands("s") {
		t.Error("what is as it was does not stand")
	}
	if err := os.Chmod(b, 0o600); err != nil || stands("s") {
		t.Errorf("what cannot be executed stands, %v", err)
	}
	if err := os.Remove(a); err != nil || stands("s") {
		t.Errorf("what is gone stands, %v", err)
	}
	if err := Note(t.Context(), file, "", "well", b); err != nil || stands("") {
		t.Errorf("without a stamp it stands, %v", err)
	}
}
