package solvers_test

import (
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/all"
)

// A solver that does not take an instance is told with the solvers that do, and each of these
// opens it.
func TestWhatTakesAnInstance(t *testing.T) {
	t.Parallel()
	for solver, name := range map[string]string{"acs": "tai12a", "cmaes": "rand-12-1"} {
		inst, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = solvers.Open(solvers.Config{Solver: solver, Instance: inst})
		if err == nil {
			t.Fatalf("%s took %s", solver, name)
		}
		_, list, ok := strings.Cut(err.Error(), "; solvers that take it: ")
		if !ok {
			t.Fatalf("no solver is named: %v", err)
		}
		for _, other := range strings.Split(list, ", ") {
			r, err := solvers.Open(solvers.Config{Solver: other, Instance: inst})
			if err != nil {
				t.Errorf("%s, which %q names: %v", other, list, err)
				continue
			}
			r.Close()
		}
	}
}
