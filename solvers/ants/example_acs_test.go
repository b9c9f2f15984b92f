package ants_test

import (
	"context"
	"fmt"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// walk opens a variant of acs with the paper's parameters, steps it and says whether it learned.
func walk(variant string, iterations int, ps record.Values) {
	inst, err := datasets.Load("E1k.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := solvers.Open(solvers.Config{
		Solver: "acs", Variant: variant, Instance: inst, Seed: 42,
		Preset: "paper", Params: ps,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.Close()
	var first float64
	for p, err := range run.Steps(context.Background(), iterations) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if p.Iter == 1 {
			first = p.Best
		}
	}
	p := run.Last()
	fmt.Println(variant, "went on to shorter tours:", p.Best < first)
	if i := slices.Index(run.Header().Measures, "hit_ratio"); i >= 0 {
		fmt.Println("updates of stored trails above four fifths:", p.Measures[i] > 0.8)
	}
}

// All ants make a step at once.
func Example_lockstep() {
	walk("lockstep", 3, record.Values{"ants": record.Num(32)})
	// Output: lockstep went on to shorter tours: true
}

// Ants make whole tours and see the updates of others late.
func Example_alt() {
	walk("alt", 3, record.Values{"ants": record.Num(64)})
	// Output: alt went on to shorter tours: true
}

// Each city stores the trails of eight of its edges.
func Example_spmSync() {
	walk("spm-sync", 3, record.Values{"ants": record.Num(64)})
	// Output:
	// spm-sync went on to shorter tours: true
	// updates of stored trails above four fifths: true
}

// Four stored trails a city, whole tours.
func Example_spm() {
	walk("spm", 3, record.Values{"ants": record.Num(64), "spm_slots": record.Num(4)})
	// Output:
	// spm went on to shorter tours: true
	// updates of stored trails above four fifths: true
}
