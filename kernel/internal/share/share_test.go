package share

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// put writes a file, with the folders above it.
func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDirOf finds a release's folder beside its program, beside the folder of it, and through a
// link; another module's folder, and none, are not it.
func TestDirOf(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	const mod = "module metalab\n\ngo 1.26.0\n"
	for _, c := range []struct{ exe, mod, at string }{
		{"a/bin/metalab", mod, "a/share/metalab"},
		{"b/metalab", mod, "b/share/metalab"},
		{"c/bin/metalab", "module metalabor\n", ""},
		{"d/bin/metalab", "", ""},
	} {
		want := ""
		exe := put(t, filepath.Join(top, c.exe), "")
		if at := filepath.Join(top, c.exe[:1], "share", "metalab"); c.mod != "" {
			put(t, filepath.Join(at, "src", "go.mod"), c.mod)
		}
		if c.at != "" {
			want = filepath.Join(top, c.at)
		}
		if got := dirOf(exe); got != want {
			t.Errorf("the release of %s is %q, want %q", c.exe, got, want)
		}
		link := filepath.Join(top, "link-"+c.exe[:1])
		if err := os.Symlink(exe, link); err != nil {
			t.Fatal(err)
		}
		if got := dirOf(link); got != want {
			t.Errorf("the release of a link to %s is %q, want %q", c.exe, got, want)
		}
	}
}

// TestSource takes the folder that is named, then the release's, then that of the compilation, and
// says of a program that has none what to do.
func TestSource(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	named, release, clone := filepath.Join(top, "n"), filepath.Join(top, "r"), filepath.Join(top, "c")
	for _, dir := range []string{named, filepath.Join(release, "src"), clone} {
		put(t, filepath.Join(dir, "go.mod"), "module metalab\n")
	}
	file := put(t, filepath.Join(clone, "kernel", "share", "share.go"), "")
	const trimmed = "metalab/kernel/share/share.go" // what -trimpath leaves
	for _, c := range []struct{ named, release, compiled, want, says string }{
		{named, release, file, named, ""},
		{"", release, file, filepath.Join(release, "src"), ""},
		{"", "", file, clone, ""},
		{"", "", trimmed, "", "METALAB_SOURCE=FOLDER"},
		{"", "", filepath.Join(top, "x", "share.go"), "", "METALAB_SOURCE=FOLDER"},
		{top, release, file, "", "METALAB_SOURCE=" + top + " is no folder of it"},
	} {
		if at := above(c.compiled); at != clone && at != "" || (at == "") != (c.compiled != file) {
			t.Errorf("above %s: %q", c.compiled, at)
		}
		got, err := source(c.named, c.release, c.compiled)
		if c.says == "" && (err != nil || got != c.want) {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
		if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}
