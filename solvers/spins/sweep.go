package spins

import (
	"math/bits"

	"metalab/solvers/arith"
)

// all is a word of 64 bits of 1.
const all = ^uint64(0)

// A sweeper makes the sweeps of 64 walks, those of two groups.
type sweeper struct {
	net    *Net
	levels *Levels
	words  []uint64 // by position, and all for that of fields
	used   uint64   // the walks that there are
	flips  int64    // made

	// Of the draws: the seed, iteration and number of the first group.
	seed           uint64
	low, high, own uint32

	// Of the position at hand.
	plane [64]uint64 // of the weight of its good edges
	at    uint32     // the third word of the counters
	draw  [32]uint64 // its random words
	drawn int        // how many of them there are
}

// sweep tries the flip of each vertex once.
func (w *sweeper) sweep(number int) {
	n := w.net
	for i := range n.N {
		row := n.Edge[n.First[i]:n.First[i+1]]
		var flip uint64
		switch {
		case n.Weight != nil:
			w.weighted(row, n.Weight[n.First[i]:], i)
			flip = w.decide(i, number, n.planes(i))
		case len(row) < 8:
			flip = w.few(row, i, number)
		default:
			w.many(row, i)
			flip = w.decide(i, number, n.planes(i))
		}
		w.words[i] ^= flip
		w.flips += ones(flip & w.used)
	}
}

// good says in which walks an edge of a vertex with these sides is good.
func (w *sweeper) good(own uint64, edge int32) uint64 {
	return w.words[edge>>1] ^ own ^ -uint64(edge&1)
}

// few returns the flips of a position with at most 7 edges of weight 1.
func (w *sweeper) few(row []int32, i, number int) uint64 {
	own := w.words[i]
	var c0, c1, c2 uint64
	k := 0
	for ; k+1 < len(row); k += 2 {
		x, y := w.good(own, row[k]), w.good(own, row[k+1])
		sum := x ^ y
		carry := x&y | c0&sum
		c0 ^= sum
		c1, carry = c1^carry, c1&carry
		c2 ^= carry
	}
	if k < len(row) {
		x := w.good(own, row[k])
		carry := c0 & x
		c0 ^= x
		c1, carry = c1^carry, c1&carry
		c2 ^= carry
	}
	half := uint64(len(row) >> 1)
	h0, h1 := -(half & 1), -(half >> 1)
	less := ^c0 & h0
	c0 ^= h0
	b := ^c1&h1 | ^(c1^h1)&less
	c1 ^= h1 ^ less
	less = ^c2 & b
	c2 ^= b
	yes := less | ^(c0 | c1 | c2)
	odd := len(row) & 1
	top := w.levels.Top[odd]
	worse := ^yes & w.used
	if worse == 0 || top == 0 {
		return yes
	}
	level := [MaxLevels]uint64{
		worse & c0 &^ (c1 | c2), worse & c1 &^ (c0 | c2), worse & c0 & c1 &^ c2, worse & c2 &^ (c0 | c1),
	}
	open := level[0]
	for k := 1; k < min(int(top), 4); k++ {
		open |= level[k]
	}
	if open == 0 {
		return yes
	}
	w.turn(i, number)
	return yes | w.compare(&level, open, odd)
}

// many adds up the good edges of a position, of weight 1, in the planes.
func (w *sweeper) many(row []int32, i int) {
	own := w.words[i]
	p := w.plane[:w.net.planes(i)]
	clear(p)
	k := 0
	for ; k+3 < len(row); k += 4 {
		a, b := w.good(own, row[k]), w.good(own, row[k+1])
		c, d := w.good(own, row[k+2]), w.good(own, row[k+3])
		s, t := a^b, c^d
		one, two := p[0]^s, a&b|p[0]&s
		four := c&d | one&t
		p[0] = one ^ t
		u := two ^ four
		carry := two&four | p[1]&u
		p[1] ^= u
		for j := 2; carry != 0; j++ {
			p[j], carry = p[j]^carry, p[j]&carry
		}
	}
	for ; k < len(row); k++ {
		carry := w.good(own, row[k])
		for j := 0; carry != 0; j++ {
			p[j], carry = p[j]^carry, p[j]&carry
		}
	}
}

// weighted adds up the weights of the good edges of a position in the planes.
func (w *sweeper) weighted(row, weight []int32, i int) {
	own := w.words[i]
	p := w.plane[:w.net.planes(i)]
	clear(p)
	for k, e := range row {
		add(p, w.good(own, e), uint32(weight[k]))
	}
}

// add adds a weight to the sums of some walks.
func add(plane []uint64, walks uint64, weight uint32) {
	for ; weight != 0; weight &= weight - 1 {
		carry := walks
		for j := bits.TrailingZeros32(weight); carry != 0; j++ {
			plane[j], carry = plane[j]^carry, plane[j]&carry
		}
	}
}

// decide returns the flips of a position whose sums are in the first planes.
func (w *sweeper) decide(i, number, planes int) uint64 {
	total := w.net.Total[i]
	odd := int(total & 1)
	half := total >> 1
	var less, any uint64
	p := w.plane[:planes]
	for j, x := range p { // the sums become levels
		h := -uint64(half >> j & 1)
		p[j] = x ^ h ^ less
		less = ^x&h | ^(x^h)&less
		any |= p[j]
	}
	yes := less | ^any
	worse := ^yes & w.used
	top := w.levels.Top[odd]
	for j := range p {
		if int64(1)<<j > top {
			worse &^= p[j]
		}
	}
	if worse == 0 {
		return yes
	}
	var level [MaxLevels]uint64
	var open uint64
	for k := int64(1); k <= min(top, MaxLevels, total); k++ {
		m := worse
		for j, x := range p {
			m &= x ^ (uint64(k>>j&1) - 1)
		}
		level[k-1] = m
		open |= m
	}
	w.turn(i, number)
	if open != 0 {
		yes |= w.compare(&level, open, odd)
	}
	if worse &^= open; worse != 0 && top > MaxLevels {
		yes |= w.beyond(worse, p, odd)
	}
	return yes
}

// turn begins the draws of a position.
func (w *sweeper) turn(i, number int) {
	w.at = uint32(w.net.Vertex[i]) ^ uint32(number)<<20
	w.drawn = 0
}

// more makes four more random words.
func (w *sweeper) more() {
	a0, a1, a2, a3, b0, b1, b2, b3 := arith.PhiloxPair(w.seed, w.low,
		w.high^uint32(w.drawn)<<18^drawSweep, w.at, w.own)
	d := w.draw[w.drawn : w.drawn+4]
	d[0], d[1] = uint64(a0)|uint64(b0)<<32, uint64(a1)|uint64(b1)<<32
	d[2], d[3] = uint64(a2)|uint64(b2)<<32, uint64(a3)|uint64(b3)<<32
	w.drawn += 4
}

// compare returns which of the walks open flip, by the bits of their numbers and thresholds.
func (w *sweeper) compare(level *[MaxLevels]uint64, open uint64, odd int) (won uint64) {
	bit := w.levels.Planes[32*odd : 32*odd+32]
	for b, t := range bit {
		if b == w.drawn {
			w.more()
		}
		var p uint64
		for ; t != 0; t &= t - 1 {
			p |= level[bits.TrailingZeros32(t)&(MaxLevels-1)]
		}
		r := w.draw[b]
		won |= open & p &^ r
		if open &^= p ^ r; open == 0 {
			break
		}
	}
	return won
}

// beyond returns which of some walks flip, each by its own level.
func (w *sweeper) beyond(walks uint64, plane []uint64, odd int) (won uint64) {
	for ; walks != 0; walks &= walks - 1 {
		at := bits.TrailingZeros64(walks)
		var level int64
		for j, x := range plane {
			level |= int64(x>>at&1) << j
		}
		if level > w.levels.Top[odd] {
			continue
		}
		q := w.levels.At(level, odd)
		for b := range 32 {
			if b == w.drawn {
				w.more()
			}
			is, want := uint32(w.draw[b]>>at)&1, q>>(31-b)&1
			if is != want {
				won |= uint64(want) << at
				break
			}
		}
	}
	return won
}

// counts adds up, by walk, the weight of the good edges, each once.
func (w *sweeper) counts() (sums [64]int64) {
	n := w.net
	var p [64]uint64
	var eight [8]uint64
	waits := 0
	for i := range n.N {
		own := w.words[i]
		for k := n.First[i]; k < n.First[i+1]; k++ {
			e := n.Edge[k]
			if int(e>>1) < i {
				continue
			}
			x := w.good(own, e)
			if n.Weight != nil {
				add(p[:], x, uint32(n.Weight[k]))
				continue
			}
			eight[waits] = x
			if waits++; waits == 8 {
				addEight(&p, &eight)
				waits = 0
			}
		}
	}
	for _, x := range eight[:waits] {
		add(p[:], x, 1)
	}
	for j, x := range p {
		for ; x != 0; x &= x - 1 {
			sums[bits.TrailingZeros64(x)] += 1 << j
		}
	}
	return sums
}

// addEight adds eight words to the sums.
func addEight(p *[64]uint64, x *[8]uint64) {
	s0, c0 := full(p[0], x[0], x[1])
	s0, c1 := full(s0, x[2], x[3])
	s0, c2 := full(s0, x[4], x[5])
	s0, c3 := full(s0, x[6], x[7])
	s1, d0 := full(p[1], c0, c1)
	s1, d1 := full(s1, c2, c3)
	s2, carry := full(p[2], d0, d1)
	p[0], p[1], p[2] = s0, s1, s2
	for j := 3; carry != 0; j++ {
		p[j], carry = p[j]^carry, p[j]&carry
	}
}

// full adds three bits of each walk.
func full(a, b, c uint64) (sum, carry uint64) {
	u := a ^ b
	return u ^ c, a&b | u&c
}

// hashes are those of the two groups, of the walks that there are: sums over the vertices of
// arith.Mix64(vertex << 32 | word).
func (w *sweeper) hashes() (h [2]uint64) {
	for i, v := range w.net.Vertex {
		x := w.words[i] & w.used
		h[0] += arith.Mix64(uint64(v)<<32 | x&(1<<32-1))
		h[1] += arith.Mix64(uint64(v)<<32 | x>>32)
	}
	return h
}
