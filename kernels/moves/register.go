//go:build cuda

package moves

import (
	"metalab/solvers"
	"metalab/solvers/moves"
)

func init() {
	solvers.Register(moves.TabuOn("cuda", Kinds(), NewEngine))
	solvers.Register(moves.HillOn("cuda", Kinds(), NewEngine))
	solvers.Register(moves.VNDOn("cuda", Kinds(), NewEngine))
}
