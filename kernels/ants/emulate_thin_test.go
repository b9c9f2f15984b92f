package ants

import (
	"metalab/kernels/internal/emulate"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// The kernels of mmas/thin in the emulator, see emulate_test.go.

func emulateThin(s *crew.Setup) (*emulated, error) {
	e, err := onCPU(s, "thin.cu")
	if err != nil {
		return nil, err
	}
	size := 4 * e.n * e.n
	for _, b := range []int{bTau, bEta, bTable, bPowers} {
		e.buf[b] = emulate.Left(size)
	}
	e.buf[bSizes] = append(e.buf[bSizes], raw(int32(thinShare(e.n)))...)
	e.buf[bNumbers] = emulate.Left(2 * e.n * trail.Width)
	e.buf[bCount], e.buf[bRules] = emulate.Left(4*e.n*trail.Width), emulate.Left(4*e.n)
	e.form.look = "branching_matrix"
	e.form.prepare = func() error { return e.launch("prepare", e.n, 3) }
	e.form.construct = func() (kernel string, blocks, warps int) {
		kernel = "construct"
		if e.next.ItLo%2 == 0 {
			kernel = "construct_small"
		}
		return kernel, (e.ants + 1) / 2, 2
	}
	return e, nil
}

func init() {
	onEmulator("emulated", "mmas", "thin", emulateThin)
	emulations = append(emulations,
		trial{
			Solver: "mmas", Variant: "thin", Cities: 45, Metric: "EUC_2D", Spread: 1000, Iterations: 3,
			Params: params("ants", 5, "alpha", 1.5),
		},
		trial{
			Solver: "mmas", Variant: "thin", Cities: 190, Metric: "CEIL_2D", Spread: 1000,
			Iterations: 4, Params: params("ants", 4, "candidates", 4, "rho", 0.3),
		},
		trial{
			Solver: "mmas", Variant: "thin", Cities: 230, Metric: "ATT", Spread: 40, Iterations: 2,
			Params: params("ants", 3, "beta", 0.0, "candidates", 1),
		},
		trial{
			Solver: "mmas", Variant: "thin", Cities: 300, Metric: "EUC_2D", Spread: 1e5, Iterations: 4,
			Params: params("ants", 3, "candidates", 10, "rho", 0.1, "beta", 4.0),
		},
	)
}
