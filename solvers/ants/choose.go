package ants

import "math"

// roulette draws one of the unvisited candidates of city c with a probability in
// proportion to its weight, and returns its slot, or -1 when all are visited.
//
// u in [0, 1) is the draw. The weights of slots 4g to 4g+3 (0 where visited) are added
// as (a + b) + (c + d), these sums in order of g; with T the last total, the first g
// whose total is above uT is taken, and within it the first slot at which the total
// before g plus the weights, one by one, is above uT, else the last unvisited slot of g.
// All in float32. cum is scratch of at least stride/4 numbers.
func (t *trails) roulette(c int32, seen []uint8, cum []float32, u float32) int32 {
	at := int(c) * t.stride
	ids := t.id[at : at+t.stride]
	w := t.weight[at : at+t.stride]
	w = w[:len(ids)]
	var sum float32
	g := 0
	for s := 0; s+4 <= len(ids) && s+4 <= len(w) && g < len(cum); s += 4 {
		i, x := ids[s:s+4:s+4], w[s:s+4:s+4]
		a := mask(x[0], seen[i[0]])
		b := mask(x[1], seen[i[1]])
		c := mask(x[2], seen[i[2]])
		d := mask(x[3], seen[i[3]])
		sum += float32(a+b) + float32(c+d)
		cum[g] = sum
		g++
	}
	if sum == 0 {
		return -1
	}
	r := float32(u * sum)
	cum = cum[:g]
	g = 0
	for g < len(cum)-1 && cum[g] <= r {
		g++
	}
	var p float32
	if g > 0 {
		p = cum[g-1]
	}
	last := int32(-1)
	for s := 4 * g; s < 4*g+4; s++ {
		x := mask(w[s], seen[ids[s]])
		if x == 0 {
			continue
		}
		last = int32(at + s)
		if p += x; p > r {
			break
		}
	}
	return last
}

// mask is w, or 0 when seen is 1, without a branch.
func mask(w float32, seen uint8) float32 {
	return math.Float32frombits(math.Float32bits(w) & (uint32(seen) - 1))
}

// greatest is the slot of the unvisited candidate of c with the greatest weight (the
// first of equal ones, which is the nearest), or -1 when all are visited.
func (t *trails) greatest(c int32, seen []uint8) int32 {
	at := int(c) * t.stride
	ids := t.id[at : at+t.stride]
	w := t.weight[at : at+t.stride]
	w = w[:len(ids)]
	// Positive floats are ordered as their bits; the low half prefers the first slot.
	var best uint64
	for s, id := range ids {
		bits := uint64(math.Float32bits(w[s])&(uint32(seen[id])-1))<<32 | uint64(^uint32(s))
		best = max(best, bits)
	}
	if best>>32 == 0 {
		return -1
	}
	return int32(at) + int32(^uint32(best))
}

// fallback is where an ant goes whose candidates are all visited: to the unvisited city
// with the greatest weight; among equal ones to the nearest, then to the one with the
// smallest number. place is that of the edge.
//
// Under storage matrix that is a scan of c's row. Under storage candidates all edges
// share one trail but those on the other city's list and the guests. Of the others the
// nearest has the greatest weight, and since no trail is below the common one, the
// nearest of all unvisited cities may stand for them, whichever trail it has.
func (t *trails) fallback(c int32, far *compass, seen []uint8, r *rest, tour []int32) (city int32, at place) {
	if t.full != nil {
		city = t.strongest(c, seen)
		return city, t.placeUnlisted(c, city)
	}
	city, d := far.nearest(t.lists, c, seen, r, tour, false)
	at = none
	w := float32(-1) // of city; made when it is needed
	rev := t.reverse(c)
	for i, s := range rev {
		j := t.from(s)
		if seen[j] != 0 {
			continue
		}
		if w < 0 {
			at = t.placeUnlisted(c, city)
			w = t.weigh(t.read(c, city, at), t.visibility(c, d))
		}
		if x, l := t.weigh(t.tau[s], t.revEta[int(t.revFrom[c])+i]), t.dist[s]; before(x, l, j, w, d, city) {
			city, at, w, d = j, -1-s, x, l
		}
	}
	for e := t.extra.head[c]; e >= 0; e = t.extra.list[e].next {
		g := &t.extra.list[e]
		if seen[g.to] != 0 {
			continue
		}
		if w < 0 {
			at = t.placeUnlisted(c, city)
			w = t.weigh(t.read(c, city, at), t.visibility(c, d))
		}
		l := t.sp.D(c, g.to)
		if x := t.weigh(g.tau, t.visibility(c, l)); before(x, l, g.to, w, d, city) {
			city, at, w, d = g.to, -1-int32(len(t.tau))-e, x, l
		}
	}
	return city, at
}

// before tells whether city i, at distance d with weight w, comes before city j.
func before(w float32, d, i int32, wj float32, dj, j int32) bool {
	switch {
	case w != wj:
		return w > wj
	case d != dj:
		return d < dj
	}
	return i < j
}

// strongest scans row c of the matrix.
func (t *trails) strongest(c int32, seen []uint8) int32 {
	row := t.full.weight[int(c)*t.n : int(c)*t.n+t.n]
	city, best := int32(-1), float32(-1)
	for j, s := range seen {
		if s != 0 || row[j] < best {
			continue
		}
		if row[j] > best || t.sp.D(c, int32(j)) < t.sp.D(c, city) {
			city, best = int32(j), row[j]
		}
	}
	return city
}
