package own_test

import (
	"errors"
	"strings"
	"testing"

	"metalab/solvers"
	_ "metalab/solvers/anneal"
	_ "metalab/solvers/moves"
	"metalab/solvers/own"
	_ "metalab/solvers/recombine"
	"metalab/solvers/record"
	_ "metalab/solvers/threshold"
)

// sum is the number of bits, with a Delta that is wrong.
type sum struct{}

func (*sum) Cost(x []uint8) (v int64) {
	for _, b := range x {
		v += int64(b)
	}
	return v
}

func (*sum) Delta([]uint8, int) int64 { return -1 }

// twice is sum with a Delta that is wrong where a bit is set to one: the best of all solutions has
// its value all the same.
type twice struct{ sum }

func (*twice) Delta(x []uint8, i int) int64 {
	if x[i] == 1 {
		return -1
	}
	return 2
}

// paths are sums of a permutation's first entries, whose DeltaSwap and DeltaReverse are wrong.
type paths struct{}

func (*paths) Cost(x []int32) int64 { return int64(x[0]) - int64(x[1]) }

func (*paths) DeltaSwap(x []int32, i, j int) int64 { return int64(j - i) }

// A wrong Delta ends the run before anybody sees a value that no solution has, and the error says
// what is wrong.
func TestWrongDeltaEndsTheRun(t *testing.T) {
	bits := record.Form{Kind: record.FormBits, N: 20}
	for _, of := range []struct {
		name string
		form record.Form
		make func() any
	}{
		{"sum", bits, func() any { return &sum{} }},
		{"twice", bits, func() any { return &twice{} }},
		{"paths", record.Form{Kind: record.FormPermutation, N: 12}, func() any { return &paths{} }},
	} {
		p, err := own.New(of.name, of.form, of.make)
		if err != nil {
			t.Fatal(err)
		}
		for _, solver := range []string{
			"tabu", "tabu walks=3", "hill", "hill restarts=50", "vnd", "ils/moves", "anneal",
			"anneal walks=3", "threshold threshold=5", "ga/generational",
		} {
			name, walks, _ := strings.Cut(solver, " ")
			name, variant, _ := strings.Cut(name, "/")
			vs := record.Values{}
			if key, v, ok := strings.Cut(walks, "="); ok {
				vs[key] = record.Parse(v)
			}
			r, err := solvers.Open(solvers.Config{
				Solver: name, Variant: variant, Instance: p, Seed: 1, Params: vs,
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(r.Close)
			for range 20 {
				if err = r.Step(t.Context(), 1); err != nil {
					break
				}
			}
			if !errors.Is(err, solvers.ErrWrongBest) || r.State() != solvers.Failed {
				t.Errorf("%s on %s: %v, %s", solver, of.name, err, r.State())
				continue
			}
			if of.name == "twice" && !strings.Contains(err.Error(),
				"a Delta of twice differs from Cost: check twice names the move") {
				t.Errorf("%s on %s: %v", solver, of.name, err)
			}
			// What is seen is of the iterations before, and those have their values.
			for _, x := range r.History() {
				if of.name != "paths" && (x.Best < 0 || x.IterBest > 20 || x.Mean > 20) {
					t.Errorf("%s on %s shows %+v", solver, of.name, x)
				}
			}
		}
	}
}
