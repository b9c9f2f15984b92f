package host_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/wave"
)

// tunedWalk is a walk whose tuner is made up.
type tunedWalk struct{ *hosttest.Walk }

func (w *tunedWalk) Waves() []solvers.Wave {
	if w.Best() == math.Inf(1) {
		return nil
	}
	of := func(block int) wave.Config { return wave.Config{Threads: 6400, Block: block} }
	return []solvers.Wave{
		{What: "walk", Tuned: true, Config: of(64), Trials: []wave.Trial{
			{Config: of(32), Times: []time.Duration{3e6, 2e6}, Median: 2e6},
			{Config: of(64), Times: []time.Duration{1e6, 1e6}, Median: 1e6},
			{Config: of(96), Err: errors.New("too many resources")},
		}},
		{What: "search", Config: of(128)},
	}
}

func init() {
	solvers.Register(solvers.Variant{
		Solver: "tunedwalk", Name: "one", Backend: "cpu", Revision: 1, Default: true, Deterministic: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Title: "exchanges with a tuner",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			return &tunedWalk{hosttest.NewWalk(inst)}, nil
		},
	})
}

func TestWaves(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open tunedwalk rand-20-1 as a")
	if w := l.Do("waves a").(*reply.WavesReply); len(w.Waves) != 0 ||
		!strings.Contains(w.String(), "nothing was launched yet") {
		t.Errorf("before the first iteration: %v", w)
	}
	w := l.Do("step a 3; waves a").(*reply.WavesReply)
	if len(w.Waves) != 2 || len(w.Waves[0].Trials) != 3 || w.Iteration != 3 {
		t.Fatalf("%+v", w)
	}
	lines := strings.Split(w.String(), "\n")
	for i, want := range [][]string{
		{"what", "threads", "median"},
		{"walk", "6400", "32", "2", "2ms"},
		{"1ms", "chosen"},
		{"96", "too many resources"},
		{"search", "128", "as asked for"},
	} {
		for _, word := range want {
			if i >= len(lines) || !strings.Contains(lines[i], word) {
				t.Errorf("line %d does not say %q:\n%s", i, word, w)
			}
		}
	}
	if html := w.HTML(); !strings.Contains(html, "chosen") {
		t.Errorf("HTML %s", html)
	}
	if !strings.Contains(w.String(), "on the cpu a thread is a share") ||
		!strings.Contains(w.HTML(), "on the cpu a thread is a share") {
		t.Errorf("what a thread is on the cpu is not said:\n%s", w)
	}
	for _, c := range []struct{ open, want string }{
		{
			"open mmas rand-100-1 as m variant=wrs ants=4; step m 1; waves m",
			"this run is on the cpu, where nothing is launched or tuned: all cores share the work (on a " +
				"GPU: fork it with on=cuda)",
		},
		{
			"open ga rand-100-1 as g; step g 1; waves g",
			"nothing is launched or tuned: all cores share the work (on a GPU: fork it with on=cuda)",
		},
		{
			"open anneal tai10a as n; step n 1; waves n",
			"this run is on the cpu, where nothing is launched or tuned",
		},
		{"open tabu tai10a as t; waves t", "nothing was launched yet: step it first"},
		{"open tabu tai25a as u; step u 5; waves u", "nothing of it is tuned"},
		{
			"open tabu tai40a as v wave=512; step v 2; waves v",
			"nothing of it is tuned: wave=512 says to how many threads a neighbourhood is dealt out",
		},
		{"open tabu tai40a as x trials=0; step x 2; waves x", "trials=0, the tuner is off"},
		{
			"open tabu tai40a as y walks=3; step y 2; waves y",
			"each of the 3 walks goes to one worker whole",
		},
	} {
		w := l.Do(c.open).(*reply.WavesReply)
		if len(w.Waves) != 0 || !strings.Contains(w.String(), c.want) ||
			!strings.Contains(w.HTML(), c.want) {
			t.Errorf("%s: %s, want %q", c.open, w, c.want)
		}
		if fork := "fork it with on=cuda"; strings.Contains(c.want, fork) !=
			strings.Contains(w.String(), fork) {
			t.Errorf("%s: %s, want no more than %q", c.open, w, c.want)
		}
	}
	l.Fails("waves nobody", wire.CodeRun, "nobody")
}
