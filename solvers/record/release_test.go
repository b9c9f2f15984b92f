package record

import (
	"os"
	"regexp"
	"strings"
	"testing"
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
	if b := NewHeader().Build; !strings.HasPrefix(b, "metalab "+Release+" ") {
		t.Errorf("a record's header has the build %q", b)
	}
}
