package local

import (
	"slices"

	"metalab/solvers/tours"
)

// oneWay is local search for asymmetric instances: the exchanges of three edges that reverse no
// path. In a tour a b .. c d .. e f .. the paths b .. c and d .. e change places,
//
//	(a, b), (c, d), (e, f)  become  (a, d), (e, b), (c, f)
//
// which moves a path of any length elsewhere (Or-opt moves among them). It is "or-3opt" without
// limits on length: P.-C. Kanellakis, C. H. Papadimitriou, Local search for the asymmetric
// traveling salesman problem, 1980, doi:10.1287/opre.28.5.1086, where it is the primary change. New
// edges come from lists of neighbours, and the search applies the first gain, from a queue of dirty
// cities. A move costs the length of the two shorter of the three paths.
//
// It allocates only at its creation, and serves one goroutine at a time.
type oneWay struct {
	sp      *tours.Space
	out, in tours.Neighbours // to the nearest cities; from those with the shortest edge to here
	tour    []int32
	pos     []int32
	scratch []int32
	queue   []int32 // of dirty cities, in a circle
	head    int
	count   int
	dirty   []bool
}

// inward returns, for each city, the k cities with the shortest edges to it, ties by number.
func inward(sp *tours.Space, k int) tours.Neighbours {
	n := sp.N
	k = max(0, min(k, n-1))
	b := tours.Neighbours{K: k, ID: make([]int32, 0, n*k), Dist: make([]int32, 0, n*k)}
	keys := make([]uint64, 0, n)
	for c := range int32(n) {
		keys = keys[:0]
		for j := range int32(n) {
			if j != c {
				keys = append(keys, uint64(uint32(sp.D(j, c)))<<32|uint64(uint32(j)))
			}
		}
		slices.Sort(keys)
		for _, x := range keys[:k] {
			b.ID = append(b.ID, int32(uint32(x)))
			b.Dist = append(b.Dist, int32(x>>32))
		}
	}
	return b
}

func newOneWay(sp *tours.Space, out, in tours.Neighbours) *oneWay {
	n := sp.N
	return &oneWay{
		sp: sp, out: out, in: in, tour: make([]int32, n), pos: make([]int32, n),
		scratch: make([]int32, n), queue: make([]int32, n), dirty: make([]bool, n),
	}
}

// load sets the tour to improve.
func (w *oneWay) load(tour []int32) {
	copy(w.tour, tour)
	for i, c := range tour {
		w.pos[c] = int32(i)
	}
	for ; w.count > 0; w.count-- {
		w.dirty[w.queue[w.head]] = false
		w.head = (w.head + 1) % len(w.queue)
	}
}

// push marks a city: moves may begin at it.
func (w *oneWay) push(c int32) {
	if !w.dirty[c] {
		w.dirty[c] = true
		w.queue[(w.head+w.count)%len(w.queue)] = c
		w.count++
	}
}

// run improves the tour from the marked cities and those at the ends of changed edges, and
// returns the gain.
func (w *oneWay) run() (gain int64) {
	for w.count > 0 {
		c := w.queue[w.head]
		w.head = (w.head + 1) % len(w.queue)
		w.count--
		w.dirty[c] = false
		if len(w.tour) < 3 {
			continue
		}
		for {
			g := w.improve(c)
			if g == 0 {
				break
			}
			gain += int64(g)
		}
	}
	return gain
}

func (w *oneWay) next(c int32) int32 {
	if i := int(w.pos[c]) + 1; i < len(w.tour) {
		return w.tour[i]
	}
	return w.tour[0]
}

func (w *oneWay) prev(c int32) int32 {
	if i := w.pos[c]; i > 0 {
		return w.tour[i-1]
	}
	return w.tour[len(w.tour)-1]
}

// rank is the number of steps from the city at place from to c.
func (w *oneWay) rank(from, c int32) int32 {
	r := w.pos[c] - from
	if r < 0 {
		r += int32(len(w.tour))
	}
	return r
}

// improve makes the first move with a gain that removes the edge after t or the one before it, and
// returns the gain; 0 if there is none.
func (w *oneWay) improve(t int32) int {
	d := func(a, b int32) int { return int(w.sp.D(a, b)) }
	// Remove the edge (a, b) after t: begin with a new edge from a.
	a, b := t, w.next(t)
	g0 := d(a, b)
	from := w.pos[b]
	near, dist := w.out.Of(a), w.out.DistOf(a)
	for i, x := range near {
		g1 := g0 - int(dist[i])
		if g1 <= 0 {
			break
		}
		if x == b {
			continue
		}
		c := w.prev(x)
		g2 := g1 + d(c, x)
		to, there := w.out.Of(c), w.out.DistOf(c)
		for j, f := range to {
			g3 := g2 - int(there[j])
			if g3 <= 0 {
				break
			}
			// f must come after x on the path from b to a. If f is b, no third edge is left.
			if f == b || w.rank(from, f) <= w.rank(from, x) {
				continue
			}
			e := w.prev(f)
			if g := g3 + d(e, f) - d(e, b); g > 0 {
				w.move(a, b, c, x, e, f)
				return g
			}
		}
	}
	// Remove the edge (a, b) before t: begin with a new edge to b.
	a, b = w.prev(t), t
	g0 = d(a, b)
	from = w.pos[b]
	near, dist = w.in.Of(b), w.in.DistOf(b)
	for i, e := range near {
		g1 := g0 - int(dist[i])
		if g1 <= 0 {
			break
		}
		if e == a {
			continue
		}
		f := w.next(e)
		g2 := g1 + d(e, f)
		back, there := w.in.Of(f), w.in.DistOf(f)
		for j, c := range back {
			g3 := g2 - int(there[j])
			if g3 <= 0 {
				break
			}
			if w.rank(from, c) >= w.rank(from, e) {
				continue
			}
			x := w.next(c)
			if g := g3 + d(c, x) - d(a, x); g > 0 {
				w.move(a, b, c, x, e, f)
				return g
			}
		}
	}
	return 0
}

// move exchanges the paths b .. c and x .. e, and marks the ends. Exchanging any two of the three
// paths gives the same circle: it exchanges the two shorter ones.
func (w *oneWay) move(a, b, c, x, e, f int32) {
	n := len(w.tour)
	first, second := int(w.rank(w.pos[b], x)), int(w.rank(w.pos[x], f))
	third := n - first - second
	at := b
	switch {
	case first >= second && first >= third:
		at, first, second = x, second, third
	case second >= third:
		at, first, second = f, third, first
	}
	// Write first, then second, from position at on.
	i := int(w.pos[at])
	keep := w.scratch[:first]
	for k := range keep {
		keep[k] = w.tour[(i+k)%n]
	}
	for range second {
		y := w.tour[(i+first)%n]
		w.tour[i] = y
		w.pos[y] = int32(i)
		if i++; i == n {
			i = 0
		}
	}
	for _, y := range keep {
		w.tour[i] = y
		w.pos[y] = int32(i)
		if i++; i == n {
			i = 0
		}
	}
	for _, y := range [...]int32{a, b, c, x, e, f} {
		w.push(y)
	}
}
