package rounds

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
)

func init() {
	solvers.Register(Variant("cpu", NewCPU))
	solvers.Offer("cuda", "ils", "2opt-rounds")
}

// Variant describes 2opt-rounds on a backend, for solvers.Register.
func Variant(backend string, engine func(*Problem) (Engine, error)) solvers.Variant {
	return solvers.Variant{
		Solver: "ils", Name: "2opt-rounds", Backend: backend, Revision: 1, Deterministic: true,
		Kinds: []datasets.Kind{datasets.KindTSP},
		Title: "Iterated local search by 2-opt, with segment insertion if wanted, whose moves are made many at once, in rounds; many chains side by side, alike on cpu and cuda",
		Source: "O. Martin, S. W. Otto, E. W. Felten, 1991, Large-step Markov chains for the traveling salesman problem, Complex Systems 5; " +
			"J. L. Bentley, 1992, Fast algorithms for geometric traveling salesman problems, doi:10.1287/ijoc.4.4.387 (neighbour lists, don't-look bits); " +
			"I. Or, 1976, Traveling salesman-type combinatorial problems and their relation to the logistics of regional blood banking, PhD thesis, Northwestern University (segment insertion); the rounds are our own",
		Layout: Layout,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, ok := inst.(*datasets.TSP)
			if !ok {
				return nil, fmt.Errorf("rounds: 2opt-rounds searches on tours, not on %T", inst)
			}
			return New(t, engine), nil
		},
	}
}
