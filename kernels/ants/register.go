//go:build cuda

package ants

import (
	"metalab/solvers"
	"metalab/solvers/ants"
)

func init() {
	for i := range lines {
		l := &lines[i]
		solvers.Register(ants.On(l.backend("cuda"), l.solver, l.variant))
	}
}
