package maker

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"metalab/kernel/internal/share"
	"metalab/solvers/record"
)

// The commit of a repository is claimed only where nothing is newer than the program, and changes
// of sources are told, those of other files not.
func TestOf(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{
			"-C", root, "-c", "user.name=a", "-c", "user.email=a@example.org",
		}, args...)...)
		b, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, b)
		}
		return strings.TrimSpace(string(b))
	}
	write("go.mod", "module metalab\n")
	write("solvers/a.go", "package solvers\n")
	soon := func() time.Time { return time.Now().Add(time.Hour) }

	plain := Of(root, soon())
	if plain.Sources == "" || plain.Commit != "" {
		t.Errorf("a folder without a repository: %+v", plain)
	}
	write("solvers/a_test.go", "package solvers\n")
	if m := Of(root, soon()); m != plain {
		t.Errorf("a test is no source of a program: %+v, was %+v", m, plain)
	}
	write("solvers/b.go", "package solvers\n")
	if m := Of(root, soon()); m == plain || m.Sources == "" {
		t.Errorf("another source and the same fingerprint: %+v", m)
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	id := git("rev-parse", "HEAD")
	want := record.Maker{Commit: id}
	if m := Of(root, soon()); m != want {
		t.Errorf("%+v, want %+v", m, want)
	}
	write("a.run", "{}")
	write("notes/mine.txt", "x")
	if m := Of(root, soon()); m != want {
		t.Errorf("with files that are no sources: %+v, want %+v", m, want)
	}
	git("tag", record.Release)
	want.Release = record.Release
	if m := Of(root, soon()); m != want {
		t.Errorf("at the tag: %+v, want %+v", m, want)
	}
	write("solvers/c.go", "package solvers\n")
	want = record.Maker{Commit: id, Changed: true}
	if m := Of(root, soon()); m != want {
		t.Errorf("with a new source: %+v, want %+v", m, want)
	}
	if m := Of(root, time.Now().Add(-time.Hour)); m != (record.Maker{}) {
		t.Errorf("of a program that is older than its sources: %+v", m)
	}
	if m := Of("", soon()); m != (record.Maker{}) {
		t.Errorf("without a folder: %+v", m)
	}
}

// This program was built from the sources around it, or, where somebody edits them meanwhile, says
// nothing.
func TestFind(t *testing.T) {
	t.Parallel()
	if share.Compiled() == "" {
		t.Skip("built with -trimpath")
	}
	m, now := Find(), Of(share.Compiled(), time.Now())
	if now.Commit == "" && now.Sources == "" || m != now && m != (record.Maker{}) {
		t.Errorf("%+v, and the sources are %+v", m, now)
	}
}
