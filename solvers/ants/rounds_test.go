package ants_test

import (
	"testing"

	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// inRounds are the variants whose tours may be improved where they are.
var inRounds = [][2]string{
	{"as", "scan"},
	{"as", "wrs"},
	{"mmas", "scan"},
	{"mmas", "wrs"},
	{"mmas", "rows"},
	{"mmas", "thin"},
	{"acs", "seq"},
	{"acs", "lockstep"},
	{"acs", "alt"},
	{"acs", "spm-sync"},
	{"acs", "spm"},
}

func TestConformRounds(t *testing.T) {
	t.Parallel()
	for _, v := range inRounds {
		t.Run(v[0]+"/"+v[1], func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: v[0], Variant: v[1], Instance: uniform(t, 45), Seed: 11, Iterations: 12,
				Params: record.Values{
					"ants": record.Num(6), "local_search": record.Text("2opt-rounds"),
					"local_share": record.Num(0.4),
				},
				Ranges: map[string][2]float64{"ants": {1, 12}},
				Structural: []record.Values{
					{"local_search": record.Text("none")},
					{"local_search": record.Text("2opt")},
					{"local_search": record.Text("oropt-rounds")},
					{"local_search": record.Text("tiles"), "local_kicks": record.Num(0.7)},
				},
			})
		})
	}
}

// Tours are as long as is said, with every share, and improving them helps.
func TestRounds(t *testing.T) {
	t.Parallel()
	inst := uniform(t, 200)
	for _, v := range inRounds {
		t.Run(v[0]+"/"+v[1], func(t *testing.T) {
			t.Parallel()
			var mean [4]float64
			for i, share := range []float64{0, 0.35, 1, 1} {
				local := []string{"2opt-rounds", "oropt-rounds"}[i/3]
				r := openVariant(t, v, solvers.Config{Instance: inst, Params: record.Values{
					"ants": record.Num(11), "local_search": record.Text(local), "local_share": record.Num(share),
				}})
				step(t, r, 1)
				mean[i] = r.Last().Mean
				step(t, r, 4)
				if err := r.View(t.Context(), func(a solvers.Algorithm) {
					lengths := a.(solvers.LengthReporter).Lengths()
					for k, tour := range a.(solvers.Tracer).Trace() {
						if l, err := inst.Length(tour); err != nil || float64(l) != lengths[k] {
							t.Errorf("share %v, ant %d has length %v, its tour %v, %v", share, k, lengths[k], l, err)
						}
					}
				}); err != nil {
					t.Fatal(err)
				}
			}
			if mean[1] > 0.99*mean[0] || mean[2] > 0.97*mean[1] || mean[3] > 0.995*mean[2] {
				t.Errorf("mean lengths of the first tours with shares 0, 0.35 and 1, and 1 with "+
					"oropt-rounds: %v", mean)
			}
		})
	}
}

// The variants whose tours stay where they are have two presets of ours with a search in rounds.
func TestPresetsInRounds(t *testing.T) {
	t.Parallel()
	inst := uniform(t, 100)
	for _, v := range []string{"wrs", "rows", "thin"} {
		for preset, want := range map[string]string{
			"paper": "none", "best-2opt": "2opt-rounds",
			"best-local": "oropt-rounds",
		} {
			r, err := solvers.Open(solvers.Config{
				Solver: "mmas", Variant: v, Instance: inst,
				Preset: preset,
			})
			if err != nil {
				t.Fatal(err)
			}
			ps, err := r.Params(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, p := range ps {
				got[p.Name] = p.Value.String()
			}
			ants := "800"
			if preset == "paper" {
				ants = "100"
			}
			if got["local_search"] != want && got["local_search"] != `"`+want+`"` || got["ants"] != ants {
				t.Errorf("mmas/%s, preset %s: local_search is %s, ants %s; want %s, %s", v, preset,
					got["local_search"], got["ants"], want, ants)
			}
			r.Close()
		}
	}
}
