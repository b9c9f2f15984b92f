package experiments_test

import (
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A tuning finds what is better, makes nothing twice, and its units are an experiment.
func TestTune(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-60-1 as a seed=3 moves=5")
	l.Fails("tune a moves=1,2", wire.CodeRequest, "a has made no iteration")
	line := "tune a moves=1,2,40,60 n=20 units=60 seeds=8 instances=rand-60-1,rand-60-2 as t"
	r := l.Do(line).(*reply.TuneReply)
	if r.Name != "t" || r.Units < 20 || r.Units > 60+16 || r.Made != r.Units || len(r.Trials) != 5 {
		t.Fatalf("%+v", r)
	}
	best := r.Trials[0]
	if best.Number != r.Winner || !best.Left ||
		best.Values != "moves=40" && best.Values != "moves=60" {
		t.Errorf("%+v has won", best)
	}
	if !strings.HasPrefix(r.Line, "open walk/") || !strings.HasSuffix(r.Line, best.Values) {
		t.Errorf("line %q", r.Line)
	}
	if !strings.HasPrefix(r.Line, "open walk/") || !strings.Contains(r.Line, " rand-60-1 as a ") {
		t.Errorf("line %q", r.Line)
	}
	other := l.Do("tune a moves=1,60 n=20 seeds=5 instances=rand-60-2 as other").(*reply.TuneReply)
	if !strings.Contains(other.Line, " rand-60-1 as a ") {
		t.Errorf("the line opens another instance than the run's: %q", other.Line)
	}
	same := l.Do("tune a size=1,2 n=5 seeds=5 method=latin trials=3 as same").(*reply.TuneReply)
	if !strings.Contains(same.String(), "importance: nothing differs") {
		t.Errorf("equal trials: %s", same)
	}
	for _, x := range r.Trials {
		if x.Number == 1 && x.Values != "moves=5" {
			t.Errorf("the run has moves=5, and the trial that is called its own %s", x.Values)
		}
	}
	l.Do("open walk rand-60-1 as b seed=3 moves=5 size=2")
	for line, want := range map[string]string{
		"tune a moves=1,2 n=9 as t":                     "t has units of 20 iterations each, not 9 iter",
		"tune b moves=1,2 n=20 as t":                    "t has units with size=0, not 2: take another",
		"tune a size=1,2 n=20 instances=rand-60-1 as t": "t has units with moves=",
	} {
		l.Fails(line, wire.CodeRequest, want, "take another name, as=…")
	}
	if len(r.Importance) != 1 || r.Importance[0].Name != "moves" {
		t.Errorf("importance %+v", r.Importance)
	}
	again := l.Do(line).(*reply.TuneReply)
	if again.Made != 0 || again.Winner != r.Winner || again.Units != r.Units {
		t.Errorf("again: %+v", again)
	}
	if x := l.Do("experiment t").(*reply.ExperimentReply); x.Done != r.Units {
		t.Errorf("%d units are kept, want %d", x.Done, r.Units)
	}
	for _, line := range []string{"chart t parallel", "chart t importance rand-60-2"} {
		if p := l.Do(line).(*reply.PlotReply); !strings.Contains(string(p.Data), "</svg>") {
			t.Errorf("%s: %s", line, p.Mime)
		}
	}
	for line, want := range map[string]string{
		"tune a moves=1..x n=5":         "want a range",
		"tune a moves=7 n=5":            "moves=7 is one value, want a range, as 1..9,",
		"tune a colour=1..2 n=5":        "a has no parameter colour; there are ",
		"tune a moves=1..2 n=5 units=4": "4 units are too few",
		"tune a moves=1..9 budget=40": "a has no parameter budget; there are fail, lose, moves, size; " +
			"and tune itself takes instances, seeds, n, evaluations, wall, cpu, method, units, trials, " +
			"test, seed, as, background",
		"sweep a moves=1,2 budget=40": "a has no parameter budget; there are fail, lose, moves, size; " +
			"and sweep itself takes instances,",
		"tune a moves=1..2 n=5 method=latin trials=1": "trials is 1",
		"tune a moves=1..2 n=5 on=gpu":                "tune: on is gpu, want cpu or cuda",
		"tune a moves=1..2 n=5 on=cuda":               "fork a as <name> on=cuda, and tune that",
	} {
		l.Fails(line, wire.CodeRequest, want)
	}
	h := l.Do("tune a moves=1..60:log n=5 method=halving trials=6 seeds=3").(*reply.TuneReply)
	if !strings.HasPrefix(h.Name, "tune-walk-moves-") || len(h.Trials) != 6 || h.Units >= 18 {
		t.Errorf("%+v", h)
	}
}
