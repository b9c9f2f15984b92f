package searches

import (
	"metalab/kernels/own"
	"metalab/solvers/moves"
)

func init() { moves.CompareBy(own.Compare) }
