package ants

import (
	"context"
	"math"

	"metalab/solvers/arith"
)

// layoutRace is how mmas/wrs and as/wrs draw.
const layoutRace = "Philox4x32-10; key: seed; counter: {iteration low, iteration high, 32 ant + slot, p / 4}, word p mod 4, " +
	"for position p of the tour: p = 0, slot 0 the first city, as word * n / 2^32; later the clock of a slot of the list."

// racing is what a colony needs whose ants choose by races of clocks.
//
// Choice. At position p an ant in city c gives each unvisited candidate a clock: an
// exponential variate over its weight, both in float32 (arith.Expo32, arith.RaceKey: 27 bits
// of the quotient and the slot below). The least key wins. A weight is that of the variants called scan,
// its reciprocal is rounded once more. When all candidates are visited the ant goes to the nearest
// unvisited city, the smaller number where two are as near: with trails on lists only that
// is the city of greatest weight but for edges that are on the other city's list alone.
type racing struct {
	recip []float32 // by slot: 1 / weight
	lanes []lanes   // by worker
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
		c.recip[i] = 1 / w
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
	best := ^uint32(0)
	for s, id := range c.t.id[at : at+c.t.k] {
		if seen[id] != 0 {
			continue
		}
		u := d.word(s, p)
		// The clock is -log2 U >= (1 - U) / ln 2, of which this is less: most have lost by that.
		if math.Float32bits(float32(^u>>8)*(1.43*0x1p-24)*c.recip[at+s])&^31 > best {
			continue
		}
		best = min(best, arith.RaceKey(arith.Expo32(u), c.recip[at+s], uint32(s)))
	}
	if best == ^uint32(0) {
		return -1
	}
	return int32(at) + int32(best%Width)
}

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
