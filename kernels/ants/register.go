//go:build cuda

package ants

import (
	"metalab/solvers"
	walkers "metalab/solvers/ants"
)

func init() {
	solvers.Register(walkers.ReservoirVariant("cuda", hireWRS))
	solvers.Register(walkers.LockstepVariant("cuda", hireLockstep))
}
