package ants

import (
	"math/bits"

	"metalab/solvers/arith"
)

// Weights of as/scan and mmas/scan with lists of up to mostShares candidates, up to 65536
// cities, are integers: shares, in proportion to the weights, the greatest of a list 2^30 divided by the power of 2
// not below the list's length, none below 1. Their sums are exact and fit 31 bits; a choice is made
// without a branch that depends on it, so that a processor works on the choices of several ants
// at a time.

// mostShares is the longest list with shares.
const mostShares = 64

// gang is how many ants a goroutine moves in turn. They share nothing: while one waits for
// memory, the next is worked on.
const gang = 3

// apportion makes the shares of rows [lo, hi).
func (t *trails) apportion(lo, hi int) {
	top := float32(int64(1) << (30 - bits.Len(uint(max(1, t.k)-1))))
	for c := lo; c < hi; c++ {
		w := t.weight[c*t.stride : c*t.stride+t.k]
		share := t.share[c*t.stride : c*t.stride+t.k]
		most := float32(0)
		for _, x := range w {
			most = max(most, x)
		}
		scale := top / most
		for i, x := range w {
			share[i] = uint32(max(1, int32(float32(x*scale))))
		}
	}
}

// pick draws one of the unvisited candidates of city c with a probability in proportion to
// its share, and returns its slot, or -1 when all are visited: with T the sum of the unvisited
// ones' shares, the first slot up to which they add up to more than floor(u T / 2^32). cum is
// scratch.
func (t *trails) pick(c int32, seen *[1 << 16]uint8, cum *[mostShares]uint32, u uint32) int {
	at := int(c) * t.stride
	ids := t.short[at : at+t.stride]
	w := t.share[at : at+t.stride]
	w = w[:len(ids)]
	var sum uint32
	for s := 0; s+4 <= len(ids) && s+4 <= len(w) && s+4 <= len(cum); s += 4 {
		i, x, o := ids[s:s+4:s+4], w[s:s+4:s+4], cum[s:s+4:s+4]
		a := x[0] & (uint32(seen[i[0]]) - 1)
		b := x[1]&(uint32(seen[i[1]])-1) + a
		c := x[2]&(uint32(seen[i[2]])-1) + b
		d := x[3]&(uint32(seen[i[3]])-1) + c
		o[0], o[1], o[2] = sum+a, sum+b, sum+c
		sum += d
		o[3] = sum
	}
	if sum == 0 {
		return -1
	}
	r := uint32(uint64(u) * uint64(sum) >> 32)
	// The sign bit of cum - r - 1 tells that cum is not above r.
	g := uint32(0)
	for s := 3; s < len(ids) && s < len(cum); s += 4 {
		g += (cum[s] - r - 1) >> 31
	}
	o := cum[4*g&(mostShares-1):]
	if len(o) > 2 {
		return at + int(4*g+(o[0]-r-1)>>31+(o[1]-r-1)>>31+(o[2]-r-1)>>31)
	}
	return -1
}

// words are the draws of an ant's positions, made in advance: blocks do not wait for one another.
type words struct {
	seed uint64
	ctr  [4]uint32
	buf  [64]uint32
}

// fill makes the words of the positions that begin at p, a multiple of the buffer's length.
func (w *words) fill(p int) {
	for i := 0; i+8 <= len(w.buf); i += 8 {
		b := w.buf[i : i+8 : i+8]
		b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7] = arith.PhiloxPair(w.seed, w.ctr[0], w.ctr[1], w.ctr[2], uint32((p+i)>>2))
	}
}

// stroll is an ant under way.
type stroll struct {
	words
	ant   int
	tour  []int32
	seen  []uint8         // of n
	all   *[1 << 16]uint8 // seen and more: a number of 16 bits needs no check that it is in range
	rest  rest
	falls int32
}

// walkAll lets all ants walk and improves their tours.
func (c *colony) walkAll() {
	if c.t.share == nil {
		c.env.Pool.Run(c.ants, c.walkAnt)
	} else {
		c.env.Pool.Run((c.ants+gang-1)/gang, c.strollGang)
	}
	if c.localShare != 1 && c.localSearch != localNone && !c.cut.Load() {
		c.improveAll()
	}
}

// strolls makes the tours of a few ants, which are moved in turn.
func (c *colony) strolls(group, worker int) {
	if c.stopped() {
		return
	}
	w, t := c.work[worker], c.t
	w.strolls = w.strolls[:0]
	for ant := group * gang; ant < min(c.ants, (group+1)*gang); ant++ {
		k := len(w.strolls)
		w.strolls = w.strolls[:k+1]
		a := &w.strolls[k]
		if a.seen == nil {
			a.all = new([1 << 16]uint8)
			a.seen = a.all[:c.n]
		}
		clear(a.seen)
		a.ant, a.tour, a.falls, a.rest.done = ant, c.tour(ant), 0, 0
		a.seed, a.ctr = c.env.Seed, [4]uint32{uint32(c.it), uint32(c.it >> 32), uint32(ant), 0}
		a.fill(0)
		city := int32(arith.Below(a.buf[0], c.n))
		a.tour[0] = city
		a.seen[city] = 1
	}
	for p := 1; p < c.n; p++ {
		if p%glance == 0 && c.stopped() {
			return
		}
		for k := range w.strolls {
			a := &w.strolls[k]
			if p%len(a.buf) == 0 {
				a.fill(p)
			}
			city := a.tour[p-1]
			if s := t.pick(city, a.all, &w.sums, a.buf[p%len(a.buf)]); s >= 0 {
				city = int32(t.short[s])
			} else {
				city, _ = t.fallback(city, c.far, a.seen, &a.rest, a.tour[:p])
				a.falls++
			}
			a.tour[p] = city
			a.seen[city] = 1
		}
	}
	for k := range w.strolls {
		a := &w.strolls[k]
		c.falls[a.ant] = a.falls
		c.lengths[a.ant] = c.sp.Length(a.tour)
		if c.localShare == 1 {
			c.improve(a.ant, worker)
		}
		c.hashes[a.ant] = arith.HashPerm(a.tour)
		c.progress(c.finished.Add(1), int64(c.ants))
	}
}
