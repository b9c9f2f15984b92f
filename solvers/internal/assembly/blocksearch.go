package assembly

import "metalab/solvers/arith"

// How the search for a block goes.
const (
	Tenure = 10 // a cycle that came or went stays so for 1 to 10 steps
	Idle   = 20 // steps in turn without a better block that end the search
)

// A Tie says which of several cycles that are equally good for a block comes or goes.
type Tie uint8

const (
	// FirstReached is the one that was first beside the block. The order in which cycles are reached
	// is that of one thread.
	FirstReached Tie = iota
	// SmallestNumber is the one with the smallest number, which many threads find together.
	SmallestNumber
)

// A Couple is two tours taken apart into cycles, of which a [BlockSearch] puts a block together.
type Couple interface {
	// Size is the number of cities of a cycle.
	Size(c int32) int
	// Sides calls b.Meet with each cycle beside c, and so many places at which they lie side by
	// side, times sign; a cycle may be met several times.
	Sides(c, sign int32, b *BlockSearch)
}

// BlockSearch searches for blocks: sets of neighbouring cycles with few places beside others, so
// that they form a region to copy as a whole.
type BlockSearch struct {
	Tie    Tie
	Border []int32 // by cycle: places where it lies beside others; the couple counts them

	used    []bool  // by cycle: it is of the block
	known   []bool  // by cycle: it is in reached
	contact []int32 // by cycle: places where it lies beside cycles of the block
	free    []int32 // by cycle: the step from which on it may come or go again
	reached []int32 // cycles that are, or were, of the block or beside it
}

// Begin prepares the search in a couple of so many cycles. Border is then 0 for all.
func (b *BlockSearch) Begin(cycles int) {
	b.Border = append(b.Border[:0], make([]int32, cycles)...)
	b.used = append(b.used[:0], make([]bool, cycles)...)
	b.known = append(b.known[:0], make([]bool, cycles)...)
	b.contact = append(b.contact[:0], make([]int32, cycles)...)
	b.free = append(b.free[:0], make([]int32, cycles)...)
}

// Find puts a block round cycle c into set, whose memory it takes. It begins with c and those of
// the shorter cycles beside it that coin takes, and lets cycles beside it come, and others than c
// go, by a tabu search.
func (b *BlockSearch) Find(
	set []int32, k Couple, c int32, coin func(cycle int32) bool, r *arith.Stream,
) []int32 {
	b.reached = b.reached[:0]
	b.reach(c)
	border := b.move(k, c)
	own := k.Size(c)
	for _, s := range b.reached[1:len(b.reached):len(b.reached)] {
		if k.Size(s) < own && coin(s) {
			border += b.move(k, s)
		}
	}
	best := border
	set = b.block(set)
	for step, since := int32(1), 0; since < Idle; step++ {
		since++
		to, longer := b.next(c, step, best-border)
		if to < 0 {
			continue
		}
		b.move(k, to)
		border += longer
		b.free[to] = step + 1 + int32(r.IntN(Tenure))
		if border < best {
			best, since = border, 0
			set = b.block(set)
		}
	}
	for _, s := range b.reached {
		b.used[s], b.known[s], b.contact[s], b.free[s] = false, false, 0, 0
	}
	return set
}

// next is the cycle whose coming or going makes the border the least longer, and by how much, or
// -1. One that came or went a short while ago is left as it is, unless the border becomes less than
// so much longer, which makes it shorter than ever before.
func (b *BlockSearch) next(c, step, record int32) (to, longer int32) {
	to, longer = -1, 1<<30
	for _, s := range b.reached {
		if s == c || !b.used[s] && b.contact[s] == 0 {
			continue
		}
		d := b.Border[s] - 2*b.contact[s]
		if b.used[s] {
			d = -d
		}
		if (d < longer || d == longer && b.Tie == SmallestNumber && s < to) &&
			(step > b.free[s] || d < record) {
			to, longer = s, d
		}
	}
	return to, longer
}

// Meet notes that cycle o lies beside the one that comes or goes, at so many places more, or less.
func (b *BlockSearch) Meet(o, places int32) {
	b.contact[o] += places
	b.reach(o)
}

func (b *BlockSearch) reach(c int32) {
	if !b.known[c] {
		b.known[c] = true
		b.reached = append(b.reached, c)
	}
}

// move lets a cycle come to the block, or go, and returns by how much the border becomes longer.
func (b *BlockSearch) move(k Couple, c int32) int32 {
	d, sign := b.Border[c]-2*b.contact[c], int32(1)
	if b.used[c] {
		d, sign = -d, -1
	}
	b.used[c] = !b.used[c]
	k.Sides(c, sign, b)
	return d
}

// block puts the cycles of the block into set, in the order in which they were reached.
func (b *BlockSearch) block(set []int32) []int32 {
	set = set[:0]
	for _, s := range b.reached {
		if b.used[s] {
			set = append(set, s)
		}
	}
	return set
}
