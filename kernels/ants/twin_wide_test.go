package ants

import (
	"math"
	"slices"
	"testing"

	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// widely runs f with kernels of 32-bit city numbers whatever the number of cities; remote: with the
// visited cities in global memory.
func widely(remote bool, f func()) {
	from, cramped := wideFrom, globalVisitedFrom
	defer func() { wideFrom, globalVisitedFrom = from, cramped }()
	wideFrom, globalVisitedFrom = 0, math.MaxInt
	if remote {
		globalVisitedFrom = 0
	}
	f()
}

// wideTwins are compared on a device point by point, with city numbers of 32 bits.
var wideTwins = []trial{
	{
		Solver: "mmas", Variant: "wrs", Cities: 5, Metric: "EUC_2D", Spread: 100, Iterations: 8,
		Params: params("ants", 40),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 64, Metric: "EUC_2D", Spread: 20, Iterations: 60,
		Params: params("ants", 33, "warps", 4, "reset", 20, "rho", 0.5, "p_best", 0.5),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 1057, Metric: "ATT", Spread: 15000, Iterations: 3,
		Params: params("ants", 70, "warps", 31),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 33001, Metric: "CEIL_2D", Spread: 2000, Iterations: 2,
		Params: params("ants", 6, "candidates", 6),
	},
	{
		Solver: "as", Variant: "wrs", Cities: 64, Metric: "EUC_2D", Spread: 20, Iterations: 60,
		Params: params("ants", 33, "warps", 4),
	},
	{
		Solver: "as", Variant: "wrs", Cities: 1057, Metric: "ATT", Spread: 15000, Iterations: 3,
		Params: params("ants", 70),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 5, Metric: "EUC_2D", Spread: 100, Iterations: 8,
		Params: params("ants", 40),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 64, Metric: "ATT", Spread: 20, Iterations: 60,
		Params: params("ants", 33, "warps", 4, "q0", 0.0, "local_period", 1),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 1057, Metric: "EUC_2D", Spread: 15000, Iterations: 3,
		Params: params("ants", 300, "q0", 0.98, "local_period", 1, "warps", 31),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 33001, Metric: "CEIL_2D", Spread: 2000, Iterations: 2,
		Params: params("ants", 16, "candidates", 6, "spm_slots", 5, "tau_min", 0.2),
	},
}

// manyTwins have more cities than 16 bits hold.
var manyTwins = []trial{
	{
		Solver: "mmas", Variant: "wrs", Cities: 70001, Metric: "EUC_2D", Spread: 1e6, Iterations: 2,
		Params: params("ants", 8, "candidates", 12),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 70001, Metric: "EUC_2D", Spread: 1e6, Iterations: 1,
		Params: params("ants", 8, "candidates", 12),
	},
}

// twin compares a device with the CPU.
func (c trial) twin(t *testing.T) {
	t.Helper()
	inst := c.instance(t)
	a, b := c.open(t, "cuda", inst), c.open(t, "cpu", inst)
	for i := 1; i <= c.Iterations; i++ {
		p, q := step(t, a, 1), step(t, b, 1)
		if p.Digest == q.Digest && p.Best == q.Best && p.IterBest == q.IterBest && p.Mean == q.Mean &&
			slices.Equal(p.Measures, q.Measures) {
			continue
		}
		t.Errorf("iteration %d: the device has %+v", i, p)
		t.Errorf("iteration %d: the CPU has    %+v", i, q)
		part(t, a, b)
		return
	}
}

// TestTwinsWide is TestTwins with city numbers of 32 bits, the visited cities in turn in shared and
// in global memory.
func TestTwinsWide(t *testing.T) {
	gputest.Need(t)
	for i, c := range wideTwins {
		t.Run(c.String(), func(t *testing.T) { widely(i%2 == 1, func() { c.twin(t) }) })
	}
	for _, c := range manyTwins {
		t.Run(c.String(), c.twin)
	}
}

func TestConformWide(t *testing.T) {
	gputest.Need(t)
	for i, v := range [][2]string{
		{"mmas", "wrs"},
		{"acs", "alt"},
		{"acs", "spm-sync"},
		{"acs", "spm"},
	} {
		t.Run(v[1], func(t *testing.T) {
			widely(i%2 == 0, func() {
				conform.Check(t, conform.Case{
					Solver: v[0], Variant: v[1], Backend: "cuda", Instance: goldens[0].instance(t), Seed: 11,
					Iterations: 6,
					Params:     params("ants", 5, "candidates", 7),
					Ranges:     map[string][2]float64{"ants": {1, 12}},
					Structural: []record.Values{params("candidates", 3), params("candidates", 25)},
					Presets:    []string{"best", "paper"}, // others search in rounds, with 16 bits alone
				})
			})
		})
	}
}

// TestRacesWide holds what races to tours and lengths, and to better ones with time, with city
// numbers of 32 bits.
func TestRacesWide(t *testing.T) {
	gputest.Need(t)
	for i, v := range []string{"alt", "spm"} {
		c := trial{
			Solver: "acs", Variant: v, Cities: 1057, Metric: "EUC_2D", Spread: 1e6,
			Params: params("ants", 256, "local_period", 4),
		}
		inst := c.instance(t)
		widely(i%2 == 0, func() {
			r := c.open(t, "cuda", inst)
			first := step(t, r, 1)
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
			last := step(t, r, 200)
			t.Logf("%s: %v after 1, %v after 201 iterations, measures %v", v, first.Best, last.Best,
				last.Measures)
			if last.Best > 0.95*first.Best {
				t.Errorf("%s: best went from %v to %v in 200 iterations", v, first.Best, last.Best)
			}
		})
	}
}
