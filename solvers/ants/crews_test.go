package ants_test

import (
	"testing"

	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// crews are the variants that GPUs make too: {solver, variant}.
var crews = [][2]string{{"mmas", "wrs"}, {"acs", "lockstep"}, {"as", "wrs"}}

func TestConformCrews(t *testing.T) {
	t.Parallel()
	for _, v := range crews {
		structural := []record.Values{{"candidates": record.Num(3)}, {"candidates": record.Num(25)}}
		if v[0] == "acs" {
			structural = append(structural, record.Values{"candidates": record.Num(31)},
				record.Values{"local_search": record.Text("none"), "candidates": record.Num(2)})
		}
		t.Run(v[0]+" "+v[1], func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: v[0], Variant: v[1], Instance: uniform(t, 45), Seed: 11, Iterations: 12,
				Params:     record.Values{"ants": record.Num(5), "candidates": record.Num(7)},
				Ranges:     map[string][2]float64{"ants": {1, 12}},
				Structural: structural,
			})
		})
	}
}

// openVariant opens a variant with seed 3.
func openVariant(tb testing.TB, v [2]string, c solvers.Config) *solvers.Run {
	tb.Helper()
	c.Solver, c.Variant, c.Seed = v[0], v[1], 3
	r, err := solvers.Open(c)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(r.Close)
	return r
}

// TestCrewsFindOptimum: the way round, from two sides of the lists' lengths.
func TestCrewsFindOptimum(t *testing.T) {
	t.Parallel()
	inst, best := circle(t, 40)
	for _, v := range crews {
		for _, ps := range []record.Values{nil, {"candidates": record.Num(4), "ants": record.Num(20)}} {
			if p := step(t, openVariant(t, v, solvers.Config{Instance: inst, Params: ps}),
				150); p.Best != best {
				t.Errorf("%v %v: best is %v, the way round has %v", v, ps, p.Best, best)
			}
		}
	}
}

// TestCrewsLearn holds the default parameters to a quality that only trails reach.
func TestCrewsLearn(t *testing.T) {
	conform.Brief(t, "ants learn for many iterations")
	t.Parallel()
	inst := uniform(t, 120)
	for _, v := range crews {
		ps := record.Values{}
		if v[0] == "acs" {
			ps["local_search"] = record.Text("none")
		}
		r := openVariant(t, v, solvers.Config{Instance: inst, Params: ps})
		first, last := step(t, r, 1), step(t, r, 100)
		t.Logf("%v: %v after 1, %v after 101 iterations", v, first.Best, last.Best)
		if last.Best > 0.93*first.Best {
			t.Errorf("%v: best went from %v to %v in 100 iterations", v, first.Best, last.Best)
		}
	}
}

// TestCrewsSmall looks at instances smaller than lists, and at parameters' ends.
func TestCrewsSmall(t *testing.T) {
	conform.Brief(t, "many runs at the ends of parameters")
	t.Parallel()
	num := record.Num
	for _, v := range crews {
		for n := 1; n <= 6; n++ {
			for _, ps := range []record.Values{nil, {"ants": num(1), "candidates": num(1)}} {
				r := openVariant(t, v, solvers.Config{Instance: uniform(t, n), Params: ps})
				step(t, r, 12)
				if _, err := r.Best(t.Context()); err != nil {
					t.Errorf("%v, %d cities, %v: %v", v, n, ps, err)
				}
			}
		}
	}
	for _, ps := range []record.Values{
		{"q0": num(0)},
		{"q0": num(1), "ants": num(60)},
		{"rho": num(1), "alpha": num(1), "beta": num(20)},
		{"rho": num(0), "alpha": num(0), "beta": num(0)},
		{"local_period": num(1 << 20), "ants": num(200)},
		{"local_search": record.Text("none"), "candidates": num(1), "q0": num(0.5)},
	} {
		r := openVariant(t, crews[1], solvers.Config{Instance: uniform(t, 60), Params: ps})
		step(t, r, 20)
		if _, err := r.Best(t.Context()); err != nil {
			t.Errorf("%v: %v", ps, err)
		}
	}
	for _, ps := range []record.Values{
		{"alpha": num(10), "beta": num(20)},
		{"rho": num(0), "alpha": num(0.5)},
		{"deposit": record.Text("best"), "alpha": num(0)},
		{"reset": num(1), "best_period": num(1), "ants": num(3)},
	} {
		r := openVariant(t, crews[0], solvers.Config{Instance: uniform(t, 60), Params: ps})
		step(t, r, 20)
		if _, err := r.Best(t.Context()); err != nil {
			t.Errorf("%v: %v", ps, err)
		}
	}
}

// TestSystemRaceEnds looks at as/wrs at the ends of its parameters.
func TestSystemRaceEnds(t *testing.T) {
	conform.Brief(t, "many runs at the ends of parameters")
	t.Parallel()
	num := record.Num
	for _, ps := range []record.Values{
		{"alpha": num(10), "beta": num(20)},
		{"rho": num(0), "alpha": num(0.5)},
		{"rho": num(0.9999), "ants": num(300), "alpha": num(0)},
		{"candidates": num(1), "ants": num(3)},
	} {
		r := openVariant(t, crews[2], solvers.Config{Instance: uniform(t, 60), Params: ps})
		step(t, r, 20)
		if _, err := r.Best(t.Context()); err != nil {
			t.Errorf("%v: %v", ps, err)
		}
	}
}

// BenchmarkCrews is an iteration of the twins on the CPU: n ants, preset paper.
func BenchmarkCrews(b *testing.B) {
	for _, v := range crews {
		b.Run(v[0]+" "+v[1], func(b *testing.B) {
			inst := uniform(b, 1000)
			r := openVariant(b, v, solvers.Config{Instance: inst, Preset: "paper"})
			for b.Loop() {
				if err := r.Step(b.Context(), 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
