package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAfter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, last string
		ok            bool
	}{
		{"v0.2.0", "v0.1.0", true},
		{"v0.1.1", "v0.1.0", true},
		{"v1.0.0", "v0.9.9", true},
		{"v0.10.0", "v0.9.0", true},
		{"v0.1.0", "v0.1.0", false},
		{"v0.0.9", "v0.1.0", false},
		{"v0.9.9", "v1.0.0", false},
		{"0.2.0", "v0.1.0", false},
		{"v0.2", "v0.1.0", false},
		{"v0.02.0", "v0.1.0", false},
		{"v0.2.0-rc1", "v0.1.0", false},
		{"", "v0.1.0", false},
	} {
		if err := after(c.version, c.last); (err == nil) != c.ok {
			t.Errorf("%s after %s: %v", c.version, c.last, err)
		}
	}
}

const (
	changelog = "# Changelog\n\n## Unreleased\n\n### Added\n\n* One.\n\n" +
		"## v0.1.0, 2026-11-26\n\n* All.\n"
	citation = "cff-version: 1.2.0\nversion: 0.1.0\ndate-released: 2026-11-26\n"
	source   = "package record\n\nconst Release = \"v0.1.0\"\n"
)

func TestCut(t *testing.T) {
	t.Parallel()
	cut, notes, err := cutChangelog(changelog, "v0.2.0", "2026-11-29")
	want := strings.Replace(changelog, "Unreleased\n", "Unreleased\n\n## v0.2.0, 2026-11-29\n", 1)
	if err != nil || cut != want || notes != "### Added\n\n* One." {
		t.Errorf("%v\n%s\n%q", err, cut, notes)
	}
	if _, _, err := cutChangelog(cut, "v0.3.0", "2026-11-30"); err == nil {
		t.Error("an empty Unreleased was cut")
	}
	if _, _, err := cutChangelog("# Changelog\n", "v0.3.0", "2026-11-30"); err == nil {
		t.Error("a changelog without Unreleased was cut")
	}
	if _, _, err := cutChangelog(changelog, "v0.1.0", "2026-11-30"); err == nil {
		t.Error("a version that is there was cut")
	}
	c, err := cutCitation(citation, "v0.2.0", "2026-11-29")
	if err != nil || c != "cff-version: 1.2.0\nversion: 0.2.0\ndate-released: 2026-11-29\n" {
		t.Errorf("%v %s", err, c)
	}
	const mine = "authors:\n  - family-names: A\n    orcid: https://orcid.org/0\n" +
		"references:\n  - doi: 1\n"
	if keys := lacking(mine); !slices.Equal(keys, []string{"repository-code", "doi"}) {
		t.Errorf("the citation lacks %v", keys)
	}
	for _, bad := range []string{"", "version: 1\n", citation + "version: 2\n"} {
		if _, err := cutCitation(bad, "v0.2.0", "2026-11-29"); err == nil {
			t.Errorf("the citation %q was cut", bad)
		}
	}
	if last, err := lastRelease(cutConstant(source, "v0.2.0")); err != nil || last != "v0.2.0" {
		t.Errorf("%v %s", err, last)
	}
	if _, err := lastRelease("package record\n"); err == nil {
		t.Error("a program without a version has one")
	}
}

// The files of the tree fit what is cut.
func TestTree(t *testing.T) {
	t.Parallel()
	r := &release{root: "../../..", version: "v99.0.0", date: "2026-11-29"}
	if err := r.cut(); err != nil && !strings.Contains(err.Error(), "nothing below") {
		t.Error(err)
	}
}

// A small tree is released: its commit is in the tree, its files are in the folder, nothing is
// tagged. Where a check fails the tree is as it was.
func TestRelease(t *testing.T) {
	t.Parallel()
	const same = `package main

import "os"

func main() {
	b, _ := os.ReadFile("solvers/record/release.go")
	os.MkdirAll(os.Args[2]+"/build", 0o755)
	os.WriteFile(os.Args[2]+"/build/x", []byte(os.Args[2]), 0o644)
	os.WriteFile(os.Args[2]+"/metalab-0.2.0.tar", b, 0o644)
	os.WriteFile(os.Args[2]+"/SHA256SUMS", b, 0o644)
}
`
	unlike := strings.Replace(same, `/SHA256SUMS", b`, `/SHA256SUMS", []byte(os.Args[2])`, 1)
	const failing = "package record\n\nimport \"testing\"\n\n" +
		"func TestIt(t *testing.T) { t.Fatal(Release) }\n"
	for _, c := range []struct {
		name, pack, test string
		before           func(t *testing.T, root string)
		dry              bool
		want             string // in the error
	}{
		{name: "all is well", pack: same},
		{name: "dry", pack: same, dry: true},
		{name: "unlike bytes", pack: unlike, want: "unlike bytes: SHA256SUMS"},
		{name: "a test fails", pack: same, test: failing, want: "go test: exit status 1"},
		{
			name: "changes", pack: same, want: "not committed: CITATION.cff",
			before: func(t *testing.T, root string) { write(t, root, citationFile, citation+"\n") },
		},
		{
			name: "a tag", pack: same, want: "a tag v0.2.0 already",
			before: func(t *testing.T, root string) { git(t, root, "tag", "v0.2.0") },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for name, text := range map[string]string{
				"go.mod": "module metalab\n\ngo 1.26\n", changelogFile: changelog, citationFile: citation,
				constantFile: source, "repl/metalab/pack/main.go": c.pack,
				faceFile: "pkg metalab/solvers/record\n\nconst Release = \"v0.1.0\"\n",
			} {
				write(t, root, name, text)
			}
			if c.test != "" {
				write(t, root, "solvers/record/release_test.go", c.test)
			}
			git(t, root, "init", "-q")
			git(t, root, "config", "user.name", "a")
			git(t, root, "config", "user.email", "a@example.org")
			git(t, root, "add", ".")
			git(t, root, "commit", "-q", "-m", "all")
			head := git(t, root, "rev-parse", "HEAD")
			if c.before != nil {
				c.before(t, root)
			}
			tags, was := git(t, root, "tag"), git(t, root, "status", "--porcelain")
			var to bytes.Buffer
			out := filepath.Join(t.TempDir(), "dist")
			r := &release{
				version: "v0.2.0", date: "2026-11-29", out: out, tests: "./...", dry: c.dry, to: &to,
			}
			err := r.make(t.Context(), root)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, want %q\n%s", err, c.want, to.String())
			}
			if now := git(t, root, "tag"); now != tags {
				t.Errorf("tags: %q, were %q", now, tags)
			}
			if err != nil || c.dry {
				if git(t, root, "rev-parse", "HEAD") != head || git(t, root, "status", "--porcelain") != was {
					t.Error("the tree is not as it was")
				}
				if _, err := os.Stat(out); err == nil {
					t.Error("there are files")
				}
			} else {
				for _, name := range []string{constantFile, faceFile} {
					if got := git(t, root, "show", "HEAD:"+name); !strings.Contains(got, "v0.2.0") {
						t.Errorf("the commit has, in %s, %s", name, got)
					}
				}
				notes, err := os.ReadFile(out + "/NOTES.md")
				if err != nil || string(notes) != "### Added\n\n* One.\n" {
					t.Errorf("notes: %v %s", err, notes)
				}
			}
			if err == nil && !strings.Contains(to.String(), "CITATION.cff has no family-names, orcid") {
				t.Errorf("nothing is said of the citation: %s", to.String())
			}
			if err == nil && (!strings.Contains(to.String(), "git tag -a v0.2.0") ||
				!strings.Contains(to.String(), "gh release create v0.2.0")) {
				t.Errorf("the lines are missing: %s", to.String())
			}
		})
	}
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	b, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, b)
	}
	return strings.TrimSpace(string(b))
}
