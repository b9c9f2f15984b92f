package tours_test

import (
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// A search in a list that does as an array ends at the tour at which it ends in the array, city by
// city, with every operator.
func TestMirroredSearch(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 8, 13, 60, 700} {
		inst, err := datasets.Uniform(n, n)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := tours.NewSpace(inst)
		if err != nil {
			t.Fatal(err)
		}
		near := sp.Nearest(min(n-1, 8))
		array, err := tours.NewSearchOn(sp, near, tours.DefaultSettings(), false)
		if err != nil {
			t.Fatal(err)
		}
		list, err := tours.NewMirrored(sp, near, tours.DefaultSettings())
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(10) {
			for _, op := range []tours.Operator{tours.TwoOpt, tours.ThreeOpt, tours.OrOpt} {
				r := arith.NewStream(seed, 0, 0, 1)
				want := sp.Random(&r)
				got := slices.Clone(want)
				what := fmt.Sprintf("%d cities, seed %d, operator %d", n, seed, op)
				if a, b := array.Improve(want, nil, op), list.Improve(got, nil, op); a != b {
					t.Fatalf("%s: the list gains %d, the array %d", what, b, a)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s: the list ends at %v, the array at %v", what, got, want)
				}
				if a, b := array.Work(), list.Work(); a != b {
					t.Fatalf("%s: the list's work is %+v, the array's %+v", what, b, a)
				}
			}
		}
	}
}
