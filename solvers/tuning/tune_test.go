package tuning_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	_ "metalab/solvers/ants"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
	"metalab/solvers/tuning"
)

// small is a plan whose units take a millisecond.
func small(m tuning.Method) tuning.Plan {
	return tuning.Plan{
		Setting: experiment.Setting{Solver: "acs", Params: record.Of("ants", 4, "local_search", "none")},
		Space: []tuning.Dimension{
			{Name: "q0", Low: 0, High: 0.99}, {Name: "beta", Values: []record.Value{
				record.Num(1), record.Num(2), record.Num(3),
			}},
		},
		Instances: []string{"rand-60-1", "rand-50-2"}, Seeds: 5, First: 3,
		Budget: record.Budget{Iterations: 4}, Method: m, Trials: 9, Units: 200, Seed: 8,
	}
}

func load(ctx context.Context, name string) (datasets.Instance, error) {
	return datasets.LoadContext(ctx, name)
}

// made counts the units that are made.
func made(n *atomic.Int64) experiment.Options {
	return experiment.Options{
		Load: load, Each: func(experiment.Row) { n.Add(1) },
	}
}

// A tuning is the same again, from nothing, with all results and from the middle on.
func TestTuneIsTheSameAgain(t *testing.T) {
	t.Parallel()
	for _, m := range []tuning.Method{tuning.Random, tuning.Latin, tuning.Halving, tuning.Race} {
		t.Run(string(m), func(t *testing.T) {
			t.Parallel()
			var first, again, rest atomic.Int64
			store := &experiment.Memory{}
			h, err := tuning.Tune(t.Context(), store, "x", small(m), made(&first))
			if err != nil {
				t.Fatal(err)
			}
			if h.Units < 20 || int(first.Load()) != h.Units {
				t.Errorf("%d units, %d were made", h.Units, first.Load())
			}
			if own := h.Trials[0].Made; own < h.Won().Made {
				t.Errorf("the setting as it is was made on %d blocks, the winner on %d", own, h.Won().Made)
			}
			if m == tuning.Race && h.Units > 210 || len(h.Trials) < 8 {
				t.Errorf("%d units of 200 and 10 blocks, %d trials", h.Units, len(h.Trials))
			}
			same, err := tuning.Tune(t.Context(), store, "x", small(m), made(&again))
			if err != nil || again.Load() != 0 || !reflect.DeepEqual(h, same) {
				t.Errorf("again: %d units are made, %v\n%v\nwant\n%v", again.Load(), err, same, h)
			}
			ctx, stop := context.WithCancel(t.Context())
			part := &experiment.Memory{}
			o := made(&rest)
			o.Each = func(experiment.Row) {
				if rest.Add(1) == 15 {
					stop()
				}
			}
			if _, err = tuning.Tune(ctx, part, "x", small(m), o); !errors.Is(err, context.Canceled) {
				t.Fatalf("stopped: %v", err)
			}
			same, err = tuning.Tune(t.Context(), part, "x", small(m), made(&rest))
			if err != nil || int(rest.Load()) != h.Units || !reflect.DeepEqual(h, same) {
				t.Errorf("resumed: %d units are made, want %d; %v\n%v\nwant\n%v", rest.Load(), h.Units,
					err, same, h)
			}
		})
	}
}

// Without exploitation ACS is much worse: a race finds that out and stops making it.
func TestRaceDropsWhatIsWorse(t *testing.T) {
	t.Parallel()
	for _, test := range []string{tuning.FriedmanTest, tuning.TTest} {
		p := small(tuning.Race)
		p.Setting.Params = record.Of("ants", 4, "beta", 2, "local_search", "none")
		p.Space = []tuning.Dimension{{Name: "q0", Values: []record.Value{
			record.Num(0), record.Num(0.1), record.Num(0.9), record.Num(0.95),
		}}}
		p.Test, p.Seeds, p.Budget.Iterations = test, 10, 20
		var n atomic.Int64
		h, err := tuning.Tune(t.Context(), &experiment.Memory{}, "x", p, made(&n))
		if err != nil {
			t.Fatal(err)
		}
		won, _ := h.Won().Values["q0"].Float()
		if won < 0.5 {
			t.Errorf("%s: q0=%v has won", test, won)
		}
		for _, x := range h.Trials {
			if q, _ := x.Values["q0"].Float(); q == 0 && (x.Left || x.Made > h.Won().Made) {
				t.Errorf("%s: q0=0 was made on %d blocks, left: %v", test, x.Made, x.Left)
			}
		}
		line := "open acs/seq rand-60-1 as a ants=4 beta=2 local_search=none q0=0.9"
		if !strings.HasPrefix(h.Line(), line) {
			t.Errorf("line %q", h.Line())
		}
		want := `record.Of("ants", 4, "beta", 2, "local_search", "none", "q0", 0.9`
		if !strings.Contains(h.Preset(), want) {
			t.Errorf("preset %q", h.Preset())
		}
	}
}

// Configurations that the solver does not take are not proposed.
func TestProposalsAreLegal(t *testing.T) {
	t.Parallel()
	p := small(tuning.Random)
	p.Space = []tuning.Dimension{{Name: "storage", Values: []record.Value{
		record.Text("candidates"), record.Text("matrix"), record.Text("nowhere"),
	}}}
	p.Seeds = 1
	var n atomic.Int64
	h, err := tuning.Tune(t.Context(), &experiment.Memory{}, "x", p, made(&n))
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Trials) != 2 {
		t.Errorf("%d trials, want the two that there are", len(h.Trials))
	}
}

func TestTuneRefuses(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*tuning.Plan){
		`method is "best"`: func(p *tuning.Plan) { p.Method = "best" },
		`test is "f"`:      func(p *tuning.Plan) { p.Test = "f" },
		"no parameter":     func(p *tuning.Plan) { p.Space = nil },
		"no instance":      func(p *tuning.Plan) { p.Instances = nil },
		"seeds is 0":       func(p *tuning.Plan) { p.Seeds = 0 },
		"trials is 1":      func(p *tuning.Plan) { p.Trials = 1 },
		"alpha is 2":       func(p *tuning.Plan) { p.Alpha = 2 },
		"beta is fixed at 2 and tuned": func(p *tuning.Plan) {
			p.Setting.Params = record.Of("beta", 2)
		},
		"q0 is tuned twice":              func(p *tuning.Plan) { p.Space[1] = p.Space[0] },
		"q0 is from 0 to 2, want within": func(p *tuning.Plan) { p.Space[0].High = 2 },
		"no parameter colour":            func(p *tuning.Plan) { p.Space[0].Name = "colour" },
		"12 units are too few": func(p *tuning.Plan) {
			p.Method, p.Units = tuning.Race, 12
		},
		"are 2 blocks": func(p *tuning.Plan) { p.Method, p.Seeds = tuning.Race, 1 },
	} {
		p := small(tuning.Random)
		change(&p)
		var n atomic.Int64
		_, err := tuning.Tune(t.Context(), &experiment.Memory{}, "x", p, made(&n))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestImportance(t *testing.T) {
	t.Parallel()
	h := tuning.History{Plan: small(tuning.Random)}
	for i := range 40 {
		q, b := float64(i%8)/8, float64(1+i%3)
		h.Trials = append(h.Trials, tuning.Trial{
			Values: record.Of("q0", q, "beta", b), Mean: 5 - b,
		})
	}
	failed := tuning.Trial{Values: record.Of("q0", 0.5, "beta", 1), Mean: math.Inf(1)}
	h.Trials = append(h.Trials, failed)
	got := h.Importance()
	if got[0].Name != "beta" || math.Abs(got[0].Share-1) > 1e-12 || got[1].Share > 0.2 {
		t.Errorf("importance %v, want all of it beta's", got)
	}
}

// Without a context, or a function that loads instances, a plan is not checked.
func TestNilIsRefused(t *testing.T) {
	p := small(tuning.Race)
	var no context.Context
	for _, err := range []error{p.Check(no, load), p.Check(t.Context(), nil)} {
		if err == nil {
			t.Error("no error")
		}
	}
}
