package ants

import (
	"context"
	"math"
	"math/bits"

	"metalab/solvers/arith"
)

// layoutRace is how mmas/wrs and as/wrs draw.
const layoutRace = "Philox4x32-10; key: seed; counter: {iteration low, iteration high, 32 ant + slot, p / 4}, word p mod 4, " +
	"for position p of the tour: p = 0, slot 0 the first city, as word * n / 2^32; later the clock of a slot of the list."

// racing is what a colony needs whose ants choose by races of clocks.
//
// Choice. At position p an ant in city c gives each unvisited candidate a clock: an exponential variate
// (arith.Clock32) over its weight, both in float32. The least one wins. A weight is that of the variants called scan,
// its reciprocal is rounded once more. When all candidates are visited the ant goes to the nearest
// unvisited city, the smaller number where two are as near: with trails on lists only that
// is the city of greatest weight but for edges that are on the other city's list alone.
//
// Keys. What is compared is 32 bits: those of the clock, but for the last ones, which are the city's number. With b bits of it, 5 at least, the
// clock has 23 - b bits behind the leading one, and of clocks that agree in those the smaller city wins: by 2^-(24-b) of its
// probability too often at most, 0.05 % with 13 bits. The reciprocal of its weight, too, is rounded to the nearest float whose last b
// bits are that number: by 2^-(24-b) of it at most. So there are numbers up to [keyCities], of which a city has the least b that hold all. So 32 bits tell a GPU of a slot all
// that it needs. Of 10^9 draws from 8 weights, four kinds of them, the chi-square statistic with 7 degrees of freedom was 4 to 15 with b = 10,
// 16 to 50 with b = 13, and 2 to 10 with slots in keys. With more cities the last five bits of a key are the slot, and the reciprocal is not rounded again.
type racing struct {
	recip []float32 // by slot: 1 / weight, as pack has it
	lanes []lanes   // by worker
	mask  uint32    // the last bits of a key
}

// keyCities is the greatest number of cities whose numbers are in keys: 13 bits.
const keyCities = 1 << 13

// KeyMask are the bits of a key, of n cities, that are not the clock's; short: they are a city's number, else a slot.
func KeyMask(n int) (mask uint32, short bool) {
	if n > keyCities {
		return Width - 1, false
	}
	return uint32(max(Width, 1<<bits.Len(uint(n-1))) - 1), true
}

// startRace makes room.
func (c *colony) startRace() {
	c.recip = make([]float32, len(c.t.id))
	c.mask, _ = KeyMask(c.n)
}

// pack is the reciprocal r of a weight as keys of n cities want it.
func (c *colony) pack(r float32, city int32) float32 {
	if c.n > keyCities {
		return r
	}
	b := math.Float32bits(r) - uint32(city) + (c.mask+1)/2
	return math.Float32frombits(b&^c.mask | uint32(city))
}

// lanes are the draws of an ant, a sequence for each slot of a list.
type lanes struct {
	seed  uint64
	ctr   [4]uint32
	agent uint32
	have  [Width]uint32 // 1 + the block in buf
	buf   [Width][4]uint32
}

func (d *lanes) start(seed uint64, it int64, ant int) {
	*d = lanes{seed: seed, ctr: [4]uint32{uint32(it), uint32(it >> 32)}, agent: uint32(ant) * Width}
}

// word is the draw of a slot at position p.
func (d *lanes) word(slot, p int) uint32 {
	if b := uint32(p>>2) + 1; d.have[slot] != b {
		d.ctr[2], d.ctr[3], d.have[slot] = d.agent+uint32(slot), b-1, b
		d.buf[slot] = arith.Philox4x32(d.seed, d.ctr)
	}
	return d.buf[slot][p&3]
}

// raceAll makes all tours, by walkAnt.
func (c *colony) raceAll(ctx context.Context, it int64) error {
	if err := c.begin(ctx, it); err != nil {
		return err
	}
	for i, w := range c.t.weight {
		c.recip[i] = c.pack(1/w, c.t.id[i])
	}
	for len(c.lanes) < c.env.Pool.Size() {
		c.lanes = append(c.lanes, lanes{})
	}
	c.env.Pool.Run(c.ants, c.walkAnt)
	if c.cut.Load() {
		return ctx.Err()
	}
	return nil
}

// race makes the tour of one ant.
func (c *colony) race(ant, worker int) {
	if c.stopped() {
		return
	}
	w, d, t := c.work[worker], &c.lanes[worker], c.t
	clear(w.seen)
	w.rest.done = 0
	d.start(c.env.Seed, c.it, ant)
	tour := c.tour(ant)
	city := int32(arith.Below(d.word(0, 0), c.n))
	tour[0], w.seen[city] = city, 1
	var length int64
	falls := int32(0)
	for p := 1; p < len(tour); p++ {
		if p%(glance/Width) == 0 && c.stopped() {
			return
		}
		if s := c.first(city, p, w.seen, d); s >= 0 {
			city = t.id[s]
			length += int64(t.dist[s])
		} else {
			var far int32
			city, far = c.fall(city, w, tour[:p])
			length += int64(far)
			falls++
		}
		tour[p], w.seen[city] = city, 1
	}
	c.falls[ant] = falls
	c.lengths[ant] = length + c.closing(tour)
	c.hashes[ant] = arith.HashPerm(tour)
	c.progress(c.finished.Add(1), int64(c.ants))
}

// first is the slot of a city whose clock rings first at position p, or -1 when all candidates
// are visited.
func (c *colony) first(city int32, p int, seen []uint8, d *lanes) int32 {
	at := int(city) * c.t.stride
	best, slot := ^uint32(0), -1
	for s, id := range c.t.id[at : at+c.t.k] {
		if seen[id] != 0 {
			continue
		}
		u, r := d.word(s, p), c.recip[at+s]
		if math.Float32bits(under(u)*r)&^c.mask > best {
			continue
		}
		key := uint32(s)
		if c.n <= keyCities {
			key = uint32(id)
		}
		if key |= math.Float32bits(arith.Clock32(u)*r) &^ c.mask; key < best {
			best, slot = key, at+s
		}
	}
	return int32(slot)
}

// under is not above arith.Clock32, and soon made: most slots have lost by it.
func under(u uint32) float32 { return float32(u*arith.ClockFactor) * (0.72 * 0x1p-24) }

// fall is where an ant goes from a city whose candidates are visited, and how far it is.
func (c *colony) fall(city int32, w *worker, tour []int32) (to, far int32) {
	if c.t.full == nil {
		return c.far.nearest(c.t.lists, city, w.seen, &w.rest, tour, false)
	}
	to = -1
	row := c.t.full.weight[int(city)*c.n : int(city)*c.n+c.n]
	for j, seen := range w.seen {
		if seen == 0 && (to < 0 || row[j] > row[to]) {
			to = int32(j)
		}
	}
	return to, c.sp.D(city, to)
}
