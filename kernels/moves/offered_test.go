package moves_test

import (
	"testing"

	"metalab/kernels/moves"
	"metalab/solvers"
	_ "metalab/solvers/anneal"
	_ "metalab/solvers/moves"
)

// Tabu search, climbing and descent offer a GPU for all instances that there are kernels for, and
// annealing, which has none for built-in ones, for problems of somebody's own alone.
func TestOfferedKinds(t *testing.T) {
	t.Parallel()
	for _, kind := range append(moves.Kinds(), "own") {
		for _, solver := range []string{"tabu", "hill", "vnd"} {
			variant := "climb"
			if solver == "tabu" {
				variant = "robust"
			}
			if !solvers.OfferedOn(solver, variant, "cuda", kind) {
				t.Errorf("%s: no GPU for instances of kind %s, for which there are kernels", solver, kind)
			}
		}
		if solvers.OfferedOn("anneal", "metropolis", "cuda", kind) != (kind == "own") {
			t.Errorf("annealing on instances of kind %s: a GPU is for problems of somebody's own", kind)
		}
	}
}
