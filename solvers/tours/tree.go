package tours

import "math"

// joiner is the workspace of tree.
type joiner struct {
	best   []uint64 // by component: the cost of its cheapest edge, and the edge's place in rest
	rest   []joint
	number []int32 // of a component that others were joined to
}

// joint is an edge between two components; edge is its number.
type joint struct{ a, b, cost, edge int32 }

// tree makes a minimum spanning tree, ties by the number of the edge, and writes the cities'
// degrees in it. It joins each component along its cheapest edge, all at once, until one is left
// (O. Boruvka, O jistem problemu minimalnim, 1926). Edges are always looked at in the same order,
// that of their first cities, which are near each other in memory; Kruskal's algorithm would jump.
func (t *ascent) tree() {
	n, z := t.s.N, &t.join
	for c := range t.degree {
		t.parent[c], t.degree[c] = int32(c), 0
	}
	if z.best == nil {
		z.best, z.rest = make([]uint64, n), make([]joint, len(t.edges))
		z.number = make([]int32, n)
	}
	rest := z.rest[:len(t.edges)]
	for i := range t.edges {
		e := &t.edges[i]
		rest[i] = joint{e.a, e.b, int32(t.cost(e)), int32(i)}
	}
	for parts := n; parts > 1 && len(rest) > 0; {
		best, up := z.best[:parts], t.parent[:parts]
		for c := range best {
			best[c] = math.MaxUint64
		}
		for i := range rest {
			e := &rest[i]
			key := uint64(uint32(e.cost)^1<<31)<<32 | uint64(i)
			best[e.a], best[e.b] = min(best[e.a], key), min(best[e.b], key)
		}
		for c, key := range best {
			if up[c] = int32(c); key != math.MaxUint64 {
				e := &rest[uint32(key)]
				up[c] = e.a ^ e.b ^ int32(c)
			}
		}
		for c, o := range up {
			switch {
			case o == int32(c):
			case int32(c) < o && up[o] == int32(c): // both have the same edge
				up[c] = int32(c)
			default:
				e := &t.edges[rest[uint32(best[c])].edge]
				t.degree[e.a]++
				t.degree[e.b]++
			}
		}
		parts = t.renumber(up)
		m := 0
		for _, e := range rest {
			e.a, e.b = up[e.a], up[e.b]
			rest[m] = e
			differ := e.a ^ e.b
			m += int(uint32(differ|-differ) >> 31) // without a branch that is hard to foresee
		}
		rest = rest[:m]
	}
}

// renumber replaces the component that each was joined to by the number of the whole it is now in,
// in the order of the first of each, and returns how many there are.
func (t *ascent) renumber(up []int32) int {
	for c := range up {
		for up[up[c]] != up[c] {
			up[c] = up[up[c]]
		}
	}
	parts := int32(0)
	number := t.join.number[:len(up)]
	for c := range number {
		number[c] = none
	}
	for c := range up {
		if r := up[c]; number[r] == none {
			number[r] = parts
			parts++
		}
	}
	for c, r := range up {
		up[c] = number[r]
	}
	return int(parts)
}
