package recombine

import "metalab/solvers/arith"

// order keeps a part of a; from its end on, round, the other entries follow in the order of b.
func order(child, a, b []int32, draws *arith.Stream) {
	n := len(a)
	lo, hi := part(n, draws)
	kept := make([]bool, n)
	for i := lo; i < hi; i++ {
		child[i], kept[a[i]] = a[i], true
	}
	at := hi % n
	for k := range n {
		if v := b[(hi+k)%n]; !kept[v] {
			child[at] = v
			at = (at + 1) % n
		}
	}
}

// pmx keeps a part of a; each other place takes the entry of b there, or, where the part has that,
// the entry of b at the place of its like in a, and so on.
func pmx(child, a, b []int32, draws *arith.Stream) {
	n := len(a)
	lo, hi := part(n, draws)
	at := make([]int, n) // of the entries of the part, plus 1
	for i := lo; i < hi; i++ {
		child[i], at[a[i]] = a[i], i+1
	}
	for i := range n {
		if i >= lo && i < hi {
			continue
		}
		v := b[i]
		for at[v] > 0 {
			v = b[at[v]-1]
		}
		child[i] = v
	}
}

// position keeps the entries of a at places drawn at random; the others take the rest in the order
// of b.
func position(child, a, b []int32, draws *arith.Stream) {
	n := len(a)
	kept, there := make([]bool, n), make([]bool, n)
	var word uint32
	for i := range n {
		if i%32 == 0 {
			word = draws.Uint32()
		}
		if word>>(i%32)&1 == 1 {
			child[i], kept[a[i]], there[i] = a[i], true, true
		}
	}
	at := 0
	for _, v := range b {
		if kept[v] {
			continue
		}
		for there[at] {
			at++
		}
		child[at], there[at] = v, true
	}
}

// edges walks along the edges of both: from each entry to the neighbour that has the fewest
// neighbours left, one drawn of equal ones, or where none is left to any entry. The first and the
// last entry are neighbours.
func edges(child, a, b []int32, draws *arith.Stream) {
	n := len(a)
	near := make([][4]int32, n)
	count := make([]int8, n)
	link := func(v, w int32) {
		for _, x := range near[v][:count[v]] {
			if x == w {
				return
			}
		}
		near[v][count[v]] = w
		count[v]++
	}
	for _, p := range [][]int32{a, b} {
		for i, v := range p {
			if w := p[(i+1)%n]; w != v {
				link(v, w)
				link(w, v)
			}
		}
	}
	left := append([]int32(nil), a...) // entries not yet taken, in any order
	place := make([]int, n)
	for i, v := range left {
		place[v] = i
	}
	v := a[0]
	for k := range child {
		child[k] = v
		last := left[len(left)-1]
		left[place[v]], place[last] = last, place[v]
		left, place[v] = left[:len(left)-1], -1
		if len(left) == 0 {
			return
		}
		v = step(near, count, place, v, draws)
		if v < 0 {
			v = left[draws.IntN(len(left))]
		}
	}
}

// step is the neighbour of v with the fewest neighbours left, -1 where none is left.
func step(
	near [][4]int32, count []int8, place []int, v int32, draws *arith.Stream,
) int32 {
	var best [4]int32
	n, fewest := 0, 5
	for _, w := range near[v][:count[v]] {
		if place[w] < 0 {
			continue
		}
		free := 0
		for _, x := range near[w][:count[w]] {
			if place[x] >= 0 {
				free++
			}
		}
		if free < fewest {
			n, fewest = 0, free
		}
		if free == fewest {
			best[n] = w
			n++
		}
	}
	switch n {
	case 0:
		return -1
	case 1:
		return best[0]
	}
	return best[draws.IntN(n)]
}
