package ants_test

import (
	"context"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Open a MAX-MIN Ant System, step it, change a parameter and go on.
func Example() {
	inst, err := datasets.Load("E1k.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	run, err := solvers.Open(solvers.Config{Solver: "mmas", Instance: inst, Seed: 42})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.Close()
	if err := run.Step(ctx, 10); err != nil {
		fmt.Println(err)
	}
	first := run.Last()
	made, err := run.Set(ctx, record.Values{"ants": record.Num(10)}, "example")
	if err != nil {
		fmt.Println(err)
	}
	if err := run.Step(ctx, 10); err != nil {
		fmt.Println(err)
	}
	fmt.Println("changed after iteration", made[0].Iter)
	fmt.Println("not worse:", run.Last().Best <= first.Best)
	// Output:
	// changed after iteration 10
	// not worse: true
}

// An Ant Colony System as in the paper, with fewer ants and a local update on every
// fourth choice.
func Example_paper() {
	inst, err := datasets.Load("E1k.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := solvers.Open(solvers.Config{
		Solver: "acs", Variant: "seq", Instance: inst, Seed: 7, Preset: "paper",
		Params: record.Values{"ants": record.Num(16), "local_period": record.Num(4)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.Close()
	for p, err := range run.Steps(context.Background(), 3) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("iteration", p.Iter, "mean at least best:", p.Mean >= p.Best)
	}
	// Output:
	// iteration 1 mean at least best: true
	// iteration 2 mean at least best: true
	// iteration 3 mean at least best: true
}

// A fork goes on with other candidate lists from where its parent stands.
func Example_fork() {
	inst, err := datasets.Load("E1k.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	a, err := solvers.Open(solvers.Config{
		Solver: "as", Instance: inst, Seed: 1,
		Params: record.Values{"local_search": record.Text("none"), "ants": record.Num(5)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	if err := a.Step(ctx, 5); err != nil {
		fmt.Println(err)
	}
	b, err := a.Fork(ctx, solvers.Fork{Name: "b", With: record.Values{"candidates": record.Num(10)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	if err := b.Step(ctx, 1); err != nil {
		fmt.Println(err)
	}
	fmt.Println(a.Last().Iter, b.Last().Iter)
	// Output: 5 6
}

// Focused ants on an instance of ten thousand cities.
func Example_focused() {
	inst, err := datasets.Load("E10k.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	run, err := solvers.Open(solvers.Config{
		Solver: "mmas", Variant: "focused", Instance: inst,
		Seed: 1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.Close()
	if err := run.Step(ctx, 1); err != nil { // the first tour and its local search
		fmt.Println(err)
	}
	first := run.Last().Best
	if err := run.Step(ctx, 10); err != nil {
		fmt.Println(err)
	}
	fmt.Println("shorter:", run.Last().Best < first)
	// Output: shorter: true
}

// An asymmetric instance: ants with a local search that turns no path round, for the
// best half of them.
func Example_asymmetric() {
	d := []int32{
		0, 3, 9, 8, 7,
		9, 0, 2, 9, 8,
		8, 9, 0, 4, 9,
		9, 8, 9, 0, 1,
		5, 9, 8, 9, 0,
	}
	inst, err := datasets.NewMatrixTSP("ring", 5, d, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := solvers.Open(solvers.Config{
		Solver: "mmas", Instance: inst, Seed: 1,
		Params: record.Values{"local_search": record.Text("3opt"), "local_share": record.Num(0.5)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.Close()
	if err := run.Step(context.Background(), 5); err != nil {
		fmt.Println(err)
	}
	fmt.Println(run.Last().Best)
	// Output: 15
}
