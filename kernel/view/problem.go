package view

import (
	"cmp"

	"metalab/solvers/record"
)

// A Problem is what the figures of assignments, perceptrons, functions, neighbourhoods and
// somebody's own drawings need beside a run's history. Parts that a figure does not need may
// be nil.
type Problem struct {
	Assignment *Assignment
	Multiset   *Multiset
	Slice      *Slice
	Moves      *Moves
	Drawing    *record.Drawing
}

// With returns the parts of p, which may be nil, and those of q that p has not.
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

// An Assignment is what the pairs of facilities cost before and after a search.
type Assignment struct {
	N             int       // facilities
	Before, After []float64 // N x N, row by row: what a pair costs. Not copied.

	BeforeCost, AfterCost float64 // the sums, for the captions
}

// A Multiset is how often values occur, and how often they should.
type Multiset struct {
	First, Step float64 // value i is First + i Step
	Want, Have  []int   // as many of both
}

// A Slice is a function along one coordinate through a point, with the ball of the point's
// neighbours.
type Slice struct {
	X, Y      []float64 // the function along the coordinate, X increasing
	At, Value float64   // the point
	Radius    float64   // of the ball

	// NearX and NearY are the neighbours: their coordinate, and their own values, which are on
	// the curve only where the function has one coordinate.
	NearX, NearY []float64
}

// Moves are by how much the moves of a neighbourhood change the value.
type Moves struct {
	Name   string    // of the neighbourhood, as "swap"
	All    int64     // its size
	Deltas []float64 // of all moves, or of some that stand for them
}
