package moves_test

import (
	"context"
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

func taillard(tb testing.TB, n int) *datasets.QAP {
	tb.Helper()
	q, err := datasets.Taillard(n)
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

func perceptron(tb testing.TB, m, n int) *datasets.PPP {
	tb.Helper()
	p, _, err := datasets.NewPPP(m, n, 1)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// grid is a square of side points at distance 10, whose shortest tour is 10 side^2 long
// when side is even.
func grid(tb testing.TB, side int) *datasets.TSP {
	tb.Helper()
	var x, y []float64
	for i := range side * side {
		x, y = append(x, float64(10*(i%side))), append(y, float64(10*(i/side)))
	}
	t, err := datasets.NewTSP(fmt.Sprintf("grid%d", side), datasets.Euc2D, x, y)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func TestSolversKeepTheLaws(t *testing.T) {
	t.Parallel()
	ranges := map[string][2]float64{
		"scans": {1, 9}, "walks": {1, 4}, "exchange": {0, 3}, "workers": {0, 4}, "block": {32, 96},
		"wave": {0, 64}, "trials": {0, 3},
		"tenure": {0, 20}, "aspiration": {0, 60}, "kick": {1, 5}, "restarts": {0, 4}, "depth": {1, 3},
	}
	for i, inst := range []datasets.Instance{
		taillard(t, 17), perceptron(t, 9, 9), grid(t, 4), perceptron(t, 14, 15), taillard(t, 7),
	} {
		for j, c := range []struct {
			solver string
			params record.Values
		}{
			{
				"tabu",
				record.Values{
					"scans": record.Num(3), "walks": record.Num(3), "exchange": record.Num(2),
					"tenure": record.Num(6),
				},
			},
			{
				"tabu",
				record.Values{
					"scans": record.Num(4), "block": record.Num(32), "wave": record.Num(256),
					"workers": record.Num(3), "tenures": record.Text("uniform"),
				},
			},
			{
				"hill",
				record.Values{
					"scans": record.Num(4), "block": record.Num(32), "wave": record.Num(256),
					"workers": record.Num(3), "begin": record.Text("random"),
				},
			},
			{
				"hill",
				record.Values{
					"scans": record.Num(9), "walks": record.Num(2), "select": record.Text("first"),
					"exchange": record.Num(2),
				},
			},
			{
				"vnd",
				record.Values{"scans": record.Num(9), "walks": record.Num(2), "select": record.Text("random")},
			},
		} {
			if (i+j)%5 > 1 && i > 0 {
				continue // each solver on two more problems
			}
			t.Run(fmt.Sprint(c.solver, " ", inst.Name()), func(t *testing.T) {
				t.Parallel()
				r := map[string][2]float64{}
				for name, v := range ranges {
					r[name] = v
				}
				if inst.Kind() != datasets.KindPPP {
					r["depth"] = [2]float64{1, 2}
				}
				conform.Check(
					t, conform.Case{Solver: c.solver, Instance: inst, Seed: 3, Params: c.params, Ranges: r},
				)
			})
		}
	}
}

// So do they, and what else takes neighbourhoods, on spins.
func TestSolversKeepTheLawsOnSpins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		solver, variant, instance string
		params                    record.Values
	}{
		{"tabu", "", "gset-like-30-20-1", record.Of("scans", 5, "walks", 3, "exchange", 2)},
		{"tabu", "", "glass-4x5-1", record.Of("scans", 4, "neighbourhood", "hamming2")},
		{"hill", "", "torus-5x4-1", record.Of("scans", 4, "walks", 2)},
		{"vnd", "", "gset-like-20-20-1-pm", record.Of("scans", 9, "select", "random")},
		{"ils", "moves", "glass-4x5-2", record.Of("scans", 9, "walks", 2)},
	} {
		t.Run(c.solver+" "+c.instance, func(t *testing.T) {
			t.Parallel()
			inst, _, err := datasets.Generate(c.instance)
			if err != nil {
				t.Fatal(err)
			}
			conform.Check(t, conform.Case{
				Solver: c.solver, Variant: c.variant, Instance: inst, Seed: 5, Params: c.params, Trials: 8,
				Ranges: map[string][2]float64{
					"scans": {1, 9}, "walks": {1, 3}, "exchange": {0, 3}, "workers": {0, 4}, "wave": {0, 64},
					"depth": {1, 3}, "kick": {1, 5}, "restarts": {0, 4}, "tenure": {0, 9},
					"temperature": {0, 9},
				},
			})
		})
	}
}

// So do the neighbourhoods of edges on symmetric tours.
func TestSolversKeepTheLawsOnEdges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ solver, neighbourhood, pick string }{
		{"tabu", "2opt", ""},
		{"tabu", "oropt", ""},
		{"hill", "2opt", "best"},
		{"hill", "oropt", "first"},
		{"vnd", "2opt", "random"},
	} {
		t.Run(fmt.Sprint(c.solver, " ", c.neighbourhood), func(t *testing.T) {
			t.Parallel()
			params := record.Of("neighbourhood", c.neighbourhood, "scans", 6, "walks", 2)
			if c.pick != "" {
				params["select"] = record.Text(c.pick)
			}
			conform.Check(t, conform.Case{
				Solver: c.solver, Instance: grid(t, 4), Seed: 5, Params: params, Trials: 8,
				Ranges: map[string][2]float64{
					"scans": {1, 9}, "walks": {1, 3}, "exchange": {0, 3}, "workers": {0, 4}, "wave": {0, 64},
					"depth": {1, 2}, "kick": {1, 5}, "restarts": {0, 4}, "tenure": {0, 9},
				},
			})
		})
	}
}

// Tours whose length depends on the direction are walked by all three.
func TestSolversKeepTheLawsOnAsymmetricTours(t *testing.T) {
	t.Parallel()
	// One step ahead costs 1, k steps ahead k^2.
	const n = 13
	d := make([]int32, n*n)
	for i := range n {
		for j := range n {
			k := int32((j - i + n) % n)
			d[i*n+j] = k * k
		}
	}
	inst, err := datasets.NewMatrixTSP("ahead", n, d, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, solver := range []string{"tabu", "hill", "vnd"} {
		t.Run(solver, func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: solver, Instance: inst, Seed: 5,
				Params: record.Values{"scans": record.Num(6), "walks": record.Num(2)}, Trials: 8,
				Ranges: map[string][2]float64{
					"scans": {1, 9}, "walks": {1, 3}, "exchange": {0, 3}, "workers": {0, 4}, "wave": {0, 64},
					"depth": {1, 2}, "kick": {1, 5}, "restarts": {0, 4},
				},
			})
		})
	}
}

// The problems on vectors of values and of reals, by every solver.
func TestSolversKeepTheLawsOnVectors(t *testing.T) {
	t.Parallel()
	ranges := map[string][2]float64{
		"scans": {1, 5}, "walks": {1, 3}, "exchange": {0, 3}, "workers": {0, 4}, "block": {32, 96},
		"wave": {0, 64}, "trials": {0, 3},
		"tenure": {0, 20}, "kick": {1, 5}, "restarts": {0, 4}, "depth": {1, 2}, "neighbours": {1, 60},
		"radius": {0.001, 1.5},
	}
	few := func(inst datasets.Instance, v record.Values) record.Values {
		if inst.Kind() == datasets.KindWeierstrass {
			v["neighbours"] = record.Num(40)
		}
		return v
	}
	for _, name := range []string{"queen5_5-k4", "weierstrass-3", "weierstrass-2-b3-h0.5-t40-max"} {
		inst, _, err := datasets.Generate(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			solver string
			params record.Values
		}{
			{
				"tabu",
				record.Values{"scans": record.Num(3), "walks": record.Num(2), "exchange": record.Num(2)},
			},
			{
				"tabu",
				record.Values{"scans": record.Num(4), "workers": record.Num(3), "trials": record.Num(1)},
			},
			{
				"hill",
				record.Values{"scans": record.Num(4), "workers": record.Num(2), "select": record.Text("first")},
			},
			{
				"vnd",
				record.Values{"scans": record.Num(4), "walks": record.Num(2), "begin": record.Text("random")},
			},
		} {
			t.Run(fmt.Sprint(c.solver, " ", name), func(t *testing.T) {
				t.Parallel()
				conform.Check(
					t,
					conform.Case{
						Solver: c.solver, Instance: inst, Seed: 3, Params: few(inst, c.params), Ranges: ranges,
						Trials: 10,
					},
				)
			})
		}
	}
}

// Sizes at which some neighbourhoods are empty are no error.
func TestSolversOnTinyInstances(t *testing.T) {
	t.Parallel()
	var all []datasets.Instance
	for n := 2; n < 6; n++ {
		all = append(all, taillard(t, n))
	}
	for n := 1; n < 6; n++ {
		p, err := datasets.NewTSP("tiny", datasets.Euc2D, make([]float64, n), make([]float64, n))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	all = append(all, perceptron(t, 1, 1), perceptron(t, 4, 3))
	for _, name := range []string{
		"gnp-1-50-1", "gnp-3-50-1", "myciel1", "myciel2-k1", "weierstrass-1",
	} {
		inst, _, err := datasets.Generate(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, inst)
	}
	for _, inst := range all {
		for _, solver := range []string{"tabu", "hill", "vnd"} {
			with := record.Values{"scans": record.Num(20)}
			if inst.Kind() == datasets.KindWeierstrass {
				with["neighbours"] = record.Num(1)
			}
			r, err := solvers.Open(solvers.Config{Solver: solver, Instance: inst, Seed: 1, Params: with})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Step(context.Background(), 5); err != nil {
				t.Errorf("%s on %s of %d: %v", solver, inst.Name(), inst.Size(), err)
			}
			if _, err := r.Best(context.Background()); err != nil {
				t.Errorf("%s on %s of %d: %v", solver, inst.Name(), inst.Size(), err)
			}
			r.Close()
		}
	}
}
