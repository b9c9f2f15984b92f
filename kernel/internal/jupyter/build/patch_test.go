package build

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// gonbVersion is the version of GoNB that the patches are made for.
const gonbVersion = "v0.11.5"

// The series fits the version of GoNB that go.mod names; what it changes is Go still, and each
// patch says why it is there and holds no more of GoNB than lines that it knows its places by.
func TestPatchesFitGonb(t *testing.T) {
	t.Parallel()
	root, err := ModuleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	modfile, err := changedGonb(t.Context(), root, dir)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(modfile)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), "\t"+gonbModule+" "+gonbVersion+"\n") {
		t.Errorf("go.mod does not name GoNB %s", gonbVersion)
	}
	patches, err := readPatches()
	if err != nil || len(patches) == 0 {
		t.Fatal(len(patches), err)
	}
	for _, p := range patches {
		if p.subject == "" || p.reason == "" {
			t.Errorf("%q, because %q", p.subject, p.reason)
		}
		for _, f := range p.files {
			path := filepath.Join(dir, "gonb", filepath.FromSlash(f.path))
			if _, err := parser.ParseFile(token.NewFileSet(), path, nil, 0); err != nil {
				t.Errorf("%q makes %v", p.subject, err)
			}
			for _, h := range f.hunks {
				if n := strings.Count(h.old, "\n"); n > 2 {
					t.Errorf("%q: a hunk of %s has %d lines of GoNB", p.subject, f.path, n)
				}
			}
		}
	}
}

const goodPatch = `A subject

A reason
of two lines.

--- a/b.go
@@
 kept
-out
+in
+++ new.go
+package x
+
`

func TestPatch(t *testing.T) {
	t.Parallel()
	p, err := parsePatch(goodPatch)
	if err != nil {
		t.Fatal(err)
	}
	want := patch{"A subject", "A reason\nof two lines.", []patchFile{
		{path: "a/b.go", hunks: []hunk{{"kept\nout\n", "kept\nin\n"}}},
		{path: "new.go", fresh: true, text: "package x\n\n"},
	}}
	if diff := cmp.Diff(want, p, cmp.AllowUnexported(patch{}, patchFile{}, hunk{})); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ is, becomes, want string }{
		{"", "", ""},
		{"A subject\n\n", "", "want a subject"},
		{"A reason\nof two lines.\n\n", "", "want a subject"},
		{"A subject\n", "A subject\nof two lines\n", "want a subject"},
		{" kept\n-out\n", "", "a/b.go, hunk 1: want lines that are kept"},
		{"-out\n+in\n", "", "a/b.go, hunk 1: want lines that are kept"},
		{"@@\n", "", `line 7: " kept\n": want @@ first`},
		{"-out\n", "out\n", `line 9: "out\n": want @@, or a line`},
		{"-out\n", "\n", `line 9: "\n": want @@, or a line`},
		{"+package", " package", `line 12: " package x\n": want @@ first`},
		{"a/b.go", "../b.go", `line 6: "../b.go": want the path of a file within GoNB`},
		{"+package x\n+\n", "", "new.go: nothing is changed"},
		// A hunk that puts in, and does not know where.
		{"+++ new.go\n", "@@\n", "a/b.go, hunk 2: want lines"},
	} {
		text := strings.Replace(goodPatch, c.is, c.becomes, 1)
		_, err := parsePatch(text)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q as %q: %v, want %q", c.is, c.becomes, err, c.want)
		}
	}
}

// A patch changes the one place that it fits, and says where it does not.
func TestPatchIsApplied(t *testing.T) {
	t.Parallel()
	p, err := parsePatch(goodPatch)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ before, after, want string }{
		{"kept\nout\nrest\n", "kept\nin\nrest\n", ""},
		{"first\nkept\nout\n", "first\nkept\nin\n", ""},
		{"first\n kept\nout\n", "", "another version of a/b.go: what hunk 1 changes is there 0 times"},
		{"kept\nout, too\n", "", "there 0 times"},
		{"kept\nout\nkept\nout\n", "", "there 2 times"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a", "b.go")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
			t.Fatal(err)
		}
		err := p.apply(dir)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.Contains(err.Error(), "A subject") {
				t.Errorf("%q: %v, want %s", c.before, err, c.want)
			}
			continue
		}
		b, rerr := os.ReadFile(path)
		if err != nil || rerr != nil || string(b) != c.after {
			t.Errorf("%q becomes %q, %v, want %q", c.before, b, err, c.after)
		}
		if b, err := os.ReadFile(filepath.Join(dir, "new.go")); string(b) != "package x\n\n" {
			t.Errorf("the new file is %q, %v", b, err)
		}
		if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := p.apply(dir); err == nil || !strings.Contains(err.Error(), "new.go is there already") {
			t.Errorf("applied again: %v", err)
		}
	}
	if err := p.apply(t.TempDir()); err == nil || !strings.Contains(err.Error(), "b.go") {
		t.Errorf("without the file: %v", err)
	}
}

// Whatever stands in a patch, it is read or refused; one that is read puts in what it says.
func FuzzPatch(f *testing.F) {
	f.Add(goodPatch)
	f.Add("A\n\nB\n--- x\n@@\n a\n+b\n")
	f.Add("A\n\nB\n+++ x\n+")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parsePatch(text)
		if err != nil {
			return
		}
		for _, file := range p.files {
			if file.fresh {
				continue
			}
			h := file.hunks[0]
			one := patchFile{path: file.path, hunks: file.hunks[:1]}
			got, err := one.change(h.old)
			if err != nil || got != h.text {
				t.Errorf("%q: %q becomes %q, %v, want %q", text, h.old, got, err, h.text)
			}
		}
	})
}
