//go:build cuda

package moves

import (
	"fmt"
	"testing"

	"metalab/gpu"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// schedules are those that the device is tried with; none changes a result.
var schedules = []record.Values{
	record.Of("trials", 0),
	record.Of("trials", 1), // all shapes, one after the other
	record.Of("wave", 1, "block", 32, "cache", "plain"),
	record.Of("wave", 1<<20, "block", 1024, "reduce", "host"),
	record.Of("wave", 1000, "block", 96, "generate", "cpu"),
	record.Of("tuning", "published", "trials", 1),
	record.Of("tuning", "published", "wave", 1<<30),
	record.Of("wave", 100, "block", 512, "generate", "cpu", "reduce", "host", "cache", "plain"),
}

// TestTwin makes every trial of the emulation on the device, with every schedule.
func TestTwin(t *testing.T) {
	gputest.Need(t)
	for _, m := range emulations {
		for i, c := range m.trials(t) {
			for k, s := range schedules {
				if testing.Short() && k != i%len(schedules) {
					continue
				}
				with := c
				with.params = record.Values{}
				for _, from := range []record.Values{c.params, s} {
					for name, v := range from {
						with.params[name] = v
					}
				}
				t.Run(fmt.Sprint(c.solver, c.inst.Name(), with.params), func(t *testing.T) {
					twins(t, with, NewEngine)
				})
			}
		}
	}
}

// kept are small instances, one of each problem, and a change of them for conformance.
func kept(t *testing.T) []trial {
	var out []trial
	for _, m := range emulations {
		out = append(out, m.trials(t)[1])
	}
	return out
}

func TestKeepsTheLaws(t *testing.T) {
	gputest.Need(t)
	for _, c := range kept(t) {
		t.Run(c.inst.Name(), func(t *testing.T) {
			conform.Check(t, conform.Case{
				Solver: "tabu", Variant: "robust", Backend: "cuda", Instance: c.inst, Seed: 3,
				Params: c.params, Trials: 6, Presets: []string{"best"},
				Ranges: map[string][2]float64{
					"scans": {1, 9}, "walks": {1, 3}, "exchange": {0, 3}, "workers": {0, 4}, "wave": {0, 64},
					"aspiration": {0, 30}, "trials": {0, 2}, "neighbours": {1, 200},
				},
			})
		})
	}
}

// A run goes on where it stands on the other backend, back and forth.
func TestForkAcross(t *testing.T) {
	gputest.Need(t)
	for _, c := range kept(t) {
		open := func(backend string) *solvers.Run {
			r, err := solvers.Open(solvers.Config{
				Solver: "tabu", Variant: "robust", Backend: backend, Instance: c.inst, Seed: 5,
				Params: c.params,
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(r.Close)
			return r
		}
		step := func(r *solvers.Run, n int) {
			if err := r.Step(t.Context(), n); err != nil {
				t.Fatal(err)
			}
		}
		whole := open("cpu")
		step(whole, 12)
		r := open("cpu")
		for i := range 4 {
			step(r, 3)
			f, err := r.Fork(t.Context(), solvers.Fork{
				Name: "f", Backend: []string{"cuda", "cpu"}[i%2],
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(f.Close)
			r = f
		}
		if a, b := whole.Last(), r.Last(); a.Digest != b.Digest || a.Best != b.Best {
			t.Errorf("%s: undisturbed %016x %v, across %016x %v", c.inst.Name(), a.Digest, a.Best,
				b.Digest, b.Best)
		}
	}
}

// TestBalance opens, steps and closes a run of each problem again and again: in the end as much
// memory is free as before.
func TestBalance(t *testing.T) {
	d := gputest.Need(t)
	free := func() int64 {
		n, _, err := d.MemInfo()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range kept(t) {
		gputest.Balance(t, 20, free, func() {
			r, err := solvers.Open(solvers.Config{
				Name: "balance", Solver: "tabu", Variant: "robust", Backend: "cuda", Instance: c.inst, Seed: 1,
				Params: c.params,
			})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if err := r.Step(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			if h := gpu.Holdings(0); len(h) != 1 || h[0].Held == 0 {
				t.Fatalf("%s: this process holds %v, want what the run has", c.inst.Name(), h)
			}
		})
	}
}

// The GPU makes the kept runs too. With METALAB_GOLDEN_OUT set it writes them there.
func TestGoldenDevice(t *testing.T) { gputest.Remake(t, goldenRuns(t)) }

// Long climbs are made in parts, of which a walk that has ended takes no more.
func TestLongClimbs(t *testing.T) {
	gputest.Need(t)
	for _, c := range climbs(load(t, "ppp-13x13-1"), "scans", 3*mostPasses) {
		twins(t, c, NewEngine)
	}
}

// TestSome makes some runs of each problem, few enough for compute-sanitizer.
func TestSome(t *testing.T) {
	gputest.Need(t)
	for _, m := range emulations {
		all := m.trials(t)
		for _, i := range []int{1, len(all) / 2, len(all) - 1} {
			t.Run(fmt.Sprint(all[i].solver, all[i].inst.Name()), func(t *testing.T) {
				twins(t, all[i], NewEngine)
			})
		}
	}
}
