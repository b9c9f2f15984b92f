//go:build cuda

package moves

import (
	"metalab/solvers"
	"metalab/solvers/moves"
)

func init() { solvers.Register(moves.TabuOn("cuda", Kinds(), NewEngine)) }
