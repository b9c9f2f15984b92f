package datasets

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Colouring is the problem of colouring the vertices of a graph with K colours so that few edges
// have two ends of one colour. Such an edge is in conflict, and the cost is their number. A
// solution c holds the colour of each vertex, from 0 to K-1.
//
// If K is at least the graph's chromatic number the least cost is 0, and a solution that attains it
// is a proper colouring.
//
// Source of the formulation: A. Hertz, D. de Werra, Using tabu search techniques for graph
// coloring, Computing 39 (1987), doi:10.1007/BF02239976.
type Colouring struct {
	Title string
	N     int // vertices
	K     int // colours

	first []int32 // the neighbours of v are near[first[v]:first[v+1]], increasing
	near  []int32
	graph string     // the title without the number of colours
	least func() int // colours that the method of Brélaz needs, made at the first call

	facts facts
}

var _ Instance = (*Colouring)(nil)

// maxVertices is the size beyond which graphs are refused.
const maxVertices = 20000

// NewColouring returns the problem on the graph with n vertices (1 to 20000) and the given edges,
// each a pair of different vertices, in either order and as often as it likes.
//
// If colours is 0, the number of colours is the chromatic number if a published graph with this
// name has as many vertices and edges; else it is one less than the method of Brélaz needs (see
// Greedy), but at least 1. The title is the name, followed by -k and the number of colours if that
// is another number.
func NewColouring(name string, n int, edges [][2]int32, colours int) (*Colouring, error) {
	if n < 1 || n > maxVertices {
		return nil, fmt.Errorf(
			"datasets: %s: a graph of %d vertices, want from 1 to %d", name, n, maxVertices,
		)
	}
	g := &Colouring{Title: name, graph: name, N: n, first: make([]int32, n+1)}
	ends := make([]int, n+1) // where the neighbours of a vertex end, as often as they are named
	for i, e := range edges {
		if e[0] < 0 || e[1] < 0 || int(e[0]) >= n || int(e[1]) >= n || e[0] == e[1] {
			return nil, fmt.Errorf(
				"datasets: %s: edge %d joins %d and %d, want two different vertices from 0 to %d", name, i,
				e[0], e[1], n-1,
			)
		}
		ends[e[0]+1]++
		ends[e[1]+1]++
	}
	for v := range n {
		ends[v+1] += ends[v]
	}
	near := make([]int32, 2*len(edges))
	at := slices.Clone(ends[:n])
	for _, e := range edges {
		near[at[e[0]]], near[at[e[1]]] = e[1], e[0]
		at[e[0]]++
		at[e[1]]++
	}
	g.near = near[:0]
	for v := range n {
		row := near[ends[v]:ends[v+1]]
		slices.Sort(row)
		g.near = append(g.near, slices.Compact(row)...) // never beyond the row
		g.first[v+1] = int32(len(g.near))
	}
	g.least = sync.OnceValue(func() int {
		_, k := g.Greedy()
		return k
	})
	standard := g.standard()
	if colours == 0 {
		colours = standard
	}
	if colours < 1 || colours > n {
		return nil, fmt.Errorf("datasets: %s: %d colours, want from 1 to %d", name, colours, n)
	}
	if g.K = colours; colours != standard {
		g.Title = fmt.Sprintf("%s-k%d", name, colours)
	}
	return g, nil
}

// standard is the number of colours that the title need not tell.
func (g *Colouring) standard() int {
	if k, _, ok := g.Chromatic(); ok {
		return k
	}
	return max(g.least()-1, 1)
}

// WithColours returns the problem on the same graph with k colours, from 1 to N.
func (g *Colouring) WithColours(k int) (*Colouring, error) {
	if k < 1 || k > g.N {
		return nil, fmt.Errorf("datasets: %s: %d colours, want from 1 to %d", g.graph, k, g.N)
	}
	h := &Colouring{
		Title: g.graph, graph: g.graph, N: g.N, K: k, first: g.first, near: g.near, least: g.least,
	}
	if k != g.standard() {
		h.Title = fmt.Sprintf("%s-k%d", g.graph, k)
	}
	return h, nil
}

// coloured is WithColours as an Instance.
func (g *Colouring) coloured(k int) (Instance, error) {
	h, err := g.WithColours(k)
	if err != nil {
		return nil, err
	}
	return h, nil
}

// Name returns the instance's name, as "queen8_8" or "queen8_8-k10".
func (g *Colouring) Name() string { return g.Title }

// Kind returns KindColouring.
func (g *Colouring) Kind() Kind { return KindColouring }

// Size returns the number of vertices, which is the length of a solution.
func (g *Colouring) Size() int { return g.N }

// Edges returns the number of edges, each counted once.
func (g *Colouring) Edges() int { return len(g.near) / 2 }

// Neighbours returns the vertices adjacent to v, in increasing order. Do not change the slice.
func (g *Colouring) Neighbours(v int) []int32 { return g.near[g.first[v]:g.first[v+1]] }

// Adjacent reports whether an edge joins u and v.
func (g *Colouring) Adjacent(u, v int) bool {
	_, ok := slices.BinarySearch(g.Neighbours(u), int32(v))
	return ok
}

// BestKnown returns 0 if the graph is known to have a proper colouring with K colours. ok is false
// if that is unknown, or if it is known to have none.
func (g *Colouring) BestKnown() (best BestKnown, ok bool) {
	k, source, ok := g.Chromatic()
	if !ok || g.K < k {
		if least := g.least(); least <= g.K {
			return BestKnown{
				Value: 0, Proven: true, Source: fmt.Sprintf("the method of Brélaz colours it with %d", least),
			}, true
		}
		return BestKnown{}, false
	}
	return chromatic{colours: k, source: source}.best(), true
}

// SHA256 returns the hash of the canonical form: kind, N, K, edges. It is computed at
// the first call and safe for concurrent use.
func (g *Colouring) SHA256() string { return g.facts.sha256(g) }

func (g *Colouring) writeCanonical(h *hasher) {
	h.u64(uint64(g.K))
	h.ints(g.first)
	h.ints(g.near)
}

// Cost returns the number of edges with two ends of one colour. It returns an error unless c has N
// entries from 0 to K-1.
func (g *Colouring) Cost(c []int32) (int64, error) {
	if len(c) != g.N {
		return 0, fmt.Errorf("datasets: solution of %s: %d colours given, want %d", g.Title, len(c), g.N)
	}
	for v, x := range c {
		if x < 0 || int(x) >= g.K {
			return 0, fmt.Errorf(
				"datasets: solution of %s: vertex %d has colour %d, want 0 to %d", g.Title, v, x, g.K-1,
			)
		}
	}
	var twice int64
	for v, x := range c {
		for _, u := range g.Neighbours(v) {
			if c[u] == x {
				twice++
			}
		}
	}
	return twice / 2, nil
}

// Greedy returns a proper colouring and its number of colours, by the method of D. Brélaz,
// New methods to color the vertices of a graph, Communications of the ACM 22 (1979),
// doi:10.1145/359094.359101 (DSATUR): the next vertex is the one whose neighbours have the
// most colours already, of those the one with the most neighbours, of those the first; it
// takes the smallest colour that none of them has.
func (g *Colouring) Greedy() (c []int32, k int) {
	c = make([]int32, g.N)
	used := make([][]uint64, g.N) // colours of the neighbours, as sets of bits
	count := make([]int32, g.N)
	for v := range c {
		c[v] = -1
	}
	for range g.N {
		best := -1
		for v, x := range c {
			if x >= 0 {
				continue
			}
			if best < 0 || count[v] > count[best] ||
				count[v] == count[best] && len(g.Neighbours(v)) > len(g.Neighbours(best)) {
				best = v
			}
		}
		x := 0
		for x/64 < len(used[best]) && used[best][x/64]>>(x%64)&1 == 1 {
			x++
		}
		c[best] = int32(x)
		k = max(k, x+1)
		for _, u := range g.Neighbours(best) {
			for len(used[u]) <= x/64 {
				used[u] = append(used[u], 0)
			}
			if bit := uint64(1) << (x % 64); used[u][x/64]&bit == 0 {
				used[u][x/64] |= bit
				count[u]++
			}
		}
	}
	return c, k
}

// cutColours splits a name that ends in -k and a number.
func cutColours(name string) (graph string, k int, ok bool) {
	i := strings.LastIndex(name, "-k")
	if i < 1 {
		return name, 0, false
	}
	if k, ok = number(name[i+2:]); !ok {
		return name, 0, false
	}
	return name[:i], k, true
}
