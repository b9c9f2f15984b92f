package genetic

import (
	"metalab/solvers/arith"
	"metalab/solvers/assembly"
)

// region is what is known in stage 2 of how the cycles of a couple lie beside each other, and the
// memory of the search for a block. A city where two cycles pass is a place where these lie side by
// side, and so are the two ends of a way that both parents have.
type region struct {
	passes [][2]int32 // by city: entries in cycles that pass through it, the smaller first, or -1
	of     []int32    // by entry in cycles: its cycle
	ahead  []int32    // by city that one cycle passes: that at the end of the way behind it, or -1
	back   []int32    // by city: the cycle at the beginning of the way before it, or -1
	border []int32    // by cycle: places where it lies beside others

	used    []bool  // by cycle: it is of the block
	known   []bool  // by cycle: it is in reached
	contact []int32 // by cycle: places where it lies beside cycles of the block
	free    []int32 // by cycle: the step from which on it may come or go again
	reached []int32 // cycles that are, or were, of the block or beside it
}

func newRegion(n int) region {
	return region{passes: make([][2]int32, n), ahead: make([]int32, n), back: make([]int32, n)}
}

// survey finds which cycles lie side by side.
func (k *mate) survey() {
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
	k.border = append(k.border[:0], make([]int32, count)...)
	k.used = append(k.used[:0], make([]bool, count)...)
	k.known = append(k.known[:0], make([]bool, count)...)
	k.contact = append(k.contact[:0], make([]int32, count)...)
	k.free = append(k.free[:0], make([]int32, count)...)
	for c := range int32(count) {
		k.beside(c, func(int32) { k.border[c]++ })
	}
}

// beside calls do for each place where a cycle lies beside another one.
func (k *mate) beside(c int32, do func(other int32)) {
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

// block makes k.set a block round cycle c: cycles side by side that have few places beside others,
// so that they are a region that is taken over as a whole. It begins with c and half of the shorter
// cycles beside it, and lets cycles beside it come, and others than c go, by a tabu search. Of
// equal cycles the one with the smallest number comes or goes. It needs survey.
func (k *mate) block(c int32, r *arith.Stream) {
	toss := uint64(r.Uint32()) << 32
	k.reached = k.reached[:0]
	k.reach(c)
	border := k.move(c)
	own := len(k.cycle(c))
	for _, s := range k.reached[1:len(k.reached):len(k.reached)] {
		if len(k.cycle(s)) < own && arith.Mix64(toss|uint64(s))&1 == 0 {
			border += k.move(s)
		}
	}
	best := border
	k.keepBlock()
	for step, since := int32(1), 0; since < assembly.Idle; step++ {
		to, least := int32(-1), int32(1<<30)
		for _, s := range k.reached {
			if s == c || !k.used[s] && k.contact[s] == 0 {
				continue
			}
			d := k.border[s] - 2*k.contact[s]
			if k.used[s] {
				d = -d
			}
			if (d < least || d == least && s < to) && (step > k.free[s] || border+d < best) {
				to, least = s, d
			}
		}
		since++
		if to < 0 {
			continue
		}
		border += k.move(to)
		k.free[to] = step + 1 + int32(r.IntN(assembly.Tenure))
		if border < best {
			best, since = border, 0
			k.keepBlock()
		}
	}
	for _, s := range k.reached {
		k.used[s], k.known[s], k.contact[s], k.free[s] = false, false, 0, 0
	}
}

func (k *mate) reach(c int32) {
	if !k.known[c] {
		k.known[c] = true
		k.reached = append(k.reached, c)
	}
}

// move lets a cycle come to the block, or go, and returns by how much the border becomes longer.
func (k *mate) move(c int32) int32 {
	d, sign := k.border[c]-2*k.contact[c], int32(1)
	if k.used[c] {
		d, sign = -d, -1
	}
	k.used[c] = !k.used[c]
	k.beside(c, func(o int32) {
		k.contact[o] += sign
		k.reach(o)
	})
	return d
}

func (k *mate) keepBlock() {
	k.set = k.set[:0]
	for _, s := range k.reached {
		if k.used[s] {
			k.set = append(k.set, s)
		}
	}
}
