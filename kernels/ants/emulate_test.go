package ants

import (
	"os"
	"slices"
	"testing"

	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/record"
)

// emulations are compared with the CPU's code point by point: with ties, with lists that have
// ended, with cities too far for every list, with two and more groups of words.
var emulations = []trial{
	{
		Solver: "mmas", Variant: "wrs", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 4,
		Params: params("ants", 5, "warps", 2, "alpha", 1.5),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 230, Metric: "ATT", Spread: 40, Iterations: 2,
		Params: params("ants", 7, "candidates", 5, "deposit", "best", "warps", 3),
	},
	{
		// Trails settle, so most windows of four steps are right.
		Solver: "mmas", Variant: "wrs", Cities: 66, Metric: "EUC_2D", Spread: 1000, Iterations: 24,
		Params: params("ants", 3, "candidates", 8, "deposit", "best", "rho", 0.5, "warps", 2),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 4,
		Params: params("ants", 5, "q0", 0.5),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 230, Metric: "CEIL_2D", Spread: 40, Iterations: 2,
		Params: params("ants", 6, "candidates", 5, "local_period", 2, "local_search", "none"),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 64, Metric: "EUC_2D", Spread: 1000, Iterations: 6,
		Params: params("ants", 9, "q0", 0.9, "local_search", "oropt"),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 11, Metric: "EUC_2D", Spread: 500, Iterations: 10,
		Params: params("ants", 10, "candidates", 1, "q0", 0.5, "local_search", "none"),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 70, Metric: "ATT", Spread: 3000, Iterations: 7,
		Params: params("ants", 8, "candidates", 2, "q0", 0.9, "local_search", "none"),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 101, Metric: "EUC_2D", Spread: 300, Iterations: 7,
		Params: params("ants", 5, "candidates", 3, "q0", 0.5, "local_period", 3, "local_search", "none"),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 40, Metric: "EUC_2D", Spread: 1000, Iterations: 5,
		Params: params("ants", 5, "candidates", 32, "q0", 0.5, "local_search", "none"),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 90, Metric: "ATT", Spread: 300, Iterations: 8,
		Params: params("ants", 4, "candidates", 29, "q0", 0.9, "local_period", 2, "local_search", "none"),
	},
}

// emulateVar says how much is emulated: by default what is done soon, with "all", which
// .ci/run sets, the whole lists, and with "slow" also what takes minutes each.
const emulateVar = "METALAB_EMULATE"

// soon leaves out the trials that take long, unless all are asked for; each variant keeps its
// shortest, under -short nothing else.
func soon(t *testing.T, list []trial) []trial {
	if os.Getenv(emulateVar) != "" {
		return list
	}
	work := func(c trial) int { return c.Cities * c.Iterations }
	least := map[string]int{}
	for _, c := range list {
		k := c.Solver + "/" + c.Variant
		if w, ok := least[k]; !ok || work(c) < w {
			least[k] = work(c)
		}
	}
	most := 200
	if testing.Short() {
		most = 0
	}
	var out []trial
	for _, c := range list {
		if work(c) <= max(most, least[c.Solver+"/"+c.Variant]) {
			out = append(out, c)
		}
	}
	t.Logf("%d of %d trials; %s=all makes the others", len(out), len(list), emulateVar)
	return out
}

// TestEmulated runs the kernels' source without a GPU.
func TestEmulated(t *testing.T) {
	emulate.Need(t)
	list := soon(t, emulations)
	if os.Getenv(emulateVar) == "slow" {
		list = append(slices.Concat(list, slowRows),
			trial{
				Solver: "mmas", Variant: "wrs", Cities: 4300, Metric: "EUC_2D", Spread: 1e4,
				Iterations: 2, Params: params("ants", 2, "candidates", 4, "warps", 2),
			},
			trial{
				Solver: "mmas", Variant: "wrs", Cities: 1100, Metric: "CEIL_2D", Spread: 300,
				Iterations: 2, Params: params("ants", 3, "candidates", 4, "warps", 2),
			},
			trial{
				Solver: "acs", Variant: "lockstep", Cities: 1100, Metric: "ATT", Spread: 500,
				Iterations: 2, Params: params("ants", 4, "candidates", 4, "local_search", "none"),
			},
			// an arrival that a rounding leaves ahead
			trial{
				Solver: "mmas", Variant: "thin", Cities: 1002, Metric: "CEIL_2D", Spread: 300,
				Iterations: 3, Params: params("ants", 140, "candidates", 4, "rho", 0.3),
			},
		)
	}
	for i, c := range list {
		t.Run(c.String(), func(t *testing.T) {
			change = func(e *emulated) { e.far, e.long = i%3 == 1, i%3 == 2 }
			defer func() { change = func(*emulated) {} }()
			c.emulate(t, "emulated")
		})
		if c.Variant == "lockstep" { // the other way too
			t.Run(c.String()+" the other way", func(t *testing.T) {
				change = func(e *emulated) { e.far = i%3 != 1 }
				defer func() { change = func(*emulated) {} }()
				c.emulate(t, "emulated")
			})
		}
	}
}

// emulate compares a run of the emulator with the CPU's code, point by point.
func (c trial) emulate(t *testing.T, backend string) {
	t.Helper()
	inst := c.instance(t)
	a, b := c.open(t, backend, inst), c.open(t, "cpu", inst)
	for i := 1; i <= c.Iterations; i++ {
		p, q := step(t, a, 1), step(t, b, 1)
		if p.Digest != q.Digest || p.Best != q.Best || p.Mean != q.Mean ||
			!slices.Equal(p.Measures, q.Measures) {
			t.Errorf("iteration %d: the kernels have %+v, the CPU %+v", i, p, q)
			part(t, a, b)
			return
		}
	}
	// What the kernels left is taken over by the CPU.
	f, err := a.Fork(t.Context(), solvers.Fork{Name: "f", Backend: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if p, q := step(t, f, 1), step(t, b, 1); p.Digest != q.Digest {
		t.Errorf("after a fork to the CPU: digest %x, want %x", p.Digest, q.Digest)
	}
}

// TestBrokenKernel lets one ant take two cities in the wrong order in iteration 3: Diff names
// iteration, ant and position.
func TestBrokenKernel(t *testing.T) {
	emulate.Need(t)
	c := emulations[0]
	inst := c.instance(t)
	const ant, position = 3, 17
	change = func(e *emulated) {
		e.broken = func(e *emulated) {
			if e.next.ItLo != 3 {
				return
			}
			tours := cooked(e.buf[bTours], make([]uint16, e.ants*e.n))
			at := ant*e.n + position
			tours[at], tours[at+1] = tours[at+1], tours[at]
			e.buf[bTours] = raw(tours)
			r := cooked(e.buf[bResults], make([]result, e.ants+1))
			r[1+ant].Hash++
			e.buf[bResults] = raw(r)
		}
	}
	defer func() { change = func(*emulated) {} }()
	a, b := c.open(t, "emulated", inst), c.open(t, "cpu", inst)
	step(t, a, 4)
	step(t, b, 4)
	paper := func(r *solvers.Run) *record.Record {
		rec, err := r.Record(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	d, err := solvers.Diff(t.Context(), paper(a), paper(b), inst)
	if err != nil || d.First == nil {
		t.Fatalf("%+v, %v", d, err)
	}
	t.Logf("%+v", *d.First)
	if d.First.Iter != 3 || d.First.Agent != ant || d.First.Position != position {
		t.Errorf("the difference is said to be %+v, want iteration 3, ant %d, position %d", *d.First,
			ant, position)
	}
}
