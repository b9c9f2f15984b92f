package tours

import (
	"cmp"
	"math"
	"slices"

	"metalab/datasets"
)

// globe holds the places of cities on the Earth where they are too many for a matrix: distances are
// computed by the rule GEO, and neighbours are found by the straight distance through the Earth,
// which grows with that along a great circle.
type globe struct {
	la, lo []float64    // by internal city, in radians
	at     [][3]float64 // on a sphere of radius 1
}

func newGlobe(s *Space, t *datasets.TSP) *globe {
	g := &globe{la: make([]float64, s.N), lo: make([]float64, s.N), at: make([][3]float64, s.N)}
	share(s.N, func(from, to int) {
		for c := from; c < to; c++ {
			o := s.Orig[c]
			g.la[c], g.lo[c] = datasets.GeoRadians(t.X[o]), datasets.GeoRadians(t.Y[o])
			g.at[c] = datasets.OnSphere(g.la[c], g.lo[c])
		}
	})
	return g
}

// d is TSPLIB's rule GEO, which gives 1 from a city to itself.
func (g *globe) d(i, j int32) int32 {
	return int32(datasets.GreatCircle(g.la[i], g.lo[i], g.la[j], g.lo[j]) + 1)
}

// halfEarth is no less than any distance on the globe.
const halfEarth = 20040

// quadrant of the direction from a city to another: north, south, east and west on the map.
func (g *globe) quadrant(from, to int32) int {
	east := g.lo[to] - g.lo[from]
	switch {
	case east > math.Pi:
		east -= 2 * math.Pi
	case east < -math.Pi:
		east += 2 * math.Pi
	}
	return quadrant(east, g.la[to]-g.la[from])
}

// sphereItem is a place with its city.
type sphereItem struct {
	at [3]float64
	id int32
}

// sphereTree is a k-d tree as [kdTree] in three dimensions.
type sphereTree struct {
	items []sphereItem
	dim   []uint8 // by node: the axis of its cut, or onePlace
	cut   []float64
	removal
}

func newSphereTree(g *globe, ids []int32) *sphereTree {
	t := &sphereTree{items: make([]sphereItem, len(ids))}
	for i, c := range ids {
		t.items[i] = sphereItem{g.at[c], c}
	}
	nodes := 2
	for m := len(ids); m > bucket; m = (m + 1) / 2 {
		nodes *= 2
	}
	t.dim, t.cut = make([]uint8, nodes), make([]float64, nodes)
	t.build(1, t.items)
	return t
}

func (t *sphereTree) build(node int, it []sphereItem) {
	if len(it) <= bucket {
		return
	}
	lo, hi := it[0].at, it[0].at
	for i := range it {
		for k, v := range it[i].at {
			lo[k], hi[k] = min(lo[k], v), max(hi[k], v)
		}
	}
	m, d := len(it)/2, 0
	for k := range hi {
		if hi[k]-lo[k] > hi[d]-lo[d] {
			d = k
		}
	}
	if lo == hi {
		slices.SortFunc(it, func(a, b sphereItem) int { return cmp.Compare(a.id, b.id) })
		t.dim[node] = onePlace
	} else {
		slices.SortFunc(it, func(a, b sphereItem) int {
			return cmp.Or(cmp.Compare(a.at[d], b.at[d]), cmp.Compare(a.id, b.id))
		})
		t.dim[node], t.cut[node] = uint8(d), it[m].at[d]
	}
	t.build(2*node, it[:m])
	t.build(2*node+1, it[m:])
}

// count prepares the removal of cities.
func (t *sphereTree) count() {
	t.prepare(len(t.dim), len(t.items), func(i int) int32 { return t.items[i].id })
}

// sphereQuery searches a tree for the k nearest cities, as [kdQuery] in the plane.
type sphereQuery struct {
	tree *sphereTree
	sq   []float64
	ids  []int32

	k    int
	at   [3]float64
	skip int32
	frag []int32

	looked int
}

func (q *sphereQuery) ask(c int32, at [3]float64, k int) {
	q.sq, q.ids = q.sq[:0], q.ids[:0]
	q.k, q.at, q.skip = k, at, c
	if k > 0 {
		q.walk(1, q.tree.items)
	}
}

func (q *sphereQuery) walk(node int, it []sphereItem) {
	t := q.tree
	if t.alive != nil && t.alive[node] == 0 {
		return
	}
	if len(it) <= bucket {
		q.leaf(it)
		return
	}
	m := len(it) / 2
	if t.dim[node] == onePlace {
		if full := len(q.sq) == q.k; full {
			d := apart(&it[0].at, &q.at)
			if last := q.k - 1; d > q.sq[last] || d == q.sq[last] && it[0].id > q.ids[last] {
				return
			}
		}
		q.walk(2*node, it[:m])
		q.walk(2*node+1, it[m:])
		return
	}
	off := q.at[t.dim[node]] - t.cut[node]
	if off <= 0 {
		q.walk(2*node, it[:m])
		if len(q.sq) < q.k || off*off <= q.sq[q.k-1] {
			q.walk(2*node+1, it[m:])
		}
		return
	}
	q.walk(2*node+1, it[m:])
	if len(q.sq) < q.k || off*off <= q.sq[q.k-1] {
		q.walk(2*node, it[:m])
	}
}

// apart is the square of the straight distance.
func apart(a, b *[3]float64) float64 {
	dx, dy, dz := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
}

func (q *sphereQuery) leaf(it []sphereItem) {
	q.looked += len(it)
	for i := range it {
		d, c := apart(&it[i].at, &q.at), it[i].id
		full := len(q.sq) == q.k
		if full && (d > q.sq[q.k-1] || d == q.sq[q.k-1] && c > q.ids[q.k-1]) {
			continue
		}
		if c == q.skip || q.frag != nil && q.frag[c] == q.frag[q.skip] || q.tree.has(c) {
			continue
		}
		if !full {
			q.sq, q.ids = append(q.sq, 0), append(q.ids, 0)
		}
		j := len(q.sq) - 1
		for ; j > 0 && (q.sq[j-1] > d || q.sq[j-1] == d && q.ids[j-1] > c); j-- {
			q.sq[j], q.ids[j] = q.sq[j-1], q.ids[j-1]
		}
		q.sq[j], q.ids[j] = d, c
	}
}

// quadrantReach is among how many times as many nearest cities those of quadrants are sought.
const quadrantReach = 5

// listGlobe makes lists of nearest cities on the globe, per from each quadrant before the others.
// Cities are chosen by their straight distance, and ordered by whole kilometres.
func (s *Space) listGlobe(b *Neighbours, per int) {
	tree := newSphereTree(s.globe, s.all())
	share(s.N, func(from, to int) {
		q := sphereQuery{tree: tree}
		var keys []uint64
		var rest []int32
		for c := int32(from); c < int32(to); c++ {
			reach := b.K
			if per > 0 {
				reach = min(quadrantReach*b.K, s.N-1)
			}
			q.ask(c, s.globe.at[c], reach)
			keys, rest = keys[:0], rest[:0]
			var have [4]int
			for _, id := range q.ids {
				if z := s.globe.quadrant(c, id); have[z] < per {
					have[z]++
					keys = append(keys, s.key(c, id))
				} else {
					rest = append(rest, id)
				}
			}
			for _, id := range rest[:b.K-len(keys)] {
				keys = append(keys, s.key(c, id))
			}
			b.fill(c, s.withPartners(c, keys, b.K))
		}
	})
}

// A finder searches for near cities that are left: in the plane, or on the globe.
type finder struct {
	s     *Space
	plane kdQuery
	globe sphereQuery
}

// located tells whether a finder can search.
func (s *Space) located() bool { return s.euclidean() || s.globe != nil }

// finder searches among the cities ids. With frag those of the same fragment are left out; without
// it cities can be removed, and ids are all.
func (s *Space) finder(ids, frag []int32) *finder {
	f := &finder{s: s}
	if s.globe != nil {
		f.globe = sphereQuery{tree: newSphereTree(s.globe, ids), frag: frag}
		if frag == nil {
			f.globe.tree.count()
		}
		return f
	}
	f.plane = kdQuery{tree: newKDTree(s.pts, ids), frag: frag}
	if frag == nil {
		f.plane.tree.count()
	}
	return f
}

// near returns the k nearest cities of c, with the squares of their distances.
func (f *finder) near(c int32, k int) (sq []float64, ids []int32) {
	if f.s.globe != nil {
		f.globe.ask(c, f.s.globe.at[c], k)
		return f.globe.sq, f.globe.ids
	}
	p := f.s.pts[c]
	f.plane.ask(c, p.x, p.y, k, anywhere)
	return f.plane.sq, f.plane.ids
}

// remove takes a city out.
func (f *finder) remove(c int32) {
	if f.s.globe != nil {
		f.globe.tree.remove(c)
	} else {
		f.plane.tree.remove(c)
	}
}
