//go:build cuda

package tours

import (
	"metalab/solvers"
	"metalab/solvers/ils"
)

func init() {
	solvers.Register(ils.BestOn("cuda", NewEngine))
	solvers.Register(ils.TilesOn("cuda", NewTiles))
}
