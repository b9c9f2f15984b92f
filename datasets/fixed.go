package datasets

import (
	"fmt"
	"slices"
)

// fixed reads FIXED_EDGES_SECTION: pairs of cities, up to -1.
func (p *tsplib) fixed(t *TSP) error {
	if !p.enter("FIXED_EDGES_SECTION") {
		return nil
	}
	t.fixedLine = lineAt(p.data, p.sections[p.section].heading)
	seen := newPaths(t.N)
	for p.skip() {
		at := p.pos
		a, err := p.int(-1, int64(t.N), "a city's number or -1")
		if err != nil {
			return err
		}
		if a == -1 {
			return p.done("the end of the section after -1")
		}
		b, err := p.int(1, int64(t.N), "a city's number")
		if err != nil {
			return err
		}
		if a == b || a == 0 {
			return p.errorf(at, "two different cities")
		}
		i, j := int32(a-1), int32(b-1)
		if seen.has(i, j) {
			continue
		}
		if !seen.join(i, j) {
			e := p.errorf(at, "edges that one tour can have all")
			e.Found = fmt.Sprintf("a third edge of a city, or a circle, by %d %d", a, b)
			return e
		}
		t.Fixed = append(t.Fixed, [2]int32{i, j})
	}
	return nil // the last -1 may be missing
}

// paths are edges that grow together to paths, and at last to a tour. Cities without an edge take
// no memory.
type paths struct {
	next  map[int32][2]int32 // by city: the cities that it is joined to; -1: none yet
	other map[int32]int32    // of the end of a path: its other end
	n     int                // cities
	edges int
}

func newPaths(n int) *paths {
	return &paths{next: map[int32][2]int32{}, other: map[int32]int32{}, n: n}
}

func (p *paths) of(c int32) [2]int32 {
	if v, ok := p.next[c]; ok {
		return v
	}
	return [2]int32{-1, -1}
}

func (p *paths) end(c int32) int32 {
	if v, ok := p.other[c]; ok {
		return v
	}
	return c
}

// has tells whether the edge is there.
func (p *paths) has(a, b int32) bool { v := p.of(a); return v[0] == b || v[1] == b }

// join adds an edge and tells whether a tour can have it with the others.
func (p *paths) join(a, b int32) bool {
	va, vb := p.of(a), p.of(b)
	if va[1] >= 0 || vb[1] >= 0 || a == b || p.end(a) == b && p.edges+1 < p.n {
		return false
	}
	for _, e := range [2]struct {
		c, to int32
		v     [2]int32
	}{{a, b, va}, {b, a, vb}} {
		if e.v[0] < 0 {
			e.v[0] = e.to
		} else {
			e.v[1] = e.to
		}
		p.next[e.c] = e.v
	}
	ea, eb := p.end(a), p.end(b)
	p.other[ea], p.other[eb] = eb, ea
	p.edges++
	return true
}

// Partners returns, by city, the up to two cities that fixed edges join it to, or -1; nil if no
// edge is fixed. It returns an error if no tour can contain all of the edges, or if one names a
// city that the instance does not have.
func (t *TSP) Partners() ([][2]int32, error) {
	if len(t.Fixed) == 0 {
		return nil, nil
	}
	p := newPaths(t.N)
	for _, e := range t.Fixed {
		if min(e[0], e[1]) < 0 || int(max(e[0], e[1])) >= t.N || e[0] == e[1] {
			return nil, fmt.Errorf("datasets: %s: the fixed edge %d-%d, want two of the cities 1 to %d",
				t.Name(), e[0]+1, e[1]+1, t.N)
		}
		if !p.has(e[0], e[1]) && !p.join(e[0], e[1]) {
			return nil, fmt.Errorf("datasets: %s: no tour has all fixed edges; %d-%d is a third edge of a "+
				"city or closes a circle", t.Name(), e[0]+1, e[1]+1)
		}
	}
	out := make([][2]int32, t.N)
	for c := range out {
		out[c] = p.of(int32(c))
	}
	return out, nil
}

// lacks returns a fixed edge that a tour of all cities does not have.
func (t *TSP) lacks(tour []int32) (edge [2]int32, ok bool) {
	if len(t.Fixed) == 0 {
		return edge, false
	}
	at := make([]int32, t.N)
	for i, c := range tour {
		at[c] = int32(i)
	}
	for _, e := range t.Fixed {
		if d := at[e[0]] - at[e[1]]; d != 1 && d != -1 && d != int32(t.N-1) && d != int32(1-t.N) {
			return e, true
		}
	}
	return edge, false
}

// FixedText names the fixed edges and their place in the file; it is empty if there are none.
func (t *TSP) FixedText() string {
	if len(t.Fixed) == 0 {
		return ""
	}
	s := "a fixed edge"
	if len(t.Fixed) > 1 {
		s = fmt.Sprintf("%d fixed edges", len(t.Fixed))
	}
	if t.fixedLine > 0 {
		s += fmt.Sprintf(" (FIXED_EDGES_SECTION, line %d)", t.fixedLine)
	}
	return s
}

// Unfixed returns the instance without its fixed edges.
func (t *TSP) Unfixed() *TSP {
	if len(t.Fixed) == 0 {
		return t
	}
	return &TSP{
		Title: t.Title, Comment: t.Comment, N: t.N, Metric: t.Metric, Asymmetric: t.Asymmetric,
		X: t.X, Y: t.Y, Z: t.Z, ShowX: t.ShowX, ShowY: t.ShowY, ShowKm: t.ShowKm, Names: t.Names,
		Matrix: t.Matrix, name: t.name, unread: t.unread, facts: facts{from: t.facts.from},
	}
}

// writeFixed adds the fixed edges to the canonical form, in one order and direction, each once.
func (t *TSP) writeFixed(h *hasher) {
	if len(t.Fixed) == 0 {
		return
	}
	var edges []int64
	for _, e := range t.Fixed {
		edges = append(edges, int64(min(e[0], e[1]))<<32|int64(max(e[0], e[1])))
	}
	slices.Sort(edges)
	h.str("fixed")
	for _, e := range slices.Compact(edges) {
		h.u64(uint64(e))
	}
}
