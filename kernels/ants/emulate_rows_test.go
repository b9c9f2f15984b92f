package ants

import (
	"errors"
	"maps"
	"slices"

	"metalab/solvers"
	walkers "metalab/solvers/ants"
)

// The kernels of mmas/rows in the emulator, see emulate_test.go.

// emulatedRows is an emulated crew of mmas/rows.
type emulatedRows struct {
	*emulated
	rule plan
	walk int // how many were made: forms take turns
}

func (e *emulatedRows) Weigh(alpha float64, inv float32, eta []float32) error {
	return emulatedMaxMin{e.emulated}.Weigh(alpha, inv, eta)
}

func (e *emulatedRows) Reward(ant int, kept walkers.Kept, rate, add, lo, hi float32) {
	e.reward(ant, kept)
	e.next.Rate, e.next.Add, e.next.Lo, e.next.Hi = rate, add, lo, hi
	e.act()
}

func (e *emulatedRows) Fill(v float32) {
	e.next.Fill, e.next.Level = 1, v
	e.act()
}

// set gives the kernels their numbers beyond the ground's.
func (e *emulatedRows) set(ants int) {
	inverse := e.rule.inverse()
	e.buf[bSizes] = append(e.buf[bSizes][:16], raw([]int32{inverse, int32(e.rule.share()), int32(e.rule.stride()), int32(ants), e.rule.both()})...)
}

// act does what next asks for.
func (e *emulatedRows) act() {
	e.next.Serial++
	e.set(0)
	perSlot := (e.n*walkers.Width + 63) / 64
	if !e.rule.matrix {
		e.err = errors.Join(e.err, e.launch("note", 1, 3), e.launch("prepare", perSlot, 2))
		e.fulfil()
		return
	}
	e.err = errors.Join(e.err, e.launch("note", 1, 3), e.launch("prepare_matrix", e.n, 2))
	if !e.rule.all {
		e.err = errors.Join(e.err, e.launch("slots", perSlot, 2))
	}
	e.fulfil()
}

func (e *emulatedRows) Look() (int64, uint64, error) {
	if !e.rule.matrix {
		return e.emulated.Look()
	}
	e.buf[bOut] = make([]byte, 16)
	err := e.launch("look_matrix", (e.n*walkers.Width+63)/64, 2)
	v := cooked(e.buf[bOut], make([]uint64, 2))
	return int64(v[0]), v[1], err
}

func (e *emulatedRows) Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error {
	if e.ants != len(lengths) {
		e.ants = len(lengths)
		e.buf[bTours], e.buf[bResults] = e.cities(make([]int32, e.n*e.ants)), make([]byte, 24*(e.ants+1))
	}
	e.next.ItLo, e.next.ItHi, e.next.Ants = uint32(it), uint32(it>>32), int32(e.ants)
	e.act()
	p := e.rule
	s := p.shapeFor(e.warps, e.ants, 2, 3*p.share())
	forms := slices.Sorted(maps.Keys(p.kernels()))
	forms = slices.DeleteFunc(forms, func(f string) bool {
		return (f == formTeam) != (s.warps > 1) || p.all && f == formNear && p.n > 256
	})
	form := forms[e.walk%len(forms)]
	e.walk++
	e.set(s.ants)
	if err := e.launch(p.kernels()[form], (e.ants+s.ants-1)/s.ants, p.threads(s, form)/32); err != nil {
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

func emulateRows(env *solvers.Env, g *walkers.Ground) (walkers.MaxMinCrew, error) {
	e, err := emulate(env, g, "rows.cu")
	if err != nil {
		return nil, err
	}
	r := &emulatedRows{emulated: e, rule: planOf(g)}
	if g.Matrix {
		size := 4 * e.n * e.n
		e.buf[bTau], e.buf[bEta], e.buf[bTable] = make([]byte, size), make([]byte, size), make([]byte, 4*r.rule.entries())
	}
	e.buf[bCount] = make([]byte, 4*e.n*walkers.Width)
	return r, nil
}

func init() {
	solvers.Register(walkers.RowsVariant("emulated", emulateRows))
	for i, selection := range []string{"rwm", "wrs"} {
		for k, tabu := range []string{"lc", "ct", "bt"} {
			warps := []int{1, 3, 0, 5, 1, 2}[3*i+k]
			emulations = append(emulations,
				trial{Solver: "mmas", Variant: "rows", Cities: 45, Metric: "EUC_2D", Spread: 1000, Iterations: 3, Params: params("ants", 5, "candidates", 0, "selection", selection, "tabu", tabu, "warps", warps, "alpha", 1.5)},
				trial{Solver: "mmas", Variant: "rows", Cities: 290, Metric: "CEIL_2D", Spread: 1000, Iterations: 2, Params: params("ants", 1, "candidates", 0, "selection", selection, "tabu", tabu, "warps", 4-warps%3)},
			)
		}
		if selection == "wrs" { // four segments at once, and more
			for i, tabu := range []string{"ct", "bt"} {
				emulations = append(emulations, trial{
					Solver: "mmas", Variant: "rows", Cities: 1001 + 300*i, Metric: "EUC_2D", Spread: 9000, Iterations: 2,
					Params: params("ants", 1, "candidates", 0, "selection", selection, "tabu", tabu),
				})
			}
		}
		for _, storage := range []string{"candidates", "matrix"} {
			emulations = append(emulations, trial{
				Solver: "mmas", Variant: "rows", Cities: 230, Metric: "ATT", Spread: 40, Iterations: 2,
				Params: params("ants", 4, "candidates", 5, "selection", selection, "tabu", "lc", "warps", 3, "storage", storage),
			})
		}
	}
}
