package cpu

import (
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// lockstep is the form of acs/lockstep, and keeps its trails. It is an algorithm of ours, a
// deterministic relative of ACS-GPU, in which the ants of a step see one another's updates in an
// order that the device decides.
//
// Row. The edges that an ant may choose from in city c are the row of c: the candidates on its
// list, at most 32, and up to four edges beyond the list that a best tour had. These have the
// places of c, which come after the list; in draws they have the slots 28 to 31.
// Other edges have no trails.
//
// Step. At position p all ants choose, each by the trails after all updates of the positions before
// p. A choice is among the unvisited cities of the row: with probability q0 the one with the
// greatest weight (of equal ones the smaller slot), else by a race of clocks as in mmas/wrs.
//
// When all candidates are visited the ant does not choose, it falls back. It goes to the nearest
// unvisited city (of equally near ones the smaller number). Or it takes, of the edges in the places
// of c to unvisited cities, the one whose weight was greatest at the start of the iteration, if
// that weight is above that of the edge to the nearest unvisited city at tau0. It leaves the trails
// as they are. So falling back depends on no other ant's steps of this iteration, and no ant has to
// wait for this search. The two weights are compared by their binary logarithms in float32; the
// second is beta (log2(d1 + 0.1) - log2(d + 0.1)), d1 being the distance to the first candidate and
// d that to the nearest unvisited city.
//
// Trails. A choice at a position that is a multiple of local_period is a visit of its edge. The
// closing edge is visited too, if it is in the row of the last city or else in that of the first. A
// visit counts in the rows of both cities if both have the edge. After c visits in an iteration a
// trail is
//
//	tau0 + (1 - rho)^c (tau - tau0)
//
// which is what c local updates of Ant Colony System make of it. Because visits are only counted,
// the order of the ants at a position does not matter. The weight is this trail times the second
// factor of acs/seq over tau0, kept above 2^-60.
//
// The global update is that of acs/seq, in each row. Then, for each city, the edge of the best tour
// to the city before and then that to the city after get a place, if they are not in the row. Their
// trail is the global update of tau0. The place is an empty one, else that with the least trail of
// those whose edges are not in the best tour; of equal ones the first. So the long edges of good
// tours are learned, and a city keeps those of earlier best tours as long as there is room.
//
// With many ants the local updates lower the trail of a good edge far within one iteration: choose
// few ants, or a small rho.
type lockstep struct {
	c *Crew
	t *trail.Table
	o *trail.Outs
	r stepRules

	beta float32 // exponent of the visibility

	scaled []float32 // by slot of a list: the second factor over tau0
	powers []float32 // (1 - rho)^c by c
	back   []int32   // by slot: that of the same edge from its other city, or -1
	count  []uint32  // by slot: visits in this iteration
	gone   []int32   // by ant: the slot of the edge visited in this step, or -1
	ants   []mover
	ring   ring
	p      int // the current step
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
	l.r, l.beta = stepRulesOf(r), float32(r.Beta)
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

// see computes what choices need to know of the edge from c to j, which is in a place.
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

// crowd is the number of ants that a worker moves in one task.
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
		c.pool.RunOf((c.ants+crowd-1)/crowd, c.choices(1), l.move)
		if p%l.r.Period != 0 {
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

// step lets some ants make the current step.
func (l *lockstep) step(block, _ int) {
	for k := block * crowd; k < min(l.c.ants, (block+1)*crowd); k++ {
		a, tour := &l.ants[k], l.c.tour(k)
		city := tour[l.p-1]
		greedy := l.r.exploits(a.word(l.p)) // draws come in order, needed or not
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

// beyond returns the slot of the edge beyond the list of c that an ant takes when it falls back,
// where far is the distance of the nearest unvisited city; -1: it takes none of these.
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
	if crew.Octaves(weight) <= float32(l.beta*(near-crew.OctavesOf(far))) {
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

// choose returns the slot of the row of city c that ant k takes, if a candidate is unvisited.
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

// worn returns a trail after the visits of its slot.
func (l *lockstep) worn(tau float32, s int) float32 {
	return l.r.Tau0 + float32(l.powers[l.count[s]]*(tau-l.r.Tau0))
}

// reset does nothing: trails of acs are never set back.
func (l *lockstep) reset(float32) {}

func (l *lockstep) look() (branches int64, hash uint64) { return l.t.Look() }

// update applies the counted visits to the trails and makes the global update.
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

// link finds the slot of the edge in a place of c from its other city.
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

// join computes back.
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
