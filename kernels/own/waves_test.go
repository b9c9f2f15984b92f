package own_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/wave"
)

// opened opens a search with kernels on a problem of trials.
func opened(t *testing.T, solver, problem string, vs record.Values) *solvers.Run {
	t.Helper()
	for _, c := range trials() {
		if c.name == problem {
			r, err := solvers.Open(solvers.Config{
				Solver: solver, Instance: c.problem(t), Seed: 5, Params: vs, Backend: "cuda",
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(r.Close)
			return r
		}
	}
	t.Fatalf("no problem %q", problem)
	return nil
}

// stepped makes iterations and returns the waves after them.
func stepped(t *testing.T, r *solvers.Run, n int) []solvers.Wave {
	t.Helper()
	if err := r.Step(context.Background(), n); err != nil {
		t.Fatal(err)
	}
	ws, err := r.Waves(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return ws
}

// What a launch takes is told while somebody wants to know, by the name of what is launched.
func TestSpans(t *testing.T) {
	machine(t)
	t.Parallel()
	ctx := context.Background()
	for solver, c := range map[string]struct {
		name string
		vs   record.Values
	}{
		"tabu":   {"scans", record.Of("walks", 2, "scans", 3, "wave", 32)},
		"anneal": {"moves", cooling("hamming1")},
	} {
		r := opened(t, solver, "knapsack", c.vs)
		spans := func() []solvers.Span {
			t.Helper()
			s, err := r.Spans(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		stepped(t, r, 1)
		if s := spans(); len(s) > 0 {
			t.Errorf("%s: spans before anybody asked: %v", solver, s)
		}
		if err := r.Time(ctx, true); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		stepped(t, r, 1)
		took := time.Since(start)
		s := spans()
		if len(s) != 1 || s[0].Name != c.name || s[0].Time <= 0 || !interpreted && s[0].Time > took {
			t.Errorf("%s: spans %v of an iteration of %v, want %s", solver, s, took, c.name)
		}
		if err := r.Time(ctx, false); err != nil {
			t.Fatal(err)
		}
		stepped(t, r, 1)
		if s := spans(); len(s) > 0 {
			t.Errorf("%s: spans after nobody wanted them: %v", solver, s)
		}
	}
}

// A wave that is asked for is launched, and nothing is tuned then, and that is said.
func TestWavesAsAsked(t *testing.T) {
	machine(t)
	t.Parallel()
	for _, c := range []struct {
		solver string
		vs     record.Values
		what   string
		want   wave.Config
	}{
		{
			"tabu", record.Of("neighbourhood", "hamming3", "walks", 2, "wave", 128, "block", 64),
			"scan of 364 neighbours of 2 walks",
			wave.Config{Threads: 128, Block: 64},
		},
		{ // the first better move is looked for by one block
			"hill", record.Of("neighbourhood", "hamming2", "walks", 3, "select", "first", "wave", 128,
				"block", 64), "scan of 91 neighbours of 3 walks", wave.Config{Threads: 64, Block: 64},
		},
		{ // and by whole warps
			"hill", record.Of("neighbourhood", "hamming1", "walks", 1, "wave", 20),
			"scan of 14 neighbours of 1 walks",
			wave.Config{Threads: 32, Block: 32},
		},
		{"anneal", cooling("hamming1"), "annealing of 2 walks", wave.Config{Threads: 32, Block: 32}},
	} {
		if c.solver != "anneal" {
			c.vs["scans"] = record.Num(2)
		}
		r := opened(t, c.solver, "knapsack", c.vs)
		if ws, err := r.Waves(context.Background()); err != nil || len(ws) > 0 {
			t.Errorf("%s: before the first iteration: %v, %v", c.solver, ws, err)
		}
		want := []solvers.Wave{{What: c.what, Config: c.want}}
		if got := stepped(t, r, 2); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", c.solver, got, want)
		}
		why, err := "", error(nil)
		err = r.View(context.Background(), func(a solvers.Algorithm) {
			if u, ok := a.(solvers.UntunedReporter); ok {
				why = u.Untuned()
			}
		})
		if err != nil || c.solver != "anneal" && !strings.Contains(why, "wave=") {
			t.Errorf("%s: why nothing is tuned: %q, %v", c.solver, why, err)
		}
	}
}

// The tuner tries configurations of a block a walk and of several, settles on the fastest, and
// changes no history.
func TestWavesTuned(t *testing.T) {
	machine(t)
	t.Parallel()
	vs := record.Of("neighbourhood", "hamming3", "walks", 2, "scans", 2, "trials", 1)
	r := opened(t, "tabu", "knapsack", vs)
	n, most := 0, 4000
	if interpreted {
		most = 3 // whose times are no device's
	}
	var w solvers.Wave
	for ; n < most && !w.Tuned; n++ {
		ws := stepped(t, r, 1)
		if len(ws) != 1 || ws[0].What != "scan of 364 neighbours of 2 walks" {
			t.Fatalf("iteration %d: %+v", n+1, ws)
		}
		w = ws[0]
	}
	blocks := map[int64]bool{}
	fastest, least := wave.Config{}, time.Duration(0)
	for _, x := range w.Trials {
		blocks[x.Config.Blocks()] = true
		if len(x.Times) == 0 || x.Err != nil {
			t.Errorf("%v was tried %d times, %v", x.Config, len(x.Times), x.Err)
		}
		if least == 0 || x.Median < least {
			fastest, least = x.Config, x.Median
		}
	}
	if len(w.Trials) < 3 || len(blocks) < 2 || !interpreted && (!w.Tuned || w.Config != fastest) {
		t.Fatalf("after %d iterations %v, of which %v is the fastest: %+v", n, w.Config, fastest, w)
	}
	ctx := context.Background()
	tuned, err := r.Best(ctx)
	if err != nil {
		t.Fatal(err)
	}
	vs["wave"] = record.Num(32)
	s := opened(t, "tabu", "knapsack", vs)
	stepped(t, s, n)
	fixed, err := s.Best(ctx)
	if err != nil || !reflect.DeepEqual(tuned, fixed) || r.Last().Digest != s.Last().Digest {
		t.Errorf("tuned %v %x, with 32 threads %v %x, %v", tuned, r.Last().Digest, fixed,
			s.Last().Digest, err)
	}
}
