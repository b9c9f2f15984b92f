package cpu

import (
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// lockstep is the form of acs/lockstep, and keeps its trails. It is an algorithm of ours: in
// ACS-GPU, to which it is the nearest with one history, the ants of a step see each other's updates
// in an order that a device decides.
//
// Row. What an ant may choose from city c is its row: the candidates on its list, at most 32, and
// up to four edges beyond the list, which a best tour had, in the places of c: slots 28 to 31 with
// lists of up to 28, else beside the list's. Other edges have no trails.
//
// Step. At position p all ants choose, each from the trails that all choices and updates of the
// positions before p made. A choice is among the unvisited cities of the row: that with the
// greatest weight (the smaller slot where two are equal) with probability q0; else a race of clocks
// as in mmas/wrs.
//
// When all candidates are visited the ant does not choose, it falls back: it goes to the nearest
// unvisited city, the smaller number where two are as near; or along the edge to an unvisited city
// in its places whose weight was greatest at the iteration's start, if that is above the weight of
// the way to that city at tau0. It leaves the trails as they are, so that what it does depends on
// no other ant's steps of this iteration, and none has to wait for its search. These weights are
// compared by binary logarithms, of float32, that of the latter being beta times what that of the
// distance to the first candidate is above that of the way's, 0.1 being added to both.
//
// Trails. A choice at a position that is a multiple of local_period is one visit of its edge, and
// so is the way back if it is in the row of the last city or else in that of the first. A visit
// counts in the rows of both cities where both have the edge. After c visits in an iteration a
// trail is
//
//	tau0 + (1 - rho)^c (tau - tau0)
//
// which is what c local updates of Ant Colony System make of it, in any order. Counting makes the
// steps of all ants of one position commute. The weight is that, times the second factor of acs/seq
// over tau0, kept above 2^-60.
//
// The global update is that of acs/seq, in each row. Then, for each city, the edge of the best tour
// to the city before, then that to the city after, if it is not in the row, gets a place, with the
// trail of the global update of tau0: of the places whose edges are not of the best tour that with
// the least trail, empty ones first, the first of equal ones. So the long edges that good tours
// have are learned, and a city knows those of the tour before for as long as there is room.
//
// Many ants wear the trails of a good edge down within one iteration, as each that takes it sees
// what all others left: take few ants, or a small rho.
type lockstep struct {
	c *Crew
	t *trail.Table
	o *trail.Outs
	r crew.Steps

	scaled []float32 // by slot of a list: the second factor over tau0
	powers []float32 // (1 - rho)^c by c
	back   []int32   // by slot: that of the way back, or -1
	count  []uint32  // by slot: visits in this iteration
	gone   []int32   // by ant: the slot that it visited in this step, or -1
	ants   []mover
	ring   ring
	p      int // the step under way
	move   func(block, worker int)
}

// Lockstep is the form of acs/lockstep.
func Lockstep(c *Crew) (constructor, keeper) {
	slots := len(c.t.ID) + len(c.Outs.City)
	l := &lockstep{
		c: c, t: c.t, o: c.Outs, scaled: make([]float32, len(c.t.ID)),
		back: make([]int32, slots), count: make([]uint32, slots),
	}
	l.move = l.step
	return l, l
}

func (l *lockstep) rules(r *crew.Rules) {
	l.r = r.Steps
	l.t.Alpha, l.t.Inv = r.Alpha, r.Inv
	for i, e := range l.t.Eta {
		l.scaled[i] = crew.Scaled(e, l.t.Inv)
	}
	for p, j := range l.o.City {
		if c := int32(p / trail.OutsPerCity); j != c {
			l.see(c, j, p)
		}
	}
	l.powers = crew.Powers(r.Rho, r.Ants)
	l.join()
}

// see makes what choices need of the edge from c to j, which is in a place.
func (l *lockstep) see(c, j int32, place int) {
	l.o.Dist[place] = l.c.sp.D(c, j)
	l.o.Eta[place] = l.c.scaledOf(c, l.o.Dist[place])
}

// scaledOf is the weight over the trail, in acs, of an edge from a city of length d.
func (c *Crew) scaledOf(city,
	d int32,
) float32 {
	return crew.Scaled(c.t.Visibility(city, d), c.t.Inv)
}

// crowd is the number of ants that a worker moves at a time.
const crowd = 16

func (l *lockstep) undo() {} // trails change after the tours only

func (l *lockstep) construct() {
	c := l.c
	l.ants = c.movers(l.ants, c.ants)
	if len(l.gone) < c.ants {
		l.gone = make([]int32, c.ants)
	}
	clear(l.count)
	for k := range c.ants {
		l.ants[k].start(c, k)
	}
	look := max(1, checkEvery/(c.ants*trail.Width))
	for p := 1; p < c.n; p++ {
		if p%look == 0 {
			if c.stopped() {
				return
			}
			c.progress(int64(p), int64(c.n))
		}
		l.p = p
		c.pool.Run((c.ants+crowd-1)/crowd, l.move)
		if p%int(l.r.Period) != 0 {
			continue
		}
		for _, s := range l.gone[:c.ants] {
			l.visit(s)
		}
	}
	for k := range c.ants {
		tour := c.tour(k)
		c.out.Lengths[k] = l.ants[k].length + c.closing(tour)
		c.out.Falls[k] = l.ants[k].falls
		if c.n > 1 {
			first, last := tour[0], tour[c.n-1]
			s := l.find(last, first)
			if s < 0 {
				s = l.find(first, last)
			}
			l.visit(s)
		}
	}
}

// find is the slot of the edge from c to j, or -1. Slots of lists come first, then the places of
// edges beyond them.
func (l *lockstep) find(c, j int32) int32 {
	if s := l.t.Find(c, j); s >= 0 {
		return s
	}
	if p := l.o.Find(c, j); p >= 0 {
		return int32(len(l.t.ID)) + p
	}
	return -1
}

// visit counts a visit of the edge of a slot, in both directions.
func (l *lockstep) visit(s int32) {
	if s < 0 {
		return
	}
	l.count[s]++
	if m := l.back[s]; m >= 0 {
		l.count[m]++
	}
}

// step lets some ants make the step under way.
func (l *lockstep) step(block, _ int) {
	for k := block * crowd; k < min(l.c.ants, (block+1)*crowd); k++ {
		a, tour := &l.ants[k], l.c.tour(k)
		city := tour[l.p-1]
		greedy := uint64(a.word(l.p)) < l.r.Greedy // words are taken in order
		s := int32(-1)
		l.gone[k] = -1
		if l.listless(city, a.seen) {
			a.falls++
			near, far := l.c.Nearest.Of(city, a.seen, &a.unvisited, tour[:l.p])
			if s = l.beyond(city, a.seen, far); s < 0 {
				city = near
				a.length += int64(far)
			}
		} else {
			s = l.choose(city, k, a, greedy)
			l.gone[k] = s
		}
		if p := s - int32(len(l.t.ID)); p >= 0 {
			city = l.o.City[p]
			a.length += int64(l.o.Dist[p])
		} else if s >= 0 {
			city = l.t.ID[s]
			a.length += int64(l.t.Dist[s])
		}
		tour[l.p], a.seen[city] = city, 1
	}
}

// beyond is the slot of the edge beyond the list of a city that an ant takes which falls back,
// where the nearest city is at the distance far; -1 for none.
func (l *lockstep) beyond(c int32, seen []uint8, far int32) (slot int32) {
	weight := float32(0)
	slot = -1
	for p := c * trail.OutsPerCity; p < (c+1)*trail.OutsPerCity; p++ {
		if seen[l.o.City[p]] != 0 {
			continue
		}
		if w := float32((l.r.Tau0 + (l.o.Tau[p] - l.r.Tau0)) * l.o.Eta[p]); w > weight {
			slot, weight = int32(len(l.t.ID))+p, w
		}
	}
	if slot < 0 {
		return -1
	}
	near := crew.OctavesOf(l.t.Dist[int(c)*l.t.Stride])
	if crew.Octaves(weight) <= float32(float32(l.r.Beta)*(near-crew.OctavesOf(far))) {
		return -1
	}
	return slot
}

// listless tells whether all candidates of c are visited.
func (l *lockstep) listless(c int32, seen []uint8) bool {
	at := int(c) * l.t.Stride
	for _, id := range l.t.ID[at : at+l.t.K] {
		if seen[id] == 0 {
			return false
		}
	}
	return true
}

// choose is the slot that ant k takes of the row of city c, where a candidate is unvisited.
func (l *lockstep) choose(c int32, k int, a *mover, greedy bool) (slot int32) {
	weight, first := float32(0), ^uint32(0)
	slot = -1
	purpose := uint32(purposeExplore)
	offer := func(s int, tau, eta float32, lane int) {
		w := float32(l.worn(tau, s) * eta)
		if greedy {
			if w > weight {
				slot, weight = int32(s), w
			}
			return
		}
		u := arith.Philox4x32(l.c.seed, [4]uint32{
			uint32(l.c.it), uint32(l.c.it>>32) ^ purpose<<24, uint32(k*trail.Width + lane),
			uint32(l.p),
		})[0]
		if key := raceKey(u, 1/w, uint32(lane), first); key < first {
			slot, first = int32(s), key
		}
	}
	at := int(c) * l.t.Stride
	for s, id := range l.t.ID[at : at+l.t.K] {
		if a.seen[id] == 0 {
			offer(at+s, l.t.Tau[at+s], l.scaled[at+s], s)
		}
	}
	if l.t.K > trail.MostListed {
		purpose = purposeBeyond // those lanes have candidates
	}
	o := int(c) * trail.OutsPerCity
	for i, id := range l.o.City[o : o+trail.OutsPerCity] {
		if a.seen[id] == 0 {
			offer(len(l.t.ID)+o+i, l.o.Tau[o+i], l.o.Eta[o+i], trail.MostListed+i)
		}
	}
	return slot
}

// worn is a trail after the visits of its slot.
func (l *lockstep) worn(tau float32, s int) float32 {
	return l.r.Tau0 + float32(l.powers[l.count[s]]*(tau-l.r.Tau0))
}

// reset implements keeper; trails of acs are never set back.
func (l *lockstep) reset(float32) {}

func (l *lockstep) look() (branches int64, hash uint64) { return l.t.Look() }

// update takes the visits into the trails and makes the global update.
func (l *lockstep) update(u crew.Update) {
	l.ring.follow(l.c.rewarded(u.Tour))
	t, o := l.t, l.o
	update := func(tau *float32, s int, c, j int32) {
		v := l.worn(*tau, s)
		for range l.ring.times(c, j) {
			v = u.On(v)
		}
		*tau = v
	}
	for c := range int32(l.c.n) {
		for s := int(c) * t.Stride; s < int(c)*t.Stride+t.K; s++ {
			update(&t.Tau[s], s, c, t.ID[s])
		}
		for p := c * trail.OutsPerCity; p < (c+1)*trail.OutsPerCity; p++ {
			if o.City[p] != c {
				update(&o.Tau[p], len(t.ID)+int(p), c, o.City[p])
			}
		}
	}
	fresh := u.On(l.r.Tau0)
	for c := range int32(l.c.n) {
		before, after := l.ring.before[c], l.ring.after[c]
		for _, j := range [2]int32{before, after} {
			if j != c && l.find(c, j) < 0 {
				l.store(c, j, o.Vacate(c, before, after), fresh)
			}
		}
	}
}

// store gives the edge from c to j a place and a trail.
func (l *lockstep) store(c, j, place int32, tau float32) {
	l.o.City[place], l.o.Tau[place] = j, tau
	l.see(c, j, int(place))
	l.link(c, place)
}

// link finds the way back of the edge in a place of c.
func (l *lockstep) link(c, place int32) {
	s := int32(len(l.t.ID)) + place
	if b := l.back[s]; b >= 0 {
		l.back[b] = -1
	}
	b := l.find(l.o.City[place], c)
	if l.back[s] = b; b >= 0 {
		l.back[b] = s
	}
}

// join makes back.
func (l *lockstep) join() {
	for s := copy(l.back, l.t.Mirror); s < len(l.back); s++ {
		l.back[s] = -1
	}
	for p, j := range l.o.City {
		if c := int32(p / trail.OutsPerCity); j != c {
			l.link(c, int32(p))
		}
	}
}
