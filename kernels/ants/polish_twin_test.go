package ants

import (
	"fmt"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

func init() {
	twins = append(twins, polishTwins...)
	twins = append(twins,
		trial{
			Solver: "mmas", Variant: "wrs", Cities: 5, Metric: "EUC_2D", Spread: 100, Iterations: 12,
			Params: params("ants", 40, "local_search", "2opt-rounds"),
		},
		trial{
			Solver: "mmas", Variant: "wrs", Cities: 64, Metric: "EUC_2D", Spread: 20, Iterations: 130,
			Params: params("ants", 33, "local_search", "2opt-rounds", "reset", 20, "rho", 0.5, "p_best",
				0.5),
		},
		trial{
			Solver: "mmas", Variant: "wrs", Cities: 1002, Metric: "EUC_2D", Spread: 15000,
			Iterations: 5, Params: params("ants", 300, "local_search", "2opt-rounds", "deposit", "best"),
		},
		trial{
			Solver: "mmas", Variant: "wrs", Cities: 1002, Metric: "EUC_2D", Spread: 15000,
			Iterations: 5, Params: params("ants", 300, "local_search", "oropt-rounds", "deposit", "best"),
		},
		trial{
			Solver: "mmas", Variant: "wrs", Cities: 700, Metric: "CEIL_2D", Spread: 500, Iterations: 5,
			Params: params("ants", 70, "local_search", "oropt-rounds", "local_share", 0.4),
		},
		trial{
			Solver: "acs", Variant: "lockstep", Cities: 198, Metric: "EUC_2D", Spread: 9000,
			Iterations: 20, Params: params("ants", 60, "local_search", "oropt-rounds"),
		},
		trial{
			Solver: "mmas", Variant: "wrs", Cities: 3301, Metric: "EUC_2D", Spread: 20000,
			Iterations: 3, Params: params("ants", 50, "candidates", 16, "local_search", "2opt-rounds",
				"local_share", 0.3),
		},
		trial{
			Solver: "mmas", Variant: "rows", Cities: 501, Metric: "CEIL_2D", Spread: 5000,
			Iterations: 4, Params: params("ants", 60, "selection", "rwm", "candidates", 0, "local_search",
				"2opt-rounds"),
		},
		trial{
			Solver: "mmas", Variant: "thin", Cities: 501, Metric: "ATT", Spread: 5000, Iterations: 4,
			Params: params("ants", 60, "local_search", "2opt-rounds", "local_share", 0.5),
		},
		trial{
			Solver: "acs", Variant: "lockstep", Cities: 501, Metric: "EUC_2D", Spread: 9000,
			Iterations: 5, Params: params("ants", 60, "local_search", "oropt"),
		},
		trial{
			Solver: "acs", Variant: "lockstep", Cities: 501, Metric: "EUC_2D", Spread: 9000,
			Iterations: 12, Params: params("ants", 60, "local_search", "2opt-rounds"),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 501, Metric: "EUC_2D", Spread: 9000, Iterations: 12,
			Params: params("ants", 60, "local_search", "2opt-rounds", "local_share", 0.25),
		},
		trial{
			Solver: "mmas", Variant: "wrs", Cities: 3301, Metric: "EUC_2D", Spread: 20000, Iterations: 4,
			Params: params("ants", 20, "local_search", "tiles", "local_share", 0.9, "deposit", "iteration"),
		},
		trial{
			Solver: "as", Variant: "wrs", Cities: 501, Metric: "ATT", Spread: 5000, Iterations: 4,
			Params: params("ants", 9, "local_search", "tiles", "local_kicks", 3),
		},
		trial{
			Solver: "mmas", Variant: "thin", Cities: 501, Metric: "CEIL_2D", Spread: 5000, Iterations: 4,
			Params: params("ants", 9, "local_search", "tiles"),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 501, Metric: "EUC_2D", Spread: 9000, Iterations: 6,
			Params: params("ants", 20, "local_search", "tiles", "local_share", 0.25),
		},
	)
}

// localGoldenVar names a file to which TestGoldenLocal writes what a device computes.
const localGoldenVar = "METALAB_ANTS_GOLDEN_LOCAL"

// goldensLocal have a local search on the device and are small enough for any machine's ordinary
// tests.
var goldensLocal = []trial{
	{
		Solver: "mmas", Variant: "wrs", Cities: 198, Metric: "EUC_2D", Spread: 1e4, Iterations: 12,
		Params: params("ants", 30, "candidates", 16, "local_search", "2opt-rounds", "rho", 0.8,
			"deposit", "mixed"),
	},
	{
		Solver: "mmas", Variant: "rows", Cities: 97, Metric: "ATT", Spread: 5000, Iterations: 8,
		Params: params("ants", 20, "candidates", 9, "local_search", "2opt-rounds", "local_share", 0.4),
	},
	{
		Solver: "mmas", Variant: "thin", Cities: 150, Metric: "CEIL_2D", Spread: 600, Iterations: 6,
		Params: params("ants", 12, "local_search", "oropt-rounds", "local_share", 0.5),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 97, Metric: "EUC_2D", Spread: 5000, Iterations: 10,
		Params: params("ants", 13, "local_search", "2opt-rounds"),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 97, Metric: "EUC_2D", Spread: 5000, Iterations: 10,
		Params: params("ants", 13, "local_search", "2opt-rounds", "local_share", 0.3),
	},
}

// TestGoldenLocal replays on the CPU what a device computed. With METALAB_ANTS_GOLDEN_LOCAL it asks
// a device and writes the file.
func TestGoldenLocal(t *testing.T) {
	replays(t, "testdata/golden_local.json", localGoldenVar, goldensLocal)
}

// TestConformLocal holds the variants with a local search on the device to the laws.
func TestConformLocal(t *testing.T) {
	gputest.Need(t)
	for _, v := range [][2]string{
		{"as", "wrs"},
		{"mmas", "wrs"},
		{"mmas", "rows"},
		{"mmas", "thin"},
		{"acs", "lockstep"},
		{"acs", "spm-sync"},
		{"acs", "alt"},
		{"acs", "spm"},
	} {
		t.Run(v[0]+"/"+v[1], func(t *testing.T) {
			conform.Check(t, conform.Case{
				Solver: v[0], Variant: v[1], Backend: "cuda", Instance: goldens[0].instance(t), Seed: 11,
				Iterations: 12,
				Params: params("ants", 5, "candidates", 7, "local_search", "2opt-rounds", "local_share",
					0.5),
				Ranges: map[string][2]float64{"ants": {1, 12}},
				Structural: []record.Values{
					params("local_search", "none"),
					params("local_search", "oropt-rounds"),
					params("local_search", "2opt-plain"),
				},
			})
		})
	}
}

// TestMovesLocal lets a run go from one backend to the other and back by forks that begin, change
// and end the local search, with other shares and numbers of ants between.
func TestMovesLocal(t *testing.T) {
	gputest.Need(t)
	for _, c := range []trial{polishTwins[1], polishTwins[5], polishTwins[6], polishTwins[7]} {
		inst := c.instance(t)
		ctx := t.Context()
		var want record.Point
		for i, way := range [][]string{
			{"cpu", "cpu", "cpu", "cpu"},
			{"cuda", "cuda", "cuda", "cuda"},
			{"cpu", "cuda", "cpu", "cuda"},
			{"cuda", "cpu", "cuda", "cuda"},
		} {
			r := c.open(t, way[0], inst)
			step(t, r, 4)
			for k, backend := range way[1:] {
				word := []string{"none", "oropt-rounds", "2opt-rounds"}[k]
				f, err := r.Fork(ctx, solvers.Fork{
					Name: fmt.Sprint("f", k), Backend: backend,
					With: params("local_search", word),
				})
				if err != nil {
					t.Fatalf("%v: %v", way, err)
				}
				t.Cleanup(f.Close)
				r = f
				step(t, r, 2)
				if _, err := r.Set(ctx, params("ants", 30-7*k, "local_share", 0.3+0.3*float64(k)),
					"test"); err != nil {
					t.Fatal(err)
				}
				step(t, r, 3)
			}
			p := r.Last()
			if i == 0 {
				want = p
			}
			if p.Digest != want.Digest || p.Best != want.Best {
				t.Errorf("%v by way of %v: digest %x and best %v, on the CPU %x and %v", c, way, p.Digest,
					p.Best, want.Digest, want.Best)
			}
			if _, err := r.Best(ctx); err != nil {
				t.Errorf("%v: %v", way, err)
			}
		}
	}
}

// Searches that need tours on the host are refused where these stay on the device, and what is too
// large for it too.
func TestRefusedLocal(t *testing.T) {
	gputest.Need(t)
	small := goldens[0].instance(t)
	large, err := datasets.Uniform(60000, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		solver, variant, word string
		inst                  *datasets.TSP
		want                  string
	}{
		{"mmas", "wrs", "2opt", small, "2opt-rounds"},
		{"mmas", "thin", "oropt", small, "2opt-rounds"},
		{"mmas", "rows", "3opt", small, "2opt-rounds"},
		{"mmas", "wrs", "2opt-rounds", large, "want at most"},
		{"mmas", "wrs", "oropt-rounds", large, "want at most"},
		{"mmas", "wrs", "2opt-plain", large, "want at most"},
	} {
		r, err := solvers.Open(solvers.Config{
			Solver: c.solver, Variant: c.variant, Backend: "cuda",
			Instance: c.inst, Params: params("ants", 4, "candidates", 8, "local_search", c.word),
		})
		if err == nil {
			r.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s/%s with %s: error %v, want one that says %q", c.solver, c.variant, c.word, err,
				c.want)
		}
	}
}

// TestLocalRaces holds variants that race to what must be so all the same: lengths are those of the
// tours.
func TestLocalRaces(t *testing.T) {
	gputest.Need(t)
	inst, err := datasets.DIMACS(false, 1002, 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"alt", "spm"} {
		r, err := solvers.Open(solvers.Config{
			Solver: "acs", Variant: v, Backend: "cuda", Instance: inst, Seed: 3, Preset: "paper",
			Params: params("local_search", "2opt-rounds", "local_share", 0.5),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		step(t, r, 5)
		if err := r.View(t.Context(), func(a solvers.Algorithm) {
			lengths := a.(solvers.LengthReporter).Lengths()
			for k, tour := range a.(solvers.Tracer).Trace() {
				if l, err := inst.Length(tour); err != nil || float64(l) != lengths[k] {
					t.Errorf("%s: ant %d has length %v, its tour %v, %v", v, k, lengths[k], l, err)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Best(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
