package cpu

import (
	"math/bits"

	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// Scan is the form of as/scan and mmas/scan: a choice scans the candidates. With up to mostShares
// candidates and 65536 cities it draws by shares, else by a roulette over weights.
func Scan(c *Crew) (constructor, keeper) {
	if c.t.K > mostShares || c.n > 1<<16 {
		s := &scan{c: c}
		c.tourOf = s.tour
		return s, newTable(c)
	}
	s := &shares{c: c, short: make([]uint16, len(c.t.ID)), share: make([]uint32, len(c.t.ID))}
	for i, id := range c.t.ID {
		s.short[i] = uint16(id)
	}
	c.t.Weighed, s.make = s.apportion, s.tours
	return s, newTable(c)
}

// scan makes choices by roulette.
type scan struct {
	c   *Crew
	cum [][]float32 // by worker
}

func (s *scan) rules(*crew.Rules) {}

func (s *scan) undo() {} // tours change no trails

func (s *scan) construct() {
	for len(s.cum) < s.c.pool.Size() {
		s.cum = append(s.cum, make([]float32, s.c.t.Stride/4))
	}
	s.c.each()
}

// tour makes the tour of one ant.
func (s *scan) tour(ant, worker int) (length int64, falls int32, ok bool) {
	c, t, own, cum := s.c, s.c.t, s.c.work[worker], s.cum[worker]
	clear(own.seen)
	own.unvisited.Reset()
	tour, seen := c.tour(ant), own.seen
	d := newDraws(c.seed, c.it, ant)
	city := int32(arith.Below(d.word(0), c.n))
	tour[0] = city
	seen[city] = 1
	for p := 1; p < len(tour); p++ {
		if p%checkEvery == 0 && c.stopped() {
			return 0, 0, false
		}
		if s := roulette(t, city, seen, cum, arith.Unit32(d.word(p))); s >= 0 {
			city = t.ID[s]
			length += int64(t.Dist[s])
		} else {
			to, _ := t.Fallback(city, c.Nearest, seen, &own.unvisited, tour[:p])
			length += int64(c.sp.D(city, to))
			city = to
			falls++
		}
		tour[p] = city
		seen[city] = 1
	}
	return length, falls, true
}

// shares makes choices by whole numbers. The share of a candidate is in proportion to its weight
// and at least 1; the greatest of a list is 2^30 divided by the list's length rounded up to a power
// of 2. Sums of shares are exact and fit 31 bits. No branch depends on the choice, so that a
// processor works on the choices of several ants at a time.
type shares struct {
	c     *Crew
	short []uint16    // by slot: its city
	share []uint32    // by slot
	work  []*antGroup // by worker
	make  func(group, worker int)
}

// mostShares is the longest list with shares.
const mostShares = 64

// groupSize is how many ants a goroutine moves in turn. They are independent: while the processor
// waits for the memory of one, it works on the next.
const groupSize = 3

// antGroup is the workspace of a goroutine for the ants that it moves.
type antGroup struct {
	ants [groupSize]groupAnt
	cum  [mostShares]uint32
}

// groupAnt is the state of an ant that constructs its tour.
type groupAnt struct {
	words
	ant       int
	tour      []int32
	seen      []uint8         // of n
	all       *[1 << 16]uint8 // seen and more: a number of 16 bits needs no check that it is in range
	unvisited trail.Unvisited
	falls     int32
}

func (s *shares) rules(*crew.Rules) {}

func (s *shares) undo() {} // tours change no trails

// apportion computes the shares of rows [lo, hi).
func (s *shares) apportion(lo, hi int) {
	t := s.c.t
	top := float32(int64(1) << (30 - bits.Len(uint(max(1, t.K)-1))))
	for c := lo; c < hi; c++ {
		w := t.Weight[c*t.Stride : c*t.Stride+t.K]
		share := s.share[c*t.Stride : c*t.Stride+t.K]
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

func (s *shares) construct() {
	for len(s.work) < s.c.pool.Size() {
		g := &antGroup{}
		for k := range g.ants {
			a := &g.ants[k]
			a.all = new([1 << 16]uint8)
			a.seen = a.all[:s.c.n]
		}
		s.work = append(s.work, g)
	}
	s.c.pool.RunOf((s.c.ants+groupSize-1)/groupSize, s.c.choices(s.c.n), s.make)
}

// tours makes the tours of a few ants, which are moved in turn.
func (s *shares) tours(number, worker int) {
	c, t, g := s.c, s.c.t, s.work[worker]
	if c.stopped() {
		return
	}
	ants := g.ants[:min(groupSize, c.ants-number*groupSize)]
	for k := range ants {
		a := &ants[k]
		clear(a.seen)
		a.unvisited.Reset()
		a.ant = number*groupSize + k
		a.tour, a.falls = c.tour(a.ant), 0
		a.seed, a.ctr = c.seed, [4]uint32{uint32(c.it), uint32(c.it >> 32), uint32(a.ant), 0}
		a.fill(0)
		city := int32(arith.Below(a.buf[0], c.n))
		a.tour[0] = city
		a.seen[city] = 1
	}
	for p := 1; p < c.n; p++ {
		if p%checkEvery == 0 && c.stopped() {
			return
		}
		for k := range ants {
			a := &ants[k]
			if p%len(a.buf) == 0 {
				a.fill(p)
			}
			city := a.tour[p-1]
			if i := s.pick(city, a.all, &g.cum, a.buf[p%len(a.buf)]); i >= 0 {
				city = int32(s.short[i])
			} else {
				city, _ = t.Fallback(city, c.Nearest, a.seen, &a.unvisited, a.tour[:p])
				a.falls++
			}
			a.tour[p] = city
			a.seen[city] = 1
		}
	}
	for k := range ants {
		a := &ants[k]
		c.made(a.ant, c.sp.Length(a.tour), a.falls)
	}
}

// pick draws one of the unvisited candidates of city c with a probability in proportion to
// its share, and returns its slot, or -1 when all are visited: with T the sum of the unvisited
// ones' shares, the first slot up to which they add up to more than floor(u T / 2^32). cum is
// scratch.
func (s *shares) pick(c int32, seen *[1 << 16]uint8, cum *[mostShares]uint32, u uint32) int {
	t := s.c.t
	at := int(c) * t.Stride
	ids := s.short[at : at+t.Stride]
	w := s.share[at : at+t.Stride]
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

// words are the draws of an ant's positions, made in advance, so that a processor can compute
// several blocks at the same time.
type words struct {
	seed uint64
	ctr  [4]uint32
	buf  [64]uint32
}

// fill draws the words of the positions from p on, a multiple of the buffer's length.
func (w *words) fill(p int) {
	for i := 0; i+8 <= len(w.buf); i += 8 {
		b := w.buf[i : i+8 : i+8]
		b[0], b[1], b[2], b[3], b[4], b[5], b[6],
			b[7] = arith.PhiloxPair(w.seed, w.ctr[0], w.ctr[1], w.ctr[2], uint32((p+i)>>2))
	}
}
