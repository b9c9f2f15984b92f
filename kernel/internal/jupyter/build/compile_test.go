package build

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is compiled is shown: on a terminal as a bar that is taken away, elsewhere in a few lines;
// what is in the cache of builds is not counted.
func TestCompilationsAreShown(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{false, true} {
		dir := t.TempDir()
		write := func(name, text string) {
			t.Helper()
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("go.mod", "module m\n\ngo 1.26\n")
		imports := ""
		for i := range 11 {
			// No cache of builds has it.
			write(fmt.Sprintf("p%d/p.go", i),
				fmt.Sprintf("package p\n\nconst X = %d\n", time.Now().UnixNano()))
			imports += fmt.Sprintf("import _ \"m/p%d\"\n", i)
		}
		write("main.go", "package main\n\n"+imports+"\nfunc main() {}\n")
		c := compilation{dir: dir, pkg: "m", env: append(os.Environ(), "GOFLAGS=", "GOWORK=off")}
		program := filepath.Join(dir, "program")
		var out bytes.Buffer
		s := &Shower{w: &out, terminal: terminal}
		if err := s.build(t.Context(), "thing", c, program); err != nil {
			t.Fatal(err)
		}
		if !IsProgram(program) {
			t.Error("nothing is compiled")
		}
		want := []string{
			"thing        compiles 12 packages\n", "thing        3 of 12 packages, after ",
			"thing        6 of 12 packages, after ", "thing        9 of 12 packages, after ",
		}
		if terminal {
			want = []string{
				"\rthing        0 s  looks what is there\x1b[K", "[#...................] 1 of 12, ",
				"[####################] 12 of 12, ", "s  m/p7\x1b[K",
			}
		}
		for _, w := range want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("terminal %v: %q lacks %q", terminal, out.String(), w)
			}
		}
		if gone := strings.HasSuffix(out.String(), "\r\x1b[K"); gone != terminal {
			t.Errorf("terminal %v: it ends as %q", terminal, out.String())
		}

		// Again: all is there.
		out.Reset()
		if err := s.build(t.Context(), "thing", c, program); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "12") {
			t.Errorf("terminal %v: what is in the cache is counted: %q", terminal, out.String())
		}

		// A failure is said by the compiler's words.
		write("p3/p.go", "package p\n\nconst X = unheard\n")
		if err := s.build(t.Context(), "thing", c, program); err == nil ||
			!strings.Contains(err.Error(), "p3/p.go:3:11: undefined: unheard") {
			t.Errorf("terminal %v: %v", terminal, err)
		}
	}
}

// A download is shown in the words of Go.
func TestDownloadsAreShown(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := &Shower{w: &out, terminal: true}
	if !s.downloads("go: downloading golang.org/x/tools v0.41.0") ||
		!strings.Contains(out.String(), "downloads golang.org/x/tools v0.41.0") {
		t.Errorf("%q", out.String())
	}
	if s.downloads("p.go:3:11: undefined: unheard") {
		t.Error("an error is taken for a download")
	}
}
