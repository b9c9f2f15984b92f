package host_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	_ "metalab/solvers/spins"
)

// A record's best is made again by its island alone, and a best that was changed is found out.
func TestReplayBest(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir()
	path := filepath.Join(dir, "a.run")
	l.Do("open anneal/population gset-like-60-20-1 as a walks=200 island=40 sweeps=2 cooling=0.9")
	l.Do("step a 5")
	l.Do("set a temperature=0.5")
	l.Do("step a 20")
	l.Do("save a " + path)
	r := l.Do("replay " + path + " best").(*reply.ReplayReply)
	if a := r.Alone; !r.Identical || a == nil || a.Last-a.First != 39 || a.Of != 200 ||
		a.Value != r.Best || a.Spins == nil || a.Spins.Cut != a.Value || len(a.SHA256) != 64 ||
		!strings.Contains(r.String(), "the same as in the record") {
		t.Errorf("%+v: %s", r.Alone, r)
	}
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(old, []byte(`"bits":[`)) + len(`"bits":[`)
	changed := bytes.Clone(old)
	changed[at] ^= 1
	write := func(name string, b []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct{ line, says string }{
		{"replay " + write("c.run", changed) + " best differs", "differs from the record at iteration"},
		{
			"replay " + write("o.run", bytes.Replace(old, []byte(`,"agent":`), []byte(`,"was":`), 1)) +
				" best", "does not say which agent found its best: replay makes the whole run",
		},
		{"replay " + path + " best seeds", "want one of the two"},
		{"replay " + path + " best on=cuda", "a part is made on cpu, not on cuda"},
		{"replay " + write("d.run", old[:len(old)/3]) + " best", "the record has no best solution"},
	} {
		got := ""
		if r, err := hosttest.Try(l.Context(), l.C, c.line); err != nil {
			got = err.Error()
		} else {
			got = r.String()
		}
		if !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, want %q", c.line, got, c.says)
		}
	}
}
