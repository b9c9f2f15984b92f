package moves

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"metalab/solvers"
)

// golden is what a kept run came to, as a GPU made it.
type golden struct {
	Digest string
	Best   float64
	Mean   float64
	Device string
}

const goldenFile = "testdata/golden.json"

// goldens are the runs that are kept, by name: three of each problem.
func goldens(t *testing.T) map[string]trial {
	out := map[string]trial{}
	for _, m := range emulations {
		all := m.trials(t)
		for _, i := range []int{1, len(all) / 2, len(all) - 1} {
			c := all[i]
			out[fmt.Sprint(c.solver, " ", c.inst.Name(), " ", c.params)] = c
		}
	}
	return out
}

func makeGolden(t *testing.T, c trial, backend string) golden {
	t.Helper()
	solver, variant := "tabu", "robust"
	if c.solver != "" {
		solver, variant = c.solver, "climb"
	}
	r, err := solvers.Open(solvers.Config{
		Solver: solver, Variant: variant, Backend: backend, Instance: c.inst, Seed: 11, Params: c.params,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(t.Context(), 8); err != nil {
		t.Fatal(err)
	}
	p := r.Last()
	return golden{Digest: fmt.Sprintf("%016x", p.Digest), Best: p.Best, Mean: p.Mean}
}

// TestGolden makes the runs on the CPU that a GPU has made.
func TestGolden(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(goldenFile)
	if os.IsNotExist(err) {
		t.Skip("no GPU has made them yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]golden
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	all := goldens(t)
	if len(all) != len(want) {
		t.Errorf("%d runs are kept, there are %d", len(want), len(all))
	}
	for name, c := range all {
		w, ok := want[name]
		if !ok {
			t.Errorf("%s: not kept", name)
			continue
		}
		got := makeGolden(t, c, "cpu")
		if w.Device == "" {
			t.Errorf("%s: not made by a device", name)
		}
		if w.Device = ""; got != w {
			t.Errorf("%s: %+v, on the device %+v", name, got, w)
		}
	}
}
