//go:build !cuda

package own_test

import (
	"testing"

	"metalab/datasets"
	"metalab/kernels/own"
	"metalab/solvers"
	"metalab/solvers/anneal"
	"metalab/solvers/moves"
)

func init() {
	kinds, engine := []datasets.Kind{datasets.KindOwn}, own.NewEngine(own.Interpreter(4000))
	solvers.Register(moves.TabuOn("cuda", kinds, engine))
	solvers.Register(moves.HillOn("cuda", kinds, engine))
	solvers.Register(moves.VNDOn("cuda", kinds, engine))
	solvers.Register(anneal.On("cuda", kinds, engine))
}

// interpreted tells that there is no GPU.
const interpreted = true

// machine is there: kernels are interpreted.
func machine(testing.TB) {}
