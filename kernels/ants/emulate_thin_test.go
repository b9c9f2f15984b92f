package ants

import (
	"errors"

	"metalab/solvers"
	walkers "metalab/solvers/ants"
)

// The kernels of mmas/thin in the emulator, see emulate_test.go.

// emulatedThin is an emulated crew of mmas/thin.
type emulatedThin struct{ *emulated }

func (e emulatedThin) Weigh(alpha float64, inv float32, eta []float32) error {
	return emulatedMaxMin(e).Weigh(alpha, inv, eta)
}

func (e emulatedThin) Reward(ant int, kept walkers.Kept, rate, add, lo, hi float32) {
	e.reward(ant, kept)
	e.next.Rate, e.next.Add, e.next.Lo, e.next.Hi = rate, add, lo, hi
	e.act()
}

func (e emulatedThin) Fill(v float32) {
	e.next.Fill, e.next.Level = 1, v
	e.act()
}

// act does what next asks for.
func (e emulatedThin) act() {
	e.next.Serial++
	e.err = errors.Join(e.err, e.launch("note", 1, 3), e.launch("prepare", e.n, 3))
	e.fulfil()
}

func (e emulatedThin) Look() (int64, uint64, error) {
	e.buf[bOut] = make([]byte, 16)
	err := e.launch("look_matrix", (e.n*walkers.Width+63)/64, 2)
	v := cooked(e.buf[bOut], make([]uint64, 2))
	return int64(v[0]), v[1], err
}

func (e emulatedThin) Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error {
	if e.ants != len(lengths) {
		e.ants = len(lengths)
		e.buf[bTours], e.buf[bResults] = e.cities(make([]int32, e.n*e.ants)), make([]byte, 24*(e.ants+1))
	}
	e.next.ItLo, e.next.ItHi, e.next.Ants = uint32(it), uint32(it>>32), int32(e.ants)
	e.act()
	kernel := "walk"
	if it%2 == 0 {
		kernel = "walk_few"
	}
	if err := e.launch(kernel, (e.ants+1)/2, 2); err != nil {
		return err
	}
	if e.err != nil {
		return e.err
	}
	for k, r := range cooked(e.buf[bResults], make([]result, e.ants+1))[1:] {
		lengths[k], falls[k], hashes[k] = r.Length, r.Falls, r.Hash
	}
	return nil
}

func init() {
	solvers.Register(walkers.ThinVariant("emulated", func(env *solvers.Env, g *walkers.Ground) (walkers.MaxMinCrew, error) {
		e, err := emulate(env, g, "thin.cu")
		if err != nil {
			return nil, err
		}
		size := 4 * e.n * e.n
		for _, b := range []int{bTau, bEta, bTable, bPowers} {
			e.buf[b] = make([]byte, size)
		}
		e.buf[bSizes] = append(e.buf[bSizes], raw(int32(thinShare(e.n)))...)
		e.buf[bMask] = make([]byte, 2*e.n*walkers.Width)
		e.buf[bCount], e.buf[bRules] = make([]byte, 4*e.n*walkers.Width), make([]byte, 4*e.n)
		return emulatedThin{e}, nil
	}))
	emulations = append(emulations,
		trial{Solver: "mmas", Variant: "thin", Cities: 45, Metric: "EUC_2D", Spread: 1000, Iterations: 3, Params: params("ants", 5, "alpha", 1.5)},
		trial{Solver: "mmas", Variant: "thin", Cities: 190, Metric: "CEIL_2D", Spread: 1000, Iterations: 4, Params: params("ants", 4, "candidates", 4, "rho", 0.3)},
		trial{Solver: "mmas", Variant: "thin", Cities: 230, Metric: "ATT", Spread: 40, Iterations: 2, Params: params("ants", 3, "beta", 0.0, "candidates", 1)},
		trial{Solver: "mmas", Variant: "thin", Cities: 300, Metric: "EUC_2D", Spread: 1e5, Iterations: 4, Params: params("ants", 3, "candidates", 10, "rho", 0.1, "beta", 4.0)},
	)
}
