//go:build cuda

package tours

import (
	"metalab/kernels/genetic"
	"metalab/solvers"
	"metalab/solvers/ils"
)

func init() {
	solvers.Register(ils.BestOn("cuda", NewEngine))
	solvers.Register(ils.TilesOn("cuda", NewTiles))
	solvers.Register(ils.PoolsOn("cuda", ils.PoolEngines{Tiles: NewTiles, Cross: genetic.NewRounds}))
}
