package cpu

import (
	"math"

	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// clocks is the form of as/wrs and mmas/wrs, whose ants choose by races of exponential clocks.
//
// Choice. At position p an ant in city c gives each unvisited candidate a clock: an exponential
// variate (arith.Clock32) over its weight, both in float32. The least one wins. A weight is that of
// the variants called scan, its reciprocal is rounded once more. When all candidates are visited
// the ant goes to the nearest unvisited city, among equally near ones to the smaller number. With
// trails on lists only, that is the city of greatest weight, except for edges that are on the other
// city's list alone.
//
// Keys. The keys that are compared have 32 bits: those of the clock, in which the city's number
// replaces the last b bits, 5 or more. So the clock has 23 - b bits after the leading one, and of
// clocks that agree in those the smaller city wins. That raises its probability by at most
// 2^-(24-b) of it, 0.05 % with 13 bits. The reciprocal of the weight is rounded likewise, to the
// nearest float whose last b bits are the city's number, by at most 2^-(24-b) of it. b is the least
// that holds all numbers, up to the number of cities that crew.KeyMask says. So 32 bits are all
// that a GPU needs to know of a slot. For 10^9 draws from 8 weights, of four kinds, the chi-square
// statistic with 7 degrees of freedom was 4 to 15 with b = 10, 16 to 50 with b = 13, and 2 to 10
// with slots in keys. With more cities the last five bits of a key are the slot, and the reciprocal
// is not rounded again.
type clocks struct {
	c     *Crew
	recip []float32 // by slot: 1 / weight, as pack has it
	lanes []lanes   // by worker
	mask  uint32    // the last bits of a key
	short bool      // they are a city's number
}

func newClocks(c *Crew) *clocks {
	w := &clocks{c: c, recip: make([]float32, len(c.t.ID))}
	w.mask, w.short = crew.KeyMask(c.n)
	c.tourOf = w.tour
	return w
}

// SystemWRS is the form of as/wrs.
func SystemWRS(c *Crew) (constructor, keeper) {
	k := newTable(c)
	k.deposits = (&shareDeposits{c: c, sum: make([]uint64, len(c.t.ID))}).deposit
	return newClocks(c), k
}

// WRS is the form of mmas/wrs.
func WRS(c *Crew) (constructor, keeper) { return newClocks(c), newTable(c) }

func (w *clocks) rules(*crew.Rules) {}

func (w *clocks) undo() {} // tours change no trails

// pack rounds the reciprocal r of a weight as keys need it.
func (w *clocks) pack(r float32, city int32) float32 {
	if !w.short {
		return r
	}
	b := math.Float32bits(r) - uint32(city) + (w.mask+1)/2
	return math.Float32frombits(b&^w.mask | uint32(city))
}

func (w *clocks) construct() {
	t := w.c.t
	for i, x := range t.Weight {
		w.recip[i] = w.pack(1/x, t.ID[i])
	}
	for len(w.lanes) < w.c.pool.Size() {
		w.lanes = append(w.lanes, lanes{})
	}
	w.c.each()
}

// tour makes the tour of one ant.
func (w *clocks) tour(ant, worker int) (length int64, falls int32, ok bool) {
	c, d, t, own := w.c, &w.lanes[worker], w.c.t, w.c.work[worker]
	clear(own.seen)
	own.unvisited.Reset()
	d.start(c.seed, c.it, ant)
	tour := c.tour(ant)
	city := int32(arith.Below(d.word(0, 0), c.n))
	tour[0], own.seen[city] = city, 1
	for p := 1; p < len(tour); p++ {
		if p%(checkEvery/trail.Width) == 0 && c.stopped() {
			return 0, 0, false
		}
		if s := w.first(city, p, own.seen, d); s >= 0 {
			city = t.ID[s]
			length += int64(t.Dist[s])
		} else {
			var far int32
			city, far = c.fallback(city, own, tour[:p])
			length += int64(far)
			falls++
		}
		tour[p], own.seen[city] = city, 1
	}
	return length, falls, true
}

// first returns the slot of the candidate whose clock rings first at position p, or -1 if all
// candidates are visited. It computes the clocks of those alone that a bound does not exclude.
func (w *clocks) first(city int32, p int, seen []uint8, d *lanes) int32 {
	t := w.c.t
	at := int(city) * t.Stride
	ids := t.ID[at : at+t.K : at+t.K]
	recip := w.recip[at:][:len(ids)]
	// By slot: all bits of a visited city, later a bound of its key.
	var bound [trail.Width]uint32
	draws := d.draw(ids, seen, p)
	// By slot: a bound of its key, with the slot in its last bits; all bits of a visited city.
	least := ^uint32(0)
	for s, r := range recip {
		s %= trail.Width
		b := math.Float32bits(under(draws[s]) * r)
		b = b&^(trail.Width-1) | uint32(s) | -uint32(seen[ids[s]])
		bound[s] = b
		least = min(least, b)
	}
	if least == ^uint32(0) {
		return -1
	}
	slot := int(least % trail.Width)
	best := w.key(draws[slot], recip[slot], uint32(slot), ids[slot])
	begin := slot
	for s, b := range bound[:len(ids)] {
		if b&^w.mask > best || s == begin {
			continue
		}
		if key := w.key(draws[s%trail.Width], recip[s], uint32(s), ids[s]); key < best {
			best, slot = key, s
		}
	}
	return int32(at + slot)
}

// key is the key of a slot with the draw u, the reciprocal r of a weight and a city.
func (w *clocks) key(u uint32, r float32, slot uint32, city int32) uint32 {
	last := slot
	if w.short {
		last = uint32(city)
	}
	return math.Float32bits(arith.Clock32(u)*r)&^w.mask | last
}

// under is a lower bound of arith.Clock32 that is quick to compute: 256 if the first bit of u is 0,
// and 0.72 times what the product makes of the fraction, added up before they are rounded, in
// units of 0.72/2^24. Few slots have a bound below the clock that wins, those with more leading
// zeros included.
func under(u uint32) float32 {
	const zero = 5965220000 // less than 256 / (0.72/2^24) by 2e-6 of it, for the rounding
	return float32(int64(int32(^u))>>63&zero+int64(u*arith.ClockFactor)) * (0.72 * 0x1p-24)
}

// fallback returns the city that an ant goes to from a city whose candidates are all visited, and
// its distance: the nearest unvisited city, or, if all edges have trails, that of the greatest
// weight, of equal ones the smallest number.
func (c *Crew) fallback(city int32, w *worker, tour []int32) (to, far int32) {
	if c.t.Full == nil {
		return c.Nearest.Of(city, w.seen, &w.unvisited, tour)
	}
	to = -1
	row := c.t.Full.Weight[int(city)*c.n : int(city)*c.n+c.n]
	for j, seen := range w.seen {
		if seen == 0 && (to < 0 || row[j] > row[to]) {
			to = int32(j)
		}
	}
	return to, c.sp.D(city, to)
}

// lanes are the draws of an ant, a sequence for each slot of a list.
type lanes struct {
	keys  [20]uint32 // of the rounds of the generator
	slots [trail.Width]opening
	first uint32                 // what the first round makes of the iteration, and its key
	block uint32                 // 1 + that which draw made of all slots
	have  [trail.Width]uint32    // 1 + the block in buf
	buf   [4][trail.Width]uint32 // by position modulo 4
}

// opening is what the first three rounds of the generator make of an ant and a slot, whatever the
// position: the second word of the first round, both halves of the second product of the third and
// its last word, with the keys that come upon them.
type opening struct{ second, high, low, last uint32 }

// The factors of arith.Philox4x32.
const philox0, philox1 = 0xD2511F53, 0xCD9E8D57

func (d *lanes) start(seed uint64, it int64, ant int) {
	*d = lanes{}
	k := &d.keys
	for i := range uint32(10) {
		k[2*i] = uint32(seed) + i*0x9E3779B9
		k[2*i+1] = uint32(seed>>32) + i*0xBB67AE85
	}
	p0 := philox0 * uint64(uint32(it))
	d.first = uint32(p0>>32) ^ k[1]
	for s := range d.slots {
		p1 := philox1 * uint64(uint32(ant)*trail.Width+uint32(s))
		q0 := philox0 * uint64(uint32(p1>>32)^uint32(it>>32)^k[0])
		q1 := philox1 * uint64(uint32(q0>>32)^uint32(p0)^k[3])
		d.slots[s] = opening{
			second: uint32(p1) ^ k[2], high: uint32(q1>>32) ^ k[4], low: uint32(q1),
			last: uint32(q0) ^ k[5],
		}
	}
}

// word is the draw of a slot at position p.
func (d *lanes) word(slot, p int) uint32 {
	if b := uint32(p>>2) + 1; d.have[slot] != b {
		d.make(slot, slot+1, b)
	}
	return d.buf[p&3][slot]
}

// draw returns draws of slots at position p, at least for slots with unvisited cities. If these are
// many, it computes all, since the positions to come use the same blocks.
func (d *lanes) draw(ids []int32, seen []uint8, p int) *[trail.Width]uint32 {
	draws := &d.buf[p%4]
	b := uint32(p>>2) + 1
	if d.block == b {
		return draws
	}
	open := len(ids)
	for _, id := range ids {
		open -= int(seen[id])
	}
	switch {
	case open == 0:
	case 4*open >= len(ids):
		d.block = b
		d.make(0, len(ids), b)
	default:
		for s, id := range ids {
			if seen[id] == 0 && d.have[s%trail.Width] != b {
				d.make(s, s+1, b)
			}
		}
	}
	return draws
}

// make makes the draws of slots from begin on and below end in block b - 1. It is
// arith.Philox4x32, of whose first three rounds start has made what does not depend on the block.
func (d *lanes) make(begin, end int, b uint32) {
	const m0, m1 = philox0, philox1
	k, w := &d.keys, &d.buf
	q := m1 * uint64(d.first^(b-1))
	high, low := uint32(q>>32), uint32(q)
	for s := begin; s < end; s++ {
		slot := s % trail.Width
		e := &d.slots[slot]
		d.have[slot] = b
		p0 := m0 * uint64(high^e.second)
		c0, c1, c2, c3 := e.high^low, e.low, uint32(p0>>32)^e.last, uint32(p0)
		var p1 uint64
		p0, p1 = m0*uint64(c0), m1*uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k[6], uint32(p1), uint32(p0>>32)^c3^k[7], uint32(p0)
		p0, p1 = m0*uint64(c0), m1*uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k[8], uint32(p1), uint32(p0>>32)^c3^k[9], uint32(p0)
		p0, p1 = m0*uint64(c0), m1*uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k[10], uint32(p1), uint32(p0>>32)^c3^k[11], uint32(p0)
		p0, p1 = m0*uint64(c0), m1*uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k[12], uint32(p1), uint32(p0>>32)^c3^k[13], uint32(p0)
		p0, p1 = m0*uint64(c0), m1*uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k[14], uint32(p1), uint32(p0>>32)^c3^k[15], uint32(p0)
		p0, p1 = m0*uint64(c0), m1*uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k[16], uint32(p1), uint32(p0>>32)^c3^k[17], uint32(p0)
		p0, p1 = m0*uint64(c0), m1*uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k[18], uint32(p1), uint32(p0>>32)^c3^k[19], uint32(p0)
		w[0][slot], w[1][slot], w[2][slot], w[3][slot] = c0, c1, c2, c3
	}
}
