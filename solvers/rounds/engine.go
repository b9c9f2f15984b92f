package rounds

import (
	"context"

	"metalab/solvers"
	"metalab/solvers/tours"
)

// Lanes is the number of stretches of the tour from which the queue of a search from a
// whole tour takes cities in turn, and the largest width of a round.
const Lanes = 32

// MaxNeighbours is the largest number of neighbours of a city that moves look at.
const MaxNeighbours = 16

// minKick is the number of cities that a kick needs.
const minKick = 8

// drawKick is the purpose of the draws of kicks: block of a counter is the kick within the
// iteration, word 0 the position, words 1 to 3 the lengths of the paths.
const drawKick uint8 = 2

// A Problem holds the data for an engine.
type Problem struct {
	Space *tours.Space
	Near  tours.Neighbours // K at most MaxNeighbours
	Seed  uint64
	Env   *solvers.Env
	Width int  // cities that a round looks at, 1 to Lanes
	Or    bool // segment insertions as well as 2-opt moves
}

// A Job is an iteration.
type Job struct {
	Iter    int64
	Descend bool // search from all cities, without kicks
	Kicks   int  // of each chain, one after the other
	Size    int  // longest path of a kick, in cities
	Always  bool // keep every repaired tour, not only those that are not longer

	// Warps and Lanes say how a GPU shares out the work: warps for a chain, threads for a proposal.
	// They change no result; with 0 the engine chooses them.
	Warps, Lanes int

	// Trials is the number of iterations by which the engine judges a number of warps, if Warps is
	// 0; 0: it does not tune.
	Trials int
}

// A Tuned engine finds the best launch configuration of its kernels by its device's clock, and
// reports how long they take. Neither changes a result.
type Tuned interface {
	Engine
	solvers.Timer
	solvers.Waver
	solvers.Sharer
}

// An Outcome is the result of an iteration for a chain. All fields are compared between backends.
type Outcome struct {
	Length int64  // of the chain's tour, computed from the whole tour
	Hash   uint64 // arith.HashPerm of the tour, in internal numbers
	Rounds int64
	Moves  int64
	Kept   int64 // accepted kicks
	Gained int64 // kicks after which the tour was shorter
}

// An Engine holds the tours of chains and makes iterations on them. Its methods are called
// from one goroutine at a time.
type Engine interface {
	// Load gives the engine the chains' tours, in internal numbers; it copies them.
	Load(chains [][]int32) error

	// Iterate makes an iteration on every chain and fills out, one for each chain. After an error
	// the tours are those before the iteration, unless the device was lost, and they with it.
	Iterate(ctx context.Context, job Job, out []Outcome) error

	// Tour copies the tour of a chain to dst.
	Tour(chain int, dst []int32) error

	// Close frees what the garbage collector does not free.
	Close()
}
