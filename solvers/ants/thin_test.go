package ants_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

var thinVariant = [2]string{"mmas", "thin"}

// TestConformThin: with few cities all choices are scans of a list, so one case has more.
func TestConformThin(t *testing.T) {
	t.Parallel()
	for n, candidates := range map[int]float64{40: 7, 170: 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			if n > 40 {
				conform.Brief(t, "the small one shows what races")
			}
			conform.Check(t, conform.Case{
				Solver: "mmas", Variant: "thin", Instance: uniform(t, n), Seed: 11, Iterations: 10, Trials: 3,
				Params:     record.Values{"ants": record.Num(4), "candidates": record.Num(candidates)},
				Ranges:     map[string][2]float64{"ants": {1, 6}},
				Structural: []record.Values{{"candidates": record.Num(3)}, {"candidates": record.Num(25)}},
			})
		})
	}
}

// TestThinDigest holds the tours to what they were when the variant was written.
func TestThinDigest(t *testing.T) {
	t.Parallel()
	r := openVariant(t, thinVariant,
		solvers.Config{Instance: uniform(t, 300), Params: record.Values{"ants": record.Num(5)}})
	if got, want := step(t, r, 20).Digest, uint64(0xeee387423461cb56); got != want {
		t.Errorf("digest %#x, want %#x", got, want)
	}
}

func TestThinFindsOptimum(t *testing.T) {
	t.Parallel()
	inst, best := circle(t, 40)
	if p := step(t, openVariant(t, thinVariant, solvers.Config{Instance: inst}), 120); p.Best != best {
		t.Errorf("best is %v, the way round has %v", p.Best, best)
	}
}

// TestThinLikeRows: two ways to the same distribution learn alike.
func TestThinLikeRows(t *testing.T) {
	conform.Brief(t, "two variants learn for many iterations")
	t.Parallel()
	inst := uniform(t, 200)
	ps := record.Values{"ants": record.Num(20)}
	a := step(t, openVariant(t, thinVariant, solvers.Config{Instance: inst, Params: ps}), 40)
	ps["candidates"] = record.Num(0)
	b := step(t, openVariant(t, rowsVariant, solvers.Config{Instance: inst, Params: ps}), 40)
	t.Logf("best %v and %v, mean %v and %v", a.Best, b.Best, a.Mean, b.Mean)
	if a.Mean > 1.1*b.Mean || b.Mean > 1.1*a.Mean {
		t.Errorf("means of iteration 40 are %v and %v", a.Mean, b.Mean)
	}
}

// TestThinLarge: what does not fit is refused with what does.
func TestThinLarge(t *testing.T) {
	t.Parallel()
	const n = 18919
	_, err := solvers.Open(solvers.Config{Solver: "mmas", Variant: "thin", Instance: uniform(t, n)})
	if err == nil || !strings.Contains(err.Error(), "18919 cities need 4295142732 bytes on the host, "+
		"and the limit is 4294967296: use mmas/wrs") {
		t.Errorf("%d cities: %v", n, err)
	}
}

func TestThinSmall(t *testing.T) {
	t.Parallel()
	num := record.Num
	for n := 1; n <= 6; n++ {
		step(t, openVariant(t, thinVariant,
			solvers.Config{Instance: uniform(t, n), Params: record.Values{"ants": num(3)}}), 12)
	}
	for _, ps := range []record.Values{
		{"alpha": num(10), "beta": num(20)},
		{"rho": num(0), "alpha": num(0.5)},
		{"deposit": record.Text("best"), "beta": num(0), "candidates": num(1)},
		{"reset": num(1), "best_period": num(1), "p_best": num(1)},
	} {
		ps["ants"] = num(3)
		r := openVariant(t, thinVariant, solvers.Config{Instance: uniform(t, 200), Params: ps})
		step(t, r, 12)
		if _, err := r.Best(t.Context()); err != nil {
			t.Errorf("%v: %v", ps, err)
		}
	}
}

// A choice among all unvisited cities, without lists, that looks at few of them.
func Example_thin() {
	inst, err := datasets.Load("E1k.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := solvers.Open(solvers.Config{
		Solver: "mmas", Variant: "thin", Instance: inst, Seed: 42,
		Params: record.Values{"ants": record.Num(10)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.Close()
	if err := run.Step(context.Background(), 3); err != nil {
		fmt.Println(err)
	}
	fmt.Println(run.Last().Iter, run.Last().Mean >= run.Last().Best)
	// Output: 3 true
}

// BenchmarkAll is an iteration of 20 ants without lists: all unvisited cities looked at, by
// wheel and by race, and thinned.
func BenchmarkAll(b *testing.B) {
	for _, n := range []int{1000, 3000} {
		for name, v := range map[string][2]string{
			"rwm": rowsVariant, "wrs": rowsVariant,
			"thin": thinVariant,
		} {
			b.Run(fmt.Sprintf("%s n=%d", name, n), func(b *testing.B) {
				ps := record.Values{"ants": record.Num(20)}
				if v == rowsVariant {
					ps["candidates"], ps["selection"] = record.Num(0), record.Text(name)
				}
				r := openVariant(b, v, solvers.Config{Instance: uniform(b, n), Params: ps})
				for b.Loop() {
					if err := r.Step(b.Context(), 1); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
