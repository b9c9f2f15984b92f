package experiments_test

import (
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
)

// Runs of one instance share its data, so that five of a million cities have room where one has:
// opened, forked, loaded, repeated or made by an experiment.
func TestRunsShareInstance(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	file := l.O.StateDir + "/a.run"
	l.Do("open walk " + hosttest.SharedInstance + " as a; step a 5; open walk " +
		hosttest.SharedInstance + " as b")
	l.Do("fork a as c; step c 5; save a " + file + "; load " + file + " as d; replay " + file)
	l.Do("repeat b 5 n=3; experiment e solvers=walk instances=" + hosttest.SharedInstance + " n=3")
	n := 0
	hosttest.SharedBy.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("the instance is in memory %d times", n)
	}
}

// What a user waits for goes before tunings, experiments and repeats in the background, which go
// on afterwards where they were; they say what they wait for.
func TestForegroundFirst(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	ask := func(line string) *reply.ExperimentReply {
		t.Helper()
		return l.Do(line).(*reply.ExperimentReply)
	}
	l.Do("open walk rand-30-1 as a; " +
		"tune a moves=1..9 n=50000000 units=60 seeds=6 as slow background")
	l.Until("the tuning to begin", func() bool { return ask("experiment slow").Units > 0 })
	r := ask("experiment quick solvers=walk instances=rand-30-1 seeds=4 n=50")
	if r.Done != 4 {
		t.Errorf("%s", r)
	}
	if q := l.Do("repeat a 3 n=20").(*reply.RepeatReply); len(q.Results) != 3 {
		t.Errorf("%s", q)
	}
	// Another in the background waits its turn, and says for what.
	l.Do("open walk rand-20-1 as b; repeat b 3 n=2 background")
	l.Until("b to wait", func() bool {
		s := l.Show("b").Repeat
		return s != nil && strings.Contains(s.String(),
			"waits for experiment slow (experiment slow pause ends it)")
	})
	if r := ask("experiment slow"); !r.Going || r.Done != 0 {
		t.Errorf("the tuning: %s", r)
	}
	ask("experiment slow pause")
	l.Until("b to be made", func() bool { return l.Show("b").Repeat == nil })
}
