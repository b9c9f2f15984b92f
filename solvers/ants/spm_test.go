package ants_test

import (
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// late are the variants of acs whose ants see updates late.
var late = []string{"alt", "spm", "spm-alt"}

func TestLateConform(t *testing.T) {
	t.Parallel()
	num, text := record.Num, record.Text
	for _, v := range late {
		structural := []record.Values{
			{"candidates": num(3)},
			{"candidates": num(25)},
			{"local_search": text("2opt")},
		}
		if v != "alt" {
			structural = append(structural, record.Values{"spm_slots": num(2)},
				record.Values{"spm_slots": num(9), "candidates": num(12)}, record.Values{"tau_min": num(0.5)})
		}
		for _, c := range []conform.Case{
			{Instance: uniform(t, 50), Params: record.Values{"candidates": num(7), "ants": num(5)}},
			{
				Instance: uniform(t, 70), Params: record.Values{"q0": num(0.5), "ants": num(35)},
				Iterations: 6, Trials: 8,
			},
			{
				Instance: uniform(t, 40), Params: record.Values{"local_search": text("oropt"), "ants": num(5)},
				Iterations: 12, Trials: 8,
			},
			{
				Instance: oneWay(t, 30), Params: record.Values{"candidates": num(6), "ants": num(18)},
				Iterations: 12, Trials: 8,
			},
		} {
			c.Solver, c.Variant, c.Backend, c.Seed, c.Structural = "acs", v, "cpu", 11, structural
			if c.Instance.Kind() == datasets.KindATSP {
				c.Structural = slices.DeleteFunc(slices.Clone(structural),
					func(v record.Values) bool { return v["local_search"] != record.Value{} })
			}
			c.Ranges = map[string][2]float64{"ants": {1, 40}}
			t.Run(fmt.Sprintf("%s %v", v, c.Params), func(t *testing.T) {
				t.Parallel()
				conform.Check(t, c)
			})
		}
	}
}

func TestLateKnownOptimum(t *testing.T) {
	conform.Brief(t, "ants search until they find the optimum")
	t.Parallel()
	inst, best := circle(t, 40)
	for _, v := range late {
		for _, ps := range []record.Values{
			{},
			{"local_search": record.Text("oropt")},
			{"ants": record.Num(7), "local_period": record.Num(1)},
		} {
			r := openVariant(t, [2]string{"acs", v}, solvers.Config{Instance: inst, Params: ps})
			if p := step(t, r, 150); p.Best != best {
				t.Errorf("%s %v: best is %v, the way round has %v", v, ps, p.Best, best)
			}
		}
	}
}

// TestLateLearns: the trails must give better tours than the first iteration has, and the local
// search better ones still.
func TestLateLearns(t *testing.T) {
	conform.Brief(t, "ants learn for many iterations")
	t.Parallel()
	inst := uniform(t, 150)
	for _, v := range late {
		r := openVariant(t, [2]string{"acs", v}, solvers.Config{Instance: inst})
		first := step(t, r, 1).Best
		last := step(t, r, 400).Best
		if last > 0.93*first {
			t.Errorf("%s: best went from %v to %v in 400 iterations", v, first, last)
		}
		l := openVariant(t, [2]string{"acs", v},
			solvers.Config{Instance: inst, Params: record.Values{"local_search": record.Text("oropt")}})
		if with := step(t, l, 50).Best; with > last {
			t.Errorf("%s: with local search %v, without %v", v, with, last)
		}
	}
}

func TestLateEdges(t *testing.T) {
	conform.Brief(t, "many runs at the ends of parameters")
	t.Parallel()
	num := record.Num
	for n := 1; n <= 5; n++ {
		for _, v := range late {
			for _, ps := range []record.Values{
				{},
				{"ants": num(40), "local_period": num(1)},
				{"candidates": num(1), "q0": num(0)},
			} {
				for _, inst := range []*datasets.TSP{uniform(t, n), oneWay(t, n)} {
					r := openVariant(t, [2]string{"acs", v}, solvers.Config{Instance: inst, Params: ps})
					step(t, r, 12)
					if _, err := r.Best(t.Context()); err != nil {
						t.Errorf("%s, %d cities, %v: %v", v, n, ps, err)
					}
				}
			}
		}
	}
	for _, v := range late {
		for _, ps := range []record.Values{
			{"q0": num(1), "ants": num(60)},
			{"rho": num(1), "alpha": num(1), "beta": num(20)},
			{"rho": num(0), "alpha": num(0), "beta": num(0)},
			{"local_period": num(1 << 20), "ants": num(200)},
		} {
			r := openVariant(t, [2]string{"acs", v}, solvers.Config{Instance: uniform(t, 60), Params: ps})
			step(t, r, 20)
			if _, err := r.Best(t.Context()); err != nil {
				t.Errorf("%s %v: %v", v, ps, err)
			}
		}
	}
}

// TestHitRatio: the more slots, the more updates meet a stored trail; with many slots only the
// first update of an edge does not.
func TestHitRatio(t *testing.T) {
	conform.Brief(t, "long runs with memories of many sizes")
	t.Parallel()
	inst := uniform(t, 120)
	for _, v := range late[1:] {
		var ratio []float64
		for _, s := range []float64{1, 2, 4, 8, 16} {
			r := openVariant(t, [2]string{"acs", v}, solvers.Config{Instance: inst, Params: record.Values{
				"spm_slots": record.Num(s), "candidates": record.Num(16), "local_period": record.Num(1),
			}})
			ratio = append(ratio, step(t, r, 60).Measures[2])
		}
		if !slices.IsSorted(ratio) || ratio[0] > 0.5 || ratio[4] < 0.9 {
			t.Errorf("%s: hit ratios for 1, 2, 4, 8 and 16 slots are %.3f", v, ratio)
		}
	}
}
