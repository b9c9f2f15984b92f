package moves

import "context"

// An Annealer makes the moves of simulated annealing too, as metalab/solvers/anneal defines them.
// State.Clock is of no meaning there, and walks have no memory.
type Annealer interface {
	Engine

	// Anneal makes an iteration of every walk and fills out, one for each walk. After an error the
	// walks are as before it, unless the device was lost, and they with it.
	Anneal(ctx context.Context, job Cooling, out []Annealed) error
}

// A Cooling is an iteration of simulated annealing.
type Cooling struct {
	Iteration     int64
	Neighbourhood int // its number among those of Walk.Neighbourhoods
	Moves         int // that each walk draws
	Heat          []float64
}

// An Annealed is the result of an iteration for a walk. All fields are compared between backends.
type Annealed struct {
	Cost, Low, Least float64 // of the present solution, of the best, and the least on the way
	Hash             uint64  // of the present solution; see Walk
	Made             int     // number of moves so far
}
