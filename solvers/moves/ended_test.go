package moves_test

import (
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// A run whose climbs are made is over: it makes no more iterations until it is given more.
func TestClimbsEnd(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, solver := range []string{"hill", "vnd"} {
		for _, begin := range []string{"random", "kick"} {
			cfg := solvers.Config{
				Solver: solver, Instance: taillard(t, 9), Seed: 1, Params: record.Values{
					"restarts": record.Num(4), "walks": record.Num(2), "begin": record.Text(begin),
					"scans": record.Num(3),
				},
			}
			open := func() *solvers.Run {
				r, err := solvers.Open(cfg)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(r.Close)
				return r
			}
			a, b := open(), open()
			why, err := a.StepUntil(ctx, -1, nil)
			if err != nil || why != "all 10 climbs are made" {
				t.Fatalf("%s: stopped: %q, error %v", solver, why, err)
			}
			end := a.Last()
			if end.Measures[2] == 0 || end.Measures[3] != 5 {
				t.Errorf("%s: the last iteration ended %v climbs, %v are made", solver, end.Measures[2],
					end.Measures[3])
			}
			for range int(end.Iter) + 5 { // one by one it is the same run
				if err := b.Step(ctx, 1); err != nil {
					t.Fatal(err)
				}
			}
			if x := b.Last(); x.Iter != end.Iter || x.Digest != end.Digest {
				t.Errorf("%s: step by step %+v, at once %+v", solver, x, end)
			}
			if why, err := a.StepUntil(ctx, 7, nil); err != nil || why == "" || a.Last().Iter != end.Iter {
				t.Errorf("%s: another step: %q, error %v, iteration %d", solver, why, err, a.Last().Iter)
			}
			for range a.Steps(ctx, 3) {
				t.Errorf("%s: a run that is over yields a point", solver)
			}
			stops := 0
			for _, c := range a.Journal() {
				if c.Kind == record.KindStop && strings.Contains(c.Name, "climbs") {
					stops++
				}
			}
			if stops != 1 {
				t.Errorf("%s: the journal says %d times that it is over", solver, stops)
			}
			rec, err := a.Record(ctx)
			if err != nil {
				t.Fatal(err)
			}
			d, err := solvers.Replay(ctx, rec, cfg.Instance, solvers.ReplayOptions{})
			if d != nil || err != nil {
				t.Errorf("%s: replay: %v, %v", solver, d, err)
			}
			if _, err := a.Set(ctx, record.Values{"restarts": record.Num(9)}, ""); err != nil {
				t.Fatal(err)
			}
			why, err = a.StepUntil(ctx, -1, nil)
			if err != nil || why != "all 20 climbs are made" || a.Last().Iter == end.Iter {
				t.Errorf("%s: with more restarts: %q, error %v, iteration %d", solver, why, err, a.Last().Iter)
			}
		}
	}
}

// A standing order ends with the climbs, too, and a repeat says so of each seed.
func TestClimbsEndAStandingOrder(t *testing.T) {
	t.Parallel()
	cfg := solvers.Config{
		Solver: "hill", Instance: taillard(t, 9), Seed: 1,
		Params: record.Values{"restarts": record.Num(0)},
	}
	r, err := solvers.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	watch := r.Watch(t.Context(), time.Hour)
	if err := r.Go(); err != nil {
		t.Fatal(err)
	}
	for u := range watch {
		if u.State == solvers.Paused {
			if u.Why != "the climb is made" || u.Point.Iter == 0 {
				t.Errorf("it stopped because of %q at iteration %d", u.Why, u.Point.Iter)
			}
			break
		}
	}
	out, err := solvers.Repeat(t.Context(), cfg, []uint64{1, 2}, solvers.Budget{Iterations: 1e6}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range out {
		if x.Why != "the climb is made" {
			t.Errorf("seed %d stopped: %q", x.Seed, x.Why)
		}
	}
}

// How moves are evaluated changes nothing of a run, nor does a change of it on the way.
func TestEvaluationsAgree(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, of := range []struct {
		inst datasets.Instance
		hows [2]string
	}{
		{taillard(t, 14), [2]string{"incremental", "linear"}},
		{grid(t, 4), [2]string{"incremental", "published"}},
	} {
		for _, solver := range []string{"tabu", "hill", "vnd"} {
			var want record.Point
			for i, how := range of.hows {
				r, err := solvers.Open(solvers.Config{
					Solver: solver, Instance: of.inst, Seed: 3,
					Params: record.Values{"evaluation": record.Text(how), "scans": record.Num(20)},
				})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				for step := range 4 {
					if step == 2 {
						other := record.Values{"evaluation": record.Text(of.hows[1-i])}
						if _, err := r.Set(ctx, other, ""); err != nil {
							t.Fatal(err)
						}
					}
					if err := r.Step(ctx, 3); err != nil {
						t.Fatal(err)
					}
				}
				p := r.Last()
				if i == 1 && (p.Digest != want.Digest || p.Best != want.Best || p.Evals != want.Evals) {
					t.Errorf("%s on %s: %s gives %+v, incremental %+v", solver, of.inst.Name(), how, p, want)
				}
				want = p
			}
		}
	}
}

// The preset paper of tabu is the published experiment on each problem.
func TestTabuPaper(t *testing.T) {
	t.Parallel()
	sums, err := datasets.NewWeierstrass(4, 2, 0.25, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		inst datasets.Instance
		want record.Values
	}{
		{taillard(t, 10), record.Of("neighbourhood", "swap", "evaluation", "linear", "wave", 1<<30)},
		{
			perceptron(t, 9, 9),
			record.Of("neighbourhood", "hamming2", "evaluation", "linear", "wave", 1<<30),
		},
		{grid(t, 4), record.Of("neighbourhood", "swap", "evaluation", "published", "wave", 1<<30)},
		{sums, record.Of("neighbourhood", "ball", "neighbours", 10000, "radius", .25,
			"precision", "single", "wave", 1<<30)},
	} {
		r, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: c.inst, Seed: 1, Preset: "paper"})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for name, v := range record.Of("scans", 1, "block", 256, "walks", 1) {
			c.want[name] = v
		}
		params, err := r.Params(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, p := range params {
			if want, ok := c.want[p.Name]; ok {
				if found++; p.Value != want {
					t.Errorf("%s: %s is %v, want %v", c.inst.Name(), p.Name, p.Value, want)
				}
			}
		}
		if found != len(c.want) {
			t.Errorf("%s: %d of the parameters are there, want %d", c.inst.Name(), found, len(c.want))
		}
		if err := r.Step(t.Context(), 2); err != nil {
			t.Error(err)
		}
	}
}

// The preset paper of hill is the published hundred climbs (section 6.7), with the scans of tabu
// search; descents, which the paper only names, have them under a name of their own.
func TestClimbPaper(t *testing.T) {
	t.Parallel()
	for solver, preset := range map[string]string{"hill": "paper", "vnd": "random-starts"} {
		r, err := solvers.Open(solvers.Config{
			Solver: solver, Instance: taillard(t, 10), Seed: 1, Preset: preset,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		params, err := r.Params(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := record.Of("select", "best", "begin", "random", "restarts", 99, "walks", 1, "scans", 1,
			"block", 256, "wave", 1<<30, "evaluation", "linear")
		if solver == "hill" {
			want["neighbourhood"] = record.Text("swap")
		}
		found := 0
		for _, p := range params {
			if w, ok := want[p.Name]; ok {
				if found++; p.Value != w {
					t.Errorf("%s: %s is %v, want %v", solver, p.Name, p.Value, w)
				}
			}
		}
		if found != len(want) {
			t.Errorf("%s: %d of the parameters are there, want %d", solver, found, len(want))
		}
		if why, err := r.StepUntil(t.Context(), -1, nil); err != nil || why != "all 100 climbs are made" {
			t.Errorf("%s: stopped: %q, error %v", solver, why, err)
		}
	}
	v, err := solvers.Find("vnd", "climb", "cpu")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Preset("paper"); err == nil {
		t.Error("vnd has a preset paper, and the paper no experiment with descents")
	}
}
