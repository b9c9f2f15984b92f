package recombine_test

import (
	"context"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/own"
	_ "metalab/solvers/recombine"
	"metalab/solvers/record"
)

// heavy counts bits by weights, with a delta.
type heavy struct{}

func (heavy) Cost(x []uint8) int64 {
	var sum int64
	for i, b := range x {
		sum += int64(b) * int64(i%7-2)
	}
	return sum
}

func (heavy) Delta(x []uint8, i int) int64 { return int64(i%7-2) * (1 - 2*int64(x[i])) }

// sorted is how far entries stand from their places.
type sorted struct{}

func (sorted) Cost(p []int32) float64 {
	sum := 0.0
	for i, v := range p {
		sum += float64(max(int32(i)-v, v-int32(i))) / 3
	}
	return sum
}

// ring counts neighbours that are alike.
type ring struct{}

func (ring) Cost(x []int32) int64 {
	var n int64
	for i, a := range x {
		if a == x[(i+1)%len(x)] {
			n++
		}
	}
	return n
}

// bowl has its least value at 1.
type bowl struct{}

func (bowl) Cost(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64((v - 1) * (v - 1))
	}
	return sum
}

func problem(t *testing.T, form record.Form, v any) datasets.Instance {
	t.Helper()
	p, err := own.New(form.Kind, form, func() any { return v })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func problems(t *testing.T) []datasets.Instance {
	t.Helper()
	out := []datasets.Instance{
		problem(t, record.Form{Kind: record.FormBits, N: 33, Maximise: true}, heavy{}),
		problem(t, record.Form{Kind: record.FormPermutation, N: 13}, sorted{}),
		problem(t, record.Form{Kind: record.FormValues, N: 15, K: 4}, ring{}),
		problem(t, record.Form{Kind: record.FormReals, N: 4, Low: -3, High: 5}, bowl{}),
	}
	for _, name := range []string{
		"tai12a", "ppp-13x15-1", "queen5_5", "weierstrass-2", "glass-4x4-1",
	} {
		inst, _, err := datasets.Generate(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, inst)
	}
	return out
}

// The laws hold on every kind of problem.
func TestConform(t *testing.T) {
	t.Parallel()
	for _, inst := range problems(t) {
		t.Run(inst.Name(), func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: "ga", Variant: "generational", Instance: inst, Seed: 7,
				Params: record.Of("population", 12),
				Ranges: map[string][2]float64{
					"population": {2, 20}, "moves": {1, 4}, "workers": {0, 4}, "elite": {0, 30},
					"tournament": {1, 9},
				},
				Structural: []record.Values{record.Of("population", 2), record.Of("population", 17)},
			})
		})
	}
}

// Optima that are known are found by every crossover, and nothing below them.
func TestOptima(t *testing.T) {
	t.Parallel()
	best := map[string]float64{
		record.FormPermutation: 0, record.FormValues: 0,
		record.FormReals: 0,
	}
	most := 0.0 // of bits: the sum of the weights that are positive
	for i := range 33 {
		most += float64(max(i%7-2, 0))
	}
	best[record.FormBits] = -most
	for _, inst := range problems(t)[:4] {
		for _, way := range waysOf(t, inst) {
			t.Run(inst.Name()+"/"+way, func(t *testing.T) {
				t.Parallel()
				r, err := solvers.Open(solvers.Config{
					Solver: "ga", Variant: "generational", Instance: inst, Seed: 1,
					Params: record.Of("crossover", way),
				})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				if err := r.Step(context.Background(), 300); err != nil {
					t.Fatal(err)
				}
				want, got := best[inst.Name()], r.Last().Best
				if got < want || got > want+1e-3 {
					t.Errorf("the best after 300 generations is %v, want %v", got, want)
				}
			})
		}
	}
}

// waysOf are the crossovers of an instance.
func waysOf(t *testing.T, inst datasets.Instance) []string {
	t.Helper()
	r, err := solvers.Open(solvers.Config{Solver: "ga", Variant: "generational", Instance: inst})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	params, err := r.Params(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range params {
		if p.Name == "crossover" {
			return p.Options
		}
	}
	t.Fatal("there is no parameter crossover")
	return nil
}
