package tours

import (
	"cmp"
	"slices"
	"sync"
)

// kdTree is a k-d tree over points (J. L. Bentley, Multidimensional binary search trees
// used for associative searching, CACM 18, 1975, doi:10.1145/361002.361007; leaves are
// buckets). A node is a range of the points, cut at its middle along the longer side of its box.
type kdTree struct {
	items []kdItem
	dim   []uint8   // 0: cut in x, 1: in y, or onePlace, by node in heap order
	cut   []float64 // by node in heap order

	removal
}

// onePlace is the dim of a node whose points are all at one place: they are in the order of their
// cities. Otherwise a search there would look at all of them, for each of them.
const onePlace = 3

// kdItem is a point with the city that it belongs to.
type kdItem struct {
	x, y float64
	id   int32
}

// along is the coordinate of an axis.
func (i *kdItem) along(d uint8) float64 {
	if d == 0 {
		return i.x
	}
	return i.y
}

const (
	bucket     = 6     // points in a leaf
	buildAlone = 20000 // points below which a core builds a tree alone
)

// newKDTree makes a tree of the given cities; their order does not matter to what is found.
func newKDTree(pts []point, ids []int32) *kdTree {
	t := &kdTree{items: make([]kdItem, len(ids))}
	for i, c := range ids {
		t.items[i] = kdItem{pts[c].x, pts[c].y, c}
	}
	nodes := 2
	for m := len(ids); m > bucket; m = (m + 1) / 2 {
		nodes *= 2
	}
	t.dim, t.cut = make([]uint8, nodes), make([]float64, nodes)
	t.build(1, t.items)
	return t
}

func (t *kdTree) build(node int, it []kdItem) {
	if len(it) <= bucket {
		return
	}
	loX, loY, hiX, hiY := it[0].x, it[0].y, it[0].x, it[0].y
	for i := range it {
		loX, loY = min(loX, it[i].x), min(loY, it[i].y)
		hiX, hiY = max(hiX, it[i].x), max(hiY, it[i].y)
	}
	m, d := len(it)/2, uint8(0)
	switch {
	case loX == hiX && loY == hiY:
		d = onePlace
		slices.SortFunc(it, func(a, b kdItem) int { return cmp.Compare(a.id, b.id) })
	case hiX-loX < hiY-loY:
		d = 1
		fallthrough
	default:
		nth(it, m, d)
		t.cut[node] = it[m].along(d)
	}
	t.dim[node] = d
	if len(it) < buildAlone {
		t.build(2*node, it[:m])
		t.build(2*node+1, it[m:])
		return
	}
	var half sync.WaitGroup
	half.Go(func() { t.build(2*node, it[:m]) })
	t.build(2*node+1, it[m:])
	half.Wait()
}

// nth moves the items with the m smallest coordinates along axis d to the front (C. A. R. Hoare's
// FIND).
func nth(it []kdItem, m int, d uint8) {
	l, r := 0, len(it)-1
	for l < r {
		p := it[(l+r)/2].along(d)
		i, j := l, r
		for i <= j {
			for it[i].along(d) < p {
				i++
			}
			for it[j].along(d) > p {
				j--
			}
			if i <= j {
				it[i], it[j] = it[j], it[i]
				i++
				j--
			}
		}
		if m <= j {
			r = j
		} else if m >= i {
			l = i
		} else {
			return
		}
	}
}

// count prepares the removal of cities.
func (t *kdTree) count() {
	t.prepare(len(t.dim), len(t.items), func(i int) int32 { return t.items[i].id })
}

// removal is what a tree of the cities 0 to n-1 needs for cities to be removed.
type removal struct {
	alive []int32 // cities left, by node; nil otherwise
	place []int32 // of a city: its index in items
	gone  []bool  // by city
}

// prepare counts n items, of which id tells the cities.
func (t *removal) prepare(nodes, n int, id func(i int) int32) {
	t.alive = make([]int32, nodes)
	t.place, t.gone = make([]int32, n), make([]bool, n)
	for i := range n {
		t.place[id(i)] = int32(i)
	}
	t.countNode(1, n)
}

func (t *removal) countNode(node, n int) {
	t.alive[node] = int32(n)
	if n > bucket {
		t.countNode(2*node, n/2)
		t.countNode(2*node+1, n-n/2)
	}
}

// has tells whether a city was removed.
func (t *removal) has(c int32) bool { return t.gone != nil && t.gone[c] }

// remove removes city c.
func (t *removal) remove(c int32) {
	t.gone[c] = true
	at := int(t.place[c])
	for node, n := 1, len(t.place); ; {
		t.alive[node]--
		if n <= bucket {
			return
		}
		if m := n / 2; at < m {
			node, n = 2*node, m
		} else {
			node, at, n = 2*node+1, at-m, n-m
		}
	}
}

// kdQuery searches a tree for the k nearest cities of a place by the squared distance, ties by the
// smaller city. The next search overwrites its result.
type kdQuery struct {
	tree *kdTree
	sq   []float64 // squared distances of the answer, in increasing order
	ids  []int32   // the answer

	k    int
	x, y float64
	skip int32   // this city is left out
	quad int     // -1: all; else only cities in this quadrant as seen from the place
	axes bool    // each quadrant has both of its axes; see inside
	frag []int32 // not nil: cities of the same fragment as skip are left out

	looked int // items that were looked at, in all
}

// anywhere is the quadrant of a query that takes cities of all four.
const anywhere = -1

// ask fills sq and ids with the k nearest cities of city c at (x, y).
func (q *kdQuery) ask(c int32, x, y float64, k, quad int) {
	q.sq, q.ids = q.sq[:0], q.ids[:0]
	q.k, q.x, q.y, q.skip, q.quad = k, x, y, c, quad
	if k > 0 {
		q.walk(1, q.tree.items)
	}
}

func (q *kdQuery) walk(node int, it []kdItem) {
	if q.tree.alive != nil && q.tree.alive[node] == 0 {
		return
	}
	if len(it) <= bucket {
		q.leaf(it)
		return
	}
	m := len(it) / 2
	t := q.tree
	if t.dim[node] == onePlace {
		q.walkPlace(node, it)
		return
	}
	var off float64
	skipLo, skipHi := false, false
	if t.dim[node] == 0 {
		off = q.x - t.cut[node]
		if q.quad >= 0 { // a side that lies wholly west of an eastern quadrant, and so on
			skipLo = off > 0 && q.quad&1 == 0
			skipHi = off < 0 && q.quad&1 == 1
		}
	} else {
		off = q.y - t.cut[node]
		if q.quad >= 0 {
			skipLo = off > 0 && q.quad&2 == 0
			skipHi = off < 0 && q.quad&2 == 2
		}
	}
	if off <= 0 {
		if !skipLo {
			q.walk(2*node, it[:m])
		}
		if !skipHi && (len(q.sq) < q.k || off*off <= q.sq[q.k-1]) {
			q.walk(2*node+1, it[m:])
		}
		return
	}
	if !skipHi {
		q.walk(2*node+1, it[m:])
	}
	if !skipLo && (len(q.sq) < q.k || off*off <= q.sq[q.k-1]) {
		q.walk(2*node, it[:m])
	}
}

// walkPlace is walk for a node whose items are all at one place.
func (q *kdQuery) walkPlace(node int, it []kdItem) {
	dx, dy := it[0].x-q.x, it[0].y-q.y
	if q.quad >= 0 && !q.inside(dx, dy) {
		return
	}
	if last := q.k - 1; len(q.sq) == q.k {
		d := float64(dx*dx) + float64(dy*dy)
		if d > q.sq[last] || d == q.sq[last] && it[0].id > q.ids[last] {
			return
		}
	}
	m := len(it) / 2
	q.walk(2*node, it[:m])
	q.walk(2*node+1, it[m:])
}

// leaf compares the items of a bucket.
func (q *kdQuery) leaf(it []kdItem) {
	q.looked += len(it)
	for i := range it {
		dx, dy := it[i].x-q.x, it[i].y-q.y
		d, c := float64(dx*dx)+float64(dy*dy), it[i].id
		full := len(q.sq) == q.k
		if full && (d > q.sq[q.k-1] || d == q.sq[q.k-1] && c > q.ids[q.k-1]) {
			continue
		}
		if c == q.skip || q.quad >= 0 && !q.inside(dx, dy) ||
			q.frag != nil && q.frag[c] == q.frag[q.skip] || q.tree.has(c) {
			continue
		}
		if !full {
			q.sq, q.ids = append(q.sq, 0), append(q.ids, 0)
		}
		sq, ids := q.sq, q.ids
		j := len(sq) - 1
		for ; j > 0 && (sq[j-1] > d || sq[j-1] == d && ids[j-1] > c); j-- {
			sq[j], ids[j] = sq[j-1], ids[j-1]
		}
		sq[j], ids[j] = d, c
	}
}

// quadrant of the direction (dx, dy): bit 0 is set to the west, bit 1 to the south; the axes, and
// the place itself, count as east and north.
func quadrant(dx, dy float64) int {
	q := 0
	if dx < 0 {
		q = 1
	}
	if dy < 0 {
		q |= 2
	}
	return q
}

// inside tells whether the direction lies in the query's quadrant. The place itself is in one only,
// so that cities at one place are not all that a city knows.
func (q *kdQuery) inside(dx, dy float64) bool {
	if !q.axes || dx == 0 && dy == 0 {
		return quadrant(dx, dy) == q.quad
	}
	return (dx >= 0 || q.quad&1 == 1) && (dx <= 0 || q.quad&1 == 0) &&
		(dy >= 0 || q.quad&2 == 2) && (dy <= 0 || q.quad&2 == 0)
}
