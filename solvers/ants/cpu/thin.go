package cpu

import (
	"math"
	"slices"

	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// Constants of mmas/thin, part of what it computes.
const (
	// the time, in units of the tail, after which a choice looks at all unvisited cities; until
	// then thinEnd ln 2 arrivals are expected
	thinEnd   = 64
	thinLeave = 24      // arrivals of a batch of 32 after which an ant begins a new one
	thinHeavy = 4       // how many of the heaviest other cities have clocks too
	thinLast  = 128     // how many choices at the end look at a list of all unvisited cities
	thinCell  = 1 << 16 // units of a cell of an alias table
	// units of a cell for cities of the tail; the rest goes to the city of the table, which is always
	// visited
	thinFill = thinCell - 64
)

const (
	purposeArrive = 1 << 29
	purposeLast   = 3 << 29
)

// thin is mmas/thin: each unvisited city is chosen with a probability in proportion to its weight,
// as in mmas/rows without lists, at a cost that hardly grows with their number.
//
// A choice is a race of clocks. Each near city that is unvisited has a clock of its own, an
// exponential variate over its weight (in float32). Near cities are the nearest ones, as many as
// the parameter candidates says, at most 28, and of the others the four of greatest weight (of
// equal ones those with the smallest numbers). Without these four, one edge of good tours could
// have most of the tail's weight, even if it leads to a visited city.
//
// All other cities, the tail, visited ones too, have an alias table, rebuilt in each iteration.
// They arrive in a Poisson process with the rate of the whole table; each arrival draws a city from
// the table, which reads one cell. If it is unvisited and arrives before all near clocks ring, the
// ant goes there; if it is visited, the arrival is ignored (thinning). If no unvisited city arrives
// before the first near clock rings, the ant goes to the city of that clock.
//
// Time is measured so that the tail of the city where the ant is has rate 1: then the process is
// the same in each city. So arrivals are drawn 32 at a time, as running sums of exponential
// variates, and serve one choice after the other: arrivals after the end of a choice were not
// looked at, and can be used by the next choice as if they were new. The ant begins a new batch
// after a choice that ends after 24 or more of the batch's arrivals, and within a choice when the
// batch is used up. Both conditions depend only on arrivals that are used up.
//
// If no city was chosen before the time 64, about 44 arrivals, all unvisited cities of the tail get
// new clocks that start then ([race]): a Poisson process has no memory, so the probabilities stay
// the same. The last 128 choices are races of clocks over a list of the unvisited cities, in the
// order of their numbers; the list is built when 128, 96, 64 and 32 are left. Among equal clocks
// the smaller number wins.
//
// A table has n cells of 2^16 units. A city of the tail gets units in proportion to its weight,
// rounded; the rest, about 0.1 %, goes to the city whose table it is. So a city's probability in
// the tail is exact to within 2^-17 of a cell; the resolution of time is 2^-18 or finer. Units are
// whole numbers, so that the order of additions does not matter. A cell is 32 bits: the number of
// its units that belong to the city with the cell's number, and the city that has the others.
type thin struct {
	c     *Crew
	lanes []lanes // by worker

	alias  []uint32   // n x n: the number of units of the cell's own city << 16 | the other city
	near   []int32    // n x trail.Width: the cities with clocks
	clock  []float32  // by the same: the rate of the tail over the weight
	gap    []float32  // by city: 1 / the rate of its tail, over ln 2
	come   []arrivals // by worker
	spare  [][]float32
	units  [][]uint32
	places [][]int32
	tables func(city, worker int)
}

// arrivals is a batch of an ant's arrivals.
type arrivals struct {
	at    [tile]float32 // when, rising
	draw  [tile]uint32  // draws the city that arrives
	next  int           // the first that may not be used up
	now   float32
	batch uint32 // the next one
	more  [tile][2]uint32
}

// Thin is the form of mmas/thin.
func Thin(c *Crew) (constructor, keeper) {
	n := c.n
	h := &thin{
		c: c, alias: make([]uint32, n*n), gap: make([]float32, n),
		near: make([]int32, n*trail.Width), clock: make([]float32, n*trail.Width),
	}
	c.tourOf, h.tables = h.tour, h.table
	return h, newTable(c)
}

func (h *thin) rules(*crew.Rules) {}

func (h *thin) undo() {} // tours change no trails

func (h *thin) construct() {
	for len(h.come) < h.c.pool.Size() {
		h.lanes = append(h.lanes, lanes{})
		h.come = append(h.come, arrivals{})
		h.units = append(h.units, make([]uint32, h.c.n))
		h.spare = append(h.spare, make([]float32, h.c.n))
		h.places = append(h.places, make([]int32, 0, thinLast))
	}
	h.c.pool.Run(h.c.n, h.tables)
	h.c.each()
}

// clocks are the cities that have clocks of their own where an ant is in c.
func (h *thin) clocks(c int) []int32 {
	m := min(h.c.t.K, trail.Width-thinHeavy)
	return h.near[c*trail.Width:][:min(m+thinHeavy, h.c.n-1)]
}

// table finds the near cities of c and makes the alias table of its tail.
//
// Cities with less than a cell are light, those with more are heavy. Light ones in the order of
// numbers fill their cells up from the first heavy one that has something left; a heavy
// one that has no more than a cell left fills its own up from the next.
func (h *thin) table(c, worker int) {
	n, w := h.c.n, h.spare[worker]
	copy(w, h.c.t.Full.Weight[c*n:c*n+n])
	w[c] = 0
	near := h.clocks(c)
	for i := range near {
		if own := min(h.c.t.K, trail.Width-thinHeavy); i < own {
			near[i] = h.c.t.ID[c*h.c.t.Stride+i]
		} else {
			best := float32(0)
			for j, x := range w {
				if x > best {
					near[i], best = int32(j), x
				}
			}
		}
		w[near[i]] = 0
	}
	var sums [8][tile]float32
	for j, x := range w {
		sums[j/tile%len(sums)][j%tile] += x
	}
	x := &sums[0]
	for _, s := range sums[1:] {
		for l := range x {
			x[l] += s[l]
		}
	}
	for d := tile / 2; d > 0; d /= 2 {
		for l := range d {
			x[l] += x[l+d]
		}
	}
	total := x[0]
	if total == 0 {
		return
	}
	share, units := float32(float32(n*thinFill)/total), h.units[worker]
	h.gap[c] = share / float32(n*thinCell)
	rate := float32(n*thinCell) / share
	for i, j := range near {
		h.clock[c*trail.Width+i] = min(max(float32(1/h.c.t.Full.Weight[c*n+int(j)])*rate, 0x1p-100),
			0x1p100)
	}
	rest := uint32(n * thinCell)
	for j, x := range w {
		units[j] = uint32(float32(x*share) + 0.5)
		rest -= units[j]
	}
	units[c] = rest
	next := func(j int) int { // the first heavy city from j on, or n
		for j < n && units[j] <= thinCell {
			j++
		}
		return j
	}
	alias := h.alias[c*n : c*n+n]
	heavy := next(0)
	var left uint32 // of heavy
	if heavy < n {
		left = units[heavy]
	}
	for j, u := range units {
		switch {
		case u == thinCell:
			alias[j] = uint32(j)
		case u < thinCell:
			alias[j] = u<<16 | uint32(heavy)
			left -= thinCell - u
			for left <= thinCell && heavy < n {
				own, need := heavy, thinCell-left
				if heavy = next(own + 1); need == 0 {
					alias[own] = uint32(own)
				} else {
					alias[own] = left<<16 | uint32(heavy)
				}
				if heavy < n {
					left = units[heavy] - need
				}
			}
		}
	}
}

// propose is the city of c's tail that u falls on.
func (h *thin) propose(c int32, u uint32) int32 {
	at := uint64(u) * uint64(h.c.n)
	cell := h.alias[int(c)*h.c.n+int(at>>32)]
	if uint32(at)>>16 < cell>>16 {
		return int32(at >> 32)
	}
	return int32(cell & 0xffff)
}

// batch draws the next arrivals.
func (h *thin) batch(a *arrivals, ant int) {
	var x [tile]float32
	for l := range x {
		if a.batch%2 == 0 {
			b := arith.Philox4x32(h.c.seed,
				[4]uint32{
					uint32(h.c.it), uint32(h.c.it>>32) ^ purposeArrive, a.batch / 2,
					uint32(ant*trail.Width + l),
				})
			x[l], a.draw[l] = arith.Expo32(b[0]), b[1]
			a.more[l] = [2]uint32{b[2], b[3]}
		} else {
			x[l], a.draw[l] = arith.Expo32(a.more[l][0]), a.more[l][1]
		}
	}
	x = ladder(x)
	for l := 1; l < tile; l++ {
		x[l] = max(x[l], x[l-1])
	}
	a.at, a.now, a.next = x, 0, 0
	a.batch++
}

// tour makes the tour of an ant.
func (h *thin) tour(ant, worker int) (length int64, falls int32, ok bool) {
	c, own, tour := h.c, h.c.work[worker], h.c.tour(ant)
	clear(own.seen)
	h.start(ant, worker)
	city := int32(arith.Below(h.lanes[worker].word(0, 0), c.n))
	tour[0], own.seen[city] = city, 1
	list := h.places[worker][:0]
	for p := 1; p < len(tour); p++ {
		if p%(checkEvery/trail.Width) == 0 && c.stopped() {
			return 0, 0, false
		}
		next := int32(-1)
		if c.n-p > thinLast {
			next = h.step(city, p, ant, worker)
		} else {
			if len(list) == 0 {
				for j, seen := range own.seen {
					if seen == 0 {
						list = append(list, int32(j))
					}
				}
			}
			if left := c.n - p; left%tile == 0 { // dense again
				list = slices.DeleteFunc(list, func(j int32) bool { return own.seen[j] != 0 })
			}
			next = h.last(city, p, ant, worker, list)
		}
		length += int64(c.sp.D(city, next))
		city = next
		tour[p], own.seen[city] = city, 1
	}
	return length, 0, true
}

// start prepares an ant's draws.
func (h *thin) start(ant, worker int) {
	h.lanes[worker].start(h.c.seed, h.c.it, ant)
	h.come[worker].batch = 0
	h.batch(&h.come[worker], ant)
}

// last chooses, from the list, the city that an ant in c goes to.
func (h *thin) last(c int32, p, ant, worker int, list []int32) int32 {
	row, seen := h.c.t.Full.Weight[int(c)*h.c.n:], h.c.work[worker].seen
	best, city := float32(math.MaxFloat32), int32(-1)
	for l := range min(tile, len(list)) {
		var b [4]uint32
		have := false
		for t, i := 0, l; i < len(list); t, i = t+1, i+tile {
			j := list[i]
			if seen[j] != 0 {
				continue
			}
			if !have {
				have = true
				b = arith.Philox4x32(h.c.seed,
					[4]uint32{
						uint32(h.c.it), uint32(h.c.it>>32) ^ purposeLast, uint32(p),
						uint32(ant*trail.Width + l),
					})
			}
			if x := float32(arith.Expo32(b[t]) * (1 / row[j])); x < best || x == best && j < city {
				best, city = x, j
			}
		}
	}
	return city
}

// step chooses the city that an ant in c goes to.
func (h *thin) step(c int32, p, ant, worker int) int32 {
	seen, draws, a := h.c.work[worker].seen, &h.lanes[worker], &h.come[worker]
	clock := h.clock[int(c)*trail.Width:]
	best, city := float32(math.Inf(1)), int32(-1)
	for s, j := range h.clocks(int(c)) {
		if seen[j] != 0 {
			continue
		}
		u := draws.word(s, p)
		if early(u>>16)*clock[s] > best {
			continue
		}
		if x := float32(arith.Expo32(u) * clock[s]); x < best || x == best && j < city {
			best, city = x, j
		}
	}
	rest := min(best, thinEnd)
	came := int32(-1)
	for a.next > 0 && a.at[a.next-1] > a.now { // used up, except for a rounding error
		a.next--
	}
	for came < 0 {
		for ; a.next < tile; a.next++ {
			t := a.at[a.next] - a.now
			if !(t > 0) {
				continue
			}
			if !(t < rest) {
				break
			}
			if j := h.propose(c, a.draw[a.next]); seen[j] == 0 {
				came, a.now = j, a.at[a.next]
				break
			}
		}
		if came >= 0 {
			break
		}
		cover := a.at[tile-1] - a.now
		if rest <= cover {
			a.now += rest
			break
		}
		rest -= cover
		h.batch(a, ant)
	}
	if a.at[thinLeave-1] <= a.now {
		h.batch(a, ant)
	}
	switch {
	case came >= 0:
		return came
	case best < thinEnd:
		return city
	}
	return h.scan(c, p, ant, worker, float32((best-thinEnd)*h.gap[c]), city)
}

// scan gives new clocks to all unvisited cities of the tail, and returns the winner. city, if it is
// one, has the time best so far.
func (h *thin) scan(c int32, p, ant, worker int, best float32, city int32) int32 {
	m, seen, row := h.spare[worker], h.c.work[worker].seen,
		h.c.t.Full.Weight[int(c)*h.c.n:int(c)*h.c.n+h.c.n]
	for j, s := range seen {
		m[j] = 0
		if s == 0 {
			m[j] = 1 / row[j]
		}
	}
	for _, j := range h.clocks(int(c)) {
		m[j] = 0
	}
	j, key := race(m, h.c.seed, h.c.it, ant, p)
	if j >= 0 && (city < 0 || math.Float32frombits(key) < best) {
		return int32(j)
	}
	return city
}
