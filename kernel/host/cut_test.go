package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/reply"
)

// A record without its end is opened and replayed as far as it goes, and both say so.
func TestCutRecordsAreTold(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "a.run"), filepath.Join(dir, "cut.run")
	l.do("open walk rand-20-1 as a")
	l.do("step a 5")
	l.do("save a " + whole)
	b, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSpace(string(b)), "\n")
	if err := os.WriteFile(cut, []byte(strings.Join(lines[:len(lines)-1], "")+`{"i`),
		0o600); err != nil {
		t.Fatal(err)
	}
	if r := l.do("load " + cut + " as b").(*reply.OpenReply); !strings.Contains(r.String(),
		"cut.run was cut short") {
		t.Errorf("load says %s", r)
	}
	if r := l.do("replay " + cut).(*reply.ReplayReply); !r.Identical ||
		!strings.Contains(r.String(), "was cut short there") {
		t.Errorf("replay says %s", r)
	}
	for _, line := range []string{"load " + whole + " as c", "replay " + whole} {
		if got := l.do(line).String(); strings.Contains(got, "cut short") {
			t.Errorf("%s says %s", line, got)
		}
	}
}
