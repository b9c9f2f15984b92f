//go:build cuda

package moves

import (
	"metalab/datasets"
	declared "metalab/kernels/own"
	"metalab/solvers"
	"metalab/solvers/anneal"
	"metalab/solvers/moves"
)

func init() {
	kinds := append(Kinds(), datasets.KindOwn)
	solvers.Register(moves.TabuOn("cuda", kinds, newEngine))
	solvers.Register(moves.HillOn("cuda", kinds, newEngine))
	solvers.Register(moves.VNDOn("cuda", kinds, newEngine))
	solvers.Register(anneal.On("cuda", []datasets.Kind{datasets.KindOwn}, newEngine))
}

// newEngine makes the engine of a problem: of somebody's own, by kernels that are compiled of it.
func newEngine(p *moves.Problem) (moves.Engine, error) {
	if p.Instance.Kind() == datasets.KindOwn {
		return declared.NewEngine(declared.OpenGPU)(p)
	}
	return NewEngine(p)
}
