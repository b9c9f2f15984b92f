package ils_test

import (
	"context"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/ils" // registers ils
	"metalab/solvers/record"
)

// Iterated local search finds the shortest tour of a grid, whose edges all have length 10.
func Example() {
	var x, y []float64
	for i := range 144 {
		x, y = append(x, float64(10*(i%12))), append(y, float64(10*(i/12)))
	}
	grid, err := datasets.NewTSP("grid144", datasets.Euc2D, x, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := solvers.Open(solvers.Config{Solver: "ils", Instance: grid, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.Close()
	if err := run.Step(context.Background(), 10); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run.Last().Best)
	// Output: 1440
}

// A run on the CPU; with Backend "cuda" it is the same run, bit for bit, on a GPU.
func ExampleRounds() {
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
