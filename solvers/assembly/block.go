package assembly

import (
	"slices"

	"metalab/solvers/arith"
)

// blocks is what is known of how the cycles of a pair lie beside each other, and the memory of the
// search for a block.
type blocks struct {
	owner [][2]int32 // by city: the cycles that pass through it, one for each passage, or -1
	pairs []uint64   // cycles side by side, the smaller number first, once for each place

	// Cycle c lies beside the cycles beside[first[c]:first[c+1]], at so many places each.
	first  []int32
	beside []side
	border []int32 // by cycle: places where it lies beside others

	used    []bool  // by cycle: it is of the block
	contact []int32 // by cycle: places where it lies beside cycles of the block
	free    []int32 // by cycle: the step from which on it may come or go again
	reached []int32 // cycles that are, or were, of the block or beside it
	known   []bool  // by cycle: it is in reached
}

type side struct{ cycle, places int32 }

// owners finds which cycles lie side by side, and at how many places: at a city through which both
// pass, or at the ends of a way that the parents have in common.
func (k *assembler) owners() {
	if k.owner == nil {
		k.owner = make([][2]int32, k.n)
		for i := range k.owner {
			k.owner[i] = [2]int32{-1, -1}
		}
	}
	k.blocks.pairs = k.blocks.pairs[:0]
	m := k.count()
	for c := range int32(m) {
		for _, x := range k.cycle(c) {
			if o := &k.owner[x]; o[0] < 0 {
				o[0] = c
			} else {
				o[1] = c
				k.meet(o[0], c)
			}
		}
	}
	for _, x := range k.cycles {
		if k.owner[x][1] >= 0 {
			continue
		}
		if ahead := k.a[x][1]; ahead != k.b[x][0] && ahead != k.b[x][1] {
			continue // the way in common leads back from here
		}
		p := k.pos[x]
		for {
			if p++; int(p) == k.n {
				p = 0
			}
			if o := k.owner[k.order[p]][0]; o >= 0 {
				k.meet(k.owner[x][0], o)
				break
			}
		}
	}
	for _, x := range k.cycles {
		k.owner[x] = [2]int32{-1, -1}
	}
	k.lists(m)
}

// meet notes a place where two cycles lie side by side.
func (k *blocks) meet(a, b int32) {
	if a != b {
		k.pairs = append(k.pairs, uint64(min(a, b))<<32|uint64(max(a, b)))
	}
}

// lists makes of the pairs the lists of m cycles.
func (k *blocks) lists(m int) {
	slices.Sort(k.pairs)
	k.first = append(k.first[:0], make([]int32, m+2)...)
	k.border = append(k.border[:0], make([]int32, m)...)
	for i, p := range k.pairs {
		if i == 0 || p != k.pairs[i-1] {
			k.first[p>>32+2]++
			k.first[uint32(p)+2]++
		}
		k.border[p>>32]++
		k.border[uint32(p)]++
	}
	for c := 2; c < m+2; c++ {
		k.first[c] += k.first[c-1]
	}
	k.beside = slices.Grow(k.beside[:0], int(k.first[m+1]))[:k.first[m+1]]
	for i := 0; i < len(k.pairs); {
		p, from := k.pairs[i], i
		for i < len(k.pairs) && k.pairs[i] == p {
			i++
		}
		a, b, places := int32(p>>32), int32(uint32(p)), int32(i-from)
		k.beside[k.first[a+1]] = side{b, places}
		k.beside[k.first[b+1]] = side{a, places}
		k.first[a+1]++
		k.first[b+1]++
	}
	k.used = append(k.used[:0], make([]bool, m)...)
	k.known = append(k.known[:0], make([]bool, m)...)
	k.contact = append(k.contact[:0], make([]int32, m)...)
	k.free = append(k.free[:0], make([]int32, m)...)
}

// How the search for a block goes.
const (
	Tenure = 10 // a cycle that came or went stays so for 1 to 10 steps
	Idle   = 20 // steps in turn without a better block that end the search
)

// block makes k.set a block round cycle c: cycles side by side that have few places beside others,
// so that they are a region that is taken over as a whole. It begins with c and half of the shorter
// cycles beside it, and lets cycles beside it come, and others than c go, by a tabu search. It
// needs owners.
func (k *assembler) block(c int32, r *arith.Stream) {
	k.reached = k.reached[:0]
	k.reach(c)
	border := k.move(c)
	own := len(k.cycle(c))
	for _, s := range k.beside[k.first[c]:k.first[c+1]] {
		if len(k.cycle(s.cycle)) < own && k.coin(r) == 0 {
			border += k.move(s.cycle)
		}
	}
	best := border
	k.keepBlock()
	for step, since := int32(1), 0; since < Idle; step++ {
		to, least := int32(-1), int32(1<<30)
		for _, s := range k.reached {
			if s == c || !k.used[s] && k.contact[s] == 0 {
				continue
			}
			d := k.border[s] - 2*k.contact[s]
			if k.used[s] {
				d = -d
			}
			if d < least && (step > k.free[s] || border+d < best) {
				to, least = s, d
			}
		}
		since++
		if to < 0 {
			continue
		}
		border += k.move(to)
		k.free[to] = step + 1 + int32(r.IntN(Tenure))
		if border < best {
			best, since = border, 0
			k.keepBlock()
		}
	}
	for _, s := range k.reached {
		k.used[s], k.known[s], k.contact[s], k.free[s] = false, false, 0, 0
	}
}

func (k *blocks) reach(c int32) {
	if !k.known[c] {
		k.known[c] = true
		k.reached = append(k.reached, c)
	}
}

// move lets a cycle come to the block, or go, and returns by how much the border becomes longer.
func (k *blocks) move(c int32) int32 {
	d, sign := k.border[c]-2*k.contact[c], int32(1)
	if k.used[c] {
		d, sign = -d, -1
	}
	k.used[c] = !k.used[c]
	for _, s := range k.beside[k.first[c]:k.first[c+1]] {
		k.contact[s.cycle] += sign * s.places
		k.reach(s.cycle)
	}
	return d
}

func (k *assembler) keepBlock() {
	k.set = k.set[:0]
	for _, s := range k.reached {
		if k.used[s] {
			k.set = append(k.set, s)
		}
	}
}
