//go:build cuda

package ants

import (
	"metalab/solvers"
	walkers "metalab/solvers/ants"
)

func init() {
	solvers.Register(walkers.ReservoirVariant("cuda", hireWRS))
	solvers.Register(walkers.SystemVariant("cuda", hireSystem))
	solvers.Register(walkers.RowsVariant("cuda", hireRows))
	solvers.Register(walkers.ThinVariant("cuda", hireThin))
	solvers.Register(walkers.LockstepVariant("cuda", hireLockstep))
	solvers.Register(walkers.AltVariant("cuda", hireAlt))
	solvers.Register(walkers.SelectiveVariant("spm", "cuda", hireSpm))
	solvers.Register(walkers.SelectiveVariant("spm-alt", "cuda", hireSpmAlt))
}
