package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// grows is the session of hosts that lack the verb workers, which the program has that they become.
const grows = "grows"

// growing makes this process a host that grows where a test started it as that.
func growing() {
	var o host.Options
	if json.Unmarshal([]byte(os.Getenv("METALAB_HOST")), &o) != nil || o.Session != grows {
		return
	}
	host.Furnish("held", func(h *host.Host) (struct{}, host.Hooks) {
		return struct{}{}, host.Hooks{Holds: func() string {
			b, _ := os.ReadFile(filepath.Join(h.Options().StateDir, "held")) // most tests have none
			return string(b)
		}}
	})
	if os.Getenv("METALAB_HANDOFF") == "" {
		host.HandleGrowth(itself{o.StateDir})
		return
	}
	host.Handle("workers", func(*host.Call, *wire.WorkersRequest) (*reply.WorkersReply, error) {
		return &reply.WorkersReply{Verb: "workers", Workers: []reply.Worker{}}, nil
	})
}

// itself is this program as the whole one.
type itself struct{ state string }

// Compile implements host.Whole. It fails where a file says so.
func (w itself) Compile(_ context.Context, say func(done, total int64)) (string, error) {
	say(1, 2)
	if b, err := os.ReadFile(filepath.Join(w.state, "broken")); err == nil {
		return "", errors.New(string(b))
	}
	return os.Executable()
}

// growOptions are those of a host that grows.
func growOptions(t *testing.T) host.Options {
	o := hosttest.Options(t)
	o.Session = grows
	return o
}

// What is recorded of a run does not depend on whether its host grew meanwhile: neither of one that
// goes on, with limits or without, nor of a step under way, nor of one that stands.
func TestAGrowthLeavesNoTrace(t *testing.T) {
	t.Parallel()
	opened := "open walk rand-50-1 as a seed=5 moves=2; step a 20; set a moves=3; step a 20; " +
		"open walk rand-50-1 as b seed=6 moves=2 delay=2; open walk rand-30-1 as c delay=1; " +
		"open walk rand-30-1 as d delay=1"
	l, p := process(t, growOptions(t))
	l.Do(opened + "; go c 700; go d")
	stepped := make(chan *reply.StepReply, 1)
	other := hosttest.Dial(t, l.O.Socket)
	go func() {
		var r reply.StepReply
		if err := other.Do(t.Context(), "step", wire.StepRequest{Run: "b", N: 300}, &r); err != nil {
			t.Errorf("the step of b: %v", err)
		}
		stepped <- &r
	}()
	l.Until("b to step", func() bool { return l.Show("b").Iteration >= 20 })
	if lacks := l.C.Hello().Lacks; !slices.Contains(lacks, "workers") {
		t.Errorf("the host says that it lacks %v", lacks)
	}
	at := l.Show("d").Iteration
	if r := l.Do("workers").(*reply.WorkersReply); r.Verb != "workers" {
		t.Errorf("workers: %+v", r)
	}
	if r := <-stepped; r.Iteration != 300 || r.Made != 300 {
		t.Errorf("the step of b made %d iterations and ended at %d, want 300", r.Made, r.Iteration)
	}
	l.Until("d to go on", func() bool {
		s := l.Show("d")
		return s.State == "running" && s.Iteration > at+20
	})
	l.Until("c to end", func() bool { return l.Show("c").State == "paused" })
	l.Do("step a 20; set a moves=4; step a 5")
	select {
	case <-p.Ended():
		t.Error("the process ended")
	default:
	}

	still := start(t, hosttest.Options(t))
	still.Do(opened + "; go c 700; step b 300; step a 20; set a moves=4; step a 5")
	still.Until("c to end", func() bool { return still.Show("c").State == "paused" })
	for _, run := range []string{"a", "b", "c"} {
		file := filepath.Join(l.O.StateDir, run+".run")
		other := filepath.Join(l.O.StateDir, run+"-still.run")
		l.Do("save " + run + " " + file)
		still.Do("save " + run + " " + other)
		if r := l.Do("replay " + file).(*reply.ReplayReply); !r.Identical {
			t.Errorf("%s replays: %v", run, r)
		}
		got, want := untimed(t, file), untimed(t, other)
		if got != want {
			t.Errorf("%s: the record is\n%s\nand without a growth\n%s", run, got, want)
		}
	}
	for _, c := range l.Do("journal d").(*reply.JournalReply).Changes {
		if c.Kind == record.KindStop {
			t.Errorf("the journal of d tells a stop: %+v", c)
		}
	}
}

// untimed is the record in a file but for clocks, names of files and times of entries.
func untimed(t *testing.T, file string) string {
	t.Helper()
	rec, err := record.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rec.Points {
		rec.Points[i].Wall, rec.Points[i].CPU = 0, 0
	}
	for i := range rec.Journal {
		rec.Journal[i].At = time.Time{}
	}
	h := rec.Header
	h.StartedAt, h.Maker, h.Build = time.Time{}, nil, ""
	b, err := json.Marshal(struct {
		H any
		P []record.Point
		J []record.Change
		E int64
	}{h, rec.Points, rec.Journal, rec.End})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A host does not grow for a line that is wrong, nor where it cannot, and then goes on as it is.
func TestAGrowthIsRefused(t *testing.T) {
	t.Parallel()
	o := growOptions(t)
	l, _ := process(t, o)
	l.Do("open walk rand-30-1 as a; step a 5; go a")
	broken := filepath.Join(o.StateDir, "broken")
	if err := os.WriteFile(broken, []byte("there is no Go here"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.Fails("workers", wire.CodeRequest, "workers: there is no Go here")
	if s := l.Show("a"); s.State != "running" {
		t.Errorf("a is %s", s.State)
	}
	held := filepath.Join(o.StateDir, "held")
	if err := os.Rename(broken, held); err != nil {
		t.Fatal(err)
	}
	l.Fails("workers", wire.CodeRequest, "workers: another process", "there is no Go here")
	if err := os.Remove(held); err != nil {
		t.Fatal(err)
	}
	l.Do("pause a; step a 10")
	folder := filepath.Join(o.StateDir, "autosave")
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l.Do("step a 10")
	l.Fails("workers", wire.CodeRequest, "workers: another process", "a is not autosaved")
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	at := l.Show("a").Iteration
	l.Do("workers")
	if s := l.Show("a"); s.Iteration != at {
		t.Errorf("a is at iteration %d, was at %d", s.Iteration, at)
	}
}

// A host within another program has no process that could become another one.
func TestAGuestHostDoesNotGrow(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Fails("workers", wire.CodeVerb, `there is no verb "workers"`)
}
