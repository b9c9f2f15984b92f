package ants

import (
	"cmp"
	"slices"
	"testing"

	"metalab/kernels/launch/emulate"
	"metalab/solvers/arith"
	"metalab/solvers/conform"
	"metalab/solvers/rounds"
)

// search makes the local search of an emulated crew, by Go code, on the tours that the emulated
// construction left: what it is made on, when, and what comes of it, is as on a device. Its kernels
// are emulated in kernels/rounds.
func (e *emulated) search() {
	p := e.g.Local
	if p == nil {
		return
	}
	tours := make([]int32, e.n*e.ants)
	e.numbers(e.buf[bTours], tours)
	known := make([]int32, e.n)
	e.numbers(e.buf[bBest], known)
	var next, prev []int32
	if e.n > 1 && known[0] != known[1] {
		next, prev = make([]int32, e.n), make([]int32, e.n)
		for i, c := range known {
			to := known[(i+1)%e.n]
			next[c], prev[to] = to, c
		}
	}
	r := cooked(e.buf[bResults], make([]result, e.ants+1))
	order := make([]int, e.ants)
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(r[1+a].Length, r[1+b].Length), cmp.Compare(a, b))
	})
	search := rounds.NewPolisher(p)
	for _, k := range order[:e.improve] {
		tour := tours[k*e.n : (k+1)*e.n]
		gain, _ := search.Polish(tour, next, prev, nil)
		r[1+k].Length -= gain
		r[1+k].Hash = arith.HashPerm(tour)
	}
	e.buf[bTours], e.buf[bResults] = e.cities(tours), raw(r)
}

// polishTwins have a local search in rounds: all variants that a device walks, with shares below 1,
// of odd sizes.
var polishTwins = []trial{
	{
		Solver: "mmas", Variant: "wrs", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 6,
		Params: params("ants", 5, "warps", 2, "local_search", "2opt-rounds"),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 130, Metric: "ATT", Spread: 400, Iterations: 3,
		Params: params("ants", 7, "local_search", "2opt-rounds", "local_share", 0.4, "deposit",
			"iteration"),
	},
	{
		Solver: "as", Variant: "wrs", Cities: 39, Metric: "EUC_2D", Spread: 1000, Iterations: 5,
		Params: params("ants", 6, "local_search", "2opt-rounds", "local_share", 0.5),
	},
	{
		Solver: "mmas", Variant: "rows", Cities: 45, Metric: "CEIL_2D", Spread: 40, Iterations: 4,
		Params: params("ants", 5, "local_search", "2opt-rounds", "local_share", 0.5),
	},
	{
		Solver: "mmas", Variant: "rows", Cities: 41, Metric: "EUC_2D", Spread: 1000, Iterations: 3,
		Params: params("ants", 5, "candidates", 0, "selection", "rwm", "local_search", "2opt-rounds"),
	},
	{
		Solver: "mmas", Variant: "thin", Cities: 150, Metric: "EUC_2D", Spread: 1000, Iterations: 3,
		Params: params("ants", 4, "local_search", "2opt-rounds", "local_share", 0.75),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 51, Metric: "EUC_2D", Spread: 1000, Iterations: 5,
		Params: params("ants", 6, "local_search", "oropt-rounds", "local_share", 0.5),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 67, Metric: "EUC_2D", Spread: 1000, Iterations: 5,
		Params: params("ants", 6, "local_search", "2opt-rounds", "local_share", 0.3),
	},
}

// TestEmulatedLocal runs the crews with a local search between walk and note, without a GPU.
func TestEmulatedLocal(t *testing.T) {
	emulate.Need(t)
	for _, c := range polishTwins {
		t.Run(c.String(), func(t *testing.T) {
			if c.Cities > 45 {
				conform.Brief(t, "a local search of so many cities takes the emulator seconds")
			}
			inst := c.instance(t)
			a, b := c.open(t, "emulated", inst), c.open(t, "cpu", inst)
			for i := 1; i <= c.Iterations; i++ {
				p, q := step(t, a, 1), step(t, b, 1)
				if p.Digest != q.Digest || p.Best != q.Best || p.Mean != q.Mean ||
					!slices.Equal(p.Measures, q.Measures) {
					t.Errorf("iteration %d: the kernels have %+v, the CPU %+v", i, p, q)
					part(t, a, b)
					return
				}
			}
		})
	}
}
