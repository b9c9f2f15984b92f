package assembly

import (
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// Assembler makes children of a pair.
type Assembler struct{ k *assembler }

// NewAssembler makes the memory.
func NewAssembler(sp *tours.Space) Assembler {
	return Assembler{newAssembler(sp, sp.Nearest(10))}
}

// Reach sets how far from the edges that children lack their subtours are joined.
func (k Assembler) Reach(cities int) { k.k.reach = int32(cities) }

// All splits two tours into cycles and calls do for the child of each, and of the block round each,
// that was not given up: with its tour, its gain and the edges that it lacks and has new.
func (k Assembler) All(
	a, b []int32, r *arith.Stream, do func(tour []int32, gain int64, cut, new [][2]int32),
) (cycles [][]int32) {
	k.k.load(a, b)
	k.k.split(r, 1<<30)
	k.k.owners()
	for i := range 2 * k.k.count() {
		c := int32(i / 2)
		if k.k.set = append(k.k.set[:0], c); i%2 == 0 {
			cycles = append(cycles, k.k.cycle(c))
		} else {
			k.k.block(c, r)
		}
		k.k.apply(k.k.set)
		if k.k.reach > 0 && k.k.child.gain == 0 {
			k.k.undo()
			continue
		}
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
			kept.copyFrom(&k.k.child)
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
