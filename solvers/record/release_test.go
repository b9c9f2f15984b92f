package record

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The version is the same in the program, the newest heading with a number in the changelog,
// and the citation, with one date.
func TestRelease(t *testing.T) {
	read := func(path string) string {
		b, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	m := regexp.MustCompile(`(?m)^## (v\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d)$`).
		FindStringSubmatch(read("CHANGELOG.md"))
	if m == nil || m[1] != Release {
		t.Fatalf("the changelog's newest version is %v, the program's %s", m, Release)
	}
	citation := read("CITATION.cff")
	for _, line := range []string{
		"version: " + strings.TrimPrefix(Release, "v"), "date-released: " + m[2],
	} {
		if !strings.Contains("\n"+citation, "\n"+line+"\n") {
			t.Errorf("CITATION.cff has no line %q", line)
		}
	}
	h := NewHeader()
	if b := h.Build; !strings.HasPrefix(b, "metalab "+Release+" or later, ") || h.Maker == nil {
		t.Errorf("a record's header has the build %q and the maker %v", b, h.Maker)
	}
}

// The line that replays a record names what is known of its maker, and quotes what a shell reads.
func TestAgain(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef01234567"
	began := time.Date(2026, 11, 28, 12, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		name, repository, file string
		of                     Header
		want                   string
	}{
		{
			"a commit", "", "",
			Header{Maker: &Maker{Commit: id}},
			"git clone 'metalab'\\''s repository' metalab-0123456789ab && cd metalab-0123456789ab && " +
				"git checkout " + id + " && go run ./repl -c 'replay FILE'",
		},
		{
			"a release", "/home/me/metalab", "/tmp/a.run",
			Header{Maker: &Maker{Release: "v0.2.0", Commit: id}},
			"git clone /home/me/metalab metalab-v0.2.0 && cd metalab-v0.2.0 && git checkout v0.2.0 && " +
				"go run ./repl -c 'replay /tmp/a.run'",
		},
		{
			"a path with marks", "/my lab", "/it's $HOME/a.run",
			Header{Maker: &Maker{Commit: id[:12]}},
			"git clone '/my lab' metalab-0123456789ab && cd metalab-0123456789ab && git checkout " +
				id[:12] + ` && go run ./repl -c 'replay "/it'\''s $HOME/a.run"'`,
		},
		{
			"an earlier build", "/l", "a.run",
			Header{Build: "metalab v0.1.0 0123456789ab go1.26.8", StartedAt: began},
			"git clone /l metalab-0123456789ab && cd metalab-0123456789ab && git checkout " +
				"0123456789ab && go run ./repl -c 'replay a.run'",
		},
		{
			"a time alone", "/l", "a.run",
			Header{Build: "metalab v0.1.0 go1.26.8", StartedAt: began},
			"git clone /l metalab-20261128T1230 && cd metalab-20261128T1230 && git checkout " +
				`"$(git rev-list -1 --before=2026-11-28T12:30:00Z HEAD)" && ` +
				"go run ./repl -c 'replay a.run'",
		},
		{"nothing", "/l", "a.run", Header{Build: "abc"}, ""},
	} {
		if got := c.of.Again(c.repository, c.file); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// What wrote a record is said as far as it is known.
func TestWrote(t *testing.T) {
	for want, h := range map[string]Header{
		"use the metalab that wrote it (abc)": {Build: "abc"},
		"whose commit it does not name; with the latest of when the run began: git clone": {
			Build: "metalab v0.1.0 go1.26.8", StartedAt: time.Unix(1e9, 0),
		},
		"which had changes that no commit holds; without them: git clone": {
			Maker: &Maker{Commit: "0123456789ab", Changed: true},
		},
		"(x): git clone": {Build: "x", Maker: &Maker{Release: "v0.2.0"}},
	} {
		if got := h.Wrote("", ""); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestMakerInWords(t *testing.T) {
	for want, m := range map[string]Maker{
		"metalab v0.2.0, commit 0123456789ab, go1": {
			Release: "v0.2.0", Commit: "0123456789abcdef", Go: "go1",
		},
		"metalab " + Release + " or later, commit 0123456789ab with changes, go1": {
			Commit: "0123456789abcdef", Changed: true, Go: "go1",
		},
		"metalab " + Release + " or later, sources 0123, go1":     {Sources: "0123", Go: "go1"},
		"metalab " + Release + " or later, commit not known, go1": {Go: "go1"},
	} {
		if got := m.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
