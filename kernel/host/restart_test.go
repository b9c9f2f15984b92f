package host_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A host whose GPU failed becomes another program in the same process, with the runs as they
// stood: clients, what they wait for and events go on.
func TestTheHostStartsAnew(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	l, p := process(t, o)
	dir := o.StateDir
	l.Do("open walk rand-50-1 as a seed=5 moves=2; step a 20; set a moves=3; step a 20")
	l.Do("open walk rand-50-1 as b seed=6 moves=2 delay=2; open walk rand-30-1 as c delay=1; go c; " +
		"open walk rand-20-1 as z")
	l.Do("save a " + dir + "/a.run")
	told := l.Notice()

	// A step that is under way elsewhere gets exactly its iterations.
	stepped := make(chan *reply.StepReply, 1)
	other := hosttest.Dial(t, o.Socket)
	go func() {
		var r reply.StepReply
		if err := other.Do(t.Context(), "step", wire.StepRequest{Run: "b", N: 300}, &r); err != nil {
			t.Errorf("the step of b: %v", err)
		}
		stepped <- &r
	}()
	l.Until("b to step", func() bool { return l.Show("b").Iteration >= 20 })
	at := l.Show("c").Iteration

	l.Do("set a lose=51")
	l.Fails("step a 100", wire.CodeFailed, "iteration 51", "told to lose the device", "starts anew")
	if s := l.Show("a"); s.Iteration != 50 || s.State != "paused" {
		t.Errorf("a after the start: %s at iteration %d, want paused at 50", s.State, s.Iteration)
	}
	select {
	case n := <-told:
		if !strings.Contains(n, "the GPU failed: ") ||
			!strings.Contains(n, "started anew; runs a, b, c, z were reloaded") {
			t.Errorf("notice: %q", n)
		}
	case <-time.After(hosttest.Patience):
		t.Error("no notice came")
	}
	if r := <-stepped; r.Iteration != 300 || r.Made != 300 {
		t.Errorf("the step of b made %d iterations and ended at %d, want 300", r.Made, r.Iteration)
	}
	l.Until("c to go on", func() bool {
		s := l.Show("c")
		return s.State == "running" && s.Iteration > at+20
	})
	select {
	case <-p.Ended():
		t.Error("the process ended")
	default:
	}
	// It is attached to as before, and it is the same run.
	if r := l.Do("open walk rand-50-1 as a seed=5 moves=2").(*reply.OpenReply); !r.Attached {
		t.Errorf("open of a run that is there: %+v", r)
	}
	l.Do("set a lose=0; step a 50; save a " + dir + "/a.run; pause c; save b " + dir + "/b.run")
	for _, name := range []string{"a", "b"} {
		if r := l.Do("replay " + dir + "/" + name + ".run").(*reply.ReplayReply); !r.Identical {
			t.Errorf("%s replays: %v", name, r)
		}
	}
	// Twice is as good as once, and the end of the starter still ends it.
	l.Do("set a lose=120")
	l.Fails("step a 100", wire.CodeFailed, "iteration 120")
	if s := l.Show("a"); s.Iteration != 119 {
		t.Errorf("a after the second start: iteration %d, want 119", s.Iteration)
	}
	p.Close()
	l.Gone(p)
	if _, err := os.Stat(o.Socket); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
}

// Within another program the host cannot start anew, and says what to do.
func TestAGuestHostOnlySaysSo(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	told := l.Notice()
	l.Do("open walk rand-20-1 as a lose=3")
	l.Fails("step a 5", wire.CodeFailed, "told to lose")
	if n := <-told; !strings.Contains(n, "start it anew") {
		t.Errorf("notice: %q", n)
	}
	if s := l.Show("a"); s.State != "failed" || s.Iteration != 2 {
		t.Errorf("a: %s at %d", s.State, s.Iteration)
	}
}
