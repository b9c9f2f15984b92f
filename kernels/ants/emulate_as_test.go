package ants

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"metalab/solvers"
	walkers "metalab/solvers/ants"
)

// The kernels of as/wrs in the emulator, see emulate_test.go.

// emulatedSystem is an emulated crew of as/wrs.
type emulatedSystem struct{ *emulated }

func (e emulatedSystem) Weigh(alpha float64, inv float32, eta []float32) error {
	return emulatedMaxMin(e).Weigh(alpha, inv, eta)
}

func (e emulatedSystem) Reward(rate float32, least int64, unit float64) {
	e.deposit(rate, least, unit)
	e.act()
}

func emulateSystem(env *solvers.Env, g *walkers.Ground, source string) (walkers.SystemCrew, error) {
	e, err := emulate(env, g, source)
	if err != nil {
		return nil, err
	}
	e.buf[bCount] = make([]byte, 8*e.n*walkers.Width)
	e.prepare = func() error {
		warps := 1 + int(e.next.Serial)%3 // of a block
		deposits := e.launch("deposit", (depositWarps(e.n, e.ants)+warps-1)/warps, warps)
		return errors.Join(deposits, e.launch("prepare_all", (e.n*walkers.Width+63)/64, 2))
	}
	return emulatedSystem{e}, nil
}

func init() {
	solvers.Register(walkers.SystemVariant("emulated", func(env *solvers.Env, g *walkers.Ground) (walkers.SystemCrew, error) {
		return emulateSystem(env, g, "wrs.cu")
	}))
	add := func(cities int, metric string, spread float64, iterations int, kv ...any) {
		emulations = append(emulations, trial{Solver: "as", Variant: "wrs", Cities: cities, Metric: metric, Spread: spread, Iterations: iterations, Params: params(kv...)})
	}
	add(1, "EUC_2D", 10, 2, "ants", 2)
	add(2, "EUC_2D", 1000, 3, "ants", 3) // both ways are one edge
	add(3, "EUC_2D", 2, 3, "ants", 4)
	add(33, "EUC_2D", 1000, 4, "ants", 5, "warps", 2, "alpha", 1.5)
	add(129, "EUC_2D", 3, 3, "ants", 6, "candidates", 3) // tours of very different lengths, many ties
	add(161, "CEIL_2D", 1000, 3, "ants", 11, "candidates", 32, "rho", 0.9)
	add(230, "ATT", 40, 3, "ants", 7, "candidates", 5, "rho", 0.0, "warps", 3)
}

// TestDepositKernel holds the shares that the kernels bring to slots against a count in Go, for tours of any length: also
// where the shortest tour has length 0 and where a tour's share rounds to nothing.
func TestDepositKernel(t *testing.T) {
	needEmulator(t)
	for _, n := range []int{2, 5, 127, 128, 129, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			const ants = 9
			var crew emulatedSystem
			var ground *walkers.Ground
			a, err := walkers.SystemVariant("", func(env *solvers.Env, g *walkers.Ground) (walkers.SystemCrew, error) {
				s, err := emulateSystem(env, g, "wrs.cu")
				if err == nil {
					crew, ground = s.(emulatedSystem), g
				}
				return s, err
			}).New(trial{Cities: n, Metric: "EUC_2D", Spread: 1000}.instance(t))
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Init(&solvers.Env{Seed: 1, Pool: solvers.NewPool(1)}); err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(3, uint64(n)))
			var tours []uint16
			for range ants {
				for _, c := range rng.Perm(n) {
					tours = append(tours, uint16(c))
				}
			}
			crew.ants, crew.next.Ants, crew.buf[bTours] = ants, ants, raw(tours)
			const least = 1
			lengths := make([]int64, ants)
			rs := make([]result, ants+1)
			for k := range lengths {
				lengths[k] = int64(k) * rng.Int64N(1<<(k*5%50)+1)
				if k == 1 {
					lengths[k] = 1 << 50
				}
				rs[k+1].Length = lengths[k]
			}
			crew.buf[bResults] = raw(rs)
			want := make([]uint64, n*walkers.Width)
			add := func(from, to uint16, d uint64) {
				row := ground.ID[int(from)*walkers.Width:][:ground.K]
				if s := slices.Index(row, int32(to)); s >= 0 {
					want[int(from)*walkers.Width+s] += d
				}
			}
			for k, l := range lengths {
				tour, d := tours[k*n:k*n+n], walkers.Shares(l, least)
				for i, city := range tour {
					next := tour[(i+1)%n]
					add(city, next, d)
					add(next, city, d)
				}
			}
			crew.next.Least = least
			for warps := 1; warps <= 5; warps += 2 {
				crew.buf[bCount] = make([]byte, 8*n*walkers.Width)
				if err := crew.launch("deposit", (depositWarps(n, ants)+warps-1)/warps, warps); err != nil {
					t.Fatal(err)
				}
				if got := cooked(crew.buf[bCount], make([]uint64, n*walkers.Width)); !slices.Equal(got, want) {
					t.Errorf("%d warps a block: other shares than in Go", warps)
				}
			}
			if err := crew.launch("prepare_all", n, 1); err != nil {
				t.Fatal(err)
			}
			if left := cooked(crew.buf[bCount], make([]uint64, n*walkers.Width)); slices.ContainsFunc(left, func(v uint64) bool { return v != 0 }) {
				t.Error("shares are left behind prepare_all")
			}
		})
	}
}
