package serve_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/host/serve"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A host that is killed loses the last moments of its runs and no more.
func TestKillAndRecover(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	l, p := process(t, o)
	l.Do("open walk rand-50-1 as a seed=5 moves=2 delay=0.1; step a 200; set a moves=3; " +
		"step a 100; go a")
	l.Until("the run to be autosaved", func() bool {
		files, _ := filepath.Glob(o.StateDir + "/*/*/a.run")
		if len(files) == 0 {
			return false
		}
		rec, err := record.ReadFile(files[0])
		return err == nil && rec.End >= 400
	})
	if err := syscall.Kill(p.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	l.Gone(p)
	_, err := hosttest.Try(t.Context(), l.C, "show a")
	if wire.CodeOf(err) != wire.CodeHost || !strings.Contains(err.Error(), "recover") {
		t.Errorf("a call to a host that was killed: %v", err)
	}
	// The next one of the session takes over the stale socket and offers the run.
	m, q := process(t, o)
	r := m.Do("runs all").(*reply.RunsReply)
	if len(r.Autosaves) != 1 || r.Autosaves[0].Run != "a" || r.Autosaves[0].Iteration < 400 {
		t.Fatalf("autosaves: %+v", r.Autosaves)
	}
	at := r.Autosaves[0].Iteration
	if s := m.Do("recover " + r.Autosaves[0].ID).(*reply.RecoverReply); s.Opened == nil ||
		s.Opened.Iteration != at || s.Opened.Verb != "recover" {
		t.Fatalf("recover: %+v", s)
	}
	// It is the same run: a fresh one with the same changes agrees with it.
	m.Do("open walk rand-50-1 as b seed=5 moves=2 delay=0; step b 300")
	j := m.Do("journal a").(*reply.JournalReply)
	if len(j.Changes) == 0 || j.Changes[0].Name != "moves" || j.Changes[0].Iter != 200 {
		t.Errorf("journal: %v", j)
	}
	m.Do("close b; save a " + o.StateDir + "/a.run")
	if rep := m.Do("replay " + o.StateDir + "/a.run").(*reply.ReplayReply); !rep.Identical ||
		rep.Iteration != at {
		t.Errorf("the recovered run replays: %v", rep)
	}
	_ = q
}

func TestLifeline(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	l, p := process(t, o)
	if _, err := serve.Start(t.Context(), o, "test"); !errors.Is(err, serve.ErrTaken) {
		t.Errorf("a second host of the session: %v", err)
	}
	l.Do("open walk rand-20-1 as a; step a 30; go a")
	p.Close() // as at the end of the process, however that comes
	l.Gone(p)
	if _, err := os.Stat(o.Socket); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
	m, q := process(t, o)
	if r := m.Do("recover").(*reply.RecoverReply); len(r.Autosaves) != 1 ||
		r.Autosaves[0].Iteration < 30 {
		t.Errorf("autosaves: %v", r)
	}
	// Detached, it lives on.
	m.Do("open walk rand-20-1 as b; detach")
	q.Close()
	c := hosttest.Dial(t, o.Socket)
	if !c.Hello().Detached {
		t.Errorf("hello: %+v", c.Hello())
	}
	if _, err := hosttest.Try(t.Context(), c, "step b 5; shutdown discard"); err != nil {
		t.Error(err)
	}
	m.Gone(q)
}

// A run that was opened is listed although nothing was made of it, when the front end that opened
// it is killed, and when a client ends the host, until somebody closes it.
func TestOpenedIsListed(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	l, p := process(t, o)
	l.Do("open walk rand-20-1 as a seed=9 moves=3")
	p.Close() // as at the end of the process, however that comes
	l.Gone(p)
	m, q := process(t, o)
	if a, ok := m.Listed()["a"]; !ok || a.Iteration != 0 || a.Damage != "" {
		t.Fatalf("the front end was killed before the first iteration: %+v, %v", a, ok)
	}
	if r := m.Do("recover a").(*reply.RecoverReply).Opened; r == nil || r.Seed != 9 {
		t.Errorf("recovered: %+v", r)
	}
	m.Do("open walk rand-20-1 as b; set b moves=4; close b; open walk rand-20-1 as c; close c")
	r := m.Do("shutdown").(*reply.ShutdownReply)
	if len(r.Autosaved) != 1 || r.Autosaved[0].Run != "a" {
		t.Errorf("shutdown says %+v", r)
	}
	m.Gone(q)
	n, _ := process(t, o)
	got := n.Listed()
	if len(got) != 2 || got["a"].Closed || !got["b"].Closed {
		t.Errorf("after the end of the host: %+v", got)
	}
	if r := n.Do("recover b").(*reply.RecoverReply).Opened; r == nil ||
		len(n.Do("journal b").(*reply.JournalReply).Changes) != 1 {
		t.Errorf("closed after a change: %+v", r)
	}
	n.Do("recover a; step a 3; step b 3")
}

// A detached host ends when it is idle, and never while a run goes on.
func TestIdle(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	o.Idle = 50 * time.Millisecond
	l := start(t, o)
	l.Do("open walk rand-20-1 as a delay=1; go a; detach") // only now may it end
	l.C.Close()
	l.Until("more iterations, of a millisecond or more each, than it may be idle for", func() bool {
		files, _ := filepath.Glob(o.StateDir + "/autosave/*/*.run")
		if len(files) == 0 {
			return false
		}
		rec, err := record.ReadFile(files[0])
		return err == nil && rec.End > 5*o.Idle.Milliseconds()
	})
	select {
	case err := <-l.Done:
		t.Fatalf("it ended while a run was going on: %v", err)
	default:
	}
	c := hosttest.Dial(t, o.Socket)
	if _, err := hosttest.Try(t.Context(), c, "pause a"); err != nil {
		t.Fatal(err)
	}
	c.Close()
	select {
	case err := <-l.Done:
		if err != nil {
			t.Error(err)
		}
		l.Done <- nil
	case <-time.After(hosttest.Patience):
		t.Error("it does not end")
	}
}

// A disk that is full: the save fails in words, what was saved before stands, and the run
// goes on.
func TestFullDisk(t *testing.T) { // not parallel: the environment is the process's
	t.Setenv(envSmall, "1")
	o := hosttest.Options(t)
	l, p := process(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := l.C.Events(ctx, 0)
	path := o.StateDir + "/a.run"
	l.Do("open walk rand-20-1 as a; step a 5; save a " + path)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	best := l.Do("best a").(*reply.BestReply)
	l.Until("the best to be autosaved", func() bool {
		files, _ := filepath.Glob(o.StateDir + "/autosave/*/a.run")
		if len(files) == 0 {
			return false
		}
		rec, err := record.ReadFile(files[0])
		return err == nil && rec.Best.Iter == best.Found
	})
	for i := range 100 { // changes alone: what is left to be written afterwards is nothing new
		l.Do(fmt.Sprintf("set a moves=%d", i%2+2))
	}
	l.Fails("save a "+path, wire.CodeFile, path, "file too large", "nothing was changed")
	after, err := os.ReadFile(path)
	if err != nil || string(before) != string(after) {
		t.Errorf("the saved record has %d bytes after, %d before (%v)", len(after), len(before), err)
	}
	// That the autosave fails too is said once to everybody, and stands in show.
	alarms := make(chan string, 10)
	go func() {
		defer close(alarms)
		for e, err := range events {
			if err == nil && e.Kind == wire.EventNotice && e.Alarm {
				alarms <- e.Note
			}
		}
	}()
	whole := regexp.MustCompile(`file too large.*; the last whole autosave is of \d\d:\d\d:\d\d, ` +
		`iteration \d+; the run goes on`)
	if got := <-alarms; !strings.HasPrefix(got, "a is not autosaved: write ") ||
		!whole.MatchString(got) {
		t.Errorf("notice: %q", got)
	}
	if s := l.Show("a"); !whole.MatchString(s.Autosave) {
		t.Errorf("the failed autosave in show: %q", s.Autosave)
	}
	l.Do("load " + path + " as b; set b moves=9")
	if s := l.Show("b"); s.Iteration != 5 {
		t.Errorf("what was saved loads at iteration %d, want 5", s.Iteration)
	}
	// A cell that was there before is told with its next answer, once.
	cell, err := wire.Dial(t.Context(), l.O.Socket, wire.WhoCell)
	if err != nil {
		t.Fatal(err)
	}
	defer cell.Close()
	if got := cell.Hello().Alarms; len(got) != 1 || !whole.MatchString(got[0]) {
		t.Errorf("a new cell is told %q", got)
	}
	var told []string
	cell.OnAlarm(func(s string) { told = append(told, s) })
	hear := func() {
		t.Helper()
		if err := cell.Do(t.Context(), "runs", wire.RunsRequest{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if hear(); len(told) != 0 {
		t.Errorf("the cell is told again: %q", told)
	}
	// When there is room again, the run that waits is autosaved in full, and everybody is told.
	if err := syscall.Kill(p.PID, syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	at := l.Show("a").Iteration
	const again = "a is autosaved again, up to iteration "
	if got := <-alarms; got != again+strconv.FormatInt(at, 10) {
		t.Errorf("notice: %q", got)
	}
	if hear(); len(told) != 1 || !strings.HasPrefix(told[0], again) {
		t.Errorf("the cell is told %q", told)
	}
	if s := l.Show("a"); s.Autosave != "" {
		t.Errorf("the autosave in show when there is room: %q", s.Autosave)
	}
	if err := syscall.Kill(p.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	l.Gone(p)
	m, _ := process(t, o)
	if a := m.Listed()["a"]; a.Damage != "" || a.Iteration != at {
		t.Errorf("after it: %+v, want iteration %d", a, at)
	}
	m.Do("recover a")
	if n := len(m.Do("journal a").(*reply.JournalReply).Changes); n != 100 {
		t.Errorf("%d changes are left, want 100", n)
	}
}

// A run whose autosave cannot begin is autosaved from when it can.
func TestAutosaveBeginsLate(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a; step a 3")
	files, _ := filepath.Glob(l.O.StateDir + "/autosave/*/a.run")
	if len(files) != 1 {
		t.Fatal(files)
	}
	notices := l.Notices()
	inTheWay := filepath.Join(filepath.Dir(files[0]), "b.run")
	if err := os.Mkdir(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	l.Do("open walk rand-20-1 as b; step b 7")
	if got := <-notices; !strings.HasPrefix(got, "b is not autosaved: ") ||
		!strings.Contains(got, "nothing of it is on the disk") {
		t.Errorf("notice: %q", got)
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	if got := <-notices; !strings.HasPrefix(got, "b is autosaved again, up to iteration ") {
		t.Errorf("notice: %q", got)
	}
	l.Until("the autosave", func() bool {
		rec, err := record.ReadFile(inTheWay)
		return err == nil && rec.End == 7
	})
}

// Sessions are found by their sockets; those of hosts that died are passed over.
func TestSessionsAreFound(t *testing.T) { // not parallel: the environment is the process's
	dir := hosttest.Folder(t)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	one := start(t, host.Options{
		Session: "one", StateDir: dir + "/state",
		Socket: dir + "/metalab/one.sock",
	})
	two := start(t, host.Options{
		Session: "two", StateDir: dir + "/state",
		Socket: dir + "/metalab/two.sock",
		Title:  func() string { return "course/00_first_steps.ipynb" },
	})
	if err := os.WriteFile(dir+"/metalab/dead.sock", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range wire.Sessions(t.Context()) {
		names = append(names, s.Session+" "+s.Notebook)
	}
	if strings.Join(names, " ") != "one  two course/00_first_steps.ipynb" {
		t.Errorf("sessions: %v", names)
	}
	// A session is found by its notebook's name, too.
	if s, err := wire.FindSession(t.Context(), "00_fi"); err != nil || s != "two" {
		t.Errorf("the session of the notebook is %q: %v", s, err)
	}
	if _, err := wire.FindSession(t.Context(), "11_"); err == nil ||
		!strings.Contains(err.Error(), "there are: one, two (00_first_steps.ipynb)") {
		t.Errorf("the session of no notebook: %v", err)
	}
	if got := one.Do("about").String(); strings.Contains(got, "notebook") {
		t.Errorf("a session without a notebook says %s", got)
	}
	if got := two.Do("about").String(); !strings.Contains(got, "notebook course/00_first_") {
		t.Errorf("the session of a notebook says %s", got)
	}
	two.Do("open walk rand-20-1 as z; step z 3")
	r := one.Do("runs all").(*reply.RunsReply)
	if len(r.Others) != 1 || r.Others[0].Session != "two" || len(r.Others[0].Runs) != 1 ||
		r.Others[0].Runs[0].Iteration != 3 {
		t.Errorf("runs of others: %+v", r.Others)
	}
	c, err := wire.Dial(t.Context(), "two", "")
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}
