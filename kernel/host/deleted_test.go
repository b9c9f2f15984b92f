package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// Where the folder of state is deleted while runs go on, it is made again with all that was done,
// and what is promised then is on the disk.
func TestDeletedStateIsWrittenAnew(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	o.AutosaveEvery = 20 * time.Millisecond
	l := start(t, o)
	l.Do("open walk rand-20-1 as a; step a 30; set a moves=4; step a 12; repeat a 3 n=5; " +
		"open walk rand-20-1 as b; step b 7; open walk rand-20-1 as c; step c 3; close c")
	removeState(t, o.StateDir)
	var file string
	l.Until("a's autosave is there again", func() bool {
		all, _ := filepath.Glob(filepath.Join(o.StateDir, "autosave", "*", "a.run"))
		if len(all) != 1 {
			return false
		}
		file = all[0]
		rec, err := record.ReadFile(file)
		return err == nil && rec.End == 42 && len(rec.Journal) >= 1 && rec.Seeds() == 3
	})
	other := l.Other() // for which the folder is that of a live host
	if saved := other.Listed(); len(saved) != 0 {
		t.Errorf("another host may recover %v", saved)
	}
	other.End()
	note := l.Do("close b").(*reply.RunReply).Note
	if !strings.HasPrefix(note, "recover b opens it again") {
		t.Errorf("close b: %q", note)
	}
	if r := l.Do("recover b").(*reply.RecoverReply); r.Opened.Iteration != 7 {
		t.Errorf("b is recovered at %d", r.Opened.Iteration)
	}
	l.Do("step a 8")
	next := l.Next()
	for run, want := range map[string]int64{"a": 50, "b": 7} {
		if a, ok := next.Listed()[run]; !ok || a.Iteration != want {
			t.Errorf("autosave of %s: %+v, want iteration %d", run, a, want)
		}
	}
	if r := next.Do("recover a").(*reply.RecoverReply); r.Opened.Iteration != 50 || r.Parts() {
		t.Errorf("a is recovered at %d", r.Opened.Iteration)
	}
}

// Where the folder cannot be made again, nothing is promised: at no close, and not at the end.
func TestNothingIsPromisedThatIsNotThere(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	o.AutosaveEvery = time.Hour // only what is asked for is written
	l := start(t, o)
	l.Do("open walk rand-20-1 as a; step a 30; open walk rand-20-1 as b; step b 7")
	removeState(t, o.StateDir)
	if err := os.WriteFile(o.StateDir, nil, 0o600); err != nil { // in the folder's place
		t.Fatal(err)
	}
	l.Fails("close b", wire.CodeRequest, "b could not be recovered", "save b to a file",
		"close b force")
	l.Do("step b 8")
	note := l.Do("close b force").(*reply.RunReply).Note
	if !strings.Contains(note, "cannot be recovered") || strings.Contains(note, "recover b ") {
		t.Errorf("close b: %q", note)
	}
	l.Do("open walk rand-20-1 as c; step c 3; save c " + t.TempDir() + "/c.run; close c")
	var r reply.ShutdownReply
	if err := l.C.Do(t.Context(), "shutdown", &wire.ShutdownRequest{}, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Autosaved) != 0 || len(r.Lost) != 1 || !strings.HasPrefix(r.Lost[0], "a: ") ||
		!strings.HasSuffix(r.Lost[0], "; nothing of it is on the disk") {
		t.Errorf("the end: %v; lost %v", r.Autosaved, r.Lost)
	}
}

// A run whose saved file was deleted, or holds something else since, is autosaved at the end.
func TestSavedFileIsLookedAt(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir() + "/"
	l.Do("open walk rand-20-1 as a; step a 3; save a " + dir + "a.run; open walk rand-20-1 as b; " +
		"step b 4; save b " + dir + "b.run; open walk rand-20-1 as c; step c 5; save c " + dir +
		"c.run; save a " + dir + "b.run force")
	if err := os.Remove(dir + "b.run"); err != nil {
		t.Fatal(err)
	}
	l.Do("save a " + dir + "b.run")
	got := l.Next().Listed()
	if _, ok := got["b"]; !ok || len(got) != 1 {
		t.Errorf("autosaved are %v, want b alone", got)
	}
}

// Closed runs are kept while there is room, and the line that closes one says what went.
func TestClosedRunsAreKeptWhileThereIsRoom(t *testing.T) {
	l := start(t, hosttest.Options(t))
	for i := range 30 {
		l.Do(fmt.Sprintf("open walk rand-20-1 as r%d; step r%d 2", i, i))
	}
	for i := range 30 {
		note := l.Do(fmt.Sprintf("close r%d", i)).(*reply.RunReply).Note
		if !strings.Contains(note, fmt.Sprintf("recover r%d opens it again, until ", i)) ||
			strings.Contains(note, "room") {
			t.Errorf("close r%d: %q", i, note)
		}
	}
	if n := len(l.Listed()); n != 30 {
		t.Errorf("%d of 30 closed runs can be recovered", n)
	}
	defer host.SetMostClosedBytes(28 * 8 << 10)() // of each a record and a state, a block each
	l.Do("open walk rand-20-1 as last; step last 2")
	note := l.Do("close last").(*reply.RunReply).Note
	if !strings.Contains(note, "removed: r") {
		t.Errorf("close last: %q", note)
	}
	got := l.Listed()
	if _, ok := got["last"]; !ok || len(got) > 31-1 || len(got) < 20 {
		t.Errorf("%d are left: %v", len(got), got)
	}
	for run := range got {
		if strings.Contains(note, run+",") {
			t.Errorf("%s is said to be gone", run)
		}
	}
}

// removeState removes a folder in which a host makes files at the same time.
func removeState(t *testing.T, dir string) {
	t.Helper()
	var err error
	for range 1000 {
		if err = os.RemoveAll(dir); err == nil {
			return
		}
	}
	t.Fatal(err)
}
