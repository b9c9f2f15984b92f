package trail

import "slices"

// unlisted are the trails of edges on no list that were rewarded; all other edges on no list share
// one trail, Table.Off. They are few, so those of a city are a linked list. The two directions of
// an edge of a symmetric instance are entries 2i and 2i + 1.
type unlisted struct {
	head []int32 // by city: its first entry; -1: none
	list []unlistedEdge
	two  bool // an edge has two directions, with one trail
}

// unlistedEdge is an edge seen from one of its cities.
type unlistedEdge struct {
	from, to int32
	next     int32
	tau      float32
}

func newUnlisted(n int, two bool) *unlisted {
	g := &unlisted{head: make([]int32, n), two: two}
	g.clear()
	return g
}

func (g *unlisted) clear() {
	g.list = g.list[:0]
	for i := range g.head {
		g.head[i] = -1
	}
}

// find is the entry of the edge from i to j, or -1.
func (g *unlisted) find(i, j int32) int32 {
	for e := g.head[i]; e >= 0; e = g.list[e].next {
		if g.list[e].to == j {
			return e
		}
	}
	return -1
}

// put gives an edge that has no entry the trail v and returns its entry.
func (g *unlisted) put(i, j int32, v float32) int32 {
	e := g.push(i, j, v)
	if g.two {
		g.push(j, i, v)
	}
	return e
}

func (g *unlisted) push(i, j int32, v float32) int32 {
	e := int32(len(g.list))
	g.list = append(g.list, unlistedEdge{i, j, g.head[i], v})
	g.head[i] = e
	return e
}

// set makes v the trail of entry e.
func (g *unlisted) set(e int32, v float32) {
	g.list[e].tau = v
	if g.two {
		g.list[e^1].tau = v
	}
}

// prune drops the entries whose trail is not above least.
func (g *unlisted) prune(least float32) {
	g.list = slices.DeleteFunc(g.list, func(e unlistedEdge) bool { return e.tau <= least })
	for i := range g.head {
		g.head[i] = -1
	}
	for e := range g.list {
		x := &g.list[e]
		x.next = g.head[x.from]
		g.head[x.from] = int32(e)
	}
}

// SetUnlisted makes these the trails of edges on no list, each edge once; all others of them get
// the common trail. Storage is candidates.
func (t *Table) SetUnlisted(edges []Edge) {
	t.rest.clear()
	for _, e := range edges {
		if e.Tau != t.Off {
			t.rest.put(e.From, e.To, e.Tau)
		}
	}
}
