package guest_test

import (
	"context"
	"strings"
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"
)

// What the tuner of a search in another process has tried is told here, and why nothing is tuned;
// nothing times parts of iterations on the CPU, and that is said.
func TestProblemWaves(t *testing.T) {
	in := declaredProblem(t, newSession(t), "bowl", declaring)
	ctx := context.Background()
	open := func(more ...any) *solvers.Run {
		t.Helper()
		vs := record.Of("neighbours", 2000, "scans", 4, "workers", 2, "trials", 3)
		for n, v := range record.Of(more...) {
			vs[n] = v
		}
		r, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: in, Seed: 2, Params: vs})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		return r
	}
	waves := func(r *solvers.Run) (ws []solvers.Wave, why string) {
		t.Helper()
		ws, err := r.Waves(ctx)
		if err == nil {
			err = r.View(ctx, func(a solvers.Algorithm) { why = a.(solvers.UntunedReporter).Untuned() })
		}
		if err != nil {
			t.Fatal(err)
		}
		return ws, why
	}
	r := open()
	if err := r.Step(ctx, 2); err != nil {
		t.Fatal(err)
	}
	ws, why := waves(r)
	if len(ws) != 1 || ws[0].What != "scan of 2000 neighbours" || len(ws[0].Trials) == 0 || why != "" {
		t.Fatalf("after two iterations: %+v, %q", ws, why)
	}
	times := 0
	for _, x := range ws[0].Trials {
		if times += len(x.Times); x.Err != nil || x.Config.Threads < 1 || x.Config.Block < 1 {
			t.Errorf("a trial of %v: %v", x.Config, x.Err)
		}
	}
	if times != 8 || ws[0].Config.Threads < 1 {
		t.Errorf("%d times of 8 scans: %+v", times, ws)
	}
	for i := 0; i < 200 && !ws[0].Tuned; i++ {
		if err := r.Step(ctx, 1); err != nil {
			t.Fatal(err)
		}
		ws, _ = waves(r)
	}
	fastest := ws[0].Trials[0]
	for _, x := range ws[0].Trials {
		if len(x.Times) == 3 && x.Median < fastest.Median {
			fastest = x
		}
	}
	if !ws[0].Tuned || ws[0].Config != fastest.Config {
		t.Errorf("%v is launched, and %v is the fastest: %+v", ws[0].Config, fastest.Config, ws)
	}
	for _, c := range []struct {
		more []any
		want string
	}{
		{[]any{"wave", 64}, "wave=64 says to how many threads"},
		{[]any{"trials", 0}, "trials=0, the tuner is off"},
		{[]any{"walks", 2}, "each of the 2 walks goes to one worker whole"},
		{[]any{"workers", 1}, "there is one worker"},
	} {
		r := open(c.more...)
		if err := r.Step(ctx, 1); err != nil {
			t.Fatal(err)
		}
		if ws, why := waves(r); len(ws) > 0 || !strings.Contains(why, c.want) {
			t.Errorf("%v: %+v, %q, want %q", c.more, ws, why, c.want)
		}
	}
	if err := r.Time(ctx, true); err == nil || !strings.Contains(err.Error(), "no device times tabu") {
		t.Errorf("timing on the CPU: %v", err)
	}
	if s, err := r.Spans(ctx); err != nil || len(s) > 0 {
		t.Errorf("spans on the CPU: %v, %v", s, err)
	}
}
