package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

func TestIslands(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir()
	l.Do("open ga rand-60-1 as g islands=3 migration_period=2 migration_topology=ring " +
		"population=16; step g 20")
	all := l.Do("islands g").(*reply.IslandsReply)
	took := 0
	for i, x := range all.Islands {
		if took += x.Migrants; x.Number != i || x.Evaluations == 0 ||
			(x.Migrants > 0) != (x.LastFrom != nil) {
			t.Errorf("island %d: %+v", i, x)
		}
	}
	if len(all.Islands) != 3 || took == 0 ||
		!strings.Contains(all.String(), "3 islands after iteration 20") {
		t.Fatalf("islands: %v", all)
	}
	for i, x := range all.Islands {
		one := l.Do("islands g " + string(rune('0'+i))).(*reply.IslandsReply)
		if len(one.Migrants) != x.Migrants {
			t.Fatalf("island %d took in %d, and %v are listed", i, x.Migrants, one.Migrants)
		}
		for _, m := range one.Migrants {
			if m.From != (i+2)%3 { // on a ring the one before it
				t.Errorf("island %d took in %+v", i, m)
			}
		}
		if x.LastFrom != nil && (*x.LastFrom != (i+2)%3 ||
			x.LastIteration != one.Migrants[len(one.Migrants)-1].Iteration) {
			t.Errorf("island %d: the last came from %d in iteration %d; they are %v", i, *x.LastFrom,
				x.LastIteration, one.Migrants)
		}
	}
	path := filepath.Join(dir, "g2.run")
	rep := l.Do("islands g 2 to " + path).(*reply.IslandsReply)
	if st, err := os.Stat(path); err != nil || st.Size() != rep.Bytes {
		t.Errorf("the record: %+v, %v", rep, err)
	}
	if r := l.Do("replay " + path).(*reply.ReplayReply); !r.Identical {
		t.Errorf("the record of island 2 is another: %v", r)
	}
	if p := l.Do("plot g islands").(*reply.PlotReply); p.Figure != "islands" {
		t.Errorf("plot: %+v", p)
	}
	l.Do("save g " + filepath.Join(dir, "g.run") + "; load " + filepath.Join(dir, "g.run") + " as h")
	if again := l.Do("islands h").(*reply.IslandsReply); again.String() != strings.ReplaceAll(
		all.String(), "g: ", "h: ") {
		t.Errorf("loaded: %v, was %v", again, all)
	}
	l.Do("fork g as one islands=1; step one 5; open ga rand-60-1 as plain")
	for line, want := range map[string]string{
		"islands plain":          "plain has none: fork plain as NAME islands=4",
		"islands g 3":            "no island 3: want 0 to 2",
		"islands g to " + path:   "which island?",
		"islands g 1 to " + dir:  "it is a folder",
		"load " + path + " as x": "the record of island 2 alone",
		"set plain islands=2":    "open or fork the run with islands=",
		"open ga rand-60-1 as y islands=2 migration_policy=worst": "one of better, best, all",
	} {
		l.Fails(line, wire.CodeRequest, want)
	}
}
