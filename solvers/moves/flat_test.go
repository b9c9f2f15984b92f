package moves_test

import (
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
)

// Where all solutions cost the same, a descent looks at all of its largest neighbourhood again
// and again. The default number of scans counts with that: an iteration is no longer there than
// elsewhere, unless it is one scan of each neighbourhood.
func TestIterationsAreNoLongerWhereNothingGains(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 5, 13, 33, 60} {
		flat, err := datasets.NewMatrixTSP(fmt.Sprintf("flat %d", n), n, make([]int32, n*n), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, inst := range []datasets.Instance{flat, perceptron(t, 1, n|1)} {
			for _, solver := range []string{"hill", "vnd", "tabu"} {
				r, err := solvers.Open(solvers.Config{Solver: solver, Instance: inst, Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				if err := r.Step(t.Context(), 2); err != nil {
					t.Fatal(err)
				}
				scans, evaluated := 0.0, r.Last().Measures[slices.Index(r.Header().Measures, "evaluations")]
				ps, err := r.Params(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range ps {
					if p.Name == "scans" {
						scans, _ = p.Default.Float()
					}
				}
				if evaluated > 1<<17 && scans > 1 {
					t.Errorf(
						"%s on %s: %v neighbours in an iteration of %v scans", solver, inst.Name(), evaluated, scans,
					)
				}
			}
		}
	}
}
