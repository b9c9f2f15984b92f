package tours

import (
	"slices"

	"metalab/datasets"
)

// Neighbours holds for every city a list of others that are near it.
type Neighbours struct {
	K int // length of a list; min(k asked for, n - 1)
	// Count[c] is the length of the list of c where lists are shorter than K, see Sparse; or nil.
	Count []uint8
	// n x K: the neighbours of c are ID[c*K:(c+1)*K], nearest first, ties by the smaller city
	ID   []int32
	Dist []int32 // n x K: their distances from c, or reduced costs

	// For lists with reduced costs, see Alpha: the cost of (a, b) is Scale times its distance plus
	// Pi[a] plus Pi[b]. Otherwise nil.
	Pi    []int32
	Scale int32
}

// Of returns the neighbours of city c, nearest first.
func (b *Neighbours) Of(c int32) []int32 { return b.ID[int(c)*b.K:][:b.length(c)] }

// DistOf returns the distances from c to its neighbours.
func (b *Neighbours) DistOf(c int32) []int32 { return b.Dist[int(c)*b.K:][:b.length(c)] }

func (b *Neighbours) length(c int32) int {
	if b.Count != nil {
		return int(b.Count[c])
	}
	return b.K
}

// euclidean tells whether distances grow with the Euclidean distance in the plane, so
// that a k-d tree finds neighbours.
func (s *Space) euclidean() bool {
	return s.Metric == datasets.Euc2D || s.Metric == datasets.Ceil2D || s.Metric == datasets.Att
}

// Nearest returns the list of the k nearest cities of every city (k < 0 counts as 0).
//
// In the plane it compares Euclidean distances before rounding, ties by the smaller city, in a k-d
// tree in O(n k log n), and on the globe too if GEO has no matrix. With a matrix it compares
// entries of the whole row (for an asymmetric one: the way there), in O(n^2). All cores build large
// lists.
func (s *Space) Nearest(k int) Neighbours {
	b := s.newNeighbours(k)
	if s.globe != nil {
		s.listGlobe(&b, 0)
		return b
	}
	if !s.euclidean() {
		s.scan(&b, 0)
		return b
	}
	f := s.Finder(b.K)
	share(s.N, func(from, to int) {
		q := f.Query()
		for c := int32(from); c < int32(to); c++ {
			b.fill(c, q.find(c))
		}
	})
	return b
}

// A Finder finds the nearest cities of one city after the other, each list the same as among those
// of [Space.Nearest], for who needs few of them.
type Finder struct {
	space *Space
	tree  *kdTree
	k     int
}

// Finder prepares lists of k cities. It returns nil where distances are not those of the plane.
func (s *Space) Finder(k int) *Finder {
	if !s.euclidean() || s.globe != nil {
		return nil
	}
	return &Finder{s, newKDTree(s.pts, s.all()), max(0, min(k, s.N-1))}
}

// A Query is what a goroutine has of a Finder.
type Query struct {
	of   *Finder
	tree kdQuery
	keys []uint64
}

// Query returns a new one.
func (f *Finder) Query() *Query {
	return &Query{of: f, tree: kdQuery{tree: f.tree}, keys: make([]uint64, 0, f.k)}
}

// find returns the keys of the nearest cities of c, until the next call.
func (q *Query) find(c int32) []uint64 {
	s := q.of.space
	q.tree.ask(c, s.pts[c].x, s.pts[c].y, q.of.k, anywhere)
	q.keys = q.keys[:0]
	for _, id := range q.tree.ids {
		q.keys = append(q.keys, s.key(c, id))
	}
	return s.withPartners(c, q.keys, q.of.k)
}

// Of writes the nearest cities of c to ids, which must have room for them, and returns the distance
// of the last.
func (q *Query) Of(c int32, ids []int32) (last int32) {
	keys := q.find(c)
	slices.Sort(keys)
	for i, v := range keys {
		ids[i], last = int32(uint32(v)), int32(uint32(v>>32)^1<<31)
	}
	return last
}

// Quadrant makes lists with neighbours in all directions: the k/4 nearest cities in each of the
// four quadrants around a city (or fewer if there are fewer), and then the nearest of the others, k
// in all. They serve clustered instances better than the nearest alone, whose lists may not leave
// the cluster (D. S. Johnson and L. A. McGeoch, Experimental analysis of heuristics for the STSP,
// 2002, doi:10.1007/0-306-48213-4_9).
//
// An instance without coordinates has no quadrants: the lists are those of [Space.Nearest].
func (s *Space) Quadrant(k int) Neighbours {
	b := s.newNeighbours(k)
	per := b.K / 4
	if s.globe != nil {
		s.listGlobe(&b, per)
		return b
	}
	if !s.euclidean() {
		s.scan(&b, per)
		return b
	}
	tree := newKDTree(s.pts, s.all())
	share(s.N, func(from, to int) { s.quadrants(&b, tree, per, int32(from), int32(to)) })
	return b
}

// quadrants makes the lists of the cities from to to-1, per from each quadrant.
func (s *Space) quadrants(b *Neighbours, tree *kdTree, per int, from, to int32) {
	q := kdQuery{tree: tree}
	near := make([]int32, 0, b.K)
	keys := make([]uint64, 0, b.K)
	for c := from; c < to; c++ {
		p := s.pts[c]
		q.ask(c, p.x, p.y, b.K, anywhere)
		near = append(near[:0], q.ids...)
		keys = keys[:0]
		var have [4]int
		rest := near[:0] // near cities above their quadrant's share
		for _, id := range near {
			z := quadrant(s.pts[id].x-p.x, s.pts[id].y-p.y)
			if have[z] < per {
				have[z]++
				keys = append(keys, s.key(c, id))
			} else {
				rest = append(rest, id)
			}
		}
		// A quadrant that has fewer than its share among the near cities may have more farther
		// away.
		for z := range 4 {
			if have[z] < per && b.K < s.N-1 {
				q.ask(c, p.x, p.y, per, z)
				for _, id := range q.ids[min(have[z], len(q.ids)):] {
					keys = append(keys, s.key(c, id))
				}
			}
		}
		for _, id := range rest {
			if len(keys) == b.K {
				break
			}
			keys = append(keys, s.key(c, id))
		}
		b.fill(c, s.withPartners(c, keys, b.K))
	}
}

// all returns all cities in order.
func (s *Space) all() []int32 {
	ids := make([]int32, s.N)
	for i := range ids {
		ids[i] = int32(i)
	}
	return ids
}

func (s *Space) newNeighbours(k int) Neighbours {
	k = max(0, min(k, s.N-1))
	return Neighbours{K: k, ID: make([]int32, s.N*k), Dist: make([]int32, s.N*k)}
}

// key orders neighbours of c by distance, then by number. Distances can be negative only in an
// explicit matrix; the bias keeps their order.
func (s *Space) key(c, id int32) uint64 {
	return uint64(uint32(s.D(c, id))^1<<31)<<32 | uint64(uint32(id))
}

// fill sorts the keys and writes them as the list of c.
func (b *Neighbours) fill(c int32, keys []uint64) {
	slices.Sort(keys)
	ids, ds := b.Of(c), b.DistOf(c)
	for i, v := range keys {
		ids[i], ds[i] = int32(uint32(v)), int32(uint32(v>>32)^1<<31)
	}
}

// scan makes the lists by looking at all pairs; per is the share of a quadrant.
func (s *Space) scan(b *Neighbours, per int) {
	if s.X == nil {
		per = 0
	}
	row := make([]uint64, 0, s.N)
	keys := make([]uint64, 0, b.K)
	for c := range int32(s.N) {
		row = row[:0]
		for id := range int32(s.N) {
			if id != c {
				row = append(row, s.key(c, id))
			}
		}
		if per == 0 {
			b.fill(c, smallest(row, b.K))
			continue
		}
		slices.Sort(row)
		keys = keys[:0]
		rest := row[:0]
		var have [4]int
		for _, v := range row {
			id := uint32(v)
			if z := quadrant(s.X[id]-s.X[c], s.Y[id]-s.Y[c]); have[z] < per {
				have[z]++
				keys = append(keys, v)
			} else {
				rest = append(rest, v)
			}
		}
		b.fill(c, append(keys, rest[:b.K-len(keys)]...))
	}
}

// smallest returns the k smallest keys, in any order, by Hoare's FIND.
func smallest(a []uint64, k int) []uint64 {
	l, r := 0, len(a)-1
	for l < r {
		p := a[(l+r)/2]
		i, j := l, r
		for i <= j {
			for a[i] < p {
				i++
			}
			for a[j] > p {
				j--
			}
			if i <= j {
				a[i], a[j] = a[j], a[i]
				i++
				j--
			}
		}
		if k <= j {
			r = j
		} else if k >= i {
			l = i
		} else {
			break
		}
	}
	return a[:k]
}
