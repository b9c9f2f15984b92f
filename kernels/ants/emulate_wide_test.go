package ants

import (
	"os"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/tours"
)

// The kernels with city numbers of 32 bits in the emulator, see emulate_test.go, for few cities all
// the same.

func init() {
	const backend = "emulated-wide"
	onEmulator(backend, "mmas", "wrs",
		func(s *crew.Setup) (*emulated, error) { return onCPU(s, "wrs_wide.cu") })
	onEmulator(backend, "as", "wrs",
		func(s *crew.Setup) (*emulated, error) { return emulateAS(s, "wrs_wide.cu") })
	onEmulator(backend, "acs", "alt",
		func(s *crew.Setup) (*emulated, error) { return emulateAlt(s, "alt_wide.cu", true) })
	onEmulator(backend, "acs", "spm-sync",
		func(s *crew.Setup) (*emulated, error) { return emulateSpm(s, "spm_wide.cu", false) })
	onEmulator(backend, "acs", "spm",
		func(s *crew.Setup) (*emulated, error) { return emulateSpm(s, "spm_wide.cu", true) })
}

// wideEmulations: with one level of words, and with two where there are more than 1024 cities.
var wideEmulations = []trial{
	{
		Solver: "mmas", Variant: "wrs", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 2,
		Params: params("ants", 5, "warps", 2, "alpha", 1.5),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 231, Metric: "ATT", Spread: 40, Iterations: 2,
		Params: params("ants", 7, "candidates", 5, "deposit", "best", "warps", 3),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 1057, Metric: "CEIL_2D", Spread: 300, Iterations: 1,
		Params: params("ants", 2, "candidates", 3),
	},
	{
		Solver: "as", Variant: "wrs", Cities: 131, Metric: "EUC_2D", Spread: 1000, Iterations: 2,
		Params: params("ants", 5, "candidates", 9),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 3,
		Params: params("ants", 5, "q0", 0.5, "spm_slots", 3, "local_period", 1),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 65, Metric: "ATT", Spread: 30, Iterations: 2,
		Params: params("ants", 9, "q0", 0.9, "candidates", 12, "tau_min", 0.3, "local_period", 3, "rho",
			0.2),
	},
	{
		Solver: "acs", Variant: "spm-sync", Cities: 1093, Metric: "CEIL_2D", Spread: 400, Iterations: 1,
		Params: params("ants", 2, "candidates", 4, "local_period", 2, "spm_slots", 2),
	},
}

// TestEmulatedWide runs the kernels' source with city numbers of 32 bits, the visited cities in
// turn in shared and in global memory.
func TestEmulatedWide(t *testing.T) {
	emulate.Need(t)
	list := soon(t, wideEmulations)
	if os.Getenv(emulateVar) == "slow" { // 33000 cities have three levels of words
		list = append(slices.Clone(list),
			trial{
				Solver: "mmas", Variant: "wrs", Cities: 2111, Metric: "EUC_2D", Spread: 1e5,
				Iterations: 2, Params: params("ants", 2, "candidates", 2, "warps", 2),
			},
			trial{
				Solver: "mmas", Variant: "wrs", Cities: 33001, Metric: "EUC_2D", Spread: 1e6,
				Iterations: 1, Params: params("ants", 1, "candidates", 3),
			},
			trial{
				Solver: "mmas", Variant: "wrs", Cities: 33001, Metric: "ATT", Spread: 500, Iterations: 1,
				Params: params("ants", 1, "candidates", 2),
			},
		)
	}
	for i, c := range list {
		t.Run(c.String(), func(t *testing.T) {
			change = func(e *emulated) { e.remote = i%2 == 1 }
			defer func() { change = func(*emulated) {} }()
			c.emulate(t, "emulated-wide")
		})
	}
	for i, c := range racers {
		if testing.Short() {
			break // as in TestEmulatedRaces
		}
		if !lineOf(c.Solver, c.Variant).wide {
			continue
		}
		change = func(e *emulated) { e.remote = i%2 == 1 }
		c.Iterations = 2
		racesEmulated(t, c, "emulated-wide")
	}
	change = func(*emulated) {}
}

// TestStacked holds the levels of words and their rectangles to what they are to hold.
func TestStacked(t *testing.T) {
	for _, n := range []int{1, 33, 1024, 1025, 32768, 32769, 40000} {
		inst, err := datasets.DIMACS(false, n, 1)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := tours.NewSpace(inst)
		if err != nil {
			t.Fatal(err)
		}
		_, leaves := places(sp)
		if box := boxTree(slices.Clone(leaves), false); !slices.Equal(box, leaves) ||
			bitWords(n, false) != (n+31)/32 {
			t.Errorf("%d cities of 16 bits: %d rectangles, %d words", n, len(box)/4, bitWords(n, false))
		}
		box := boxTree(leaves, true)
		if len(box) != 4*bitWords(n, true) {
			t.Errorf("%d cities: %d rectangles, %d words", n, len(box)/4, bitWords(n, true))
		}
		at := 0
		for span := 32; ; span *= 32 {
			count := (n + span - 1) / span
			for c := range n {
				r := box[4*(at+c/span):]
				if x, y := sp.X[c], sp.Y[c]; float64(r[0]) > x || float64(r[1]) > y || float64(r[2]) < x ||
					float64(r[3]) < y {
					t.Fatalf("%d cities: the rectangle %v of %d cities does not hold city %d at %v, %v", n, r[:4],
						span, c, x, y)
				}
			}
			if at += count; count <= 32 {
				break
			}
		}
		if at != len(box)/4 {
			t.Errorf("%d cities: %d rectangles, want %d", n, len(box)/4, at)
		}
	}
}

// TestLinks holds the parts of a link apart.
func TestLinks(t *testing.T) {
	for _, c := range []struct {
		back, to   int32
		wide       bool
		want, lock uint32
	}{
		{-1, 65535, false, 0xffff0000, 0xffff},
		{17*trail.Width + 31, 65535, false, 0xffff003f, 1<<22 | 31<<16 | 0xffff},
		{-1, 1<<26 - 1, true, 0xffffffc0, 0},
		{17*trail.Width + 31, 1<<26 - 1, true, 0xffffffff, 0},
		{17*trail.Width + 30, 65536, true, 1<<22 | 1<<5 | 30, 0},
	} {
		g := &instance{ID: []int32{c.to}, Reverse: []int32{c.back}}
		if got := candidateLink(g, 0, c.wide); got != c.want {
			t.Errorf("%+v: %#x", c, got)
		}
		if got := linkOf(g, 0, c.to); !c.wide && got != c.lock {
			t.Errorf("%+v: of lockstep %#x", c, got)
		}
	}
}
