package ants

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/ants"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// The kernels of as/wrs in the emulator, see emulate_test.go.

func emulateAS(s *crew.Setup, source string) (*emulated, error) {
	e, err := onCPU(s, source)
	if err != nil {
		return nil, err
	}
	e.buf[bCount] = make([]byte, 8*e.n*trail.Width)
	e.form.prepare = func() error {
		warps := 1 + int(e.next.Serial)%3 // of a block
		deposits := e.launch("deposit", (depositWarps(e.n, e.ants)+warps-1)/warps, warps)
		return errors.Join(deposits, e.launch("prepare_all", e.perSlot(), 2))
	}
	return e, nil
}

func init() {
	onEmulator("emulated", "as", "wrs",
		func(s *crew.Setup) (*emulated, error) { return emulateAS(s, "wrs.cu") })
	add := func(cities int, metric string, spread float64, iterations int, kv ...any) {
		emulations = append(emulations,
			trial{
				Solver: "as", Variant: "wrs", Cities: cities, Metric: metric, Spread: spread,
				Iterations: iterations, Params: params(kv...),
			})
	}
	add(1, "EUC_2D", 10, 2, "ants", 2)
	add(2, "EUC_2D", 1000, 3, "ants", 3) // both ways are one edge
	add(3, "EUC_2D", 2, 3, "ants", 4)
	add(33, "EUC_2D", 1000, 4, "ants", 5, "warps", 2, "alpha", 1.5)
	add(129, "EUC_2D", 3, 3, "ants", 6, "candidates", 3) // tours of very different lengths, many ties
	add(161, "CEIL_2D", 1000, 3, "ants", 11, "candidates", 32, "rho", 0.9)
	add(230, "ATT", 40, 3, "ants", 7, "candidates", 5, "rho", 0.0, "warps", 3)
}

// TestDepositKernel holds the shares that the kernels bring to slots against a count in Go, for
// tours of any length: also where the shortest tour has length 0 and where a tour's share rounds to
// nothing.
func TestDepositKernel(t *testing.T) {
	emulate.Need(t)
	for _, n := range []int{2, 5, 127, 128, 129, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			const many = 9
			var e *emulated
			a, err := ants.On(ants.Backend{Open: func(s *crew.Setup) (crew.Crew, error) {
				var err error
				e, err = emulateAS(s, "wrs.cu")
				return e, err
			}}, "as", "wrs").New(trial{Cities: n, Metric: "EUC_2D", Spread: 1000}.instance(t))
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Init(&solvers.Env{Seed: 1, Pool: solvers.NewPool(1)}); err != nil {
				t.Fatal(err)
			}
			instance := e.g
			rng := rand.New(rand.NewPCG(3, uint64(n)))
			var tours []uint16
			for range many {
				for _, c := range rng.Perm(n) {
					tours = append(tours, uint16(c))
				}
			}
			e.ants, e.next.Ants, e.buf[bTours] = many, many, raw(tours)
			const least = 1
			lengths := make([]int64, many)
			rs := make([]result, many+1)
			for k := range lengths {
				lengths[k] = int64(k) * rng.Int64N(1<<(k*5%50)+1)
				if k == 1 {
					lengths[k] = 1 << 50
				}
				rs[k+1].Length = lengths[k]
			}
			e.buf[bResults] = raw(rs)
			want := make([]uint64, n*trail.Width)
			add := func(from, to uint16, d uint64) {
				row := instance.ID[int(from)*trail.Width:][:instance.K]
				if s := slices.Index(row, int32(to)); s >= 0 {
					want[int(from)*trail.Width+s] += d
				}
			}
			for k, l := range lengths {
				tour, d := tours[k*n:k*n+n], crew.Shares(l, least)
				for i, city := range tour {
					next := tour[(i+1)%n]
					add(city, next, d)
					add(next, city, d)
				}
			}
			e.next.Least = least
			for warps := 1; warps <= 5; warps += 2 {
				e.buf[bCount] = make([]byte, 8*n*trail.Width)
				if err := e.launch("deposit", (depositWarps(n, many)+warps-1)/warps, warps); err != nil {
					t.Fatal(err)
				}
				if got := cooked(e.buf[bCount], make([]uint64, n*trail.Width)); !slices.Equal(got, want) {
					t.Errorf("%d warps a block: other shares than in Go", warps)
				}
			}
			if err := e.launch("prepare_all", n, 1); err != nil {
				t.Fatal(err)
			}
			if left := cooked(e.buf[bCount], make([]uint64, n*trail.Width)); slices.ContainsFunc(left,
				func(v uint64) bool { return v != 0 }) {
				t.Error("shares are left behind prepare_all")
			}
		})
	}
}
