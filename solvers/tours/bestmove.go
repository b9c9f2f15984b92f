package tours

// before is the order of the moves of Best.
func (m *bestMove) before(o *bestMove) bool {
	switch {
	case m.gain != o.gain:
		return m.gain > o.gain
	case m.i != o.i:
		return m.i < o.i
	case m.j != o.j:
		return m.j < o.j
	case m.k != o.k:
		return m.k < o.k
	case m.i2 != o.i2:
		return m.i2 < o.i2
	case m.j2 != o.j2:
		return m.j2 < o.j2
	case m.k2 != o.k2:
		return m.k2 < o.k2
	}
	return m.way < o.way
}

// look appends to out the best of the moves of i that gain, at most limit, and tells whether there
// are more; with closing it leaves out those that give no tour at present.
func (b *Best) look(i int32, limit int, closing bool, out []bestMove) ([]bestMove, bool) {
	more := false
	keep := func(m *bestMove) {
		if closing && !b.closes(m) {
			return
		}
		at := len(out)
		if at == limit {
			more = true
			if at--; !m.before(&out[at]) {
				return
			}
		} else {
			out = append(out, bestMove{})
		}
		for ; at > 0 && m.before(&out[at-1]); at-- {
			out[at] = out[at-1]
		}
		out[at] = *m
	}
	near, dist := b.near.Of(i), b.near.DistOf(i)
	for dir := int32(1); dir >= -1; dir -= 2 {
		i2, other := b.ring.step(i, dir), b.ring.step(i, -dir)
		first := b.d(i, i2)
		for at, j := range near {
			g := first - int64(dist[at])
			if g <= 0 {
				break // the lists are sorted
			}
			if j == i2 || j == other {
				continue
			}
			for side := int32(1); side >= -1; side -= 2 {
				m := bestMove{i: i, j: j, k: none, i2: i2, j2: b.ring.step(j, side), k2: none}
				g2 := g + b.d(j, m.j2)
				if m.gain = g2 - b.d(i2, m.j2); m.gain > 0 && i2 != m.j2 {
					keep(&m)
				}
				switch {
				case b.op == BestThree:
					b.third(&m, g2, keep)
				case b.op == BestOrdered:
					b.ordered(&m, keep)
				}
			}
		}
	}
	return out, more
}

// rounding is an upper bound of the rounding errors in two triangle inequalities.
const rounding = 6

// third calls keep with the moves of three edges that begin as m does, with the gain g so far.
func (b *Best) third(m *bestMove, g int64, keep func(*bestMove)) {
	i, j, i2, j2 := m.i, m.j, m.i2, m.j2
	// In the plane d(j',x) + d(i',y) >= 2 d(j,k) - d(j,j') - d(j,i') - d(k,k'), less the rounding.
	most := g + b.d(j, j2) + b.d(j, i2) + rounding
	near, dist := b.near.Of(j), b.near.DistOf(j)
	for at, k := range near {
		if b.plane && most+2*b.long[k] <= 2*int64(dist[at]) {
			continue
		}
		for side := int32(1); side >= -1; side -= 2 {
			k2 := b.ring.step(k, side)
			g3 := g + b.d(k, k2)
			if g3-2*b.least <= 0 ||
				k == i && k2 == i2 || k == i2 && k2 == i || k == j2 && k2 == j {
				continue
			}
			for way := range 2 {
				x, y := k, k2 // what j' and i' are joined to
				if way == 1 {
					x, y = k2, k
				}
				if x == j || x == j2 || y == i || y == i2 || i2 == j2 && (x == i || y == j) {
					continue
				}
				gain := g3 - b.d(j2, x)
				if gain-b.least <= 0 {
					continue
				}
				if gain -= b.d(i2, y); gain > 0 {
					m.gain, m.k, m.k2, m.way = gain, k, k2, uint8(way)
					keep(m)
				}
			}
		}
	}
}

// ordered calls keep with the moves of 3-opt ordered that begin as m does, whichever cities follow
// each other at present.
func (b *Best) ordered(m *bestMove, keep func(*bestMove)) {
	i, j, i2, j2 := m.i, m.j, m.i2, m.j2
	if j2 == i {
		return // then j does not stand between i and a k
	}
	dj := b.d(j, j2)
	two := b.d(i, i2) + dj
	near, dist := b.near.Of(j), b.near.DistOf(j)
	for at, k := range near {
		djk := int64(dist[at])
		if djk >= dj {
			break
		}
		if k == i || k == i2 {
			continue
		}
		for side := int32(1); side >= -1; side -= 2 {
			k2 := b.ring.step(k, side)
			if k2 == i || k2 == j {
				continue
			}
			three := two + b.d(k, k2)
			for way := range uint8(ways) {
				var come int64
				switch way {
				case waybc:
					come = b.d(i, j) + b.d(i2, k) + b.d(j2, k2)
				case wayCB:
					come = b.d(i, j2) + b.d(k, i2) + b.d(j, k2)
				case wayCb:
					come = b.d(i, j2) + djk + b.d(i2, k2)
				default:
					come = b.d(i, k) + b.d(j2, i2) + b.d(j, k2)
				}
				if gain := three - come; gain > 0 {
					m.gain, m.k, m.k2, m.way = gain, k, k2, way
					keep(m)
				}
			}
		}
	}
}

// ends returns the cities that j' and i' are joined to.
func (m *bestMove) ends() (x, y int32) {
	if m.way == 1 {
		return m.k2, m.k
	}
	return m.k, m.k2
}

// closes tells whether m gives a tour.
func (b *Best) closes(m *bestMove) bool {
	r := b.ring
	dir := int32(1)
	if r.step(m.i, 1) != m.i2 {
		dir = -1
	}
	same := r.step(m.j, dir) == m.j2
	if m.k == none {
		return same
	}
	if b.op == BestOrdered {
		return same && dir == b.direction() && r.step(m.k, dir) == m.k2 &&
			b.place(m.i, dir) < b.place(m.j, dir) && b.place(m.j, dir) < b.place(m.k, dir)
	}
	// Places on the path from i' to i.
	zero := r.key(m.i2)
	place := func(c int32) int32 {
		p := (r.key(c) - zero) * dir
		return p + r.span&(p>>31)
	}
	x, y := m.ends()
	j, px, py := place(m.j), place(x), place(y)
	before := min(px, py) < j // (k,k') lies before j on the path
	if same {
		return before == (px < py)
	}
	return !before
}

// place is how many cities stand before c from city 0 on in a direction, up to gaps that are the
// same for all.
func (b *Best) place(c, dir int32) int32 {
	p := (b.ring.key(c) - b.ring.key(0)) * dir
	return p + b.ring.span&(p>>31)
}

// apply makes m, which must give a tour.
func (b *Best) apply(m *bestMove) {
	r := b.ring
	same := (r.step(m.i, 1) == m.i2) == (r.step(m.j, 1) == m.j2)
	x, y := m.ends()
	switch {
	case m.k != none && b.op == BestOrdered:
		b.join(m)
	case same:
		r.exchange(m.i, m.i2, m.j2, m.j)
		if m.k != none {
			r.exchange(m.i2, m.j2, x, y)
		}
	default: // i [i'..j'] [j..lo] hi, of k and k'
		dir := int32(1)
		if r.step(m.i, 1) != m.i2 {
			dir = -1
		}
		lo, hi := m.k, m.k2
		if r.step(lo, dir) != hi {
			lo, hi = hi, lo
		}
		r.exchange(m.i, m.i2, hi, lo)  // i [lo..j] [j'..i'] hi
		r.exchange(m.i, lo, m.j2, m.j) // i [j..lo] [j'..i'] hi
		if x == hi {
			r.exchange(lo, m.j2, hi, m.i2) // i [j..lo] [i'..j'] hi
		}
	}
	ends := [6]int32{m.i, m.i2, m.j, m.j2, m.k, m.k2}
	of := ends[:]
	if m.k == none {
		of = ends[:4]
	}
	for _, c := range of {
		b.measure(c)
	}
	for _, c := range of {
		b.changed(c)
	}
}

// join makes a move of 3-opt ordered, of i [i'..j] [j'..k] k'.
func (b *Best) join(m *bestMove) {
	r := b.ring
	if m.way == waybc {
		r.exchange(m.i, m.i2, m.j2, m.j)  // i [j..i'] [j'..k] k'
		r.exchange(m.i2, m.j2, m.k2, m.k) // i [j..i'] [k..j'] k'
		return
	}
	r.exchange(m.i, m.i2, m.k2, m.k) // i [k..j'] [j..i'] k'
	if m.way != waycB {
		r.exchange(m.i, m.k, m.j, m.j2) // i [j'..k] [j..i'] k'
	}
	switch m.way {
	case wayCB:
		r.exchange(m.k, m.j, m.k2, m.i2) // i [j'..k] [i'..j] k'
	case waycB:
		r.exchange(m.j2, m.j, m.k2, m.i2) // i [k..j'] [i'..j] k'
	}
}
