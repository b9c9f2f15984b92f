package experiments_test

import (
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
)

// A solver of one's own that fails in some units of an experiment, by an error, a panic, the end of
// its process or a best that is not what it says, fails in these alone: the others are made, each
// failure is a row with its reason, and the session goes on.
func TestOwnSolverFailsInExperiment(t *testing.T) { // not parallel: a name is the process's
	l := start(t, hosttest.Options(t))
	l.Declare("")
	const line = "experiment e solvers=own instances=rand-20-1 seeds=2 n=10 fail=0,1,2,3 lie=0,7"
	r := l.Do(line).(*reply.ExperimentReply)
	if r.Made != 16 || r.Done != 2 || r.Failed != 14 {
		t.Fatalf("%+v", r.ExperimentInfo)
	}
	const lie = "iteration 1: own: the best is not what it says: "
	why := []string{
		"", lie, "iteration 5: own: told to fail, in Step", lie,
		"iteration 5: own: panic: told to panic", lie,
		"iteration 5: own: its worker ended (exit status 3)", lie,
	}
	units := l.Do("experiment e units").(*reply.ExperimentReply).Of
	if len(units) != 16 {
		t.Fatalf("%d units", len(units))
	}
	for i, u := range units {
		want, state := why[i%8], "failed"
		if want == "" {
			state = "done"
		}
		if u.State != state || !strings.HasPrefix(u.Error, want) || (u.Error == "") != (want == "") ||
			u.Best.Known() != (want == "") {
			t.Errorf("unit %d is %s: %q, want %s: %q", i+1, u.State, u.Error, state, want)
		}
	}
	failed := l.Do("experiment e failures").(*reply.ExperimentReply)
	if len(failed.Of) != 14 {
		t.Errorf("%d failures are listed, want 14", len(failed.Of))
	}
	// The solver is the session's still, and the same line makes nothing twice.
	if r := l.Do(line).(*reply.ExperimentReply); r.Made != 0 || r.Failed != 14 {
		t.Errorf("the same again: made %d, %+v", r.Made, r.ExperimentInfo)
	}
	l.Do("open own rand-20-1 as a; step a 20; open walk rand-20-1 as b; step b 20")
}
