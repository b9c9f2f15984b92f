package guest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
)

// The values that a solver computes are those of the instance's own cost function, whatever
// the metric: the engine computes the best again by that.
func TestCosts(t *testing.T) {
	session(t, "swap")
	const n = 23
	x, y := make([]float64, n), make([]float64, n)
	s := arith.NewStream(1, 1, 1, 1)
	for i := range n {
		x[i], y[i] = math.Floor(1e5*s.Float64())/100, 1000*s.Float64()
	}
	var all []datasets.Instance
	for _, m := range []datasets.Metric{
		datasets.Euc2D, datasets.Ceil2D, datasets.Att, datasets.Man2D,
		datasets.Max2D,
	} {
		inst, err := datasets.NewTSP("t-"+m.String(), m, x, y)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, inst)
	}
	lat, long := make([]float64, n), make([]float64, n)
	d, e := make([]int32, n*n), make([]int32, n*n)
	for i := range n {
		lat[i], long[i] = 60*s.Float64(), 100*s.Float64()
		for j := range n {
			d[i*n+j] = int32(s.IntN(1000))
			e[i*n+j] = d[i*n+j]
		}
	}
	geo, err := datasets.NewTSP("t-geo", datasets.Geo, lat, long)
	if err != nil {
		t.Fatal(err)
	}
	asym, err := datasets.NewMatrixTSP("t-asym", n, d, true)
	if err != nil {
		t.Fatal(err)
	}
	qap, err := datasets.NewQAP("q", n, e, d)
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, geo, asym, qap, instance(t, "ppp-31x33-1"), instance(t, "tai15a"))
	for _, inst := range all {
		r, err := solvers.Open(solvers.Config{Solver: "swap", Instance: inst, Seed: 3})
		if err != nil {
			t.Errorf("%s: %v", inst.Name(), err)
			continue
		}
		for range 5 {
			if err := r.Step(t.Context(), 40); err != nil {
				t.Errorf("%s: %v", inst.Name(), err)
			}
			if _, err := r.Best(t.Context()); err != nil {
				t.Errorf("%s: %v", inst.Name(), err)
			}
		}
		r.Close()
	}
}

// What a solver does not take, or cannot have, is refused with a sentence.
func TestInstancesThatAreRefused(t *testing.T) {
	session(t, "walk", "swap")
	big := make([]float64, 6001)
	for i := range big {
		big[i] = float64(i)
	}
	man, err := datasets.NewTSP("big", datasets.Man2D, big, big)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		solver string
		inst   datasets.Instance
		says   string
	}{
		{"walk", instance(t, "tai12a"), "a walk needs a tsp, not qap"},
		{"swap", instance(t, "weierstrass-3"), "kind"},
		{"swap", man, "6000 cities at most"},
	} {
		r, err := solvers.Open(solvers.Config{Solver: c.solver, Instance: c.inst})
		if err == nil {
			r.Close()
		}
		if !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s on %s: %v, want %q", c.solver, c.inst.Name(), err, c.says)
		}
	}
}
