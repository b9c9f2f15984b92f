package tours

import "slices"

const (
	sparsePer  = 2  // nearest cities of each quadrant in lists of Sparse
	sparseNear = 13 // cities all around that are asked for first
)

// maxSparse is the largest number of neighbours in a list of Sparse.
const maxSparse = 255

// Sparse makes lists of the two nearest cities in each of the four quadrants around a city, and of
// the cities that have it among theirs: at most the k nearest of these, and fewer in most lists. A
// quadrant has both of its axes, so where cities stand in rows and columns the nearest ones on an
// axis count for two quadrants, and lists are short: 5.6 neighbours on the mean in pla85900, twice
// as many in a uniform instance. (Concorde's linkern has such lists.)
//
// An instance without coordinates that distances follow has the lists of [Space.Nearest].
func (s *Space) Sparse(k int) Neighbours {
	k = min(k, maxSparse)
	if !s.euclidean() {
		return s.Nearest(k)
	}
	out := make([]int32, s.N*4*sparsePer) // the cities' own choices
	size := make([]uint8, s.N)
	tree := newKDTree(s.pts, s.all())
	share(s.N, func(from, to int) {
		q := kdQuery{tree: tree, axes: true}
		for c := int32(from); c < int32(to); c++ {
			size[c] = uint8(len(s.choice(&q, c, out[int(c)*4*sparsePer:][:0])))
		}
	})
	own := func(c int32) []int32 { return out[int(c)*4*sparsePer:][:size[c]] }
	back := make([]int32, s.N+1) // where the cities that chose a city begin
	for c := range int32(s.N) {
		for _, id := range own(c) {
			back[id+1]++
		}
	}
	for c := range s.N {
		back[c+1] += back[c]
	}
	by, at := make([]int32, back[s.N]), slices.Clone(back)
	for c := range int32(s.N) {
		for _, id := range own(c) {
			by[at[id]] = c
			at[id]++
		}
	}
	b := s.newNeighbours(k)
	b.Count = make([]uint8, s.N)
	share(s.N, func(from, to int) {
		var keys []uint64
		for c := int32(from); c < int32(to); c++ {
			keys = keys[:0]
			for _, id := range own(c) {
				keys = append(keys, s.key(c, id))
			}
			for _, id := range by[back[c]:back[c+1]] {
				if !slices.Contains(own(c), id) {
					keys = append(keys, s.key(c, id))
				}
			}
			keys = s.withPartners(c, keys, b.K)
			slices.Sort(keys)
			keys = keys[:min(len(keys), b.K)]
			b.Count[c] = uint8(len(keys))
			b.fill(c, keys)
		}
	})
	return b
}

// choice adds to own the two nearest cities of each quadrant around c. Mostly they are among the
// nearest all around, which one question to the tree finds; quadrants without two there are asked.
func (s *Space) choice(q *kdQuery, c int32, own []int32) []int32 {
	p := s.pts[c]
	var have [4]int
	q.ask(c, p.x, p.y, sparseNear, anywhere)
	for _, id := range q.ids {
		to, mine := s.pts[id], false
		for z := range have {
			if q.quad = z; have[z] < sparsePer && q.inside(to.x-p.x, to.y-p.y) {
				have[z]++
				mine = true
			}
		}
		if mine {
			own = append(own, id)
		}
	}
	if s.N-1 <= sparseNear {
		return own
	}
	for z, found := range have {
		if found == sparsePer {
			continue
		}
		q.ask(c, p.x, p.y, sparsePer, z)
		for _, id := range q.ids {
			if !slices.Contains(own, id) {
				own = append(own, id)
			}
		}
	}
	return own
}
