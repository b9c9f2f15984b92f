package ants

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"metalab/kernels/internal/emulate"
	"metalab/solvers/ants/local"
	"metalab/solvers/arith"
	"metalab/solvers/conform"
	"metalab/solvers/rounds"
)

// search makes the local search of an emulated crew on the tours that the emulated construction
// left. That in rounds is made by Go code: what it is made on, when, and what comes of it, is as on
// a device, and its kernels are emulated in kernels/rounds. 2opt-plain is made by its kernel.
func (e *emulated) search() {
	p := e.g.Local
	if p == nil {
		if e.g.Pairs != nil {
			e.err = errors.Join(e.err, e.pairs())
		}
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
	search := rounds.NewPolisher(p)
	for _, c := range e.shortest() {
		k := int(c)
		tour := tours[k*e.n : (k+1)*e.n]
		gain, _ := search.Polish(tour, next, prev, nil)
		r[1+k].Length -= gain
		r[1+k].Hash = arith.HashPerm(tour)
	}
	e.buf[bTours], e.buf[bResults] = e.cities(tours), raw(r)
}

// shortest are the tours that get the local search.
func (e *emulated) shortest() []uint32 {
	r := cooked(e.buf[bResults], make([]result, e.ants+1))
	order := make([]uint32, e.ants)
	for k := range order {
		order[k] = uint32(k)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(r[1+a].Length, r[1+b].Length), cmp.Compare(a, b))
	})
	return order[:e.improve]
}

// pairs makes the 2-opt of pairs.cu, with another number of warps in each iteration.
func (e *emulated) pairs() error {
	which := e.shortest()
	if len(which) == 0 {
		return nil
	}
	program, err := emulator("pairs.cu")
	if err != nil {
		return err
	}
	sizes, numbers, notes, own := e.buf[bSizes], e.buf[bNumbers], e.buf[bNotes], e.program
	more := []int32{int32(e.g.Pairs.Near.K), bestOf(e.g.Pairs)}
	e.buf[bSizes] = append(slices.Clone(sizes[:16]), raw(more)...)
	e.buf[bNumbers], e.buf[bNotes], e.program = raw(nearEdges(&e.g.Pairs.Near)), raw(which), program
	err = e.launch("search_pairs", len(which), []int{3, 1, 16, 2, 7}[e.next.ItLo%5])
	e.buf[bSizes], e.buf[bNumbers], e.buf[bNotes], e.program = sizes, numbers, notes, own
	return err
}

// pairTwins have the 2-opt of the GPU MMAS paper: from one city on, with lists about as long as a
// warp is wide and longer, and, with 1100 cities, a queue that is filled twice.
var pairTwins = func() (list []trial) {
	for n := 1; n <= 7; n++ {
		list = append(list, trial{
			Solver: "mmas", Variant: "rows", Cities: n, Metric: "EUC_2D", Spread: 1000, Iterations: 2,
			Params: params("ants", 3, "local_search", local.OfPairs[n%2], "local_neighbours", 32,
				"local_lists", "nearest", "warps", 1),
		})
	}
	for i, k := range []int{31, 32, 33, 1, 10, 64, 33, 10, 64} {
		search := local.OfPairs[i/6]
		if i %= 6; search == local.BestOpt {
			i += 3 // fewer cities
		}
		list = append(list, trial{
			Solver: "mmas", Variant: "rows", Cities: []int{67, 101, 97, 53, 71, 131}[i],
			Metric: []string{"EUC_2D", "CEIL_2D", "ATT"}[i%3], Spread: []float64{1000, 30}[i%2],
			Iterations: 3, Params: params("ants", 4, "storage", "matrix", "selection",
				[]string{"rwm", "wrs"}[i%2], "local_search", search, "local_neighbours", k,
				"local_lists", []string{"nearest", "quadrant"}[i/4], "local_share", []float64{1, 0.5}[i%2],
				"warps", 2),
		})
	}
	return append(
		list,
		trial{
			Solver: "mmas", Variant: "wrs", Cities: 89, Metric: "EUC_2D", Spread: 1000, Iterations: 3,
			Params: params("ants", 4, "local_search", "2opt-plain", "warps", 2),
		},
		trial{
			Solver: "acs", Variant: "lockstep", Cities: 89, Metric: "EUC_2D", Spread: 30, Iterations: 3,
			Params: params("ants", 4, "local_search", "2opt-best"),
		},
		trial{
			Solver: "mmas", Variant: "rows", Cities: 1100, Metric: "EUC_2D", Spread: 9000, Iterations: 2,
			Params: params("ants", 1, "candidates", 4, "local_search", "2opt-best", "local_neighbours",
				32, "local_lists", "nearest", "warps", 1),
		},
		trial{
			Solver: "mmas", Variant: "rows", Cities: 1100, Metric: "EUC_2D", Spread: 9000, Iterations: 2,
			Params: params("ants", 1, "candidates", 4, "local_search", "2opt-plain", "local_neighbours",
				32, "local_lists", "nearest", "warps", 1),
		},
	)
}()

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
	for _, c := range slices.Concat(polishTwins, pairTwins) {
		t.Run(c.String(), func(t *testing.T) {
			if c.Cities > 101 {
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
