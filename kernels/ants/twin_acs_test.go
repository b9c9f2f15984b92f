package ants

import (
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// acsGoldenVar names a file to which TestGoldenACS writes what a device computes.
const acsGoldenVar = "METALAB_ANTS_GOLDEN_ACS"

// goldensACS are small enough for any machine's ordinary tests.
var goldensACS = []trial{
	{
		Solver: "acs", Variant: "spm-sync", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 70,
		Params: params("ants", 9, "alpha", 0.1, "beta", 2.0, "candidates", 20, "local_period", 4, "q0",
			0.98, "rho", 0.1),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 97, Metric: "ATT", Spread: 5000, Iterations: 10,
		Params: params("ants", 13, "candidates", 9, "q0", 0.5, "spm_slots", 3, "local_period", 1,
			"alpha", 0.1, "beta", 2.0, "rho", 0.1),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 198, Metric: "CEIL_2D", Spread: 60, Iterations: 10,
		Params: params("ants", 40, "candidates", 12, "local_period", 3, "tau_min", 0.5, "alpha", 0.1,
			"beta", 2.0, "q0", 0.98, "rho", 0.1),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 200, Metric: "EUC_2D", Spread: 9000, Iterations: 6,
		Params: params("ants", 300, "local_period", 1, "rho", 0.1, "local_search", "2opt", "alpha", 0.1,
			"beta", 2.0, "candidates", 20, "q0", 0.98),
	},
}

// TestGoldenACS replays on the CPU what a device computed. With METALAB_ANTS_GOLDEN_ACS it asks a
// device and writes the file.
func TestGoldenACS(t *testing.T) {
	replays(t, "testdata/golden_acs.json", acsGoldenVar, goldensACS)
}

func init() {
	twins = append(twins, samechoices...)
	twins = append(twins,
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 5, Metric: "EUC_2D", Spread: 100, Iterations: 12,
			Params: params("ants", 40),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 64, Metric: "ATT", Spread: 20, Iterations: 200,
			Params: params("ants", 33, "warps", 4, "q0", 0.0, "local_period", 1),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 198, Metric: "EUC_2D", Spread: 1e5, Iterations: 40,
			Params: params("ants", 256, "warps", 3),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 1002, Metric: "EUC_2D", Spread: 15000,
			Iterations: 6, Params: params("ants", 1002, "q0", 0.98, "local_period", 1, "warps", 31),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 198, Metric: "ATT", Spread: 1e5, Iterations: 30,
			Params: params("ants", 700, "candidates", 5, "spm_slots", 3),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 2400, Metric: "CEIL_2D", Spread: 300, Iterations: 4,
			Params: params("ants", 256, "candidates", 32, "rho", 0.1, "spm_slots", 5, "tau_min", 0.2),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 20000, Metric: "EUC_2D", Spread: 1e6, Iterations: 2,
			Params: params("ants", 64, "candidates", 32),
		},
	)
}

func TestConformACS(t *testing.T) {
	gputest.Need(t)
	for _, v := range []string{"alt", "spm-sync", "spm"} {
		t.Run(v, func(t *testing.T) {
			c := conform.Case{
				Solver: "acs", Variant: v, Backend: "cuda", Instance: goldensACS[0].instance(t), Seed: 11,
				Iterations: 12,
				Params:     params("ants", 5, "candidates", 7),
				Ranges:     map[string][2]float64{"ants": {1, 12}},
				Structural: []record.Values{
					params("candidates", 3), params("candidates", 25),
					params("local_search", "oropt"),
				},
			}
			if v == "spm-sync" {
				c.Structural = append(c.Structural, params("spm_slots", 2),
					params("spm_slots", 12, "tau_min", 0.5))
			}
			conform.Check(t, c)
		})
	}
}

// TestMovesACS lets a run go from one backend to the other and back, by forks, with changes
// between.
func TestMovesACS(t *testing.T) {
	gputest.Need(t)
	c := goldensACS[1]
	inst := c.instance(t)
	var want record.Point
	for i, way := range [][]string{
		{"cpu", "cpu", "cpu"},
		{"cuda", "cuda", "cuda"},
		{"cpu", "cuda", "cpu"},
		{"cuda", "cpu", "cuda"},
	} {
		r := c.open(t, way[0], inst)
		step(t, r, 5)
		for k, backend := range way[1:] {
			f, err := r.Fork(t.Context(),
				solvers.Fork{Name: fmt.Sprint("f", k), Backend: backend, With: params("spm_slots", 6-k)})
			if err != nil {
				t.Fatalf("%v: %v", way, err)
			}
			t.Cleanup(f.Close)
			r = f
			if _, err := r.Set(t.Context(), params("beta", 2.5+float64(k), "rho", 0.3, "ants", 30-7*k),
				"test"); err != nil {
				t.Fatal(err)
			}
			step(t, r, 6)
		}
		p := r.Last()
		if i == 0 {
			want = p
		}
		if p.Digest != want.Digest || p.Best != want.Best {
			t.Errorf("by way of %v: digest %x and best %v, on the CPU %x and %v", way, p.Digest, p.Best,
				want.Digest, want.Best)
		}
	}
}

// TestRaces holds what races to what must be so all the same: tours and their lengths, and that
// trails lead to better ones.
func TestRaces(t *testing.T) {
	gputest.Need(t)
	inst, err := datasets.DIMACS(false, 1002, 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"alt", "gpu", "spm"} {
		r, err := solvers.Open(solvers.Config{
			Solver: "acs", Variant: v, Backend: "cuda", Instance: inst,
			Seed: 3, Preset: "paper",
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		candidates := candidatesOf(t, r)
		first := step(t, r, 1)
		if err := r.View(t.Context(), func(a solvers.Algorithm) {
			lengths := a.(solvers.LengthReporter).Lengths()
			made := a.(solvers.Tracer).Trace()
			for k, tour := range made {
				if l, err := inst.Length(tour); err != nil || float64(l) != lengths[k] {
					t.Errorf("%s: ant %d has length %v, its tour %v, %v", v, k, lengths[k], l, err)
				}
			}
			if n := beyondCandidates(t, inst, candidates, made); n > 0 {
				t.Errorf("%s: %d choices left open candidates for a city beyond the list", v, n)
			}
		}); err != nil {
			t.Fatal(err)
		}
		last := step(t, r, 300)
		t.Logf("%s: %v after 1, %v after 301 iterations, measures %v", v, first.Best, last.Best,
			last.Measures)
		// Where all ants meet at each step, n of them wear trails out before a good tour lasts: on an
		// H100 acs/gpu went to 0.953 of its first best here, and the others to 0.87 and 0.89.
		bound := 0.93
		if v == "gpu" {
			bound = 0.97
		}
		if last.Best > bound*first.Best {
			t.Errorf("%s: best went from %v to %v in 300 iterations", v, first.Best, last.Best)
		}
		if _, err := r.Best(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
