package host_test

import (
	"strings"
	"testing"

	"metalab/kernel/reply"
)

// What a user waits for goes before tunings, experiments and repeats in the background, which go
// on afterwards where they were; they say what they wait for.
func TestForegroundFirst(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	ask := func(line string) *reply.ExperimentReply {
		t.Helper()
		return l.do(line).(*reply.ExperimentReply)
	}
	l.do("open walk rand-30-1 as a; " +
		"tune a moves=1..9 n=50000000 units=60 seeds=6 as slow background")
	l.until("the tuning to begin", func() bool { return ask("experiment slow").Units > 0 })
	r := ask("experiment quick solvers=walk instances=rand-30-1 seeds=4 n=50")
	if r.Done != 4 {
		t.Errorf("%s", r)
	}
	if q := l.do("repeat a 3 n=20").(*reply.RepeatReply); len(q.Results) != 3 {
		t.Errorf("%s", q)
	}
	// Another in the background waits its turn, and says for what.
	l.do("open walk rand-20-1 as b; repeat b 3 n=2 background")
	l.until("b to wait", func() bool {
		s := l.show("b").Repeat
		return s != nil && strings.Contains(s.String(),
			"waits for experiment slow (experiment slow pause ends it)")
	})
	if r := ask("experiment slow"); !r.Going || r.Done != 0 {
		t.Errorf("the tuning: %s", r)
	}
	ask("experiment slow pause")
	l.until("b to be made", func() bool { return l.show("b").Repeat == nil })
}
