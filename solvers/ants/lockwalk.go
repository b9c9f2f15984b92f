package ants

import (
	"math"

	"metalab/solvers/arith"
)

// crowd is the number of ants that a worker moves at a time.
const crowd = 16

// march makes all tours here, step by step; false when it was given up.
func (l *lockstep) march() bool {
	for len(l.ant) < l.ants {
		l.ant = append(l.ant, mover{seen: make([]uint8, l.n)})
	}
	if len(l.gone) < l.ants {
		l.gone = make([]int32, l.ants)
	}
	clear(l.count)
	for k := range l.ants {
		a := &l.ant[k]
		clear(a.seen)
		a.rest.done, a.length, a.falls = 0, 0, 0
		a.draws = newDraws(l.env.Seed, l.it, k)
		city := int32(arith.Below(a.word(0), l.n))
		l.tour(k)[0], a.seen[city] = city, 1
	}
	look := max(1, glance/(l.ants*Width))
	for p := 1; p < l.n; p++ {
		if p%look == 0 {
			if l.stopped() {
				return false
			}
			l.progress(int64(p), int64(l.n))
		}
		l.p = p
		l.env.Pool.Run((l.ants+crowd-1)/crowd, l.step)
		if p%l.localPeriod != 0 {
			continue
		}
		for _, s := range l.gone[:l.ants] {
			l.visit(s)
		}
	}
	for k := range l.ants {
		tour := l.tour(k)
		l.lengths[k] = l.ant[k].length + l.closing(tour)
		l.falls[k] = l.ant[k].falls
		l.hashes[k] = arith.HashPerm(tour)
		if l.n > 1 {
			first, last := tour[0], tour[l.n-1]
			s := l.find(last, first)
			if s < 0 {
				s = l.find(first, last)
			}
			l.visit(s)
		}
	}
	return true
}

// find is the slot of the edge from c to j, or -1. Slots of lists come first, then the places of edges beyond them.
func (l *lockstep) find(c, j int32) int32 {
	if s := l.t.find(c, j); s >= 0 {
		return s
	}
	if p := l.outs.find(c, j); p >= 0 {
		return int32(len(l.t.id)) + p
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

// move lets some ants make the step under way.
func (l *lockstep) move(block, _ int) {
	for k := block * crowd; k < min(l.ants, (block+1)*crowd); k++ {
		a, tour := &l.ant[k], l.tour(k)
		city := tour[l.p-1]
		greedy := uint64(a.word(l.p)) < l.greedy // words are taken in order
		s := int32(-1)
		l.gone[k] = -1
		if l.listless(city, a.seen) {
			a.falls++
			near, far := l.far.nearest(l.t.lists, city, a.seen, &a.rest, tour[:l.p], false)
			if s = l.beyond(city, a.seen, far); s < 0 {
				city = near
				a.length += int64(far)
			}
		} else {
			s = l.choose(city, k, a, greedy)
			l.gone[k] = s
		}
		if p := s - int32(len(l.t.id)); p >= 0 {
			city = l.outs.city[p]
			a.length += int64(l.outs.dist[p])
		} else if s >= 0 {
			city = l.t.id[s]
			a.length += int64(l.t.dist[s])
		}
		tour[l.p], a.seen[city] = city, 1
	}
}

// beyond is the slot of the edge beyond the list of a city that an ant takes which falls back, where the nearest city is at
// the distance far; -1 for none.
func (l *lockstep) beyond(c int32, seen []uint8, far int32) (slot int32) {
	weight := float32(0)
	slot = -1
	for p := c * Outs; p < (c+1)*Outs; p++ {
		if seen[l.outs.city[p]] != 0 {
			continue
		}
		if w := float32((l.tau0 + (l.outs.tau[p] - l.tau0)) * l.outs.eta[p]); w > weight {
			slot, weight = int32(len(l.t.id))+p, w
		}
	}
	if slot >= 0 && octaves(weight) <= float32(float32(l.beta)*(octavesOf(l.t.dist[int(c)*l.t.stride])-octavesOf(far))) {
		return -1
	}
	return slot
}

// octaves is the binary logarithm of x, which is normal and above 0.
func octaves(x float32) float32 {
	b := math.Float32bits(x)
	return float32(int32(b>>23)-126) - arith.Expo32(b<<8|1<<31)
}

// octavesOf is that of a distance and 0.1.
func octavesOf(d int32) float32 { return octaves(float32(d) + 0.1) }

// Tops are, by city, the binary logarithms of the distance to the first candidate and 0.1, for acs/lockstep.
func (g *Ground) Tops() []float32 {
	tops := make([]float32, g.Space.N)
	for c := range int32(len(tops)) {
		tops[c] = octavesOf(g.Space.D(c, g.ID[c*Width]))
	}
	return tops
}

// listless tells whether all candidates of c are visited.
func (l *lockstep) listless(c int32, seen []uint8) bool {
	at := int(c) * l.t.stride
	for _, id := range l.t.id[at : at+l.t.k] {
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
	offer := func(s int, trail, eta float32, lane int) {
		w := float32(l.worn(trail, s) * eta)
		if greedy {
			if w > weight {
				slot, weight = int32(s), w
			}
			return
		}
		u := arith.Philox4x32(l.env.Seed, [4]uint32{
			uint32(l.it), uint32(l.it>>32) ^ purposeExplore<<24, uint32(k*Width + lane), uint32(l.p),
		})[0]
		if key := raceKey(u, 1/w, uint32(lane), first); key < first {
			slot, first = int32(s), key
		}
	}
	at := int(c) * l.t.stride
	for s, id := range l.t.id[at : at+l.t.k] {
		if a.seen[id] == 0 {
			offer(at+s, l.t.tau[at+s], l.scaled[at+s], s)
		}
	}
	o := int(c) * Outs
	for i, id := range l.outs.city[o : o+Outs] {
		if a.seen[id] == 0 {
			offer(len(l.t.id)+o+i, l.outs.tau[o+i], l.outs.eta[o+i], MostListed+i)
		}
	}
	return slot
}

// worn is a trail after the visits of its slot.
func (l *lockstep) worn(tau float32, s int) float32 {
	return l.tau0 + float32(l.powers[l.count[s]]*(tau-l.tau0))
}

// strengthen takes the visits into the trails and makes the global update.
func (l *lockstep) strengthen() {
	keep, gain := l.global()
	l.ring.follow(l.best)
	t, o := l.t, l.outs
	update := func(tau *float32, s int, c, j int32) {
		v := l.worn(*tau, s)
		for range l.ring.times(c, j) {
			v = max(l.tau0, float32(keep*v)+gain)
		}
		*tau = v
	}
	for c := range int32(l.n) {
		for s := int(c) * t.stride; s < int(c)*t.stride+t.k; s++ {
			update(&t.tau[s], s, c, t.id[s])
		}
		for p := c * Outs; p < (c+1)*Outs; p++ {
			if o.city[p] != c {
				update(&o.tau[p], len(t.id)+int(p), c, o.city[p])
			}
		}
	}
	fresh := max(l.tau0, float32(keep*l.tau0)+gain)
	for c := range int32(l.n) {
		before, after := l.ring.before[c], l.ring.after[c]
		for _, j := range [2]int32{before, after} {
			if j != c && l.find(c, j) < 0 {
				l.store(c, j, o.vacate(c, before, after), fresh)
			}
		}
	}
}

// store gives the edge from c to j a place and a trail.
func (l *lockstep) store(c, j, place int32, tau float32) {
	o := l.outs
	o.city[place], o.tau[place] = j, tau
	o.dist[place] = l.sp.D(c, j)
	o.eta[place] = l.visible(c, o.dist[place])
	l.link(c, place)
}

// link finds the way back of the edge in a place of c.
func (l *lockstep) link(c, place int32) {
	s := int32(len(l.t.id)) + place
	if b := l.back[s]; b >= 0 {
		l.back[b] = -1
	}
	b := l.find(l.outs.city[place], c)
	if l.back[s] = b; b >= 0 {
		l.back[b] = s
	}
}

// join makes back.
func (l *lockstep) join() {
	for s := copy(l.back, l.t.mirror); s < len(l.back); s++ {
		l.back[s] = -1
	}
	for p, j := range l.outs.city {
		if c := int32(p / Outs); j != c {
			l.link(c, int32(p))
		}
	}
}
