package lab_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"metalab/kernel/host"
	_ "metalab/kernel/host/rooms" // its verbs and algorithms
	"metalab/kernel/host/serve"
	"metalab/kernel/lab"
	"metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

func TestMain(m *testing.M) {
	// The client of NATS v1.55.0 may leave one behind: solvers/experiment/stream's chaos_test.go.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction(
		"github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}

// session starts a host in this process and makes it lab's. The tests of this package are
// not parallel, for the session is the process's.
func session(t *testing.T) (dir string) {
	t.Helper()
	return sessionWith(t, host.Options{})
}

// sessionWith is session with more options.
func sessionWith(t *testing.T, o host.Options) (dir string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "ml")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	o.Session, o.Socket, o.StateDir, o.Ready = "s", dir+"/r/s.sock", dir+"/state",
		func() { close(ready) }
	go func() { done <- serve.Serve(ctx, o) }()
	select {
	case <-ready:
	case err := <-done:
		cancel()
		t.Fatal(err)
	}
	t.Setenv(wire.EnvSession, o.Socket)
	t.Chdir(dir)
	t.Cleanup(func() {
		lab.Client().Close()
		front.Set(front.Front{})
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return dir
}

// One line steps, starts and pauses several runs.
func TestSeveral(t *testing.T) {
	session(t)
	pr := lab.Load("rand-40-1")
	a, b := lab.Open("a", "as", pr), lab.Open("b", "as", pr, lab.Seed(2))
	if rs := lab.Step(5, a, b); len(rs) != 2 || !strings.Contains(rs.String(), "a: iteration 5,") ||
		!strings.Contains(rs.String(), "\nb: iteration 5,") {
		t.Errorf("Step: %v", rs)
	}
	if rs := lab.StepUntil("iteration=8", b, a); len(rs) != 2 ||
		!strings.HasPrefix(rs.String(), "b: iteration 8,") {
		t.Errorf("StepUntil: %v", rs)
	}
	lab.Go(a, b)
	a.GoUntil("iteration=1000000000")
	if rs := lab.Pause(a, b); strings.Count(rs.String(), "paused") != 2 {
		t.Errorf("Pause: %v", rs)
	}
	if rs, ok := lab.Do("show a b").(reply.Replies); !ok || len(rs) != 2 {
		t.Errorf("show a b: %v", rs)
	}
	err := lab.Try(func() { lab.Do("plot zz") })
	if err == nil || !strings.Contains(err.Error(), `"zz" is no open run`) {
		t.Errorf("plot zz: %v", err)
	}
	if err := lab.Try(func() { lab.Step(3) }); err == nil ||
		!strings.Contains(err.Error(), "which run?") {
		t.Errorf("no run: %v", err)
	}
}

// What the design says that people type.
func TestWhatPeopleType(t *testing.T) {
	dir := session(t)
	pr := lab.Load("E1k.0")
	a := lab.Open("a", "acs", pr, lab.Seed(42), lab.Preset("paper"),
		lab.With("ants", 16, "local_period", 4))
	a.Step(3)
	if r := a.Set("q0", 0.9); len(r.Changes) != 1 {
		t.Errorf("set: %v", r)
	}
	a.Go()
	go func() {
		for at := int64(0); at < 10; {
			at = a.Show().Iteration
		}
		a.Pause()
	}()
	lab.Watch(a)
	b := a.Fork("b")
	b.Set("q0", 0.5)
	a.Step(2)
	b.Step(2)
	if r := lab.Compare(a, b); len(r.Sides) != 2 || r.Note == "" {
		t.Errorf("compare: %v", r)
	}
	a.Save("a.run")
	if r := lab.Replay("a.run"); !r.Identical || r.Path != "a.run" {
		t.Errorf("replay: %v", r)
	}
	false1, err := os.ReadFile("a.run")
	if err != nil {
		t.Fatal(err)
	}
	false1 = bytes.Replace(false1, []byte(`"mean":`), []byte(`"mean":1`), 1)
	if err := os.WriteFile("false.run", false1, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := lab.Try(func() { lab.Do("replay false.run") }); err == nil ||
		!strings.Contains(err.Error(), "differs from the record, first at iteration 1: mean") {
		t.Errorf("a line that replays a false record: %v", err)
	}
	if r := lab.Do("replay false.run differs").(*reply.ReplayReply); r.Identical {
		t.Errorf("a false record: %v", r)
	}
	again := lab.Open("a", "acs", pr, lab.Seed(42), lab.Preset("paper"),
		lab.With("ants", 16, "local_period", 4))
	if again.Show().Iteration != a.Show().Iteration {
		t.Error("a cell that is run again does not attach to its run")
	}
	c := lab.LoadRun("a.run", "c")
	if d := lab.Diff("a", "c"); !d.Identical {
		t.Errorf("diff: %v", d)
	}
	if d := lab.Diff("a.run", "c"); !d.Identical {
		t.Errorf("diff of a record and a run: %v", d)
	}
	if r := c.StepFor(time.Millisecond); r.Made == 0 {
		t.Errorf("StepFor: %v", r)
	}
	if r := c.StepUntil("gap<1000"); r.Made != 0 {
		t.Errorf("StepUntil: %v", r)
	}
	if p := a.Plot("curve"); !strings.Contains(p.HTML(), "<svg") {
		t.Errorf("plot: %.80s", p.HTML())
	}
	both := lab.Plot("best tour x=cpu title='two runs' size=16cmx8cm", a, b)
	if html := both.HTML(); !strings.Contains(html, "two runs") ||
		!strings.Contains(html, "CPU time (s)") ||
		!strings.Contains(html, `width="453.54pt"`) || both.Figure != "best,tour" {
		t.Errorf("several figures: %s, %.200s", both.Figure, html)
	}
	a.PlotTo("x.svg", "tour")
	if _, err := os.Stat("x.svg"); err != nil {
		t.Error(err)
	}
	if n := len(a.Solution().Perm); n != 1000 || a.Array("tour").Len() != n {
		t.Errorf("a solution of %d cities", n)
	}
	if lab.Get("b").Name() != "b" || len(lab.Runs().Runs) != 3 {
		t.Error("runs:", lab.Runs())
	}
	if r := lab.Repeat(b, 2, 2); len(r.Results) != 2 {
		t.Errorf("repeat: %v", r)
	}
	if r, ok := lab.Do("step b 1").(*reply.StepReply); !ok || r.Made != 1 {
		t.Errorf("a line: %v", r)
	}
	for _, s := range []interface {
		String() string
		HTML() string
	}{
		pr, a, a.Show(), a.Params(), a.Best(), a.History(), a.Journal(), lab.Runs(),
		lab.Instances("E1k"), lab.Solvers(""), lab.Devices(),
	} {
		if s.String() == "" || s.HTML() == "" {
			t.Errorf("%T prints nothing", s)
		}
	}
	for what, h := range map[string]string{"instance": pr.HTML(), "run": a.HTML()} {
		if !strings.Contains(h, "<img ") || strings.Contains(h, dir) {
			t.Errorf("the card of the %s: %.200s", what, h)
		}
	}
	if !strings.Contains(a.String(), "iteration") {
		t.Errorf("the card of a run: %s", a)
	}
	c.Close()
}

func TestErrors(t *testing.T) {
	session(t)
	a := lab.Open("a", "as", lab.Load("rand-40-1"))
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"no instance", func() { lab.Open("a", "acs", nil) }},
		{"nosuchinstance", func() { lab.Load("nosuchinstance") }},
		{"names and values", func() { lab.With("ants") }},
		{"want the name", func() { lab.With(1, 2) }},
		{"[]int", func() { lab.With("ants", []int{1}) }},
		{"no run \"zz\"", func() { lab.Get("zz") }},
		{"is nil", func() { lab.Compare(nil, nil) }},
		{"which run", func() { lab.Watch() }},
		{"no argument", func() { a.Plot("best y=cpu") }},
		{"x is", func() { a.Plot("best x=tme") }},
		{"no verb", func() { lab.Do("frob") }},
	} {
		err := lab.Try(c.f)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with %q", err, c.want)
		}
	}
	if err := lab.Try(func() { lab.Runs() }); err != nil {
		t.Error(err)
	}
}

// What is not open any more is pointed to, and opened as it stood.
func TestRecover(t *testing.T) {
	session(t)
	a := lab.Open("a", "acs", lab.Load("rand-50-1"), lab.With("ants", 4))
	a.Step(7)
	a.Set("q0", 0.5)
	a.Close()
	err := lab.Try(func() { lab.Get("a") })
	if err == nil || !strings.Contains(err.Error(), `saved: a, iteration 7, closed `) ||
		!strings.HasSuffix(err.Error(), `ago: recover a`) {
		t.Errorf("a run that was closed: %v", err)
	}
	if b := lab.Recover("a", "b"); b.Name() != "b" || b.Show().Iteration != 7 ||
		len(b.Journal().Changes) != 1 {
		t.Errorf("the run that was recovered: %s, %s", b.Show().Line(), b.Journal())
	}
	for _, f := range []func(){func() { lab.Recover("a") }, func() { lab.Recover("") }} {
		if err := lab.Try(f); err == nil || !strings.Contains(err.Error(), "ecover") {
			t.Errorf("recovered what is not there: %v", err)
		}
	}
}

func TestInterrupt(t *testing.T) {
	session(t)
	a := lab.Open("a", "acs", lab.Load("E1k.0"), lab.With("ants", 4))
	ctx, cancel := context.WithCancel(t.Context())
	front.Set(front.Front{Client: lab.Client(), Context: func() context.Context { return ctx }})
	go func() {
		for at := int64(0); at == 0; {
			at = a.Show().Iteration
		}
		cancel()
	}()
	err := lab.Try(func() { a.Step(100_000_000) })
	var e *lab.Error
	if ok := asError(err, &e); !ok || e.Code != wire.CodeCanceled ||
		!strings.Contains(e.Message, "interrupted; a: iteration") {
		t.Errorf("an interrupted step: %v", err)
	}
	ctx = t.Context()
	if r := a.Step(2); r.Made != 2 || r.State != "paused" {
		t.Errorf("a step after it: %+v", r)
	}
}

func asError(err error, e **lab.Error) bool {
	var ok bool
	*e, ok = err.(*lab.Error)
	return ok
}

func TestNoSession(t *testing.T) {
	t.Setenv(wire.EnvSession, "")
	err := lab.Try(func() { lab.Runs() })
	if err == nil || !strings.Contains(err.Error(), "the prompt opens one") {
		t.Errorf("without a session: %v", err)
	}
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv(wire.EnvSession, "nobody")
	err = lab.Try(func() { lab.Runs() })
	if err == nil || !strings.Contains(err.Error(), "no session nobody") {
		t.Errorf("with the name of none: %v", err)
	}
}

// Cells link lab each time they run, so what it needs is kept small.
func TestDependencies(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", "metalab/kernel/lab").Output()
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{
		"metalab/kernel/lab": true, "metalab/kernel/lab/front": true,
		"metalab/kernel/lab/internal/serve": true,
		"metalab/kernel/wire":               true, "metalab/kernel/reply": true,
		"metalab/kernel/words":   true,
		"metalab/solvers/record": true, "metalab/solvers/arith": true,
		"metalab/solvers/fault": true, "metalab/kernel/internal/written": true,
		"metalab/gpu/cuda": true, // the T of kernels in Go, which needs the standard library alone
	}
	for _, p := range strings.Fields(string(out)) {
		first, _, _ := strings.Cut(p, "/")
		switch {
		case p == "net", strings.HasPrefix(p, "net/"), p == "runtime/cgo", p == "crypto/rand", p == "C":
			t.Errorf("lab links %s", p)
		case strings.HasPrefix(p, "metalab/") && !own[p]:
			t.Errorf("lab links %s, want of metalab only wire, reply, words, written, record, arith, fault "+
				"and cuda",
				p)
		case strings.Contains(first, "."):
			t.Errorf("lab links %s, want the standard library only", p)
		}
	}
}

// Who names the figure first is told the order.
func TestPlotToTheOtherWayRound(t *testing.T) {
	session(t)
	a := lab.Open("a", "acs", lab.Load("rand-50-1"), lab.With("ants", 4))
	a.Step(2)
	err := lab.Try(func() { a.PlotTo("tour", "a.png") })
	if err == nil || err.Error() != `plot: the path comes first: PlotTo("a.png", "tour")` {
		t.Errorf("arguments the other way round: %v", err)
	}
	file := filepath.Join(t.TempDir(), "a.png")
	a.PlotTo(file, "tour")
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}
