package moves

import "math"

// A ring is a tour twice in a row, with the lengths of its edges, so that no position is beyond its
// end. Scans of 2-opt and Or-opt read it.
type ring struct {
	tour []int32
	edge []int32 // from the city at a position to the next
}

// fill makes r that of a tour.
func (r *ring) fill(tour []int32, d *distances) {
	n := len(tour)
	r.tour = append(append(append(r.tour[:0], tour...), tour...), tour[0])
	if len(r.edge) != 2*n {
		r.edge = make([]int32, 2*n)
	}
	for x := range n {
		e := d.from[int(r.tour[x])*n+int(r.tour[x+1])]
		r.edge[x], r.edge[x+n] = e, e
	}
}

// byRows tells whether the moves of the neighbourhood with number k can be evaluated by the rows of
// the distances of two cities.
func (t *tspWalk) byRows(k int) bool {
	if t.dist.from == nil || len(t.tour) < 2 {
		return false
	}
	switch t.nbs[k].(type) {
	case twoOpts, orOpts:
		return true
	}
	return false
}

// scanEdges is scan where byRows: moves that follow each other have cities in common, whose
// distances to the others stand in a row.
func (t *tspWalk) scanEdges(
	k int, w wave, allow func(Move, float64) bool,
) (choice, error) {
	nb := t.nbs[k]
	t.ring.fill(t.tour, t.dist)
	_, two := nb.(twoOpts)
	return w.run(nb.Size(), 1, 2, func(lo, hi int64) choice {
		s := rowScan{t: t, nb: nb, allow: allow, found: noChoice, least: math.MaxInt64}
		for lo < hi {
			if two {
				lo += s.turns(nb.Move(lo), lo, hi)
			} else {
				lo += s.jumps(nb.Move(lo), lo, hi)
			}
		}
		return s.found
	})
}

// A rowScan looks for the best move of a part of a neighbourhood.
type rowScan struct {
	t     *tspWalk
	nb    Neighbourhood
	allow func(Move, float64) bool
	found choice
	least int64
}

// offer takes a move that is better than those before, if it is allowed.
func (s *rowScan) offer(index, delta int64) {
	if s.allow == nil || s.allow(s.nb.Move(index), float64(delta)) {
		s.found, s.least = choice{float64(delta), index}, delta
	}
}

// row is the distances of a city to all.
func (s *rowScan) row(city int32) []int32 {
	n := len(s.t.tour)
	return s.t.dist.from[int(city)*n:][:n]
}

// turns looks at the moves of 2-opt from m, with the number index, to the last with the same first
// position, or to end, and returns how many these are.
func (s *rowScan) turns(m Move, index, end int64) int64 {
	r, n := &s.t.ring, len(s.t.tour)
	i, j := int(m.At[0]), int(m.At[1])
	last := n - 1
	if i == 1 {
		last--
	}
	count := min(end-index, int64(last-j+1))
	before, first := s.row(r.tour[i-1]), s.row(r.tour[i])
	cut := int64(r.edge[i-1])
	ends, edge := r.tour[j:], r.edge[j:]
	for x := range count {
		d := int64(before[ends[x]]) + int64(first[ends[x+1]]) - cut - int64(edge[x])
		if d < s.least {
			s.offer(index+x, d)
		}
	}
	return count
}

// jumps looks likewise at the moves of Or-opt with the same part.
func (s *rowScan) jumps(m Move, index, end int64) int64 {
	r, n := &s.t.ring, len(s.t.tour)
	part := int(m.By)
	ways := min(part, 2)
	at, far := int(m.At[0]), int(m.At[1])
	past := 0
	if m.Back {
		past = 1
	}
	count := min(end-index, int64((n-part-far)*ways-past))
	first, last := s.row(r.tour[at]), s.row(r.tour[at+part-1])
	a, b := r.tour[(at+n-1)%n], r.tour[at+part]
	shut := int64(s.row(a)[b]) - int64(first[a]) - int64(last[b])
	for x := int64(0); x < count; {
		over := at + part - 1 + far
		c, d := r.tour[over], r.tour[over+1]
		cut := shut - int64(r.edge[over])
		for ; past < ways && x < count; past++ {
			v := cut
			if past == 0 {
				v += int64(first[c]) + int64(last[d])
			} else {
				v += int64(last[c]) + int64(first[d])
			}
			if v < s.least {
				s.offer(index+x, v)
			}
			x++
		}
		past = 0
		far++
	}
	return count
}
