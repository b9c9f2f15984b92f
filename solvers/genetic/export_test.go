package genetic

import "metalab/solvers/tours"

// Children makes a child of each kind with one worker's memory.
type Children struct{ x *crosser }

// NewChildren makes the memory.
func NewChildren(sp *tours.Space) Children { return Children{newCrosser(sp)} }

// Make makes a child and returns its length.
func (c Children) Make(cross string, child, a, b []int32, first int32) int64 {
	switch cross {
	case crossSCX:
		return c.x.scx(child, a, b, first)
	case crossBCSCX:
		return c.x.bcscx(child, a, b, first)
	default:
		return c.x.arx(child, a, b, first)
	}
}

// NewMutator makes a mutator.
func NewMutator(sp *tours.Space) *Mutator {
	return &Mutator{mutator{sp: sp, near: sp.Nearest(nearest)}}
}

// Mutator makes 2-opt moves.
type Mutator struct{ mutator }

// Random and Gaining are the moves.
var (
	Random  = (*Mutator).random
	Gaining = (*Mutator).gaining
)
