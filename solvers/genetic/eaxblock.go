package genetic

import (
	"metalab/solvers/arith"
	"metalab/solvers/internal/assembly"
)

// region holds the neighbourhood of a couple's cycles in stage 2, and the search for a block. A
// city where two cycles pass is a place where these lie side by side, and so are the two ends of a
// way that both parents have.
type region struct {
	passes [][2]int32 // by city: entries in cycles that pass through it, the smaller first, or -1
	of     []int32    // by entry in cycles: its cycle
	ahead  []int32    // by city that one cycle passes: that at the end of the way behind it, or -1
	back   []int32    // by city: the cycle at the beginning of the way before it, or -1

	search assembly.BlockSearch
}

func newRegion(n int) region {
	return region{
		passes: make([][2]int32, n), ahead: make([]int32, n), back: make([]int32, n),
		search: assembly.BlockSearch{Tie: assembly.SmallestNumber},
	}
}

// survey finds which cycles lie side by side.
func (k *crossover) survey() {
	for c := range k.passes {
		k.passes[c], k.ahead[c], k.back[c] = [2]int32{-1, -1}, -1, -1
	}
	count := len(k.start) - 1
	k.of = k.of[:0]
	for c := range int32(count) {
		for _, x := range k.cycle(c) {
			if p := &k.passes[x]; p[0] < 0 {
				p[0] = int32(len(k.of))
			} else {
				p[1] = int32(len(k.of))
			}
			k.of = append(k.of, c)
		}
	}
	for _, x := range k.cycles {
		if k.passes[x][1] >= 0 || !k.common(x, k.behind(x)) {
			continue
		}
		end := k.behind(x)
		for k.passes[end][0] < 0 {
			end = k.behind(end)
		}
		k.ahead[x], k.back[end] = k.of[k.passes[end][0]], k.of[k.passes[x][0]]
	}
	k.search.Begin(count)
	for c := range int32(count) {
		k.beside(c, func(int32) { k.search.Border[c]++ })
	}
}

// beside calls do for each place where a cycle lies beside another one.
func (k *crossover) beside(c int32, do func(other int32)) {
	for e := k.start[c]; e < k.start[c+1]; e++ {
		x := k.cycles[e]
		p := k.passes[x]
		if p[0] != e { // the second to pass
			if o := k.of[p[0]]; o != c {
				do(o)
			}
			continue
		}
		if p[1] >= 0 && k.of[p[1]] != c {
			do(k.of[p[1]])
		}
		if o := k.ahead[x]; o >= 0 && o != c {
			do(o)
		}
		if o := k.back[x]; o >= 0 && o != c {
			do(o)
		}
	}
}

// block makes k.set a block round cycle c, which begins with c and half of the shorter cycles
// beside it: one draw tosses for all of them. It needs survey.
func (k *crossover) block(c int32, r *arith.Stream) {
	toss := uint64(r.Uint32()) << 32
	coin := func(s int32) bool { return arith.Mix64(toss|uint64(s))&1 == 0 }
	k.set = k.search.Find(k.set, k, c, coin, r)
}

// Size implements [assembly.Couple].
func (k *crossover) Size(c int32) int { return len(k.cycle(c)) }

// Sides implements [assembly.Couple].
func (k *crossover) Sides(c, sign int32, b *assembly.BlockSearch) {
	k.beside(c, func(other int32) { b.Meet(other, sign) })
}
