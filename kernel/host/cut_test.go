package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
)

// A record without its end is opened and replayed as far as it goes, and both say so.
func TestCutRecordsAreTold(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "a.run"), filepath.Join(dir, "cut.run")
	l.Do("open walk rand-20-1 as a")
	l.Do("step a 5")
	l.Do("save a " + whole)
	b, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSpace(string(b)), "\n")
	if err := os.WriteFile(cut, []byte(strings.Join(lines[:len(lines)-1], "")+`{"i`),
		0o600); err != nil {
		t.Fatal(err)
	}
	if r := l.Do("load " + cut + " as b").(*reply.OpenReply); !strings.Contains(r.String(),
		"cut.run was cut short") {
		t.Errorf("load says %s", r)
	}
	if r := l.Do("replay " + cut).(*reply.ReplayReply); !r.Identical ||
		!strings.Contains(r.String(), "was cut short there") {
		t.Errorf("replay says %s", r)
	}
	for _, line := range []string{"load " + whole + " as c", "replay " + whole} {
		if got := l.Do(line).String(); strings.Contains(got, "cut short") {
			t.Errorf("%s says %s", line, got)
		}
	}
}
