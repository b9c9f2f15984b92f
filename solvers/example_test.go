package solvers_test

import (
	"context"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/ants" // registers as, acs and mmas
	"metalab/solvers/record"
)

// Open a search, run some iterations, change a parameter and go on.
func Example() {
	inst, err := datasets.Load("rand-100-1")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	r, err := solvers.Open(solvers.Config{Solver: "mmas", Instance: inst, Seed: 42})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	if err := r.Step(ctx, 5); err != nil {
		fmt.Println(err)
	}
	before := r.Last().Best
	made, err := r.Set(ctx, record.Of("rho", 0.9), "me")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := r.Step(ctx, 5); err != nil {
		fmt.Println(err)
	}
	fmt.Println("changed after iteration", made[0].Iter)
	fmt.Println("not worse:", r.Last().Best <= before)
	// Output:
	// changed after iteration 5
	// not worse: true
}
