package trail

import (
	"encoding/binary"
	"math"
	"sync"
	"sync/atomic"

	"metalab/datasets"
	"metalab/solvers/tours"
)

// Nearest finds the nearest unvisited city, exactly: the one with the least (distance, number). It
// looks first at a longer list of neighbours, then, in the plane, at a tree of boxes of cities that
// are neighbours on the Hilbert curve, and otherwise at all cities. The result is the same on each
// path.
type Nearest struct {
	l    *Lists
	sp   *tours.Space
	ext  []int32 // n x e: the next nearest after the candidates, by distance and number
	e    int
	last []int32 // the greatest distance in ext, by city
	late *late   // builds the rows of ext at their first use; nil: all exist
	all  bool    // candidates and ext together hold all other cities

	boxes  []box    // of all levels, the leaves first; nil when there are no coordinates to use
	levels []int    // where each level begins
	floors []int    // where in Unvisited.live the bits of every second level begin
	whole  []uint64 // Unvisited.live while nothing is visited
	factor float64  // squared distances are at most factor (d + 1)^2 where the distance is d
}

// box is a rectangle that holds the cities of a node.
type box struct{ x0, y0, x1, y1 float64 }

// fan is the number of cities in a leaf and of children of a node, as a power of 2.
const fan = 3

// extEntries bounds the memory of the longer lists.
const extEntries = 1 << 24

// NewNearest makes the longer lists and the boxes, beside the candidate lists l.
func NewNearest(sp *tours.Space, l *Lists) *Nearest {
	c := &Nearest{l: l, sp: sp}
	c.e = min(64, extEntries/sp.N, sp.N-1-l.K)
	c.all = l.K+c.e >= sp.N-1
	if c.e > 0 {
		c.ext, c.last = make([]int32, sp.N*c.e), make([]int32, sp.N)
		if f := sp.Finder(l.K + c.e); f != nil && !c.all {
			c.late = newLate(f, c)
		} else {
			c.extend()
		}
	}
	switch sp.Metric {
	case datasets.Euc2D, datasets.Ceil2D:
		c.factor = 1
	case datasets.Att:
		c.factor = 10
	default:
		return c
	}
	if !c.all {
		c.plant()
	}
	return c
}

func (c *Nearest) extend() {
	l := c.l
	near := c.sp.Nearest(l.K + c.e)
	own := l.Members()
	for i := range int32(c.sp.N) {
		row := near.Of(i)
		c.write(i, row, near.DistOf(i)[len(row)-1], &own)
	}
}

// write makes the row of city i in ext of its nearest cities, of which the last is so far away.
// Candidates are left out. Ties may be ordered differently in the two lists.
func (c *Nearest) write(i int32, nearest []int32, last int32, own *Members) {
	out := c.ext[int(i)*c.e:][:0:c.e]
	own.Of(i)
	for _, id := range nearest {
		if !own.Has(id) {
			out = append(out, id)
		}
	}
	c.last[i] = last
}

// late makes rows of ext for several goroutines. Most cities have a candidate whenever an ant
// leaves them, for a long while.
type late struct {
	row  []atomic.Uint32 // by city: see the constants
	with sync.Pool       // of *lateWith
}

// The kinds of a row of ext.
const (
	missing uint32 = iota
	begun
	made
)

type lateWith struct {
	query *tours.Query
	own   Members
	ids   []int32
}

func newLate(f *tours.Finder, c *Nearest) *late {
	r := &late{row: make([]atomic.Uint32, c.sp.N)}
	r.with.New = func() any {
		return &lateWith{f.Query(), c.l.Members(), make([]int32, c.l.K+c.e)}
	}
	return r
}

// longer is the row of city i in ext, or none while another goroutine makes it.
func (c *Nearest) longer(i int32) []int32 {
	if r := c.late; r != nil && r.row[i].Load() != made {
		if !r.row[i].CompareAndSwap(missing, begun) {
			return nil
		}
		w := r.with.Get().(*lateWith)
		c.write(i, w.ids, w.query.Of(i, w.ids), &w.own)
		r.with.Put(w)
		r.row[i].Store(made)
	}
	return c.ext[int(i)*c.e:][:c.e]
}

// plant builds the tree of boxes, level by level.
func (c *Nearest) plant() {
	n := c.sp.N
	leaves := (n + 1<<fan - 1) >> fan
	for i := range leaves {
		b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
		for j := i << fan; j < min(n, (i+1)<<fan); j++ {
			x, y := c.sp.X[j], c.sp.Y[j]
			b = box{min(b.x0, x), min(b.y0, y), max(b.x1, x), max(b.y1, y)}
		}
		c.boxes = append(c.boxes, b)
	}
	c.levels = []int{0}
	for from, count := 0, leaves; count > 1; {
		up := (count + 1<<fan - 1) >> fan
		c.levels = append(c.levels, from+count)
		for i := range up {
			b := c.boxes[from+i<<fan]
			for j := i << fan; j < min(count, (i+1)<<fan); j++ {
				o := c.boxes[from+j]
				b = box{min(b.x0, o.x0), min(b.y0, o.y0), max(b.x1, o.x1), max(b.y1, o.y1)}
			}
			c.boxes = append(c.boxes, b)
		}
		from, count = from+count, up
	}
	for count := n; ; {
		c.floors = append(c.floors, len(c.whole))
		words := (count + 63) / 64
		for i := range words {
			c.whole = append(c.whole, ^uint64(0)>>(64-min(64, count-64*i)))
		}
		if count = words; count == 1 {
			return
		}
	}
}

// Unvisited counts what an ant has not visited in the nodes of the tree. It is updated only when it
// is needed.
type Unvisited struct {
	// live holds a bit for each city, then one for each word of these, and so on: whether
	// anything in it is unvisited. The cities of a leaf are a byte of a word, those of a node one
	// level up the whole word, and so on with the words above.
	live []uint64
	done int // how many cities of the tour were removed; 0: the fields are not valid
}

// Reset makes all cities unvisited.
func (r *Unvisited) Reset() { r.done = 0 }

// update removes the cities of the tour.
func (c *Nearest) update(r *Unvisited, tour []int32) {
	if r.done == 0 {
		r.live = append(r.live[:0], c.whole...)
	}
	for _, city := range tour[r.done:] {
		at := uint32(city)
		for _, from := range c.floors {
			w := &r.live[from+int(at>>6)]
			if *w &^= 1 << (at & 63); *w != 0 {
				break
			}
			at >>= 6
		}
	}
	r.done = len(tour)
}

// nobody stands for a city before one is found. It is greater than all cities, so that even a first
// city at the greatest possible distance is better.
const nobody = math.MaxInt32

// Of returns the unvisited city nearest to i, whose candidates are all visited, and its distance.
// There must be an unvisited city. tour has the cities visited so far.
func (c *Nearest) Of(i int32, seen []uint8, r *Unvisited, tour []int32) (city, d int32) {
	return c.beyond(i, seen, r, tour, nobody, math.MaxInt32)
}

// ofAny is Of for a city that may have unvisited candidates.
func (c *Nearest) ofAny(i int32, seen []uint8, r *Unvisited, tour []int32) (city, d int32) {
	city, d = nobody, math.MaxInt32
	l := c.l
	at := int(i) * l.Stride
	for s, id := range l.ID[at : at+l.K] {
		if seen[id] == 0 {
			city, d = id, l.Dist[at+s]
			break
		}
	}
	if city != nobody && d < l.Dist[at+l.K-1] {
		return city, d
	}
	return c.beyond(i, seen, r, tour, city, d)
}

// beyond looks for a city that is no candidate of i and nearer to it than city, which is at
// distance d.
func (c *Nearest) beyond(i int32, seen []uint8, r *Unvisited, tour []int32, city, d int32) (int32,
	int32,
) {
	floor := int32(math.MinInt32)
	if row := c.longer(i); len(row) > 0 {
		for _, id := range row {
			if seen[id] == 0 {
				if x := c.sp.D(i, id); x < d || x == d && id < city {
					city, d = id, x
				}
				break
			}
		}
		if city != nobody && d < c.last[i] {
			return city, d
		}
		floor = c.last[i]
	}
	if c.all && city != nobody {
		return city, d
	}
	// There may be more cities as far away as the last of the list, and none is nearer.
	if c.boxes == nil {
		return c.scan(i, seen, city, d, floor)
	}
	c.update(r, tour)
	q := query{c: c, seen: seen, live: r.live, i: i, city: city, d: d, x: c.sp.X[i], y: c.sp.Y[i]}
	q.floor = floor
	q.bound()
	q.leaf(int(i) >> fan)
	for level := 1; level < len(c.levels); level++ {
		below, node := int(i)>>(fan*level), int(i)>>(fan*(level+1))
		q.children(level, node, below)
	}
	return q.city, q.d
}

// scan looks at all cities, up to one that none can beat; it skips eight at a time if all of them
// are visited. No city that is left is nearer than floor: where many are at one place, the first of
// them is the nearest.
func (c *Nearest) scan(i int32, seen []uint8, city, d, floor int32) (int32, int32) {
	for j := 0; j < len(seen) && (d > floor || int32(j) < city); j++ {
		for j+8 <= len(seen) && binary.LittleEndian.Uint64(seen[j:]) == 0x0101010101010101 {
			j += 8
		}
		if j < len(seen) && seen[j] == 0 {
			if x := c.sp.D(i, int32(j)); x < d || x == d && int32(j) < city {
				city, d = int32(j), x
			}
		}
	}
	return city, d
}

// query is one search of the tree.
type query struct {
	c    *Nearest
	seen []uint8
	live []uint64
	i    int32
	x, y float64

	city, d int32   // the best so far
	floor   int32   // no city that is left is nearer
	limit   float64 // no city farther than its root can be better
}

func (q *query) bound() { q.limit = q.c.factor * (float64(q.d) + 1) * (float64(q.d) + 1) }

// leaf looks at the cities of a leaf.
func (q *query) leaf(node int) {
	for j := node << fan; j < min(len(q.seen), (node+1)<<fan); j++ {
		if q.seen[j] == 0 {
			if x := q.c.sp.D(q.i, int32(j)); x < q.d || x == q.d && int32(j) < q.city {
				q.city, q.d = int32(j), x
				q.bound()
			}
		}
	}
}

// empty tells whether all cities of a node are visited.
func (q *query) empty(level, node int) bool {
	from := q.c.floors[level>>1]
	if level&1 != 0 {
		return q.live[from+node] == 0
	}
	return uint8(q.live[from+node>>3]>>(node&7*8)) == 0
}

// done tells whether no city of a child can be better: they have greater numbers, and none is
// nearer than floor.
func (q *query) done(level, child int) bool {
	return q.d <= q.floor && child<<(fan*level) > int(q.city)
}

// children looks into the children of a node but one, the nearest first.
func (q *query) children(level, node, but int) {
	below := q.c.levels[level-1]
	end := min(q.c.levels[level]-below, (node+1)<<fan)
	var kids [1 << fan]int
	var far [1 << fan]float64
	m := 0
	for j := node << fan; j < end; j++ {
		if j == but || q.empty(level-1, j) || q.done(level, j) {
			continue
		}
		b := &q.c.boxes[below+j]
		dx, dy := max(b.x0-q.x, q.x-b.x1, 0), max(b.y0-q.y, q.y-b.y1, 0)
		f := float64(dx*dx) + float64(dy*dy)
		if f > q.limit {
			continue
		}
		k := m
		for ; k > 0 && far[k-1] > f; k-- {
			kids[k], far[k] = kids[k-1], far[k-1]
		}
		kids[k], far[k] = j, f
		m++
	}
	for k := range m {
		switch {
		case far[k] > q.limit:
			return
		case q.done(level, kids[k]):
		case level == 1:
			q.leaf(kids[k])
		default:
			q.children(level-1, kids[k], -1)
		}
	}
}

// TourLength is the length of the tour that starts at city 0 and goes to the nearest
// unvisited city always.
func (c *Nearest) TourLength() int64 {
	n := c.sp.N
	seen, tour := make([]uint8, n), make([]int32, 1, n)
	seen[0] = 1
	var r Unvisited
	var sum int64
	for len(tour) < n {
		city, d := c.ofAny(tour[len(tour)-1], seen, &r, tour)
		seen[city] = 1
		tour = append(tour, city)
		sum += int64(d)
	}
	if n > 1 {
		sum += int64(c.sp.D(tour[n-1], tour[0]))
	}
	return sum
}
