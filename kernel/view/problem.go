package view

import (
	"cmp"

	"metalab/solvers/record"
)

// A Problem holds data, besides a run's history, for the figures of assignments, perceptrons,
// functions, neighbourhoods and users' drawings. A figure needs only some of its parts; others may
// be nil.
type Problem struct {
	Assignment *Assignment
	Multiset   *Multiset
	Slice      *Slice
	Moves      *Moves
	Drawing    *record.Drawing
}

// With returns the parts of p, which may be nil, and those of q that p lacks.
func (p *Problem) With(q *Problem) *Problem {
	if p == nil || q == nil {
		return cmp.Or(p, q)
	}
	return &Problem{
		Assignment: cmp.Or(p.Assignment, q.Assignment), Multiset: cmp.Or(p.Multiset, q.Multiset),
		Slice: cmp.Or(p.Slice, q.Slice), Moves: cmp.Or(p.Moves, q.Moves),
		Drawing: cmp.Or(p.Drawing, q.Drawing),
	}
}

// An Assignment holds the costs of the pairs of facilities before and after a search.
type Assignment struct {
	N             int       // facilities
	Before, After []float64 // N x N, row by row: the cost of a pair. Not copied.

	BeforeCost, AfterCost float64 // the sums, for the captions
}

// A Multiset holds the counts of values, and the wanted counts.
type Multiset struct {
	First, Step float64 // value i is First + i Step
	Want, Have  []int   // of equal length
}

// A Slice is a function along one coordinate through a point, with the ball of the point's
// neighbours.
type Slice struct {
	X, Y      []float64 // the function along the coordinate, X increasing
	At, Value float64   // the point
	Radius    float64   // of the ball

	// NearX and NearY are the neighbours: their coordinate, and their own values, which lie on the
	// curve only if the function has one coordinate.
	NearX, NearY []float64
}

// A Moves holds the changes of the value by the moves of a neighbourhood.
type Moves struct {
	Name   string    // of the neighbourhood, as "swap"
	All    int64     // its size
	Deltas []float64 // of all moves, or of a sample
}
