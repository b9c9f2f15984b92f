package host_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
)

// A run is on the disk when open answers, and what a fork or a loaded run begins with, too:
// here nothing is appended later.
func TestRecordFromOpenOn(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	o.AutosaveEvery = time.Hour
	l, p := process(t, o)
	l.Do("open walk rand-20-1 as b; step b 30; set b moves=4; step b 12; fork b as c; save c " +
		o.StateDir + "/x.run; load " + o.StateDir +
		"/x.run as d; open walk rand-20-1 as a seed=9 moves=3")
	if err := syscall.Kill(p.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	l.Gone(p)
	m, _ := process(t, o)
	got := m.Listed()
	for run, want := range map[string]int64{"a": 0, "b": 0, "c": 42, "d": 42} {
		if a, ok := got[run]; !ok || a.Iteration < want || a.Damage != "" {
			t.Errorf("autosave of %s: %+v, want it to reach iteration %d", run, a, want)
		}
	}
	r := m.Do("recover a").(*reply.RecoverReply)
	if r.Opened == nil || r.Opened.Seed != 9 || r.Opened.Iteration != 0 {
		t.Errorf("recovered before its first iteration: %+v", r.Opened)
	}
	m.Do("step a 5; recover d; step d 3")
	if j := m.Do("journal d").(*reply.JournalReply); len(j.Changes) == 0 ||
		j.Changes[0].Name != "moves" || j.Changes[0].Iter != 30 {
		t.Errorf("the journal of the recovered run: %v", j)
	}
}

// A recovered run keeps its journal, when it is recovered from its recovery, too, whether its
// host was killed or ended.
func TestJournalIsRecovered(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a; set a moves=3; step a 20; set a moves=4 delay=0.01; step a " +
		"until iteration=25; set a moves=5; go a")
	l.Until("some iterations", func() bool { return l.Show("a").Iteration > 30 })
	want := l.Do("journal a").(*reply.JournalReply).Changes
	if len(want) != 5 {
		t.Fatalf("journal: %v", want)
	}
	for i := range 3 {
		l = &lab{l.Next()}
		if i == 1 {
			l.Do("recover a as a; close a")
		}
		l.Do("recover a; step a 3")
		got := l.Do("journal a").(*reply.JournalReply).Changes
		if len(got) < len(want) {
			t.Fatalf("after recovery %d: %v, want %v", i+1, got, want)
		}
		for j := range want {
			if got[j].String() != want[j].String() {
				t.Errorf("after recovery %d, entry %d: %s, want %s", i+1, j+1, got[j], want[j])
			}
		}
	}
}

// A damaged autosave is listed with what can be opened of it, opened that far, and left alone.
func TestDamagedAutosave(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a moves=1; step a 60; set a moves=2; step a 40")
	l.End()
	files, _ := filepath.Glob(l.O.StateDir + "/autosave/*/a.run")
	if len(files) != 1 {
		t.Fatalf("autosaves: %v", files)
	}
	good, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	state, err := os.ReadFile(solvers.StatePath(files[0]))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(files[0])
	at := bytes.Index(good, []byte(`{"i":80,`))
	flipped := bytes.Clone(good)
	flipped[at+20] ^= 4
	page := bytes.Clone(good)
	clear(page[at : at+300])
	for name, b := range map[string][]byte{
		"flip": flipped, "page": page, "nuls": append(bytes.Clone(good), make([]byte, 100)...),
		"empty": nil, "half": good[:30], "torn": append(bytes.Clone(good), `{"i":101,"be`...),
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".run"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".run.state"), state, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := l.Other()
	got := m.Listed()
	for run, c := range map[string]struct {
		end    int64 // -1: nothing can be opened
		damage string
	}{
		"a": {100, ""}, "torn": {100, ""}, "flip": {79, "checksum"}, "page": {79, "line 8"},
		"nuls":  {100, "zero bytes"},
		"empty": {-1, "line 1: the file is empty"}, "half": {-1, "line 1"},
	} {
		a, ok := got[run]
		if !ok || !strings.Contains(a.Damage, c.damage) || (a.Damage == "") != (c.damage == "") ||
			c.end >= 0 && a.Iteration != c.end {
			t.Errorf("%s is listed as %s (%q), want iteration %d and %q", run, a, a.Damage, c.end, c.damage)
			continue
		}
		if strings.Contains(a.Damage, "0 of 0") {
			t.Errorf("%s is listed with %q", run, a.Damage)
		}
		if c.end < 0 {
			m.Fails("recover "+run, wire.CodeFile, "nothing of", a.Path, "discard drops it")
			continue
		}
		r := m.Do("recover " + run + " as " + run + "2").(*reply.RecoverReply)
		if r.Opened.Iteration != c.end || (r.Damage == "") != (c.damage == "") ||
			!strings.Contains(r.String(), c.damage) {
			t.Errorf("recover %s: %s, want it at %d", run, r, c.end)
		}
		if _, err := os.Stat(a.Path); (err == nil) != (c.damage != "") {
			t.Errorf("the file of %s after it was opened: %v", run, err)
		}
	}
	if s := m.Do("recover").String(); !strings.Contains(s, "/flip is damaged: line 8") ||
		!strings.Contains(s, "recover opens it up to iteration 79, and leaves the file") {
		t.Errorf("the list:\n%s", s)
	}
	// What was read of it is the run, and goes on as that would have.
	m.Do("open walk rand-20-1 as b moves=1; step b 60; set b moves=2; step b 19; step b " +
		"5; step flip2 5")
	if d := m.Do("diff b flip2").(*reply.DiffReply); !d.Identical {
		t.Errorf("what was saved of a damaged run: %s", d)
	}
	// No time makes it go.
	old := time.Now().Add(-100 * 24 * time.Hour)
	for _, path := range []string{filepath.Join(dir, "flip.run"), filepath.Join(dir, "empty.run")} {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "old.run"), good, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "old.run"), old, old); err != nil {
		t.Fatal(err)
	}
	n := m.Next()
	got = n.Listed()
	if _, ok := got["old"]; ok || got["flip"].Damage == "" || got["empty"].Damage == "" {
		t.Errorf("after 100 days: %v", got)
	}
	n.Do("recover flip discard; recover discard sure")
	if got := n.Listed(); len(got) != 0 {
		t.Errorf("what was dropped is still there: %v", got)
	}
}

// What is closed can be opened again for a while, as it stood.
func TestClosedIsRecovered(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	o.AutosaveEvery = time.Hour
	l := start(t, o)
	l.Do("open walk rand-20-1 as z; close z") // of which nothing was made
	l.Do("open walk rand-20-1 as a; step a 33; set a moves=2; step a 9")
	if r := l.Do("close a").(*reply.RunReply); !strings.Contains(r.String(),
		"recover a opens it again, until ") {
		t.Errorf("close says %s", r)
	}
	l.Fails("show a", wire.CodeRun, `no run "a"`,
		"saved: a, iteration 42, closed 0 seconds ago: recover a")
	l.Do("open walk rand-20-2 as a; step a 5; open walk rand-20-3 as a fresh; step a 7; close a")
	r := l.Do("recover").(*reply.RecoverReply)
	if len(r.Autosaves) != 3 || !strings.Contains(r.String(), "closed") ||
		!strings.Contains(r.String(), "kept for a day") {
		t.Fatalf("closed runs: %s", r)
	}
	for i, want := range []int64{7, 5, 42} { // the latest first
		if a := r.Autosaves[i]; !a.Closed || a.Iteration != want || a.Run != "a" {
			t.Errorf("autosave %d: %+v, want iteration %d", i, a, want)
		}
	}
	if got := l.Do("recover " + r.Autosaves[2].ID).(*reply.RecoverReply); got.Opened.Iteration != 42 ||
		got.Opened.Run != "a" {
		t.Errorf("recover %s: %+v", r.Autosaves[2].ID, got.Opened)
	}
	if j := l.Do("journal a").(*reply.JournalReply); len(j.Changes) != 1 {
		t.Errorf("its journal: %v", j)
	}
	l.Do("close a")
	// They outlive their host, but not their day.
	l = &lab{l.Next()}
	if got := l.Do("recover").(*reply.RecoverReply); len(got.Autosaves) != 3 {
		t.Errorf("after the end of the host: %s", got)
	}
	old := time.Now().Add(-25 * time.Hour)
	for _, a := range r.Autosaves[:2] {
		if err := os.Chtimes(a.Path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	l = &lab{l.Next()}
	if got := l.Do("recover").(*reply.RecoverReply); len(got.Autosaves) != 1 ||
		got.Autosaves[0].Iteration != 42 {
		t.Errorf("after a day: %s", got)
	}
	for range 22 {
		l.Do("open walk rand-20-1 as x; step x 1; close x")
	}
	if got := l.Do("recover").(*reply.RecoverReply); len(got.Autosaves) != 1+22 {
		t.Errorf("%d autosaves, want the one and 22 closed ones", len(got.Autosaves))
	}
}

// A step that waits is told that its run was closed.
func TestCloseEndsSteps(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a delay=1")
	done := make(chan error, 1)
	go func() { done <- l.C.Do(t.Context(), "step", wire.StepRequest{Run: "a", N: 1_000_000}, nil) }()
	l.Until("the step to begin", func() bool { return l.Show("a").Iteration > 0 })
	other := hosttest.Dial(t, l.O.Socket)
	if _, err := hosttest.Try(t.Context(), other, "close a"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; wire.CodeOf(err) != wire.CodeClosed {
		t.Errorf("the step: %v", err)
	}
	if a, ok := l.Listed()["a"]; !ok || !a.Closed || a.Iteration == 0 {
		t.Errorf("the closed run: %+v", a)
	}
}

// A shutdown that drops what was opened leaves what was recovered; dropping that needs more.
func TestDiscardSparesRecovered(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a; step a 20; open walk rand-20-1 as b; step b 30")
	m := l.Next()
	m.Do("recover a as x; recover b as y; step y 1; close y; open walk rand-20-1 as c; step c 3; " +
		"open walk rand-20-1 as d; step d 3; close d; shutdown discard recovered")
	if err := <-m.Done; err != nil {
		t.Fatal(err)
	}
	m.Done <- nil
	n := l.Other()
	got := n.Listed()
	if len(got) != 2 || got["x"].Iteration != 20 || got["y"].Iteration != 31 || !got["y"].Closed {
		t.Errorf("what is left: %+v", got)
	}
}

// The session of a notebook offers its own runs first, and says so where one is opened anew.
func TestOwnNotebookFirst(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	o.Notebook = "/home/u/mine.ipynb"
	l := start(t, o)
	l.Do("open walk rand-20-1 as a; step a 20")
	l.End()
	p := hosttest.Options(t)
	p.StateDir, p.Notebook = o.StateDir, "/home/u/other.ipynb"
	other := start(t, p)
	other.Do("open walk rand-20-1 as a; step a 50")
	other.End()
	m := l.Other()
	m.Fails("show a", wire.CodeRun, "saved: a, iteration 20, ")
	r := m.Do("open walk rand-20-1 as a moves=3").(*reply.OpenReply)
	if r.Before == nil || r.Before.Iteration != 20 ||
		!strings.Contains(r.String(), "saved before: a, iteration 20, ") {
		t.Errorf("open: %s", r)
	}
	// The run that was just opened is closed; one that has made iterations is not.
	if r := m.Do("recover a").(*reply.RecoverReply); r.Opened.Iteration != 20 {
		t.Errorf("recover: %s", r)
	}
	m.Fails("recover a", wire.CodeDiffers, "a is open already", "as a2")
	if r := m.Do("recover a as b").(*reply.RecoverReply); r.Opened.Iteration != 50 {
		t.Errorf("recover of the other notebook's: %s", r)
	}
	if r := m.Do("open walk rand-20-1 as c").(*reply.OpenReply); r.Before != nil {
		t.Errorf("open of what nothing is left of: %+v", r.Before)
	}
	m.End()
	p = hosttest.Options(t)
	p.StateDir = o.StateDir
	prompt := start(t, p)
	if r := prompt.Do("open walk rand-20-1 as a").(*reply.OpenReply); r.Before != nil {
		t.Errorf("open at a prompt: %+v", r.Before)
	}
}
