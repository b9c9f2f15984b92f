package assembly

import (
	"slices"

	"metalab/solvers/arith"
)

// blocks is what is known of how the cycles of a pair lie beside each other, and the search for a
// block.
type blocks struct {
	owner [][2]int32 // by city: the cycles that pass through it, one for each passage, or -1
	pairs []uint64   // cycles side by side, the smaller number first, once for each place

	// Cycle c lies beside the cycles beside[first[c]:first[c+1]], at so many places each.
	first  []int32
	beside []side

	search BlockSearch
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
	k.search.Begin(m)
	border := k.search.Border
	for i, p := range k.pairs {
		if i == 0 || p != k.pairs[i-1] {
			k.first[p>>32+2]++
			k.first[uint32(p)+2]++
		}
		border[p>>32]++
		border[uint32(p)]++
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
}

// block makes k.set a block round cycle c, which begins with c and half of the shorter cycles
// beside it; see BlockSearch. It needs owners.
func (k *assembler) block(c int32, r *arith.Stream) {
	k.set = k.search.Find(k.set, k, c, func(int32) bool { return k.coin(r) == 0 }, r)
}

// Size is that of a [Couple].
func (k *assembler) Size(c int32) int { return len(k.cycle(c)) }

// Sides is that of a [Couple].
func (k *assembler) Sides(c, sign int32, b *BlockSearch) {
	for _, s := range k.beside[k.first[c]:k.first[c+1]] {
		b.Meet(s.cycle, sign*s.places)
	}
}
