package own_test

import (
	"reflect"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	problems "metalab/solvers/own"
	"metalab/solvers/record"
)

// A table of deltas whose rows all threads keep makes the history of deltas that are summed anew:
// by a block a walk, by several, in annealing, and on the CPU.
func TestRows(t *testing.T) {
	machine(t)
	t.Parallel()
	q, err := datasets.NewQAP("q", 12, ints(144), ints(144))
	if err != nil {
		t.Fatal(err)
	}
	problem := func(what func() any) *problems.Problem {
		p, err := problems.New("q", record.Form{Kind: record.FormPermutation, N: 12}, what)
		if err != nil {
			t.Fatal(err)
		}
		p.Told("problems_test.go", text)
		return p
	}
	plain := problem(func() any { return newAssignment(q) })
	rows := problem(func() any { return newRowed(q) })
	for name, vs := range map[string]record.Values{
		"tabu":   record.Of("walks", 2, "scans", 5, "tenure", 3, "wave", 32, "block", 32),
		"hill":   record.Of("walks", 2, "scans", 5, "wave", 64, "block", 32),
		"anneal": cooling("swap"),
	} {
		cfg := solvers.Config{Solver: name, Instance: plain, Seed: 5, Params: vs, Backend: "cpu"}
		want := history(t, cfg, 4)
		cfg.Instance = rows
		for _, cfg.Backend = range []string{"cpu", "cuda"} {
			if got := history(t, cfg, 4); !reflect.DeepEqual(got, want) {
				t.Errorf("%s on %s:\n%q\nwithout a table:\n%q", name, cfg.Backend, got, want)
			}
		}
	}
	vs := record.Of("walks", 2, "scans", 5, "tenure", 3, "wave", 64, "block", 32)
	cfg := solvers.Config{Solver: "tabu", Instance: plain, Seed: 5, Params: vs, Backend: "cpu"}
	want := history(t, cfg, 4)
	cfg.Instance, cfg.Backend = rows, "cuda"
	if got := history(t, cfg, 4); !reflect.DeepEqual(got, want) {
		t.Errorf("several blocks a walk:\n%q\nwithout a table:\n%q", got, want)
	}
}
