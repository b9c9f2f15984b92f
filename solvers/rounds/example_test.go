package rounds_test

import (
	"context"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	_ "metalab/solvers/rounds" // registers ils/2opt-rounds on cpu
)

// A run on the CPU; with Backend "cuda" it is the same run, bit for bit, on a GPU.
func Example() {
	in, err := datasets.Uniform(200, 1)
	if err != nil {
		panic(err)
	}
	r, err := solvers.Open(solvers.Config{
		Solver: "ils", Variant: "2opt-rounds", Backend: "cpu", Instance: in, Seed: 42,
		Params: record.Values{"chains": record.Num(8), "kicks": record.Num(50)},
	})
	if err != nil {
		panic(err)
	}
	defer r.Close()
	for range 3 {
		if err := r.Step(context.Background(), 5); err != nil {
			panic(err)
		}
		fmt.Printf("iteration %d: %.0f\n", r.Last().Iter, r.Last().Best)
	}
	// Output:
	// iteration 5: 10841104
	// iteration 10: 10820967
	// iteration 15: 10810157
}
