package host_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A declared solver is opened like others; declared anew, its runs go on with the new code.
// The tests of declared solvers are not parallel, for a name is the process's.
func TestDeclared(t *testing.T) {
	l := start(t, hosttest.Options(t))
	dir := l.O.StateDir
	one := l.Declare("1")
	if !one.Whole || one.Before != "" || len(one.Params) != 4 {
		t.Errorf("%+v", one)
	}
	l.Do("open own rand-30-1 as a seed=3; step a 100; set a k=3; step a 100; fork a as b k=1; step " +
		"b 50; plot a tour; repeat a 5 n=50; repeat b 5 n=50; compare a b")
	l.Do("save a " + dir + "/a.run; replay " + dir + "/a.run; load " + dir +
		"/a.run as c; step a 10; step c 10")
	if a, c := l.Show("a"), l.Show("c"); a.Digest != c.Digest || a.Iteration != 210 {
		t.Errorf("loaded, it goes elsewhere: %v %v", a, c)
	}
	if again := l.Declare("1"); again.Code != one.Code || len(again.Runs) > 0 {
		t.Errorf("the same again: %+v", again)
	}
	two := l.Declare("2")
	if two.Code == one.Code || two.Before != one.Code || len(two.Runs) != 3 || len(two.Notes) != 3 {
		t.Errorf("anew: %+v", two)
	}
	l.Do("step a 40; save a " + dir + "/a2.run")
	if j := l.Do("journal a").(*reply.JournalReply); !strings.Contains(j.String(),
		"210: code "+one.Code+" → "+two.Code+" from iteration 211 (test)") {
		t.Errorf("journal: %v", j)
	}
	if r := l.Do("replay " + dir + "/a2.run").(*reply.ReplayReply); !r.Identical ||
		r.Iteration != 250 {
		t.Errorf("replay: %v", r)
	}
	l.Do("diff a c")
	// Of a run that goes on, the answer and the journal name the same iteration.
	l.Do("go a")
	three := l.Declare("3")
	l.Do("pause a")
	j := l.Do("journal a").(*reply.JournalReply).String()
	said := strings.TrimPrefix(three.Notes[0], "a goes on with code "+three.Code)
	if !strings.Contains(j, "code "+two.Code+" → "+three.Code+said+" (test)") {
		t.Errorf("declared: %v, journal: %s", three.Notes, j)
	}
	// Without the solver, a line says what is missing.
	l.End()
	m := start(t, hosttest.Options(t))
	m.Fails("replay "+dir+"/a2.run", wire.CodeSource, dir+"/a2.run code=yes",
		"2 codes, "+one.Code+" of ")
	m.Fails("load "+dir+"/a2.run", wire.CodeSource, "source "+dir+"/a2.run prints it", two.Code)
	m.Fails("open own rand-30-1", wire.CodeRequest, `no solver is called "own"`)
	m.Declare("2")
	m.Fails("replay "+dir+"/a2.run", wire.CodeSource, "(code "+one.Code+" of ")
	m.Declare("1")
	if r := m.Do("replay " + dir + "/a2.run").(*reply.ReplayReply); !r.Identical {
		t.Errorf("replay elsewhere: %v", r)
	}
	m.Fails("declare acs "+dir+"/a.run", wire.CodeRequest, "metalab's own")
	m.Fails("declare mine "+dir+"/a.run", wire.CodeFile, "exec format error")
}

// A declaration takes a run out of an iteration that does not end.
func TestDeclaredAnewInAnIterationThatHangs(t *testing.T) {
	l := start(t, hosttest.Options(t))
	l.Declare("1")
	l.Do("open own rand-30-1 as a; step a 30; set a hang=true; go a")
	two := l.Declare("2")
	if len(two.Runs) != 1 {
		t.Fatalf("%+v", two)
	}
	if s := l.Show("a"); s.State != "paused" || s.Iteration != 30 {
		t.Errorf("a is %s at %d", s.State, s.Iteration)
	}
	l.Do("set a hang=false; step a 10")
	if s := l.Show("a"); s.Iteration != 40 {
		t.Errorf("a at %d", s.Iteration)
	}
}

// A limit of time ends a step whose iteration does not end, and nothing goes on after it.
func TestLimitOfTimeEndsAnIterationThatHangs(t *testing.T) {
	l := start(t, hosttest.Options(t))
	l.Declare("1")
	l.Do("open own rand-30-1 as a; step a 30; set a hang=true")
	r := l.Do("step a 0.1s").(*reply.StepReply)
	if r.State != "paused" || r.Iteration != 30 ||
		!strings.HasPrefix(r.Why, "after 100ms: iteration 31 had gone on for ") {
		t.Errorf("%+v", r)
	}
	l.Until("the end of the worker", func() bool {
		return strings.Contains(l.Show("a").Trouble, "its worker was ended")
	})
	if s := l.Show("a"); s.State != "paused" || !strings.Contains(s.String(), "trouble") {
		t.Errorf("%v", s)
	}
	l.Do("set a hang=false; step a 10")
	if s := l.Show("a"); s.Iteration != 40 || s.Trouble != "" {
		t.Errorf("%v", s)
	}
}

// A best that is not what it says is reported at once, everywhere, and is not taken as a best.
func TestWrongBestOfADeclaredSolver(t *testing.T) {
	l := start(t, hosttest.Options(t))
	l.Declare("1")
	l.Do("open own rand-30-1 as a; step a 30; set a lie=500")
	before := l.Show("a")
	const says = "iteration 31: own: the best is not what it says: it claims "
	l.Fails("step a 10", wire.CodeFailed, says)
	s := l.Show("a")
	if s.Best != before.Best || s.Iteration != 30 || !strings.HasPrefix(s.Trouble, says) ||
		!strings.Contains(s.HTML(), "✗ "+says) {
		t.Errorf("%v", s)
	}
	if r := l.Do("runs").String(); !strings.Contains(r, "a: "+says) {
		t.Errorf("runs: %s", r)
	}
	if p := l.Do("plot a").(*reply.PlotReply); !strings.Contains(string(p.Data),
		"the best is not what it says") {
		t.Errorf("plot: %s", p.Data)
	}
	l.Do("set a lie=0; step a 10")
	if s := l.Show("a"); s.Iteration != 40 || s.Trouble != "" {
		t.Errorf("%v", s)
	}
}

// workers are the processes of declared solvers of a host.
func workers(o string) (pids []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, p := range all {
		if b, err := os.ReadFile(p); err == nil && strings.HasPrefix(string(b), o) {
			pids = append(pids, p)
		}
	}
	return pids
}

// Workers end with their host, however it ends, also in the midst of an iteration.
func TestWorkersEndWithTheHost(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks into /proc")
	}
	for _, how := range []string{"killed", "shut down", "let go"} {
		t.Run(how, func(t *testing.T) {
			o := hosttest.Options(t)
			l, p := process(t, o)
			l.Declare("1")
			l.Do("open own rand-30-1 as a; go a; open own rand-30-1 as b; step b 5; set b hang=true; go " +
				"b; open own rand-30-1 as c")
			if n := len(workers(o.StateDir)); n != 3 {
				t.Fatalf("%d workers, want 3", n)
			}
			switch how {
			case "killed":
				if err := syscall.Kill(p.PID, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
			case "shut down":
				l.Do("shutdown")
			default:
				p.Close()
			}
			l.Gone(p)
			l.Until("the end of the workers", func() bool { return len(workers(o.StateDir)) == 0 })
			if how == "killed" {
				return
			}
			if left, _ := filepath.Glob(o.StateDir + "/autosave/*/declared"); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// When the host starts anew, declared solvers are there and their runs go on.
func TestDeclaredWhenTheHostStartsAnew(t *testing.T) {
	l, _ := process(t, hosttest.Options(t))
	one := l.Declare("1")
	l.Do("open own rand-30-1 as a; step a 60; open walk rand-20-1 as z lose=3")
	two := l.Declare("2")
	l.Do("step a 10")
	l.Fails("step z 5", wire.CodeFailed, "starts anew")
	if s := l.Show("a"); s.Iteration != 70 || s.State != "paused" {
		t.Errorf("a is %s at %d", s.State, s.Iteration)
	}
	l.Do("step a 10; set a code=" + one.Code + "; step a 10; set a code=" + two.Code + "; step a 10")
	if s := l.Show("a"); s.Iteration != 100 {
		t.Errorf("a at %d", s.Iteration)
	}
}
