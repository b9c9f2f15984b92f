package tours

// The step of Lin and Kernighan, evaluated lazily. Each exchange of a chain from the tour edge (t1,
// t2) reverses a first part of the Hamiltonian path t2 .. t1. So after m exchanges the path
// consists of at most m + 1 runs of the unchanged tour. The chain is searched on the short list of
// these runs, and the tour is changed only when a chain closes with a gain: the cost of a chain
// that fails does not depend on the number of cities.

// The limits of Settings.Depth and of the entries of Settings.Breadth.
const (
	MaxDepth   = 50
	MaxBreadth = 16
)

// run is a stretch of the path: the cities of the ranks lo to hi. A path holds its runs in the
// order of ranks, so that finding the run of a city needs no branch that depends on it; ord is the
// run's place on the path.
type run struct {
	lo, hi int32
	// direction of the tour that leads from a city of the run to the one before it on the path
	before int32
	ord    int32
}

// onward and backward are runs read in the direction of the path before the chain, and against it.
func (z *chain) onward(lo, hi, ord int32) run   { return run{lo, hi, -z.dir, ord} }
func (z *chain) backward(lo, hi, ord int32) run { return run{lo, hi, z.dir, ord} }

// first is the rank of the city of a run that comes first on the path: lo, or hi if the run is
// read backwards.
func (z *chain) first(q *run) int32 {
	if q.before == z.dir {
		return q.hi
	}
	return q.lo
}

// find is the index of the run that holds rank r.
func find(runs []run, r int32) int {
	at := 0
	for j := 1; j < len(runs); j++ {
		at += int(uint32(runs[j].lo-r-1) >> 31) // 1 if lo <= r
	}
	return at
}

// step is an exchange that a chain may make next: the edge (t4, t3) of the path goes.
type step struct {
	gain   int // of the open path after it
	key    int // by which it is chosen: the gain, or if home that of the closed path
	t3, t4 int32
	r3     int32 // rank of t3
}

// chain is the workspace of one search for a chain.
type chain struct {
	runs    [MaxDepth + 3][]run // the path by level, in the order of ranks
	moves   [MaxDepth + 2]move  // the exchanges of the chain
	steps   [MaxDepth + 2][MaxBreadth]step
	breadth [MaxDepth + 2]int
	depth   int
	far     int
	ends    bool
	home    bool // the first edge is long; see Settings.Ends

	best  int // gain of the best closed chain
	bestN int // its exchanges; 0: none was found

	t1        int32
	key2, dir int32 // rank of c = (key(c) - key2) * dir, modulo the span
}

func (z *chain) configure(set Settings, k int) {
	z.depth, z.far, z.ends = set.Depth, min(set.Far, k), set.Ends
	for i := range z.breadth {
		z.breadth[i] = set.Breadth[min(i, len(set.Breadth)-1)]
	}
	for i := range z.runs {
		if z.runs[i] == nil {
			z.runs[i] = make([]run, 0, MaxDepth+4)
		}
	}
}

// orOpt looks for a chain with a gain that starts at t1, and carries it out.
func (s *Search) orOpt(t1 int32) bool {
	z := &s.chain
	ways := 2
	if s.set.OneWay {
		ways = 1
	}
	for dir, i := s.lead(t1), 0; i < ways; dir, i = -dir, i+1 {
		t2 := s.ring.step(t1, dir)
		if s.fixed(t1, t2) {
			continue
		}
		z.t1, z.key2, z.dir, z.best, z.bestN = t1, s.ring.key(t2), dir, 0, 0
		z.runs[0] = append(z.runs[0][:0], z.onward(0, s.rank(t1), 0))
		d12 := s.d(t1, t2)
		z.home = z.ends && s.isLong(t1, t2, d12)
		s.extend(0, t2, d12)
		if z.best <= 0 && s.set.Wide {
			s.wideStep(t2, d12)
		} else if z.best <= 0 && z.far > 0 {
			s.farSide(t2, d12)
		}
		if z.best > 0 {
			for i := range z.moves[:z.bestN] {
				s.apply(&z.moves[i])
			}
			s.gain += int64(z.best)
			return true
		}
	}
	return false
}

// rank is the place of c on the path as it was before the chain; t2 has 0.
func (s *Search) rank(c int32) int32 {
	r := (s.ring.key(c) - s.chain.key2) * s.chain.dir
	return r + s.ring.span&(r>>31) // by the sign bit, to avoid an unpredictable branch
}

// isLong tells whether a chain from the edge (t1, t2) with the cost d12 goes home.
func (s *Search) isLong(t1, t2 int32, d12 int) bool {
	near := s.arcs(t2, min(s.k, 4))
	if len(near) == 0 {
		return false
	}
	end := near[len(near)-1]
	if s.pi == nil {
		return d12 > homeFrom*int(end.dist)
	}
	return s.raw(t1, t2) > homeFrom*s.raw(t2, end.to)
}

// homeFrom is how many times as long as the edge to the fourth neighbour a first edge must be for
// its chain to go home, see Settings.Ends. (The last listed neighbour may be far away, in an empty
// quadrant.)
const homeFrom = 16

// extend tries the exchanges that add (last, t3) and remove (t3, t4), where t4 is before t3 on the
// path last .. t1, in the order of the gain of the open path, and continues from each at the next
// level. g is the gain with the path open. It uses the first gaining chain of a subtree, closed
// where that is best.
func (s *Search) extend(level int, last int32, g int) {
	if s.ended() {
		return
	}
	z := &s.chain
	r := s.ring
	steps := &z.steps[level]
	m, width := 0, z.breadth[level]
	runs := z.runs[level]
	gone1, gone2 := s.gone(last)
	near, looks := s.arcs(last, s.k), 0
	for i := range near {
		looks++
		g1 := g - int(near[i].dist)
		if g1 < z.best || g1 == z.best && (width == 1 || !s.set.Even) {
			break // the lists are sorted: no later one gains
		}
		t3 := near[i].to
		if t3 == gone1 || t3 == gone2 {
			continue
		}
		r3 := (r.key(t3) - z.key2) * z.dir // s.rank, which is too large to be inlined
		r3 += r.span & (r3 >> 31)
		// The edge before t3 must be one of the tour: at the start of a run it is one that
		// the chain has added, and removing it again would let the chain step back and forth.
		q := &runs[find(runs, r3)]
		if r3 == z.first(q) {
			continue
		}
		t4 := r.step(t3, q.before)
		if t4 == last || t3 == z.t1 || s.fixed(t3, t4) {
			continue
		}
		var open int
		if s.pi != nil {
			open = g1 + s.reduced(t3, t4)
		} else if s.pts != nil {
			open = g1 + s.plane(t3, t4)
		} else {
			open = g1 + int(s.sp.slow(t3, t4))
		}
		key := open
		if z.home {
			key -= s.d(t4, z.t1)
		}
		if m == width {
			if key <= steps[m-1].key {
				continue
			}
			m--
		}
		j := m
		for ; j > 0 && steps[j-1].key < key; j-- {
			steps[j] = steps[j-1]
		}
		steps[j] = step{gain: open, key: key, t3: t3, t4: t4, r3: r3}
		m++
	}
	s.work.Evaluated += int64(looks)
	if z.ends && width == 1 && s.otherEnd(level, last, g, m) {
		return
	}
	for i := range steps[:m] {
		v := &steps[i]
		mv := &z.moves[level]
		mv.kind, mv.t1, mv.t2, mv.t3, mv.t4 = exchange2, z.t1, last, v.t3, v.t4
		if closed := v.gain - s.d(v.t4, z.t1); closed > z.best {
			z.best, z.bestN = closed, level+1
		}
		// otherwise the next level has nothing to try
		if rest := v.gain - int(s.arc[int(v.t4)*s.k].dist); level+1 < z.depth &&
			(rest > z.best || rest == z.best && s.set.Even) {
			z.turn(level, v.r3, s.rank(v.t4))
			s.extend(level+1, v.t4, v.gain)
		}
		if z.bestN > 0 {
			return
		}
	}
}

// gone are the neighbours of c on the tour, if Settings.Strict: c is an end of the path, so the
// edge to one of them has been removed, and that to the other is on the path or removed too.
func (s *Search) gone(c int32) (int32, int32) {
	if !s.set.Strict {
		return none, none
	}
	return s.ring.step(c, 1), s.ring.step(c, -1)
}

// turned is a run of a path whose runs before the one of the number cut are reversed: with them if
// it is one of them, which a branch would tell wrongly half the time.
func (q run) turned(cut int32) run {
	m := (q.ord - cut) >> 31 // -1 if it is
	q.before = q.before ^ m - m
	q.ord = q.ord ^ m + (1 + cut&m)
	return q
}

// turn writes to the next level the path with the part that ends at rank r4 reversed; r3 follows r4
// on the path and is in the same run.
func (z *chain) turn(level int, r3, r4 int32) {
	src := z.runs[level]
	dst := z.runs[level+1][:len(src)+1]
	z.runs[level+1] = dst
	at := find(src, r3)
	cut := src[at].ord
	for j := range src[:at] {
		dst[j] = src[j].turned(cut)
	}
	for j := at + 1; j < len(src); j++ {
		dst[j+1] = src[j].turned(cut)
	}
	q := src[at]
	turned, rest := run{q.lo, r4, -q.before, 0}, run{r3, q.hi, q.before, cut + 1}
	if r3 < r4 {
		turned, rest = rest, turned
		turned.lo, turned.hi = q.lo, r3
		rest.lo, rest.hi = r4, q.hi
	}
	dst[at], dst[at+1] = turned, rest
}

// farSide tries t4 after t3 on the path. That gives a tour only with t5 on t2 .. t3: these are the
// exchanges of three edges that extend misses, Or-opt moves among them.
func (s *Search) farSide(t2 int32, d12 int) {
	z := &s.chain
	r := s.ring
	last := z.runs[0][0].hi
	near3 := s.arcs(t2, z.far)
	for i := range near3 {
		s.work.Evaluated++
		g1 := d12 - int(near3[i].dist)
		if g1 <= 0 {
			return
		}
		t3 := near3[i].to
		if t3 == z.t1 {
			continue
		}
		t4 := r.step(t3, z.dir)
		if s.fixed(t3, t4) {
			continue
		}
		r3 := s.rank(t3)
		g := g1 + s.d(t3, t4)
		near5 := s.arcs(t4, z.far)
		for j := range near5 {
			s.work.Evaluated++
			g2 := g - int(near5[j].dist)
			if g2 <= 0 {
				break
			}
			t5 := near5[j].to
			r5 := s.rank(t5)
			if r5 >= r3 {
				continue
			}
			for side := int32(1); side >= -1; side -= 2 {
				if side < 0 && r5 == 0 {
					break
				}
				t6 := r.step(t5, z.dir*side)
				if s.fixed(t5, t6) {
					continue
				}
				r6, r4 := s.rank(t6), s.rank(t4)
				open := g2 + s.d(t5, t6)
				z.moves[0] = move{kind: swapParts, t1: z.t1, t2: t2, t3: t3, t4: t4, t5: t5, t6: t6}
				if side > 0 {
					if t6 == t3 && t5 == t2 {
						continue // the two parts have a city in common
					}
					z.runs[2] = append(
						z.runs[2][:0], z.onward(0, r5, 1), z.onward(r6, r3, 0), z.onward(r4, last, 2),
					)
				} else {
					z.moves[0].kind = turnParts
					z.runs[2] = append(
						z.runs[2][:0], z.backward(0, r6, 0), z.backward(r5, r3, 1), z.onward(r4, last, 2),
					)
				}
				z.moves[1].kind = done2
				if closed := open - s.d(t6, z.t1); closed > z.best {
					z.best, z.bestN = closed, 2
				}
				if z.depth > 2 {
					s.extend(2, t6, open)
				}
				if z.bestN > 0 {
					return
				}
			}
		}
	}
}
