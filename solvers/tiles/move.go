package tiles

// A move exchanges two or three edges. In the direction of the circle in which t2 follows t1, the
// kinds differ in where the others lie on the way from t2 to t1.
type move struct {
	kind                   kind
	t1, t2, t3, t4, t5, t6 uint16
}

type kind uint8

const (
	exchange2 kind = iota // t2 .. t4 t3 .. t1: turns t2 .. t4
	exchange3             // exchange2, and then the same with t5, t6 on the way from t4 to t1
	swapParts             // t2 .. t5 t6 .. t3 t4 .. t1: t2 .. t5 and t6 .. t3 change places
	turnParts             // t2 .. t6 t5 .. t3 t4 .. t1: both parts are turned in place
)

// A finder looks for the best of some moves: the first of those with the largest gain.
type finder struct {
	p    *piece
	gain int32
	move move
}

func (f *finder) see(gain int32, m move) {
	if gain > f.gain {
		f.gain, f.move = gain, m
	}
}

// best returns the best move from t1: the best of the first neighbour, of one of the two cities
// beside t1, that has one with a gain. Its gain is 0 if there is none.
func (p *piece) best(t1 uint16, op Operator) (int32, move) {
	f := finder{p: p}
	for _, dir := range [2]int{1, -1} {
		t2 := p.step(t1, dir)
		if p.mate[t1] == t2 {
			continue
		}
		d12 := p.dist(t1, t2)
		for _, t3 := range p.neighbours(t2) {
			if t3 == t1 {
				continue
			}
			loose := d12 - p.dist(t2, t3)
			m := move{t1: t1, t2: t2, t3: t3}
			if loose > 0 {
				f.pair(m, loose, dir, op == OrThreeOpt)
			}
			switch {
			case op == OrTwoOpt:
				f.insert(m, loose, dir)
			case op == OrThreeOpt && loose > 0:
				f.far(m, loose, dir)
			}
			if f.gain > 0 {
				return f.gain, f.move
			}
		}
	}
	return 0, move{}
}

// pair is the exchange of two edges, and with three those of three edges that go on from it.
func (f *finder) pair(m move, loose int32, dir int, three bool) {
	p := f.p
	m.t4 = p.step(m.t3, -dir)
	if m.t4 == m.t2 || p.mate[m.t3] == m.t4 {
		return
	}
	loose += p.dist(m.t3, m.t4)
	f.see(loose-p.dist(m.t4, m.t1), m)
	if !three {
		return
	}
	m.kind = exchange3
	r3 := p.rank(m.t2, m.t3, dir)
	for _, c := range p.neighbours(m.t4) {
		g := loose - p.dist(m.t4, c)
		if g <= 0 || c == m.t3 || c == m.t1 {
			continue
		}
		side := -dir
		if p.rank(m.t2, c, dir) < r3 {
			side = dir
		}
		m.t5, m.t6 = c, p.step(c, side)
		if m.t6 == m.t4 || p.mate[c] == m.t6 {
			continue
		}
		f.see(g+p.dist(m.t5, m.t6)-p.dist(m.t6, m.t1), m)
	}
}

// far is the exchange of three edges whose second edge follows t3.
func (f *finder) far(m move, loose int32, dir int) {
	p := f.p
	m.t4 = p.step(m.t3, dir)
	r3 := p.rank(m.t2, m.t3, dir)
	if r3 == 1 || p.mate[m.t3] == m.t4 {
		return
	}
	loose += p.dist(m.t3, m.t4)
	for _, c := range p.neighbours(m.t4) {
		g := loose - p.dist(m.t4, c)
		if g <= 0 || p.rank(m.t2, c, dir) >= r3 {
			continue
		}
		m.kind, m.t5, m.t6 = swapParts, c, p.step(c, dir)
		if p.mate[c] != m.t6 {
			f.see(g+p.dist(m.t5, m.t6)-p.dist(m.t6, m.t1), m)
		}
		m.kind, m.t6 = turnParts, p.step(c, -dir)
		if c != m.t2 && p.mate[c] != m.t6 {
			f.see(g+p.dist(m.t5, m.t6)-p.dist(m.t6, m.t1), m)
		}
	}
}

// segment is the length of the longest path that insert moves.
const segment = 3

// insert takes the path of 1 to 3 cities that begins at t2 out and puts it beside t3, on either
// side, t2 next to t3.
func (f *finder) insert(m move, loose int32, dir int) {
	p := f.p
	before, after := p.step(m.t3, -dir), p.step(m.t3, dir)
	e := m.t2
	for range segment {
		if e == m.t3 {
			return
		}
		z := p.step(e, dir)
		if p.mate[e] != z {
			m.t5, m.t6 = e, z
			if g := loose + p.dist(e, z) - p.dist(m.t1, z); g > 0 {
				if before != e && p.mate[m.t3] != before {
					m.kind, m.t4 = exchange3, before
					f.see(g+p.dist(m.t3, before)-p.dist(e, before), m)
				}
				if p.mate[m.t3] != after {
					m.kind, m.t4 = swapParts, after
					f.see(g+p.dist(m.t3, after)-p.dist(e, after), m)
				}
			}
		}
		e = z
	}
}

// apply makes a move and puts the ends of its edges into the queue.
func (p *piece) apply(m *move) {
	switch m.kind {
	case exchange2:
		p.exchange(m.t1, m.t2, m.t4)
	case exchange3:
		p.exchange(m.t1, m.t2, m.t4)
		p.exchange(m.t1, m.t4, m.t6)
	case swapParts:
		p.exchange(m.t1, m.t2, m.t3)
		p.exchange(m.t1, m.t3, m.t6)
		p.exchange(m.t5, m.t3, m.t4)
	case turnParts:
		p.exchange(m.t1, m.t2, m.t6)
		p.exchange(m.t5, m.t2, m.t4)
	}
	p.moves++
	p.marks -= mark(m.t1, m.t2) + mark(m.t3, m.t4)
	p.marks += mark(m.t2, m.t3)
	if m.kind == exchange2 {
		p.marks += mark(m.t4, m.t1)
	} else {
		p.marks += mark(m.t4, m.t5) + mark(m.t6, m.t1) - mark(m.t5, m.t6)
	}
	p.push(m.t1)
	p.push(m.t2)
	p.push(m.t3)
	p.push(m.t4)
	if m.kind != exchange2 {
		p.push(m.t5)
		p.push(m.t6)
	}
}

// exchange turns the way from b to d; b is a neighbour of a in the circle, and the way does not
// lead through a.
func (p *piece) exchange(a, b, d uint16) {
	i, j := int(p.pos[b]), int(p.pos[d])
	if p.step(a, 1) != b {
		i, j = j, i
	}
	p.reverse(i, j)
}

// reverse turns the places i to j, or the others if these are fewer.
func (p *piece) reverse(i, j int) {
	size := j - i + 1
	if size <= 0 {
		size += p.m
	}
	if 2*size > p.m {
		i, j = j+1, i-1
		if i == p.m {
			i = 0
		}
		if j < 0 {
			j = p.m - 1
		}
		size = p.m - size
	}
	for range size / 2 {
		a, b := p.order[i], p.order[j]
		p.order[i], p.order[j] = b, a
		p.pos[b], p.pos[a] = uint16(i), uint16(j)
		if i++; i == p.m {
			i = 0
		}
		if j--; j < 0 {
			j = p.m - 1
		}
	}
}

// mark is a hash of an edge.
func mark(a, b uint16) uint32 {
	h := uint32(min(a, b))<<16 | uint32(max(a, b))
	h *= 0x9E3779B1
	h ^= h >> 15
	h *= 0x85EBCA77
	return h ^ h>>13
}
