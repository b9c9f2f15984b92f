package ants_test

import (
	"errors"
	"path/filepath"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

var acsGPU = [2]string{"acs", "gpu"}

// TestConformGPU holds acs/gpu, which races, to the laws that bind it.
func TestConformGPU(t *testing.T) {
	t.Parallel()
	num := record.Num
	for _, c := range []conform.Case{
		{Instance: uniform(t, 60), Params: record.Values{"ants": num(40), "candidates": num(7)}},
		{
			Instance: uniform(t, 40), Params: record.Values{
				"ants": num(33), "local_search": record.Text("oropt"),
			},
		},
		{Instance: oneWay(t, 40), Params: record.Values{"ants": num(33), "candidates": num(6)}},
	} {
		c.Solver, c.Variant, c.Backend, c.Seed, c.Iterations = acsGPU[0], acsGPU[1], "cpu", 11, 12
		c.Ranges = map[string][2]float64{"ants": {1, 50}}
		conform.Check(t, c)
	}
	for _, v := range solvers.Variants() {
		if v.Solver == "acs" && v.Name == "gpu" && v.Deterministic {
			t.Errorf("acs/gpu on %s says that it has one history", v.Backend)
		}
	}
}

// TestGPULearns: few cities and many ants, whose updates meet.
func TestGPULearns(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 5; n++ {
		for _, inst := range []*datasets.TSP{uniform(t, n), oneWay(t, n)} {
			r := openVariant(t, acsGPU, solvers.Config{
				Instance: inst, Params: record.Values{"ants": record.Num(40)},
			})
			step(t, r, 5)
			if _, err := r.Best(t.Context()); err != nil {
				t.Errorf("%d cities: %v", n, err)
			}
		}
	}
	inst, best := circle(t, 40)
	r := openVariant(t, acsGPU, solvers.Config{Instance: inst})
	if p := step(t, r, 150); p.Best != best {
		t.Errorf("best is %v, the way round has %v", p.Best, best)
	}
	path := filepath.Join(t.TempDir(), "g.run")
	if err := r.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	again, err := solvers.Load(t.Context(), path, inst, "again") // from the state, not by a replay
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if a, b := r.Last(), step(t, again, 1); b.Iter != a.Iter+1 || b.Best != best {
		t.Errorf("after %+v a loaded run goes on with %+v", a, b)
	}
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = solvers.Replay(t.Context(), rec, inst, solvers.ReplayOptions{})
	if !errors.Is(err, solvers.ErrNotDeterministic) {
		t.Errorf("a replay says %v", err)
	}
}
