//go:build cuda

package genetic

import (
	"metalab/solvers"
	"metalab/solvers/genetic"
)

func init() {
	solvers.Register(genetic.TournamentOn("cuda", NewEngine))
	solvers.Register(genetic.RoundsOn("cuda", NewRounds))
}
