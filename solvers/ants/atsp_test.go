package ants_test

import (
	"os"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

func TestConformOneWay(t *testing.T) {
	t.Parallel()
	for _, solver := range all {
		t.Run(solver, func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: solver, Instance: oneWay(t, 40), Seed: 11, Iterations: 12,
				Params: record.Values{
					"ants": record.Num(5), "candidates": record.Num(7),
					"local_search": record.Text("3opt"),
				},
				Ranges: map[string][2]float64{"ants": {1, 12}},
				Structural: []record.Values{
					{"candidates": record.Num(3)},
					{"local_search": record.Text("none")},
				},
			})
		})
	}
}

// TestOneWayRefusals: what turns paths round refuses asymmetric instances with a sentence.
func TestOneWayRefusals(t *testing.T) {
	t.Parallel()
	for _, local := range []string{"2opt", "oropt"} {
		_, err := solvers.Open(solvers.Config{
			Solver: "mmas", Instance: oneWay(t, 20),
			Params: record.Values{"local_search": record.Text(local)},
		})
		if err == nil || !strings.Contains(err.Error(), "asymmetric") ||
			!strings.Contains(err.Error(), "3opt") {
			t.Errorf("local_search=%s: error %v, want one that says why and what to use", local, err)
		}
	}
	if _, err := solvers.Open(solvers.Config{
		Solver: "mmas", Variant: "focused",
		Instance: oneWay(t, 20),
	}); err == nil {
		t.Error("mmas/focused takes an asymmetric instance")
	}
}

// TestOneWayPublished holds ants with local search to the optima of published instances.
func TestOneWayPublished(t *testing.T) {
	conform.Brief(t, "ants search until they find the optimum")
	t.Parallel()
	if os.Getenv("METALAB_DATA") == "" {
		t.Skip("METALAB_DATA is not set")
	}
	for name, best := range map[string]float64{
		"br17": 39, "ftv33": 1286, "ftv44": 1613,
		"ry48p": 14422, "ft53": 6905, "ft70": 38673, "kro124p": 36230,
	} {
		inst, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		least := 0.0
		for seed := range uint64(5) {
			r, err := solvers.Open(solvers.Config{Solver: "mmas", Instance: inst, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			for range 15 {
				p := step(t, r, 20)
				if least == 0 || p.Best < least {
					least = p.Best
				}
			}
			r.Close()
			if least == best {
				break
			}
		}
		if least < best || least > 1.003*best {
			t.Errorf("%s: best of 5 runs is %v, the optimum %v", name, least, best)
		}
	}
}
