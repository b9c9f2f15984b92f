package tours

import "slices"

// AlphaParts is [Space.Alpha] with weights computed in each of the [Space.Parts], so that cores
// share the work; the trees of a part also have the cities around it. The lists then use the edges
// of the whole. near are the lists by quadrants behind the trees, with the same weights: a start
// and its first search need them, since from a tour that is no local optimum lists of few cities do
// not lead everywhere.
func (s *Space) AlphaParts(k int, run Runner) (alpha, near Neighbours) {
	if s.N < 3 || s.longest() > alphaDist || s.partners != nil {
		near = s.Quadrant(alphaFrom)
		return s.Quadrant(k), near
	}
	k = max(1, min(k, s.N-1))
	t, parts := newAscent(s, max(k, alphaFrom)), s.Parts()
	t.keep = max(k, alphaKeep)
	if parts == 1 {
		t.climb()
	} else {
		run(parts, func(i, _ int) { t.part(s.bound(i, parts), s.bound(i+1, parts)) })
	}
	return t.lists(k), t.weigh(t.base)
}

// alphaRings is how many times the neighbours of a part's cities are added to it.
const alphaRings = 6

// part finds the weights of the cities from lo to hi-1.
func (t *ascent) part(lo, hi int) {
	cities, local := make([]int32, 0, hi-lo), map[int32]int32{}
	for c := lo; c < hi; c++ {
		cities = append(cities, int32(c))
	}
	find := func(c int32) (int32, bool) {
		if int(c) >= lo && int(c) < hi {
			return c - int32(lo), true
		}
		l, ok := local[c]
		return l, ok
	}
	begin := 0
	for range alphaRings {
		end := len(cities)
		for _, c := range cities[begin:end] {
			for _, d := range t.base.Of(c) {
				if _, ok := find(d); !ok {
					local[d] = int32(len(cities))
					cities = append(cities, d)
				}
			}
		}
		begin = end
	}
	n := len(cities)
	p := &ascent{
		s: &Space{N: n}, base: Neighbours{K: t.base.K}, keep: t.keep, scale: t.scale,
		pi: make([]int64, n), parent: make([]int32, n), degree: make([]int32, n), last: make([]int32, n),
	}
	for l, c := range cities {
		ds := t.base.DistOf(c)
		p.base.Dist = append(p.base.Dist, ds...)
		for i, d := range t.base.Of(c) {
			if to, ok := find(d); ok && (d > c || !slices.Contains(t.base.Of(d), c)) {
				p.edges = append(p.edges, link{int32(l), to, ds[i] * int32(t.scale)})
			}
		}
	}
	p.keys = make([]uint64, len(p.edges))
	p.climb()
	copy(t.pi[lo:hi], p.pi)
}

// Joined makes lists of k neighbours: those of the first lists, and then those of the others in
// turn that are not there yet. The lists together must have as many, or all cities. The costs are
// those with the weights of the first.
func (s *Space) Joined(k int, lists ...Neighbours) Neighbours {
	first := lists[0]
	k = min(k, s.N-1)
	out := Neighbours{
		K: k, ID: make([]int32, s.N*k), Dist: make([]int32, s.N*k), Scale: first.Scale, Pi: first.Pi,
	}
	share(s.N, func(from, to int) {
		var ids []int32
		var keys []uint64
		for c := int32(from); c < int32(to); c++ {
			ids, keys = ids[:0], keys[:0]
			for i := range lists {
				for _, d := range lists[i].Of(c) {
					if len(ids) < k && !slices.Contains(ids, d) {
						ids = append(ids, d)
					}
				}
			}
			for _, d := range ids {
				cost := s.D(c, d)
				if out.Pi != nil {
					cost = cost*out.Scale + out.Pi[c] + out.Pi[d]
				}
				keys = append(keys, uint64(uint32(cost)^1<<31)<<32|uint64(uint32(d)))
			}
			out.fill(c, keys)
		}
	})
	return out
}
