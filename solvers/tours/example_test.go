package tours_test

import (
	"context"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/tours"
)

// Iterated local search finds the shortest tour of a grid, whose edges all have length 10.
func Example_iterated() {
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
