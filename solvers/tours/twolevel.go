package tours

import "math"

// twoLevel is a tour as a circle of groups, each a doubly linked run of cities with a bit that says
// in which direction it is read, so that reversing a path costs O(sqrt n): a group or two are
// split, and the bits and ranks of whole groups change.
//
// M. L. Fredman, D. S. Johnson, L. A. McGeoch, G. Ostheimer: Data structures for traveling
// salesmen, J. Algorithms 18, 1995, doi:10.1006/jagm.1995.1018. Unlike theirs, links do not cross
// the borders of groups, and groups are in an array by rank: reversing a group touches no city of
// its neighbours.
type twoLevel struct {
	node   []node
	group  []group
	at     []int32 // at[rank] is the group of that rank
	stride int32   // keys that a group has to itself; at least the number of cities
}

// node is a city. next and prev are those of a group that is not reversed, and have no meaning at
// the group's ends; id grows by one from each city to the next.
type node struct{ next, prev, id, group int32 }

// group is a run of cities.
type group struct {
	turned      bool  // it is read from last to first
	rank        int32 // its place in the circle of groups
	first, last int32 // its end cities
	size        int32

	// The key of a city is its id plus at, or the id's complement plus at if bits is -1. The group
	// holds both, as the end cities' nodes are elsewhere in memory.
	at, bits        int32
	firstID, lastID int32
}

// settle updates the data behind keys after a change of the group's rank, direction or ends.
func (t *twoLevel) settle(g *group) {
	g.at, g.bits = g.rank*t.stride-g.firstID, 0
	if g.turned {
		g.at, g.bits = g.rank*t.stride+g.lastID+1, -1
	}
}

// newTwoLevel makes a list for n >= 3 cities.
func newTwoLevel(n int) *twoLevel {
	// Fewer groups than sqrt n: splitting a group goes over 16-byte nodes that are mostly in cache,
	// while reversing groups takes a random access for each.
	m := max(3, min(int(math.Sqrt(float64(n))*0.75), math.MaxInt32/n-1))
	return &twoLevel{
		node: make([]node, n), group: make([]group, m), at: make([]int32, m),
		stride: int32(math.MaxInt32 / (m + 1)),
	}
}

// span is greater than all keys.
func (t *twoLevel) span() int32 { return t.stride * int32(len(t.group)) }

func (t *twoLevel) set(order []int32) {
	n, m := len(order), len(t.group)
	at := 0
	for g := range t.group {
		end := (g + 1) * n / m
		run := order[at:end]
		t.group[g] = group{
			rank: int32(g), first: run[0], last: run[len(run)-1], size: int32(len(run)),
			lastID: int32(len(run) - 1),
		}
		t.settle(&t.group[g])
		t.at[g] = int32(g)
		for i, c := range run {
			v := node{id: int32(i), group: int32(g)}
			if i > 0 {
				v.prev = run[i-1]
			}
			if i+1 < len(run) {
				v.next = run[i+1]
			}
			t.node[c] = v
		}
		at = end
	}
}

// step is the neighbour of c in the direction dir (1 or -1).
func (t *twoLevel) step(c, dir int32) int32 {
	v := &t.node[c]
	g := &t.group[v.group]
	if g.turned == (dir < 0) {
		if c != g.last {
			return v.next
		}
	} else if c != g.first {
		return v.prev
	}
	return t.beyond(g, dir)
}

// beyond returns the first city of the next group in a direction.
func (t *twoLevel) beyond(g *group, dir int32) int32 {
	h := &t.group[t.neighbour(g, dir)]
	if h.turned == (dir < 0) {
		return h.first
	}
	return h.last
}

func (t *twoLevel) neighbour(g *group, dir int32) int32 {
	r := g.rank + dir
	if r < 0 {
		r = int32(len(t.at)) - 1
	} else if int(r) == len(t.at) {
		r = 0
	}
	return t.at[r]
}

// key is the place of c in the circle, from the group of rank 0 on.
func (t *twoLevel) key(c int32) int32 {
	v := &t.node[c]
	g := &t.group[v.group]
	return v.id ^ g.bits + g.at
}

// offset is the number of cities of its group that are read before c.
func (t *twoLevel) offset(c int32) int32 {
	v := &t.node[c]
	g := &t.group[v.group]
	return v.id ^ g.bits + g.at - g.rank*t.stride
}

// reverse reverses the path from a forward to b, or the rest, which gives the same circle. It tells
// whether it was the path.
func (t *twoLevel) reverse(a, b int32) (path bool) {
	a2, b2 := t.step(b, 1), t.step(a, -1)
	if a2 == a {
		return true // the path is the circle, which stays as it is
	}
	// Take the path with fewer borders of groups, at most half of them. As there are three groups
	// or more, the group after the path's last is not its first, so the second cut below leaves the
	// first in place.
	path = true
	if t.borders(a2, b2) < t.borders(a, b) {
		a, b, path = a2, b2, false
	}
	if t.turnInGroup(a, b) {
		return path
	}
	t.cutBefore(a)
	if t.turnInGroup(a, b) {
		return path
	}
	t.cutAfter(b)
	if t.turnInGroup(a, b) {
		return path
	}
	t.turnGroups(t.group[t.node[a].group].rank, t.group[t.node[b].group].rank)
	return path
}

// borders counts the borders of groups on the path from a forward to b.
func (t *twoLevel) borders(a, b int32) int32 {
	ga, gb := t.node[a].group, t.node[b].group
	d := t.group[gb].rank - t.group[ga].rank
	if d < 0 || d == 0 && t.offset(a) > t.offset(b) {
		d += int32(len(t.at))
	}
	return d
}

// turnInGroup reverses the path from a forward to b if it is in one group.
func (t *twoLevel) turnInGroup(a, b int32) bool {
	at := t.node[a].group
	g := &t.group[at]
	if at != t.node[b].group || t.offset(a) > t.offset(b) {
		return false
	}
	if g.turned {
		a, b = b, a
	}
	if a == g.first && b == g.last {
		g.turned = !g.turned
		t.settle(g)
		return true
	}
	before, after := t.node[a].prev, t.node[b].next
	for c, id := a, t.node[b].id; ; id-- {
		v := &t.node[c]
		next := v.next
		v.next, v.prev, v.id = v.prev, next, id
		if c == b {
			break
		}
		c = next
	}
	if t.node[b].prev = before; a == g.first {
		g.first = b
	} else {
		t.node[before].next = b
	}
	if t.node[a].next = after; b == g.last {
		g.last = a
	} else {
		t.node[after].prev = a
	}
	return true
}

// turnGroups reverses the groups of the ranks i to j, across rank 0 if i > j.
func (t *twoLevel) turnGroups(i, j int32) {
	m := int32(len(t.at))
	l := j - i + 1
	if l <= 0 {
		l += m
	}
	for ; l > 0; l -= 2 {
		x, y := t.at[i], t.at[j]
		t.at[i], t.at[j] = y, x
		t.group[x].rank, t.group[y].rank = j, i
		t.group[x].turned = !t.group[x].turned
		if x != y {
			t.group[y].turned = !t.group[y].turned
			t.settle(&t.group[y])
		}
		t.settle(&t.group[x])
		if i++; i == m {
			i = 0
		}
		if j--; j < 0 {
			j = m - 1
		}
	}
}

// cutBefore makes a the first city of a group: the cities before it join the previous
// group, or it and those after it the next, whichever are fewer.
func (t *twoLevel) cutBefore(a int32) {
	from := t.node[a].group
	g := &t.group[from]
	k := t.offset(a)
	if k <= g.size-k {
		t.give(from, t.neighbour(g, -1), -1, k)
	} else {
		t.give(from, t.neighbour(g, 1), 1, g.size-k)
	}
}

// cutAfter makes b the last city of a group.
func (t *twoLevel) cutAfter(b int32) {
	from := t.node[b].group
	g := &t.group[from]
	k := t.offset(b) + 1
	if k < g.size-k {
		t.give(from, t.neighbour(g, -1), -1, k)
	} else {
		t.give(from, t.neighbour(g, 1), 1, g.size-k)
	}
}

// give moves count cities, but not all, from the end of the group from in the direction dir to the
// neighbouring group to.
func (t *twoLevel) give(from, to, dir, count int32) {
	g, h := &t.group[from], &t.group[to]
	for range count {
		var c int32
		if g.turned == (dir < 0) { // from its last city
			c = g.last
			g.last = t.node[c].prev
		} else {
			c = g.first
			g.first = t.node[c].next
		}
		v := &t.node[c]
		v.group = to
		if h.turned == (dir < 0) { // before its first city
			f := &t.node[h.first]
			f.prev, v.next, v.id = c, h.first, f.id-1
			h.first = c
		} else {
			l := &t.node[h.last]
			l.next, v.prev, v.id = c, h.last, l.id+1
			h.last = c
		}
	}
	g.size -= count
	h.size += count
	if id := t.node[h.first].id; id < -1<<29 || id > 1<<29 {
		t.renumber(h)
	}
	for _, v := range [2]*group{g, h} {
		v.firstID, v.lastID = t.node[v.first].id, t.node[v.last].id
		t.settle(v)
	}
}

// renumber makes the ids of a group begin at 0 again: they drift as cities come and go.
func (t *twoLevel) renumber(g *group) {
	for c, id := g.first, int32(0); ; id++ {
		t.node[c].id = id
		if c == g.last {
			return
		}
		c = t.node[c].next
	}
}
