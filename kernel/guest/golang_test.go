package guest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/guest"
)

// TestToolchain says what is wrong with the Go of this machine: there is none, it is too old, or it
// says itself what it does not like.
func TestToolchain(t *testing.T) {
	source := t.TempDir()
	mod := "module metalab\n\ngo 1.26.0\n"
	if err := os.WriteFile(filepath.Join(source, "go.mod"), []byte(mod), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("METALAB_SOURCE", source)
	for version, want := range map[string]string{
		"":              "a solver is compiled, and there is no Go here",
		"go1.22.5":      "is compiled with go1.26.0 or newer, and GO is go1.22.5",
		"go1.26rc1":     "is compiled with go1.26.0 or newer, and GO is go1.26rc1",
		"go1.26.3":      "exit status 3",
		"go1.30.0":      "exit status 3",
		"devel +0123ab": "exit status 3",
	} {
		dir := t.TempDir()
		program := filepath.Join(dir, "go")
		if version != "" {
			text := "#!/bin/sh\n[ \"$1\" = version ] && echo go version " + version +
				" linux/amd64 && exit 0\nexit 3\n"
			if err := os.WriteFile(program, []byte(text), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PATH", dir)
		_, err := guest.Build(t.Context(), "main.go", filepath.Join(dir, "solver"))
		if want = strings.ReplaceAll(want, "GO", program); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("with Go %q: %v, want %q", version, err, want)
		}
	}
	t.Setenv("METALAB_SOURCE", filepath.Join(source, "nowhere"))
	_, err := guest.Build(t.Context(), "main.go", filepath.Join(source, "solver"))
	if err == nil || !strings.Contains(err.Error(), "nowhere is no folder of it") {
		t.Errorf("of a source that is not there: %v", err)
	}
}
