package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// undo goes back to before the last change, again to the one before, and the record replays; what
// the run was can be opened.
func TestUndo(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	path := filepath.Join(t.TempDir(), "a.run")
	l.Do("open walk rand-30-1 as a seed=7 moves=3")
	l.Fails("undo a", wire.CodeRequest, "nothing was set in a since it was opened")
	l.Do("step a 50; open walk rand-30-1 as plain seed=7 moves=3; step plain 60")
	l.Do("set a moves=5; step a 30; set a moves=2; step a 20")
	u := l.Do("undo a").(*reply.UndoReply)
	if u.Iteration != 80 || u.Dropped != 20 || len(u.Undone) == 0 || u.State != "paused" ||
		!strings.HasPrefix(u.String(), "a: back at iteration 80, before moves 5 → 2") ||
		!strings.Contains(u.String(), "20 iterations dropped (recover a as <name> opens what it was") {
		t.Errorf("the first: %s", u)
	}
	if j := l.Do("journal a").String(); !strings.Contains(j, "80: undone: moves 5 → 2") ||
		strings.Contains(j, "80: moves") || !strings.Contains(j, "50: moves 3 → 5") {
		t.Errorf("journal:\n%s", j)
	}
	if u := l.Do("undo a").(*reply.UndoReply); u.Iteration != 50 || u.Dropped != 30 {
		t.Errorf("the second: %s", u)
	}
	l.Do("step a 10")
	if d := l.Do("diff a plain").(*reply.DiffReply); !d.Identical || d.Shared != 60 {
		t.Errorf("the run without its changes is not one that had none: %s", d)
	}
	l.Do("save a " + path)
	if r := l.Do("replay " + path).(*reply.ReplayReply); !r.Identical || r.Iteration != 60 {
		t.Errorf("replay: %s", r)
	}
	l.Fails("undo a", wire.CodeRequest, "nothing was set in a since it was opened")
	l.Do("recover a as was; show was")
	l.Do("fork a as f moves=4; step f 5")
	l.Fails("undo f", wire.CodeRequest, "since it was forked at iteration 60; fork f as f2 at=32 goes")
	l.Do("fork f as f2 at=32") // what the error names works
	l.Do("set f moves=6; step f 5")
	if u := l.Do("undo f").(*reply.UndoReply); u.Iteration != 65 {
		t.Errorf("after a fork: %s", u)
	}
	l.Do("open acs/gpu rand-30-1 as r; step r 5; set r ants=3; step r 5")
	l.Fails("undo r", wire.CodeRequest, "the variant races", "set r ants=")
}

// A fork goes back in the history, to before what was changed there.
func TestForkAt(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-30-1 as a seed=7 moves=3; step a 50; set a moves=5; step a 50")
	f := l.Do("fork a as f at=50 nochanges").(*reply.OpenReply)
	if !strings.Contains(f.String(), "not made again of what was changed later in a: moves=5 after "+
		"iteration 50") {
		t.Errorf("it does not say what it leaves out: %s", f)
	}
	if f.Iteration != 50 || f.Parent != "a" || l.Show("a").Iteration != 100 {
		t.Errorf("fork: %s", f)
	}
	if again := l.Do("fork a as f at=50 nochanges").(*reply.OpenReply); !again.Attached {
		t.Errorf("the same again: %s", again)
	}
	l.Fails("fork a as f at=40", wire.CodeDiffers, "is no such fork of a")
	l.Do("step f 50; open walk rand-30-1 as plain seed=7 moves=3; step plain 100")
	if d := l.Do("diff f plain").(*reply.DiffReply); d.FirstDifference != nil || d.Shared != 100 {
		t.Errorf("the fork made the change: %s", d)
	}
	k := l.Do("fork a as k at=40").(*reply.OpenReply)
	if !strings.Contains(k.String(), "it will be set as a was: moves=5 after iteration 50 (") {
		t.Errorf("it does not say what it will change: %s", k)
	}
	l.Do("step k 60")
	if d := l.Do("diff k a").(*reply.DiffReply); d.FirstDifference != nil || d.Shared != 100 {
		t.Errorf("the fork did not make the later change: %s", d)
	}
	l.Do("fork a as m at=40")
	if s := l.Do("set m moves=9").String(); !strings.Contains(s, "is not: moves=5 after iteration") {
		t.Errorf("what is set in a fork: %s", s)
	}
	l.Do("fork a as g at=70 moves=1; step g 30; fork a as z at=0; step z 5")
	if d := l.Do("diff a g").(*reply.DiffReply); d.FirstDifference == nil ||
		d.FirstDifference.Iter <= 70 {
		t.Errorf("after the change: %s", d)
	}
	l.Fails("fork a as h at=101", wire.CodeRequest, "at is 101, want 0 to 100")
	l.Fails("fork a as h at=-1", wire.CodeRequest, "at is -1, want 0 to 100")
}

// The word default is what the run's preset has, for one parameter or for all.
func TestSetDefault(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open acs rand-50-1 as a preset=paper q0=0.3; set a ants=7 beta=4")
	if s := l.Do("set a beta=default").String(); s != "a: beta 4 → 3 from iteration 1" {
		t.Errorf("one: %s", s)
	}
	s := l.Do("set a default").String()
	if !strings.Contains(s, "q0 0.3 → 0.6") || !strings.Contains(s, "ants 7 → 50") {
		t.Errorf("all: %s", s)
	}
	if s := l.Do("set a default").String(); !strings.Contains(s, "nothing changed") {
		t.Errorf("again: %s", s)
	}
	l.Fails("set a nope=default", wire.CodeRequest, `no parameter is called "nope"`)
	l.Fails("set a", wire.CodeRequest, "nothing to set")
	l.Do("set a ants=9; fork a as b ants=default storage=matrix")
	if p := l.Do("params b ants").String(); !strings.HasPrefix(p, "ants of b: 50;") {
		t.Errorf("of a fork: %s", p)
	}
}

// solve opens, steps and writes in a line, and checks the file before it spends the time.
func TestSolve(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir()
	line := "solve rand-60-1 as k seed=3 to " + dir + "/k.tour until iteration=20"
	r := l.Do(line).(*reply.SolveReply)
	if r.Line != "open ils rand-60-1 as k seed=3" || r.Iteration != 20 || r.Made != 20 ||
		r.Run != "k" ||
		!strings.HasPrefix(r.String(), r.Line+"\nk: iteration 20, best ") {
		t.Errorf("%s", r)
	}
	if b, err := os.ReadFile(r.Path); err != nil || r.Path != dir+"/k.tour" ||
		!strings.Contains(string(b), "TOUR_SECTION") || int64(len(b)) != r.Bytes {
		t.Errorf("%s: %v", r.Path, err)
	}
	// a proven optimum ends it
	q := l.Do("solve queen5_5 1h as q").(*reply.SolveReply)
	if q.Solver != "tabu" || q.Gap != 0 || !strings.Contains(q.Why, "gap 0% reached") {
		t.Errorf("%s", q)
	}
	l.Fails("solve rand-60-1 1h to "+dir+"/k.sln", wire.CodeRequest, "is a tour: want .tour")
	l.Fails("solve queen5_5 1h to "+dir+"/k.tour", wire.CodeRequest, "is of kind colouring")
	l.Fails("solve rand-60-1 1h to "+dir+"/no/k.tour", wire.CodeFile, "no such file")
	l.Fails("solve acs 1s", wire.CodeRequest, "acs is a solver")
}

// save a and load a name the same file; so do replay and diff.
func TestLoadAddsExt(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	path := filepath.Join(t.TempDir(), "z")
	l.Do("open walk rand-30-1 as z; step z 5; save z " + path + ".run; load " + path + " as y")
	if s := l.Show("y"); s.Iteration != 5 {
		t.Errorf("loaded: %+v", s)
	}
	if r := l.Do("replay " + path).(*reply.ReplayReply); !r.Identical || r.Path != path+".run" {
		t.Errorf("%s", r)
	}
	if d := l.Do("diff " + path + " z").(*reply.DiffReply); !d.Identical {
		t.Errorf("%s", d)
	}
	l.Fails("load "+path+"2", wire.CodeFile, path+"2")
}

// The line that a comparison names says what it takes where that is long, and there alone.
func TestRepeatsThatTakeLong(t *testing.T) {
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-30-1 as a; open walk rand-30-1 as b moves=3; step a 3000; step b 3000")
	if note := l.Do("compare a b").(*reply.CompareReply).Note; strings.Contains(note, "CPU time") ||
		!strings.HasSuffix(note, "; type: repeat a 10 n=3000; repeat b 10 n=3000") {
		t.Errorf("short repeats: %q", note)
	}
	defer host.SetLongRepeats(0)()
	note := l.Do("compare a b").(*reply.CompareReply).Note
	if !strings.Contains(note, "n=3000 (about ") ||
		!strings.HasSuffix(note, " of CPU time; a smaller n takes less)") {
		t.Errorf("long repeats: %q", note)
	}
}
