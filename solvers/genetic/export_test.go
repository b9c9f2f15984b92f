package genetic

import (
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// Children makes a child of each kind with one worker's memory.
type Children struct{ x *crosser }

// NewChildren makes the memory.
func NewChildren(sp *tours.Space) Children { return Children{newCrosser(sp)} }

// Make makes a child and returns its length; with arx the parents change over at from and to.
func (c Children) Make(cross string, child, a, b []int32, first int32, from, to int) int64 {
	switch cross {
	case crossSCX:
		return c.x.scx(child, a, b, first)
	case crossBCSCX:
		return c.x.bcscx(child, a, b, first)
	default:
		return c.x.arx(child, a, b, first, from, to)
	}
}

// Switches draws the places at which arx changes over.
var Switches = switches

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

// Kids makes kids of a pair.
type Kids struct{ k *kids }

// NewKids makes the memory.
func NewKids(sp *tours.Space) Kids { return Kids{newKids(sp, sp.Nearest(nearest))} }

// All splits two tours into cycles and calls do for the kid of each, and of the block round each,
// that was not given up: with its tour, its gain and the edges that it lacks and has new.
func (k Kids) All(
	a, b []int32, r *arith.Stream, do func(tour []int32, gain int64, cut, new [][2]int32),
) (cycles [][]int32) {
	k.k.load(a, b)
	k.k.split(r)
	k.k.owners()
	for i := range 2 * k.k.count() {
		c := int32(i / 2)
		if k.k.set = append(k.k.set[:0], c); i%2 == 0 {
			cycles = append(cycles, k.k.cycle(c))
		} else {
			k.k.block(c)
		}
		k.k.apply(k.k.set)
		subtours := 0
		for _, s := range k.k.size {
			if s > 0 {
				subtours++
			}
		}
		if subtours == 1 {
			k.k.keep()
			t := make([]int32, len(a))
			var kept change
			kept.copyFrom(&k.k.kid)
			k.k.undo()
			before := append([][2]int32(nil), k.k.a...)
			k.k.tour(t, &kept)
			copy(k.k.a, before)
			do(t, kept.gain, kept.cut, kept.new)
		} else {
			k.k.undo()
		}
	}
	return cycles
}
