package ants

import (
	"errors"
	"maps"
	"slices"

	"metalab/kernels/internal/emulate"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// The kernels of mmas/rows in the emulator, see emulate_test.go.

func emulateRows(s *crew.Setup) (*emulated, error) {
	e, err := onCPU(s, "rows.cu")
	if err != nil {
		return nil, err
	}
	p := planOf(e.g)
	if p.matrix {
		size := 4 * e.n * e.n
		e.buf[bTau], e.buf[bEta], e.buf[bTable] = emulate.Left(size), emulate.Left(size),
			emulate.Left(4*p.entries())
		e.form.look = "branching_matrix"
	}
	e.buf[bCount] = emulate.Left(4 * e.n * trail.Width)
	// set tells the kernels of a block's ants; prepare takes 1 for reciprocals.
	set := func(inverse int32, ants int) {
		e.buf[bSizes] = append(e.buf[bSizes][:16],
			raw([]int32{inverse, int32(p.share()), int32(p.stride()), int32(ants), p.both()})...)
	}
	e.form.prepare = func() error {
		if !p.matrix {
			set(p.inverse(), 0)
			return e.launch("prepare", e.perSlot(), 2)
		}
		set(p.inverseMatrix(), 0)
		err := e.launch("prepare_matrix", e.n, 2)
		if !p.all {
			set(p.inverse(), 0)
			err = errors.Join(err, e.launch("list_weights", e.perSlot(), 2))
		}
		return err
	}
	turn := 0 // the forms take turns
	e.form.construct = func() (kernel string, blocks, warps int) {
		shape := p.shapeFor(e.warps, e.ants, 2, 3*p.share())
		forms := slices.Sorted(maps.Keys(p.kernels()))
		forms = slices.DeleteFunc(forms, func(f string) bool {
			return (f == formBlock) != (shape.warps > 1) || f == formShared && p.n > 256
		})
		form := forms[turn%len(forms)]
		turn++
		set(0, shape.ants)
		return p.kernels()[form], (e.ants + shape.ants - 1) / shape.ants, p.threads(shape, form) / 32
	}
	return e, nil
}

// slowRows choose among more than a stretch of cities, and take the emulator minutes.
var slowRows = []trial{
	{
		Solver: "mmas", Variant: "rows", Cities: 8230, Metric: "EUC_2D", Spread: 1e5, Iterations: 1,
		Params: params("ants", 1, "candidates", 0, "selection", "rwm", "tabu", "bt", "warps", 1),
	},
	{
		Solver: "mmas", Variant: "rows", Cities: 8450, Metric: "EUC_2D", Spread: 1e5, Iterations: 1,
		Params: params("ants", 1, "candidates", 0, "selection", "rwm", "tabu", "lc", "warps", 3),
	},
	{
		Solver: "mmas", Variant: "rows", Cities: 8230, Metric: "EUC_2D", Spread: 1e5, Iterations: 1,
		Params: params("ants", 1, "candidates", 0, "selection", "groups", "tabu", "ct", "warps", 1),
	},
	{
		Solver: "mmas", Variant: "rows", Cities: 8230, Metric: "EUC_2D", Spread: 1e5, Iterations: 1,
		Params: params("ants", 1, "candidates", 0, "selection", "wrs", "tabu", "lc", "warps", 3),
	},
}

func init() {
	onEmulator("emulated", "mmas", "rows", emulateRows)
	for i, selection := range cpu.Selections {
		for k, tabu := range []string{"lc", "ct", "bt"} {
			warps := []int{1, 3, 0, 4, 1, 3, 5, 1, 2}[3*i+k]
			emulations = append(emulations,
				trial{
					Solver: "mmas", Variant: "rows", Cities: 45, Metric: "EUC_2D", Spread: 1000,
					Iterations: 3, Params: params("ants", 5, "candidates", 0, "selection", selection, "tabu",
						tabu, "warps", warps, "alpha", 1.5),
				},
				trial{
					Solver: "mmas", Variant: "rows", Cities: 290, Metric: "CEIL_2D", Spread: 1000,
					Iterations: 2, Params: params("ants", 1, "candidates", 0, "selection", selection, "tabu",
						tabu, "warps", 4-warps%3),
				},
			)
		}
		if selection == "groups" { // four segments at once, and more
			for i, tabu := range []string{"ct", "bt"} {
				emulations = append(emulations, trial{
					Solver: "mmas", Variant: "rows", Cities: 1001 + 300*i, Metric: "EUC_2D", Spread: 9000,
					Iterations: 2,
					Params:     params("ants", 1, "candidates", 0, "selection", selection, "tabu", tabu),
				})
			}
		}
		for _, tabu := range []string{"lc", "ct", "bt"} {
			for k, storage := range []string{"candidates", "matrix"} {
				list := []any{"selection", selection, "tabu", tabu, "storage", storage}
				emulations = append(emulations,
					trial{
						Solver: "mmas", Variant: "rows", Cities: 230, Metric: "ATT", Spread: 40, Iterations: 2,
						Params: params(append(list, "ants", 4, "candidates", 5, "warps", 3)...),
					},
					trial{
						Solver: "mmas", Variant: "rows", Cities: 33 + 31*k, Metric: "EUC_2D", Spread: 1000,
						Iterations: 3, Params: params(append(list, "ants", 5, "candidates", 3, "warps", 2)...),
					})
			}
		}
	}
}
