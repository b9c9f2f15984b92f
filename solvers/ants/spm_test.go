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
var late = []string{"alt", "spm-sync", "spm"}

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

// TestHitRatioCounts: local updates are counted, and the global update before them; a fork and a
// state forget none.
func TestHitRatioCounts(t *testing.T) {
	t.Parallel()
	for _, v := range []string{"spm", "spm-sync"} {
		// One ant wears its 25th edge alone, at both ends: position 50, the way back, is never worn. Then
		// the best tour's 100 are stored, but for these two.
		r := openVariant(t, [2]string{"acs", v}, solvers.Config{
			Instance: uniform(t, 50),
			Params:   record.Values{"ants": record.Num(1), "local_period": record.Num(25)},
		})
		if got := step(t, r, 1).Measures[2]; got != 0 {
			t.Errorf("%s: the hit ratio of the first iteration is %v, want 0 of 2", v, got)
		}
		edges := map[[2]int32]bool{}
		trace := func(r *solvers.Run) (tour []int32) {
			if err := r.View(t.Context(), func(a solvers.Algorithm) {
				tour = a.(solvers.Tracer).Trace()[0]
			}); err != nil {
				t.Fatal(err)
			}
			return tour
		}
		tour := trace(r)
		for i, c := range tour {
			next := tour[(i+1)%len(tour)]
			edges[[2]int32{c, next}], edges[[2]int32{next, c}] = true, true
		}
		f, err := r.Fork(t.Context(), solvers.Fork{Name: "f", With: record.Values{
			"spm_slots": record.Num(9),
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, r := range []*solvers.Run{r, f} {
			got := step(t, r, 1).Measures[2]
			hits := 2.0
			if tour := trace(r); edges[[2]int32{tour[24], tour[25]}] {
				hits += 2
			}
			if want := hits / 102; got != want {
				t.Errorf("%s: the hit ratio of the second iteration is %v, want %v", v, got, want)
			}
		}
	}
}

// TestSlotsLive: spm_slots changes while the run goes on, as a fork changes it.
func TestSlotsLive(t *testing.T) {
	t.Parallel()
	for _, v := range late[1:] {
		for _, slots := range []float64{2, 20} {
			r := openVariant(t, [2]string{"acs", v}, solvers.Config{Instance: uniform(t, 80)})
			step(t, r, 10)
			vs := record.Values{"spm_slots": record.Num(slots)}
			f, err := r.Fork(t.Context(), solvers.Fork{Name: "f", With: vs})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := r.Set(t.Context(), vs, "test"); err != nil {
				t.Fatal(err)
			}
			a, b := step(t, r, 20), step(t, f, 20)
			if a.Digest != b.Digest || a.Best != b.Best {
				t.Errorf("%s: with %v slots set the run has %v, forked %v", v, slots, a, b)
			}
			err = r.View(t.Context(), func(a solvers.Algorithm) {
				if _, all := a.(solvers.Trailer).Trails(1); float64(all) > slots*80 {
					t.Errorf("%s: with %v slots 80 cities have %d trails", v, slots, all)
				}
			})
			if err != nil {
				t.Fatal(err)
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
