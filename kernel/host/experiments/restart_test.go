package experiments_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A host whose GPU fails goes on with experiments in the background: the unit that it failed in is
// a failure, and the others are made. A line that waits gets its table from the next process.
func TestExperimentsOutliveTheirProcess(t *testing.T) {
	t.Parallel()
	l, _ := process(t, hosttest.Options(t))
	told := l.Notice()
	l.Do("experiment e solvers=walk instances=rand-30-1 seeds=1 n=200 delay=1 lose=0,4 background")
	f := "experiment f solvers=walk instances=rand-30-1 seeds=2 n=9"
	if r := l.Do(f).(*reply.ExperimentReply); r.Done != 2 { // it waits for e
		t.Errorf("f: %+v", r.ExperimentInfo)
	}
	select {
	case n := <-told:
		if !strings.Contains(n, "started anew; experiment e goes on") {
			t.Errorf("notice: %q", n)
		}
	case <-time.After(hosttest.Patience):
		t.Error("no notice came")
	}
	stand := func() *reply.ExperimentReply { return l.Do("experiment e").(*reply.ExperimentReply) }
	l.Until("e to be made", func() bool { return stand().Left() == 0 })
	if r := stand(); r.Done != 1 || r.Failed != 1 {
		t.Errorf("e: %+v", r.ExperimentInfo)
	}
	u := l.Do("experiment e failures").(*reply.ExperimentReply)
	if len(u.Of) != 1 || !strings.Contains(u.Of[0].Error, "told to lose the device") {
		t.Errorf("e: %+v", u.Of)
	}
}

// A tuning in the background is answered at once, can be ended, and the same line goes on with it
// and has the same result as without.
func TestTuneInTheBackground(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-60-1 as a seed=3 moves=5")
	tune := func(more string) *reply.TuneReply {
		t.Helper()
		return l.Do("tune a moves=1,2,40,60 n=20 units=60 seeds=8 " + more).(*reply.TuneReply)
	}
	stand := func(name string) *reply.ExperimentReply {
		t.Helper()
		return l.Do("experiment " + name).(*reply.ExperimentReply)
	}
	want := tune("as w")
	r := tune("as t background")
	if !r.Background || r.Name != "t" || !strings.Contains(r.String(), "experiment t pause ends it") {
		t.Errorf("%+v: %s", r, r)
	}
	l.Until("t to end", func() bool { return stand("t").Done == want.Units && !stand("t").Going })
	if r := tune("as t"); r.Made != 0 || r.Line != want.Line {
		t.Errorf("%+v, want %s", r, want.Line)
	}
	l.Fails("tune a moves=1..2 n=5 units=4 background", "request", "4 units are too few")

	l.Do("open walk rand-60-1 as b moves=5 delay=5")
	b := "tune b moves=1,2 n=30000 method=random trials=3 seeds=3 as u"
	l.Do(b + " background")
	told := l.Notice()
	if x := l.Do("experiment u pause").(*reply.ExperimentReply); x.Going {
		t.Errorf("%+v", x.ExperimentInfo)
	}
	select {
	case n := <-told:
		if !strings.Contains(n, "the line that began it goes on") {
			t.Errorf("notice: %q", n)
		}
	case <-time.After(hosttest.Patience):
		t.Error("no notice came")
	}
	if r := l.Do(b).(*reply.TuneReply); r.Units < 3 || r.Winner == 0 {
		t.Errorf("%+v", r)
	}
}

// What an experiment has left or what failed is made by again alone, too.
func TestExperimentAgain(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("experiment e solvers=walk instances=rand-30-1 seeds=2 n=9 fail=0,4")
	r := l.Do("experiment e again").(*reply.ExperimentReply)
	if r.Made != 2 || r.Failed != 2 || !strings.Contains(r.String(), "; 2 now") {
		t.Errorf("%+v: %s", r.ExperimentInfo, r)
	}
	if r := l.Do("experiment e").(*reply.ExperimentReply); r.Made != 0 {
		t.Errorf("the table alone made %d units", r.Made)
	}
	l.Do("experiment f solvers=walk instances=rand-30-1 seeds=1 n=9")
	if r := l.Do("experiment f again").(*reply.ExperimentReply); r.Note != "no unit has failed" {
		t.Errorf("%s", r)
	}
}

// A prompt that starts anew says what is left, and who only asks for the list makes no file.
func TestUnfinishedExperiments(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	l := start(t, o)
	l.Do("experiment")
	if _, err := os.Stat(filepath.Join(o.StateDir, "experiments.sqlite")); err == nil {
		t.Error("a list of nothing made a file")
	}
	onDevice(t, o.StateDir)
	now := time.Now()
	r := l.Do("experiment").(*reply.ExperimentReply)
	want := "experiment e: 1 of 10 units left; experiment e go goes on, experiment lists"
	if got := r.Unfinished(now.Add(-time.Hour)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := r.Unfinished(now.Add(time.Hour)); got != "" {
		t.Errorf("an old one: %q", got)
	}
	if !strings.Contains(r.String(), "1 left") {
		t.Errorf("%s", r)
	}
}

// A tuning in the background goes on after a GPU's failure.
func TestTuningsOutliveTheirProcess(t *testing.T) {
	t.Parallel()
	l, _ := process(t, hosttest.Options(t))
	told := l.Notice()
	l.Do("open walk rand-30-1 as a moves=5; open walk rand-30-1 as b lose=2")
	l.Do("tune a moves=1,2 n=1000000000 method=random trials=3 seeds=3 as t background")
	l.Fails("step b 5", wire.CodeFailed, "told to lose the device")
	select {
	case n := <-told:
		if !strings.Contains(n, "runs a, b were reloaded; experiment t goes on") {
			t.Errorf("notice: %q", n)
		}
	case <-time.After(hosttest.Patience):
		t.Error("no notice came")
	}
	if r := l.Do("experiment t").(*reply.ExperimentReply); !r.Going || !r.Background {
		t.Errorf("%+v", r.ExperimentInfo)
	}
	if r := l.Do("experiment t pause").(*reply.ExperimentReply); r.Going {
		t.Errorf("%+v", r.ExperimentInfo)
	}
}

// Who waits for an experiment while a run's GPU fails has the result of the next process, not the
// run's error.
func TestExperimentWhileARunFails(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	l, _ := process(t, o)
	l.Do("open walk rand-30-1 as b lose=2")
	l.Do("experiment f solvers=walk instances=rand-30-1 seeds=1 n=5")
	other := hosttest.Dial(t, o.Socket)
	made := make(chan *reply.ExperimentReply, 1)
	go func() {
		var r reply.ExperimentReply
		seeds := 3
		q := wire.ExperimentRequest{
			Name: "e", Solvers: "walk", Instances: "rand-30-1", Seeds: &seeds, N: 300,
			Params: record.Of("delay", 2),
		}
		if err := other.Do(t.Context(), "experiment", q, &r); err != nil {
			t.Errorf("the experiment: %v", err)
		}
		made <- &r
	}()
	l.Until("e to be made", func() bool {
		for _, x := range l.Do("experiment").(*reply.ExperimentReply).List {
			if x.Name == "e" && x.Going {
				return true
			}
		}
		return false
	})
	l.Fails("step b 5", wire.CodeFailed, "told to lose the device")
	if r := <-made; r.Done != 3 || r.Failed != 0 {
		t.Errorf("e: %+v", r.ExperimentInfo)
	}
}
