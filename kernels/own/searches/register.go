//go:build cuda

package searches

import (
	"metalab/datasets"
	"metalab/kernels/own"
	"metalab/solvers"
	"metalab/solvers/anneal"
	"metalab/solvers/moves"
)

func init() {
	kinds, engine := []datasets.Kind{datasets.KindOwn}, own.NewEngine(own.OpenGPU)
	solvers.Register(moves.TabuOn("cuda", kinds, engine))
	solvers.Register(moves.HillOn("cuda", kinds, engine))
	solvers.Register(moves.VNDOn("cuda", kinds, engine))
	solvers.Register(anneal.On("cuda", kinds, engine))
}
