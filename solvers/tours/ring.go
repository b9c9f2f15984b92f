package tours

import "slices"

// A ring is a tour that local search works on: the cities in a circle, with the operations next in
// a direction, order, and the exchange of two edges. It is an array up to twoLevelFrom cities and a
// two-level list above; the same calls lead to the same circle in both, but perhaps in the opposite
// direction.
type ring struct {
	n    int
	list *twoLevel // nil: the array is in use

	mirror *mirror // where list does what the array would do; else nil

	// The array: tour[1..n] are the cities, tour[0] repeats the last and tour[n+1] the first, so
	// that a neighbour in either direction is one load, without a test for the ends of the array.
	tour []int32
	pos  []int32 // tour[pos[c]] is c

	keep bool       // log exchanges
	log  []exchange // exchanges since the last call of forget
	span int32      // order keys are in [0, span)

	gone, came []uint64 // scratch of restored

	exchanges, turned int64 // see Work
}

// exchange is a change of two edges: (a, b) and (c, d) went, (b, c) and (d, a) came.
type exchange struct{ a, b, c, d int32 }

// twoLevelFrom is the number of cities from which a two-level list is faster than an array.
const twoLevelFrom = 50_000

// newRing makes a ring of n cities; set gives it a tour.
func newRing(n int, twoLevel bool) *ring {
	r := &ring{n: n, span: int32(n)}
	if twoLevel {
		r.list = newTwoLevel(n)
		r.span = r.list.span()
	} else {
		r.tour, r.pos = make([]int32, n+2), make([]int32, n)
	}
	return r
}

// set makes the ring equal to order.
func (r *ring) set(order []int32) {
	r.log = r.log[:0]
	if r.list != nil {
		r.list.set(order)
		if r.mirror != nil {
			r.mirror.first = order[0]
		}
		return
	}
	copy(r.tour[1:], order)
	for i, c := range order {
		r.pos[c] = int32(i + 1)
	}
	r.seal()
}

// get writes the ring to order, from its first city on.
func (r *ring) get(order []int32) {
	if r.mirror != nil {
		r.getMirrored(order)
		return
	}
	if r.list != nil {
		c := int32(0)
		for i := range order {
			order[i] = c
			c = r.list.step(c, 1)
		}
		return
	}
	copy(order, r.tour[1:r.n+1])
}

// seal updates the repeated cities at the array's ends.
func (r *ring) seal() { r.tour[0], r.tour[r.n+1] = r.tour[r.n], r.tour[1] }

// step is the neighbour of c in the direction dir (1 or -1).
func (r *ring) step(c, dir int32) int32 {
	if r.list == nil {
		return r.tour[r.pos[c]+dir]
	}
	return r.list.step(c, dir)
}

// key orders the cities along the circle, from an arbitrary place on.
func (r *ring) key(c int32) int32 {
	if r.list == nil {
		return r.pos[c]
	}
	return r.list.key(c)
}

// exchange removes the edges (a, b) and (c, d) and adds (b, c) and (d, a); b follows a in
// the direction in which c follows d.
func (r *ring) exchange(a, b, c, d int32) {
	if r.keep {
		r.log = append(r.log, exchange{a, b, c, d})
	}
	r.turn(a, b, c, d)
}

// turn is exchange without an entry in the log.
func (r *ring) turn(a, b, c, d int32) {
	r.exchanges++
	if r.mirror != nil {
		r.turnMirrored(a, b, c, d)
		return
	}
	if r.list != nil {
		if r.list.step(a, 1) == b {
			r.list.reverse(b, d)
		} else {
			r.list.reverse(d, b)
		}
		return
	}
	i, j := r.pos[b], r.pos[d]
	if r.tour[r.pos[a]+1] != b {
		i, j = j, i
	}
	r.reverse(int(i), int(j))
}

// undo undoes all exchanges except the first mark ones.
func (r *ring) undo(mark int) {
	for k := len(r.log) - 1; k >= mark; k-- {
		e := r.log[k]
		r.turn(e.b, e.c, e.d, e.a)
	}
	r.log = r.log[:mark]
}

// restored tells whether the circle is the same as before the exchanges in the log. For a long log
// it returns false without looking.
func (r *ring) restored() bool {
	if len(r.log) > 60 {
		return false
	}
	r.gone, r.came = r.gone[:0], r.came[:0]
	for _, e := range r.log {
		r.gone = append(r.gone, edge(e.a, e.b), edge(e.c, e.d))
		r.came = append(r.came, edge(e.b, e.c), edge(e.d, e.a))
	}
	slices.Sort(r.gone)
	slices.Sort(r.came)
	return slices.Equal(r.gone, r.came)
}

// edge returns a number for an edge, the same for (a, b) and (b, a).
func edge(a, b int32) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }

// forget empties the log.
func (r *ring) forget() { r.log = r.log[:0] }

// reverse reverses the positions i to j of the array (across its end if i > j), or the others if
// they are fewer, which gives the same circle.
func (r *ring) reverse(i, j int) {
	n := r.n
	l := j - i + 1
	if l <= 0 {
		l += n
	}
	if 2*l > n {
		i, j = j+1, i-1
		if i > n {
			i = 1
		}
		if j < 1 {
			j = n
		}
		l = n - l
	}
	r.turned += int64(l)
	if i <= j {
		run := r.tour[i : j+1]
		a, b := int32(i), int32(j)
		for len(run) >= 2 {
			e := len(run) - 1
			x, y := run[0], run[e]
			run[0], run[e] = y, x
			r.pos[y], r.pos[x] = a, b
			run = run[1:e]
			a++
			b--
		}
	} else {
		for ; l >= 2; l -= 2 {
			x, y := r.tour[i], r.tour[j]
			r.tour[i], r.tour[j] = y, x
			r.pos[y], r.pos[x] = int32(i), int32(j)
			if i++; i > n {
				i = 1
			}
			if j--; j < 1 {
				j = n
			}
		}
	}
	r.seal()
}
