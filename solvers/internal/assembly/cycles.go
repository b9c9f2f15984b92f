package assembly

import "metalab/solvers/arith"

// pair is the union of two tours A and B, and what remains of it during the split into A-B cycles.
// It is the scratch memory of one worker.
type pair struct {
	n     int
	order []int32 // the cities along A
	pos   []int32 // and their places
	// by city: the cities before and behind it in A (until a child changes them) and in B
	a, b [][2]int32

	left [][4]int32 // by city: edges not used yet, two of A and two of B
	na   []uint8    // how many of A, by city
	nb   []uint8    // how many of B, by city
	live []int32    // cities that have had edges

	path  []int32    // of cities: the way so far
	place [][2]int32 // by city: its index + 1 in the path, at even and at odd indices

	cycles []int32 // the cities of all cycles one after the other; see cycle
	start  []int32 // where they begin, and the end of the last

	marked []uint32 // by place in A: its edge has been met when it is mark
	mark   uint32

	bits  uint32 // coins not used yet
	coins int
}

func newPair(n int) *pair {
	return &pair{
		n: n, pos: make([]int32, n), a: make([][2]int32, n), b: make([][2]int32, n),
		left: make([][4]int32, n), na: make([]uint8, n), nb: make([]uint8, n), place: make([][2]int32, n),
		marked: make([]uint32, n),
	}
}

// cycle returns the cities of cycle k in their order: the way from the first to the second is
// an edge of A, the next one of B, and so on in turn; the way back to the first is one of B.
func (p *pair) cycle(k int32) []int32 { return p.cycles[p.start[k]:p.start[k+1]] }

// count is the number of cycles.
func (p *pair) count() int { return len(p.start) - 1 }

// load takes two tours and keeps the edges that only one of them has, and those of short ways that
// both have, one of each.
func (p *pair) load(a, b []int32) {
	p.order = a
	n := len(a)
	prev := a[n-1]
	for i, c := range a {
		p.pos[c] = int32(i)
		p.a[c][0] = prev
		p.a[prev][1] = c
		prev = c
	}
	prev = b[n-1]
	for _, c := range b {
		p.b[c][0] = prev
		p.b[prev][1] = c
		prev = c
	}
	p.live = p.live[:0]
	for c := range int32(n) {
		x, y := p.a[c], p.b[c]
		l := &p.left[c]
		na, nb := uint8(0), uint8(0)
		for _, d := range x {
			if d != y[0] && d != y[1] {
				l[na] = d
				na++
			}
		}
		for _, d := range y {
			if d != x[0] && d != x[1] {
				l[2+nb] = d
				nb++
			}
		}
		p.na[c], p.nb[c] = na, nb
		if na > 0 {
			p.live = append(p.live, c)
		}
	}
	p.bridges()
}

// Bridge is how many edges a way that both tours have may count to be part of cycles. A walk goes
// on along such a way, in place of back, with probability 1/2 at each city.
const Bridge = 5

// bridges keeps the edges of ways that both tours have and that are short: with them, cycles go
// through more places, and a child may lack an edge of both tours.
func (p *pair) bridges() {
	n := int32(p.n)
	for _, c := range p.live {
		if d := p.a[c][1]; d != p.b[c][0] && d != p.b[c][1] {
			continue // no way that both have leads on from here
		}
		at, steps := p.pos[c], 0
		for end := c; steps == 0 || p.na[end] == 0; steps++ {
			if steps > Bridge {
				break
			}
			if at++; at == n {
				at = 0
			}
			end = p.order[at]
		}
		if steps > Bridge {
			continue
		}
		for ; steps > 0; steps-- {
			d := p.order[at]
			if at--; at < 0 {
				at = n - 1
			}
			e := p.order[at]
			p.keep(d, e)
			p.keep(e, d)
		}
	}
}

// keep keeps the edge from city c to d, of both tours.
func (p *pair) keep(c, d int32) {
	if p.na[c] == 0 {
		p.live = append(p.live, c)
	}
	l := &p.left[c]
	l[p.na[c]], l[2+p.nb[c]] = d, d
	p.na[c]++
	p.nb[c]++
}

// void tells whether a cycle changes nothing, as each of its edges is there once of A and once of
// B.
func (p *pair) void(cyc []int32) bool {
	p.mark++
	for i := 0; i < len(cyc); i += 2 {
		u, v := cyc[i], cyc[i+1]
		if p.b[u][0] != v && p.b[u][1] != v {
			return false
		}
		p.marked[p.placeOf(u, v)] = p.mark
	}
	for i := 1; i < len(cyc); i += 2 {
		if at := p.placeOf(cyc[i], cyc[(i+1)%len(cyc)]); at < 0 || p.marked[at] != p.mark {
			return false
		}
	}
	return true
}

// placeOf is the place in A of the first city of the edge u, v; -1 if A lacks it.
func (p *pair) placeOf(u, v int32) int32 {
	x, y := p.pos[u], p.pos[v]
	switch y - x {
	case 1, 1 - int32(p.n):
		return x
	case -1, int32(p.n) - 1:
		return y
	}
	return -1
}

// coin is a random bit.
func (p *pair) coin(r *arith.Stream) uint32 {
	if p.coins == 0 {
		p.bits, p.coins = r.Uint32(), 32
	}
	c := p.bits & 1
	p.bits >>= 1
	p.coins--
	return c
}

// takeA removes a random edge of A from city c and returns its other end.
func (p *pair) takeA(c int32, r *arith.Stream) int32 {
	l := &p.left[c]
	k := uint32(0)
	if p.na[c] == 2 {
		k = p.coin(r)
	}
	d := l[k]
	p.na[c]--
	l[k] = l[p.na[c]]
	m := &p.left[d]
	p.na[d]--
	if m[0] == c {
		m[0] = m[p.na[d]]
	}
	return d
}

// takeB is takeA for B.
func (p *pair) takeB(c int32, r *arith.Stream) int32 {
	l := &p.left[c]
	k := uint32(0)
	if p.nb[c] == 2 {
		k = p.coin(r)
	}
	d := l[2+k]
	p.nb[c]--
	l[2+k] = l[2+p.nb[c]]
	m := &p.left[d]
	p.nb[d]--
	if m[2] == c {
		m[2] = m[2+p.nb[d]]
	}
	return d
}

// split takes the edges that the tours do not share apart into cycles whose edges are of A and
// B in turn: it walks from a random city, always along a random edge that is left, and
// cuts a cycle off as soon as the way's end closes one. It ends when it has as many as most.
func (p *pair) split(r *arith.Stream, most int) {
	p.cycles, p.start = p.cycles[:0], append(p.start[:0], 0)
	p.coins = 0
	for len(p.live) > 0 && p.count() < most {
		k := r.IntN(len(p.live))
		c := p.live[k]
		if p.na[c] == 0 {
			p.live[k] = p.live[len(p.live)-1]
			p.live = p.live[:len(p.live)-1]
			continue
		}
		p.walk(c, r, most)
	}
	p.live = p.live[:0]
}

// walk goes from city c until it is back and the way is used up, or there are most cycles.
func (p *pair) walk(c int32, r *arith.Stream, most int) {
	p.path = append(p.path[:0], c)
	p.place[c][0] = 1
	for {
		last := int32(len(p.path) - 1)
		v := p.path[last]
		if last&1 == 0 {
			v = p.takeA(v, r)
		} else {
			v = p.takeB(v, r)
		}
		last++
		from := p.place[v][last&1]
		if from == 0 {
			p.place[v][last&1] = last + 1
			p.path = append(p.path, v)
			continue
		}
		from-- // the cycle is path[from:], and v again
		for i := from + 1; i < last; i++ {
			p.place[p.path[i]][i&1] = 0
		}
		if from&1 == 0 {
			p.cycles = append(p.cycles, p.path[from:]...)
		} else {
			p.cycles = append(append(p.cycles, p.path[from+1:]...), v)
		}
		if begin := p.start[len(p.start)-1]; p.void(p.cycles[begin:]) {
			p.cycles = p.cycles[:begin]
		} else {
			p.start = append(p.start, int32(len(p.cycles)))
		}
		p.path = p.path[:from+1]
		if from == 0 || p.count() == most {
			for i, x := range p.path {
				p.place[x][i&1] = 0
			}
			return
		}
	}
}
