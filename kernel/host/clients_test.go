package host_test

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"sync"
	"testing"

	"metalab/kernel/host"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/host/serve"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Steps of two clients on one run queue, and each gets exactly its own.
func TestTwoClientsStepExactly(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a")
	var wg sync.WaitGroup
	for range 2 {
		c := hosttest.Dial(t, l.O.Socket)
		wg.Go(func() {
			for range 20 {
				var r reply.StepReply
				if err := c.Do(t.Context(), "step", wire.StepRequest{Run: "a", N: 7}, &r); err != nil ||
					r.Made != 7 {
					t.Errorf("a step of 7: %+v, %v", r, err)
				}
			}
		})
	}
	wg.Wait()
	if got := l.Show("a").Iteration; got != 280 {
		t.Errorf("2 clients made 20 steps of 7 each: iteration %d, want 280", got)
	}
}

func TestCancelWithdrawsOnlyOnesOwn(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a delay=1")
	ctx, cancel := context.WithCancel(t.Context())
	mine := make(chan error, 1)
	go func() { mine <- l.C.Do(ctx, "step", wire.StepRequest{Run: "a", N: 1_000_000}, nil) }()
	l.Until("the first step to begin", func() bool { return l.Show("a").Iteration > 2 })
	other := hosttest.Dial(t, l.O.Socket)
	theirs := make(chan reply.StepReply, 1)
	go func() {
		var r reply.StepReply
		if err := other.Do(t.Context(), "step", wire.StepRequest{Run: "a", N: 20}, &r); err != nil {
			t.Errorf("the other's step: %v", err)
		}
		theirs <- r
	}()
	cancel() // whether the other's waits behind already or not
	if err := <-mine; !errors.Is(err, context.Canceled) {
		t.Errorf("the withdrawn step: %v", err)
	}
	if r := <-theirs; r.Made != 20 {
		t.Errorf("the other's step made %d, want 20", r.Made)
	}
	if s := l.Show("a"); s.State != "paused" {
		t.Errorf("the run is %s, want paused", s.State)
	}
	l.Do("step a 3") // and usable
}

// The end of a step by somebody's pause tells the caller who it was.
func TestPauseSaysWho(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a delay=1")
	done := make(chan error, 1)
	go func() { done <- l.C.Do(t.Context(), "step", wire.StepRequest{Run: "a", N: 1_000_000}, nil) }()
	l.Until("the step to begin", func() bool { return l.Show("a").Iteration > 0 })
	c, err := wire.Dial(t.Context(), l.O.Socket, "cell 3")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := hosttest.Try(t.Context(), c, "pause a"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; wire.CodeOf(err) != wire.CodePaused ||
		!strings.Contains(err.Error(), "paused by cell 3 at iteration") {
		t.Errorf("the step that was paused: %v", err)
	}
}

// A call that is sent twice is carried out once, whether the first is done, under way or
// was withdrawn half done.
func TestSameCallIsCarriedOutOnce(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a")
	q := wire.StepRequest{Run: "a", N: 30}
	one, err := l.C.CallID(t.Context(), "x1", "step", q)
	if err != nil {
		t.Fatal(err)
	}
	two, err := l.C.CallID(t.Context(), "x1", "step", q)
	if err != nil || string(one) != string(two) {
		t.Errorf("the same call again: %s, %v; first %s", two, err, one)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := l.C.CallID(t.Context(), "x2", "step", q); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := l.Show("a").Iteration; got != 60 {
		t.Errorf("iteration %d after two different calls of 30, want 60", got)
	}
	// Withdrawn by a lost connection, and sent again.
	l.Do("set a delay=1")
	q.N = 100
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		l.Until("some of the step", func() bool { return l.Show("a").Iteration > 70 })
		cancel()
	}()
	if _, err := l.C.CallID(ctx, "x3", "step", q); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	l.Do("set a delay=0")
	if _, err := l.C.CallID(t.Context(), "x3", "step", q); err != nil {
		t.Fatal(err)
	}
	if got := l.Show("a").Iteration; got != 160 {
		t.Errorf("iteration %d after a step of 100 that was resumed at about 70, want 160", got)
	}
}

func TestVersions(t *testing.T) { // not parallel: it changes what hosts say
	undo := host.SetProtocol(99)
	defer undo()
	o := hosttest.Options(t)
	ctx, cancel := context.WithCancel(t.Context())
	ready := make(chan struct{})
	o.Ready = func() { close(ready) }
	done := make(chan error, 1)
	go func() { done <- serve.Serve(ctx, o) }()
	<-ready
	_, err := wire.Dial(t.Context(), o.Socket, "")
	var v *wire.VersionError
	if !errors.As(err, &v) || wire.CodeOf(err) != wire.CodeVersion ||
		!strings.Contains(err.Error(), "protocol 1 ") || !strings.Contains(err.Error(), "speaks 99") {
		t.Errorf("dialling a host of protocol 99: %v", err)
	}
	// A client that does not ask first is refused all the same.
	conn, err := net.Dial("unix", o.Socket)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte("POST /v1/do/runs HTTP/1.1\r\nHost: x\r\nX-Metalab-Protocol: " +
		"1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4096)
	n, _ := conn.Read(b)
	conn.Close()
	if s := string(b[:n]); !strings.HasPrefix(s, "HTTP/1.1 426") || !strings.Contains(s, `"version"`) {
		t.Errorf("a request of another protocol: %s", s)
	}
	cancel()
	<-done
}

// Where client and host were compiled from different sources, what they do not understand of
// each other is explained by that, and what they do understand works.
func TestOtherSources(t *testing.T) { // not parallel: the shape is the program's
	l := start(t, hosttest.Options(t))
	ask := func() error { return l.C.Do(t.Context(), "runs", map[string]any{"novelty": 1}, nil) }
	if err := ask(); err == nil || strings.Contains(err.Error(), "other sources") {
		t.Errorf("an unknown field among the same sources: %v", err)
	}
	defer host.SetShape("another")()
	l.C = hosttest.Dial(t, l.O.Socket)
	if err := ask(); err == nil || !strings.Contains(err.Error(), "novelty") ||
		!strings.Contains(err.Error(), "other sources") ||
		!strings.Contains(err.Error(), "kernel install") || strings.Contains(err.Error(), "\n") {
		t.Errorf("an unknown field: %v", err)
	}
	if err := l.C.Do(t.Context(), "frobnicate", nil, nil); err == nil ||
		!strings.Contains(err.Error(), "other sources") {
		t.Errorf("an unknown verb: %v", err)
	}
	l.Do("open walk rand-20-1 as a; step a 3")
	l.Fails("step zz 3", wire.CodeRun, "zz")
}

func TestEvents(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := l.C.Events(ctx, 0)
	l.Do("open walk rand-20-1 as a delay=1; step a 5; set a moves=2; go a")
	l.Until("some iterations", func() bool { return l.Show("a").Iteration > 40 })
	l.Do("pause a; close a")
	var kinds []string
	var change, last uint64
	points := map[int64]bool{}
	for e, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		if e.ID <= last {
			t.Fatalf("event %d after %d", e.ID, last)
		}
		last = e.ID
		switch e.Kind {
		case wire.EventPoint:
			if points[e.Point.Iter] || e.Status.Iteration != e.Point.Iter {
				t.Errorf("point %d again, or with the status of %d", e.Point.Iter, e.Status.Iteration)
			}
			points[e.Point.Iter] = true
			continue
		case wire.EventChange:
			if change == 0 {
				change = e.ID
				if e.Change.Name != "moves" || e.Change.Who != "test" {
					t.Errorf("change: %v", e.Change)
				}
			}
		case wire.EventState:
			if e.Status.State == "paused" && e.Note != "" && e.Note != "paused by test" {
				t.Errorf("paused: %q", e.Note)
			}
		}
		kinds = append(kinds, e.Kind)
		if e.Kind == wire.EventClosed {
			break
		}
	}
	if kinds[0] != wire.EventOpened || change == 0 || len(points) < 2 || len(points) > 45 {
		t.Errorf("events %v, %d points", kinds, len(points))
	}
	// Taken up again after the change: everything from there on, and nothing before.
	for e, err := range l.C.Events(ctx, change) {
		if err != nil {
			t.Fatal(err)
		}
		if e.ID != change+1 {
			t.Errorf("resumed after event %d at %d", change, e.ID)
		}
		break
	}
}

// The host's end ends the streams, and what remains for a client is an error that says
// what to do.
func TestHostEnds(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a; step a 50")
	c := hosttest.Dial(t, l.O.Socket)
	ended := make(chan error, 1)
	events := c.Events(t.Context(), 0)
	go func() {
		var last error
		for _, err := range events {
			last = err
		}
		ended <- last
	}()
	l.End()
	if err := <-ended; wire.CodeOf(err) != wire.CodeHost {
		t.Errorf("the stream ended with %v", err)
	}
	_, err := hosttest.Try(t.Context(), c, "step a 1")
	if wire.CodeOf(err) != wire.CodeHost || !strings.Contains(err.Error(), "recover") {
		t.Errorf("a call after the end: %v", err)
	}
	if _, err := os.Stat(l.O.Socket); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
	// The next host of the state offers the run.
	o := hosttest.Options(t)
	o.StateDir = l.O.StateDir
	m := start(t, o)
	r := m.Do("recover").(*reply.RecoverReply)
	if len(r.Autosaves) != 1 || r.Autosaves[0].Run != "a" || r.Autosaves[0].Iteration != 50 ||
		!r.Autosaves[0].Best.Known() {
		t.Fatalf("autosaves: %+v", r)
	}
	got := m.Do("recover s/a as z; step z 10; show z").(*reply.ShowReply)
	if got.Iteration != 60 || got.Run != "z" {
		t.Errorf("the recovered run: %+v", got)
	}
	if r := m.Do("recover").(*reply.RecoverReply); len(r.Autosaves) != 0 {
		t.Errorf("what was recovered is offered again: %v", r)
	}
	m.Do("shutdown discard")
	if err := <-m.Done; err != nil {
		t.Error(err)
	}
	m.Done <- nil
	n := start(t, o)
	if r := n.Do("recover").(*reply.RecoverReply); len(r.Autosaves) != 0 {
		t.Errorf("after a shutdown that discards: %v", r)
	}
}

// Many autosaves are dropped by one command, which shows first what it would drop.
func TestDropAutosaves(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a; step a 50; open walk rand-20-1 as b; step b 50; open acs " +
		"rand-20-1 as c; step c 2")
	l.End()
	o := hosttest.Options(t)
	o.StateDir = l.O.StateDir
	m := start(t, o)
	listed := func(line string, want int) *reply.RecoverReply {
		t.Helper()
		r := m.Do(line).(*reply.RecoverReply)
		if len(r.Autosaves) != want {
			t.Fatalf("%s: %+v, want %d autosaves", line, r, want)
		}
		return r
	}
	listed("recover", 3)
	listed("recover solver=walk/swap", 2)
	listed("recover solver=acs/alt", 0)
	listed("recover discard older=1h", 0)
	r := listed("recover discard solver=walk", 2)
	if r.Dropped != 0 ||
		!strings.HasSuffix(r.String(),
			"to drop 2 autosaves, which cannot be undone: recover discard solver=walk sure") ||
		!strings.Contains(r.HTML(), "recover discard solver=walk sure") {
		t.Errorf("before anything is dropped: %s", r)
	}
	listed("recover", 3)
	if r = listed("recover discard solver=walk sure", 2); r.Dropped != 2 ||
		r.String() != "dropped 2 autosaves" {
		t.Errorf("%+v", r)
	}
	if left := listed("recover", 1); left.Autosaves[0].Run != "c" {
		t.Errorf("%+v", left)
	}
	for _, line := range []string{
		"recover sure", "recover c discard sure", "recover c older=1d",
		"recover discard as x",
	} {
		m.Fails(line, wire.CodeRequest, "recover")
	}
	m.Fails("recover all discard", wire.CodeRequest, `"all"`, "recover discard")
	listed("recover", 1)
	if r = listed("recover discard older=0.001s sure", 1); r.Dropped != 1 {
		t.Errorf("%+v", r)
	}
	listed("recover", 0)
}

// While an iteration takes long, everything that only looks answers.
func TestLooksDoNotWait(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	// Iteration 3 takes eleven days: what waited for its end would never answer.
	l.Do("open walk rand-20-1 as a; step a 2; set a moves=6 delay=1000000000; go a")
	for range 3 {
		l.Do("show a; journal a; history a; runs; open walk rand-20-1 as a")
		p := l.Do("params a").(*reply.ParamsReply)
		if p.Iteration != 2 || p.State != "running" {
			t.Errorf("iteration %d, %s; want 2, running", p.Iteration, p.State)
		}
		if v := p.Params[0].Value.String(); p.Params[0].Name != "moves" || v != "6" ||
			!p.Params[0].Changed() {
			t.Errorf("params while it runs: %+v", p.Params[0])
		}
	}
	l.Do("pause a")
}

func TestProgress(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := l.C.Events(ctx, 0)
	l.Do("open walk rand-20-1 as a")
	if _, err := l.C.CallID(t.Context(), "r1", "repeat", wire.RepeatRequest{
		Run: "a", Seeds: new(3),
		N: 5,
	}); err != nil {
		t.Fatal(err)
	}
	for e, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == wire.EventProgress && e.Call == "r1" && e.Done == 3 && e.Total == 3 {
			break
		}
	}
}
