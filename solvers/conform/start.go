package conform

import (
	"context"
	"strings"
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"
)

// checkStart lets a run begin at a solution: it is never worse than that, its record holds the
// solution and replays, and so do forks. A variant that takes no start says so.
func checkStart(t *testing.T, c Case, v solvers.Variant) {
	ctx := context.Background()
	from := c.open(t, "from")
	step(t, from, 3)
	b, err := from.Best(ctx)
	if err != nil {
		t.Fatal(err)
	}
	begin := func(name string, seed uint64) (*solvers.Run, error) {
		r, err := solvers.Open(solvers.Config{
			Name: name, Solver: c.Solver, Variant: c.Variant, Backend: c.Backend, Instance: c.Instance,
			Seed: seed, Params: c.Params, Start: &record.Start{Path: "a.tour", Solution: b.Solution},
		})
		if err == nil {
			t.Cleanup(r.Close)
		}
		return r, err
	}
	alg, err := v.Make(c.Instance)
	if err != nil {
		t.Fatal(err)
	}
	_, takes := alg.(solvers.Starter)
	alg.Close()
	r, err := begin("r", c.Seed+1)
	if !takes {
		if err == nil || !strings.Contains(err.Error(), v.Solver+"/"+v.Name+" takes none") {
			t.Fatalf("a variant that takes no start: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	s := recordOf(t, r).Header.Start
	if s == nil || s.Value != b.Value || s.SHA256 != solvers.HashSolution(b.Solution) ||
		s.Path != "a.tour" {
		t.Fatalf("the record says that it begins at %+v, want %v", s, b.Value)
	}
	f, err := r.Fork(ctx, solvers.Fork{Name: "f"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	step(t, r, 1)
	if r.Last().Best > b.Value {
		t.Errorf("the best is %v after an iteration from %v", r.Last().Best, b.Value)
	}
	step(t, r, 5)
	step(t, f, 6)
	if f.Last().Digest != r.Last().Digest {
		t.Errorf("a fork before the first iteration does not begin where its parent did")
	}
	for _, q := range []*solvers.Run{r, f} {
		d, err := solvers.Replay(ctx, recordOf(t, q), c.Instance, solvers.ReplayOptions{})
		if err != nil || d != nil {
			t.Errorf("replay of %s: %v, %v", q.Name(), d, err)
		}
	}
	other, err := begin("other", c.Seed)
	if err != nil {
		t.Fatal(err)
	}
	step(t, other, 1)
	if rep, err := solvers.Diff(
		ctx, recordOf(t, other), recordOf(t, c.open(t, "none")), c.Instance,
	); err != nil ||
		!strings.Contains(strings.Join(rep.Header, "; "), "against the solver's own") {
		t.Errorf("diff of runs with a start and without: %v, %v", rep.Header, err)
	}
	rec := recordOf(t, r)
	changed := *rec.Header.Start
	changed.SHA256 = strings.Repeat("0", 64)
	rec.Header.Start = &changed
	if _, err := solvers.Replay(ctx, rec, c.Instance, solvers.ReplayOptions{}); err == nil ||
		!strings.Contains(err.Error(), "it was changed") {
		t.Errorf("replay of a record whose start has another hash: %v", err)
	}
}
