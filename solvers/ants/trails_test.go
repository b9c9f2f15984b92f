package ants_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// TestForkKeepsTrails: what both structures store is the same after a fork.
func TestForkKeepsTrails(t *testing.T) {
	t.Parallel()
	inst := uniform(t, 60)
	for _, solver := range all {
		a := open(t, solver, inst,
			record.Values{"candidates": record.Num(8), "local_search": record.Text("none")})
		step(t, a, 20)
		for _, with := range []record.Values{
			{"candidates": record.Num(5)},
			{"candidates": record.Num(20)},
			{"storage": record.Text("matrix")},
		} {
			b, err := a.Fork(t.Context(), solvers.Fork{Name: "b", With: with})
			if err != nil {
				t.Fatal(err)
			}
			x, y := trails(t, a), trails(t, b)
			n := 0
			for e, v := range y {
				if w, ok := x[e]; ok {
					n++
					if v != w {
						t.Fatalf("%s %v: edge %v has %v, had %v", solver, with, e, v, w)
					}
				}
			}
			if n < 100 {
				t.Errorf("%s %v: %d edges have a trail in both", solver, with, n)
			}
			b.Close()
		}
	}
}

// TestStoragesAgree: what is stored where changes no tour. (as forgets weak edges at
// every 32nd iteration under storage candidates.)
func TestStoragesAgree(t *testing.T) {
	conform.Brief(t, "many runs side by side")
	t.Parallel()
	clusters, err := datasets.DIMACS(true, 200, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, inst := range []*datasets.TSP{uniform(t, 150), clusters, oneWay(t, 90)} {
		for solver, its := range map[string]int{"as": 7, "mmas": 150, "acs": 300} {
			for _, alpha := range []float64{1, 1.5} {
				var last record.Point
				for i, storage := range []string{"candidates", "matrix"} {
					ps := record.Values{
						"storage": record.Text(storage), "candidates": record.Num(6), "ants": record.Num(12),
						"local_search": record.Text("none"),
					}
					if solver != "acs" {
						ps["alpha"] = record.Num(alpha)
					}
					if solver == "mmas" {
						ps["rho"] = record.Num(0.8)
					}
					p := step(t, open(t, solver, inst, ps), its)
					if i == 1 && (p.Digest != last.Digest || p.Best != last.Best) {
						t.Errorf("%s on %s (%d cities), alpha %v: storage matrix leads to %v, %x, candidates to "+
							"%v, %x", solver, inst.Name(), inst.N, alpha, p.Best, p.Digest, last.Best, last.Digest)
					}
					last = p
				}
			}
		}
	}
}

// TestStateIsWhole: what a snapshot leaves out cannot matter. A copy from it has the same
// snapshot and goes the same way; mmas has set its trails back before it.
func TestStateIsWhole(t *testing.T) {
	conform.Brief(t, "many runs side by side")
	t.Parallel()
	small, _ := circle(t, 12)
	for _, solver := range all {
		for _, inst := range []*datasets.TSP{small, uniform(t, 90), oneWay(t, 40)} {
			ps := record.Values{"local_search": record.Text("none"), "candidates": record.Num(6)}
			if solver == "mmas" {
				ps["p_best"], ps["rho"] = record.Num(1), record.Num(0.7)
			}
			a := open(t, solver, inst, ps)
			step(t, a, 330)
			b, err := a.Fork(t.Context(), solvers.Fork{Name: "b"})
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			x, err := a.Snapshot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			y, err := b.Snapshot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(x, y) {
				t.Errorf("%s on %s: a copy has another state", solver, inst.Name())
			}
			if p, q := step(t, a, 300), step(t, b, 300); p.Digest != q.Digest {
				t.Errorf("%s on %s: a copy goes another way", solver, inst.Name())
			}
		}
	}
}

func trails(t *testing.T, r *solvers.Run) map[[2]int32]float32 {
	out := map[[2]int32]float32{}
	err := r.View(t.Context(), func(a solvers.Algorithm) {
		list, _ := a.(solvers.Trailer).Trails(1 << 20)
		for _, e := range list {
			out[[2]int32{min(e.From, e.To), max(e.From, e.To)}] = e.Strength
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTrailsAreTheStrongest(t *testing.T) {
	t.Parallel()
	r := open(t, "acs", uniform(t, 80), nil)
	step(t, r, 30)
	err := r.View(t.Context(), func(a solvers.Algorithm) {
		whole, all := a.(solvers.Trailer).Trails(1 << 20)
		few, of := a.(solvers.Trailer).Trails(50)
		if len(few) != 50 || len(whole) < 400 || all != len(whole) || of != all {
			t.Fatalf("%d of %d and %d of %d trails", len(few), of, len(whole), all)
		}
		for i := range whole {
			if i > 0 && whole[i].Strength > whole[i-1].Strength {
				t.Fatalf("trail %d is stronger than the one before it", i)
			}
			if i < 50 && whole[i] != few[i] {
				t.Fatalf("trail %d is %v of 50, %v of all", i, few[i], whole[i])
			}
		}
		ls, tr := a.(solvers.LengthReporter).Lengths(), a.(solvers.Tracer).Trace()
		if len(ls) != len(tr) || len(ls) != 10 {
			t.Fatalf("%d lengths, %d tours", len(ls), len(tr))
		}
		for k := range tr {
			l, err := r.Instance().(*datasets.TSP).Length(tr[k])
			if err != nil || float64(l) != ls[k] {
				t.Errorf("ant %d: length %v, tour has %v, %v", k, ls[k], l, err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestResets: MMAS starts again when it has converged.
func TestResets(t *testing.T) {
	t.Parallel()
	inst, _ := circle(t, 12)
	r := open(t, "mmas", inst,
		record.Values{
			"reset": record.Num(20), "local_search": record.Text("none"),
			"p_best": record.Num(1),
		})
	p := step(t, r, 1000)
	if p.Measures[4] < 1 {
		t.Errorf("no reset in 1000 iterations on 12 cities: measures %v", p.Measures)
	}
}

// Of trails that are all equal, as at the beginning, those that are returned are from
// everywhere, not from the cities with the smallest numbers.
func TestEqualTrailsAreFromEverywhere(t *testing.T) {
	t.Parallel()
	inst := uniform(t, 400)
	for _, solver := range []string{"acs", "mmas", "acs/spm-sync"} {
		solver, variant, _ := strings.Cut(solver, "/")
		r, err := solvers.Open(solvers.Config{Solver: solver, Variant: variant, Instance: inst, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		step(t, r, 1)
		err = r.View(t.Context(), func(a solvers.Algorithm) {
			list, all := a.(solvers.Trailer).Trails(300)
			if all < 800 || len(list) != 300 {
				t.Fatalf("%s: %d of %d trails", solver, len(list), all)
			}
			var quarter [4]int // by the place of the city
			for _, e := range list {
				q := 0
				if inst.ShowX[e.From] > 500_000 {
					q++
				}
				if inst.ShowY[e.From] > 500_000 {
					q += 2
				}
				quarter[q]++
			}
			for q, n := range quarter {
				if n < 30 {
					t.Errorf("%s: %d of 300 trails are in quarter %d: %v", solver, n, q, quarter)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestChoicesLimit: with choices=n/2 the lower limit is that of Stuetzle and Hoos, with list that
// of ACOTSP.
func TestChoicesLimit(t *testing.T) {
	t.Parallel()
	const n = 100
	p := math.Pow(0.01, 1.0/n)
	for _, c := range []struct {
		variant, choices string
		candidates       float64
		others           float64
	}{
		{"wrs", "n/2", 20, 49},
		{"wrs", "list", 20, 10},
		{"wrs", "list", 31, 16},
		{"rows", "n/2", 0, 49},
		{"rows", "list", 0, 50},
	} {
		r := openVariant(t, [2]string{"mmas", c.variant}, solvers.Config{
			Instance: uniform(t, n), Params: record.Values{
				"choices": record.Text(c.choices), "p_best": record.Num(0.01),
				"candidates": record.Num(c.candidates),
			},
		})
		m := step(t, r, 3).Measures
		if want := m[3] * (1 - p) / (p * c.others); math.Abs(m[2]/want-1) > 1e-5 {
			t.Errorf("%+v: tau_min is %v, want %v", c, m[2], want)
		}
	}
}
