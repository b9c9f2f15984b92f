package assembly

import (
	"slices"

	"metalab/solvers/tours"
)

// change is what a child changes of its parent A.
type change struct {
	gain      int64
	cut       [][2]int32 // edges of A that it lacks
	new       [][2]int32 // edges that A lacks
	city      []int32    // cities with other neighbours
	neighbour [][2]int32 // and these
}

func (c *change) reset() {
	c.gain, c.cut, c.new, c.city, c.neighbour = 0, c.cut[:0], c.new[:0], c.city[:0], c.neighbour[:0]
}

// copyFrom makes c equal to o.
func (c *change) copyFrom(o *change) {
	c.gain = o.gain
	c.cut, c.new = append(c.cut[:0], o.cut...), append(c.new[:0], o.new...)
	c.city, c.neighbour = append(c.city[:0], o.city...), append(c.neighbour[:0], o.neighbour...)
}

// assembler makes children of a pair, one after the other. It is the scratch memory of one worker.
type assembler struct {
	*pair
	sp   *tours.Space
	near tours.Neighbours

	plane bool // distances are rounded ones of the plane, hence nearly keep the triangle inequality

	cutParent
	blocks
	picks  []pick  // children that gain
	picked []int32 // their cycles, one child behind the other
	taken  []bool  // by cycle: the child has it

	al     [][2]int32 // by city: the distances to its neighbours in k.a
	within []uint32   // by city: it is of the subtour that is joined when it is turn
	turn   uint32
	reach  int32 // see Settings.Reach
	far    bool  // within is not kept, as the subtour is large
	// the places of the segment that is looked at, but for those behind the last
	low, high int32
	set       []int32       // cycles that a child takes over
	old       [][2][2]int32 // of the cities of child.city: neighbours in A, and distances to them
	child     change
	twice     bool // it may have an edge of A twice
}

// cutParent is the parent A cut at the edges that the child lacks: segment j goes from the place
// behind cuts[j-1] to cuts[j].
type cutParent struct {
	cuts  []int32 // places p such that the edge from p to p + 1 is cut, rising
	cutAt []int32 // by place: its index in cuts + 1, or 0
	sub   []int32 // by segment: the subtour that it is part of
	next  []int32 // by segment: another one of the subtour, or -1
	head  []int32 // by subtour: its first segment
	tail  []int32 // by subtour: its last segment
	size  []int32 // by subtour: its cities; 0 when it was joined to another
}

func newAssembler(sp *tours.Space, near tours.Neighbours) *assembler {
	return &assembler{
		pair: newPair(sp.N), sp: sp, near: near, cutParent: cutParent{cutAt: make([]int32, sp.N)},
		plane: sp.Plane(),
		al:    make([][2]int32, sp.N), within: make([]uint32, sp.N),
	}
}

// Slack is more than rounding can add to a sum of two distances less two others, and to twice
// a distance, together.
const Slack = 4

// load is pair.load, with the distances.
func (k *assembler) load(a, b []int32) {
	k.pair.load(a, b)
	if k.mark > 1<<30 || k.turn > 1<<30 { // long before they could be met again
		clear(k.marked)
		clear(k.within)
		k.mark, k.turn = 0, 0
	}
	prev := a[len(a)-1]
	for _, c := range a {
		d := k.sp.D(prev, c)
		k.al[prev][1], k.al[c][0] = d, d
		prev = c
	}
}

func (k *assembler) d(a, b int32) int64 { return int64(k.sp.D(a, b)) }

// apply makes the child of some cycles: A with their edges of A replaced by those of B, and the
// subtours joined; if the last joining cannot make it shorter than A, apply omits it, and the gain
// is 0. Its changes are in k.child, and in the neighbours until undo. It takes time in proportion
// to the cycles and the shorter subtours.
func (k *assembler) apply(set []int32) {
	k.child.reset()
	k.old, k.cuts = k.old[:0], k.cuts[:0]
	// Edges that the cycles have of both A and B stay: such places are marked, first with met, then
	// with stays.
	k.mark += 2
	met, stays, any := k.mark-1, k.mark, false
	k.twice = false
	for _, c := range set {
		cyc := k.cycle(c)
		for i := 1; i < len(cyc); i += 2 {
			if at := k.placeOf(cyc[i], cyc[(i+1)%len(cyc)]); at >= 0 {
				k.marked[at], any = met, true
			}
		}
	}
	for _, c := range set {
		cyc := k.cycle(c)
		for i := 0; i < len(cyc); i += 2 {
			u, v := cyc[i], cyc[i+1]
			at := k.placeOf(u, v)
			if any && k.marked[at] == met {
				k.marked[at] = stays
				continue
			}
			if k.pos[u] != at {
				u, v = v, u
			}
			k.touch(u)
			k.touch(v)
			k.child.gain += int64(k.al[u][1])
			k.a[u][1], k.a[v][0] = -1, -1
			k.cuts = append(k.cuts, at)
			k.child.cut = append(k.child.cut, [2]int32{u, v})
		}
	}
	for _, c := range set {
		cyc := k.cycle(c)
		for i := 1; i < len(cyc); i += 2 {
			u, v := cyc[i], cyc[(i+1)%len(cyc)]
			if any {
				at := k.placeOf(u, v)
				if at >= 0 && k.marked[at] == stays {
					continue
				}
				k.twice = k.twice || at >= 0
			}
			d := k.sp.D(u, v)
			k.join(u, v, d)
			k.join(v, u, d)
			k.child.gain -= int64(d)
			k.child.new = append(k.child.new, [2]int32{u, v})
		}
	}
	if k.reach > 0 && k.child.gain <= 0 {
		k.child.gain = 0
		return
	}
	if len(k.cuts) == 0 {
		return
	}
	k.segments()
	for left := len(k.head); left > 1; left-- {
		if k.merge(left == 2) {
			k.child.gain = 0
		}
	}
	for _, p := range k.cuts {
		k.cutAt[p] = 0
	}
}

// touch notes the neighbours of city c before they change.
func (k *assembler) touch(c int32) {
	k.child.city = append(k.child.city, c)
	k.old = append(k.old, [2][2]int32{k.a[c], k.al[c]})
}

// join makes v, at distance d, a neighbour of u where u lacks one.
func (k *assembler) join(u, v, d int32) {
	side := 1
	if k.a[u][0] < 0 {
		side = 0
	}
	k.a[u][side], k.al[u][side] = v, d
}

// swap makes to, at distance d, a neighbour of c in place of from.
func (k *assembler) swap(c, from, to, d int32) {
	side := 1
	if k.a[c][0] == from {
		side = 0
	}
	k.a[c][side], k.al[c][side] = to, d
}

// keep notes the new neighbours of the cities that changed in k.child.
func (k *assembler) keep() {
	for _, c := range k.child.city {
		k.child.neighbour = append(k.child.neighbour, k.a[c])
	}
}

// undo gives the cities their neighbours in A again.
func (k *assembler) undo() {
	for i := len(k.old) - 1; i >= 0; i-- {
		c := k.child.city[i]
		k.a[c], k.al[c] = k.old[i][0], k.old[i][1]
	}
}

// segments finds the subtours that the segments make.
func (k *assembler) segments() {
	slices.Sort(k.cuts)
	m := int32(len(k.cuts))
	for j, p := range k.cuts {
		k.cutAt[p] = int32(j) + 1
	}
	k.sub, k.next = append(k.sub[:0], make([]int32, m)...), append(k.next[:0], make([]int32, m)...)
	for j := range k.sub {
		k.sub[j], k.next[j] = -1, -1
	}
	k.head, k.tail, k.size = k.head[:0], k.tail[:0], k.size[:0]
	for j := range m {
		if k.sub[j] >= 0 {
			continue
		}
		id := int32(len(k.head))
		k.head, k.tail, k.size = append(k.head, j), append(k.tail, j), append(k.size, 0)
		for s, forth := j, true; k.sub[s] < 0; {
			k.sub[s] = id
			first, length := k.span(s)
			k.size[id] += length
			if s != j {
				k.next[k.tail[id]] = s
				k.tail[id] = s
			}
			if forth {
				s, forth = k.enter(k.order[k.cuts[s]], 1)
			} else {
				s, forth = k.enter(k.order[first], 0)
			}
		}
	}
}

// span is the first place of segment s and the number of its cities.
func (k *assembler) span(s int32) (first, length int32) {
	n := int32(k.n)
	if s == 0 {
		first = k.cuts[len(k.cuts)-1] + 1
		length = k.cuts[0] + n - first + 1
		if first == n {
			first = 0
		}
		return first, length
	}
	first = k.cuts[s-1] + 1
	return first, k.cuts[s] - first + 1
}

// enter follows the new edge of city f at its side (0: before it in A, 1: behind) to the next
// segment, and tells whether that is walked forth.
func (k *assembler) enter(f int32, side int) (s int32, forth bool) {
	g := k.a[f][side]
	q := k.pos[g]
	before := q - 1
	if before < 0 {
		before = int32(k.n) - 1
	}
	right, left := k.cutAt[q], k.cutAt[before] // its segment ends, or begins, here
	if right > 0 && (left == 0 || k.a[g][0] != f) {
		return right - 1, false
	}
	if left == int32(len(k.cuts)) {
		return 0, true
	}
	return left, true
}

// segmentOf is the segment of a place: the first that ends there or behind it.
func (k *assembler) segmentOf(p int32) int32 {
	if len(k.cuts) <= 8 {
		j := int32(0)
		for _, c := range k.cuts {
			if c < p {
				j++
			}
		}
		if int(j) == len(k.cuts) {
			return 0
		}
		return j
	}
	lo, hi := 0, len(k.cuts)
	for lo < hi {
		if m := (lo + hi) / 2; k.cuts[m] < p {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo == len(k.cuts) {
		return 0
	}
	return int32(lo)
}

// exchange replaces the edges v-v2 and c-c2 by v-c and v2-c2.
func (k *assembler) exchange(v, v2, c, c2 int32) {
	for _, x := range [4]int32{v, v2, c, c2} {
		k.touch(x)
	}
	d, d2 := k.sp.D(v, c), k.sp.D(v2, c2)
	k.swap(v, v2, c, d)
	k.swap(c, c2, v, d)
	k.swap(v2, v, c2, d2)
	k.swap(c2, c, v2, d2)
	k.drop(v, v2)
	k.drop(c, c2)
	k.gain(v, c)
	k.gain(v2, c2)
}

// drop records a removed edge: one that was added before, or one of A.
func (k *assembler) drop(a, b int32) {
	if !k.twice && k.placeOf(a, b) >= 0 || !remove(&k.child.new, a, b) {
		k.child.cut = append(k.child.cut, [2]int32{a, b})
	}
}

// gain records an added edge: one of A that was removed, or one that A lacks.
func (k *assembler) gain(a, b int32) {
	if k.placeOf(a, b) < 0 || !remove(&k.child.cut, a, b) {
		k.child.new = append(k.child.new, [2]int32{a, b})
	}
}

// remove takes an edge out of a list and tells whether it was there.
func remove(list *[][2]int32, a, b int32) bool {
	l := *list
	for i, e := range l {
		if e == [2]int32{a, b} || e == [2]int32{b, a} {
			l[i] = l[len(l)-1]
			*list = l[:len(l)-1]
			return true
		}
	}
	return false
}

// tour writes the tour A with a change to dst: it begins where A begins.
func (k *assembler) tour(dst []int32, c *change) {
	for i, x := range c.city {
		k.a[x] = c.neighbour[i]
	}
	at := k.order[0]
	prev := k.a[at][0]
	for i := range dst {
		dst[i] = at
		next := k.a[at][1]
		if next == prev {
			next = k.a[at][0]
		}
		prev, at = at, next
	}
}
