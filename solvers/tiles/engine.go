package tiles

import (
	"context"

	"metalab/solvers"
	"metalab/solvers/tours"
)

// MaxNeighbours is the longest list of neighbours that a search looks at.
const MaxNeighbours = 10

// MaxPiece is the largest number of cities of a piece.
const MaxPiece = 4096

// MaxWidth is the largest width of a kick.
const MaxWidth = 40

// MaxChains is the largest number of tours.
const MaxChains = 128

// minCities is the number of cities that a piece needs to be searched.
const minCities = 8

// Purposes of draws; see doc.go.
const (
	drawKick uint8 = 2
	drawCut  uint8 = 3
)

// An Operator is the set of moves that repair a tour; see doc.go.
type Operator int32

// The operators.
const (
	TwoOpt Operator = iota
	OrTwoOpt
	OrThreeOpt
)

// A Kick is a rule for the four edges that a kick removes; see doc.go.
type Kick int32

// The kicks.
const (
	Walk Kick = iota
	Segment
)

// A Problem holds the data for an engine.
type Problem struct {
	Space *tours.Space // EUC_2D, CEIL_2D or ATT
	Near  tours.Neighbours
	Seed  uint64
	Env   *solvers.Env
}

// A Job is a round of all chains.
type Job struct {
	Iter     int64
	Cut      *Cut
	Rate     int // kicks of a piece for every 1000 of its cities
	Kick     Kick
	Width    int // 1 to MaxWidth: steps of a walk, or cities of a segment
	Operator Operator

	// Scale is nil if the search accepts only repaired tours that are not longer. Otherwise it holds
	// for every chain the mean, times ln 2, of the limit up to which it accepts a longer one.
	Scale []float64
}

// An Outcome is what a round made of a chain. All fields are compared between backends.
type Outcome struct {
	Length  int64  // of the tour, computed from the whole tour
	Hash    uint64 // arith.HashPerm of the tour, in internal numbers
	Change  int64  // what the kept kicks added to the length, summed
	Kicks   int64
	Kept    int64 // accepted kicks
	Gained  int64 // of them those that made the tour shorter
	Refused int64 // kicks that were undone only because they joined other ends of paths
	Moves   int64
}

// An Engine holds the chains' tours and makes rounds. Its methods are called from one goroutine at
// a time.
type Engine interface {
	// Load copies the chains' tours, in internal numbers, to the engine. The engine forgets what Keep
	// remembered.
	Load(chains [][]int32) error

	// Iterate makes a round on every chain and fills out, one for each chain. After an error the
	// tours are those before the round, unless the device was lost, and they with it.
	Iterate(ctx context.Context, job Job, out []Outcome) error

	// Tour copies the tour of a chain to dst.
	Tour(chain int, dst []int32) error

	// Copy replaces the tour of chain to by that of chain from.
	Copy(from, to int) error

	// Keep remembers the tour of a chain, until the next Keep or Load.
	Keep(chain int) error

	// Kept copies the tour that Keep remembered to dst.
	Kept(dst []int32) error

	// Close frees what the garbage collector does not free.
	Close()
}

// A Tuned engine shares a device, and reports how long its kernels take.
type Tuned interface {
	Engine
	solvers.Timer
	solvers.Waver
	solvers.Sharer
}
