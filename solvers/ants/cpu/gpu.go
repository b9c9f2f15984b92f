package cpu

import (
	"math"
	"sync/atomic"

	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// meeting is the form of acs/gpu, ACS-GPU of R. Skinderowicz, 2016, section 3.1.2: at each step all
// ants choose at once, and each makes the local update of its edge within the step, by an atomic
// compare-and-swap on the trail; the next step begins when all are done, for the paper launches its
// kernel once for each step. Which updates of its step a choice sees, and in which order they come,
// is left to chance. The closing edges are position n of the tours, in one more step.
//
// Here the pool's workers share out the ants of a step, 16 at a time. With one worker the ants move
// in turn, as those of acs/seq do. They choose as chooser says.
//
// An edge of a symmetric instance has one trail, where the paper's matrix has two that are updated
// one after the other.
type meeting struct {
	c *Crew
	t *trail.Table
	k *tableKeeper
	r crew.Steps

	word []uint32 // the trails' bits during an iteration: see trail.Table.Share
	ants []mover
	chooser
	p    int // the current step; n: the closing edges
	move func(block, worker int)
	read func(i int32) float32
}

// GPU is the form of acs/gpu.
func GPU(c *Crew) (constructor, keeper) {
	k := newTable(c)
	m := &meeting{c: c, t: c.t, k: k}
	m.move, m.read = m.step, m.trail
	return m, k
}

func (m *meeting) rules(r *crew.Rules) {
	m.r = r.Steps
	m.chooser.rules(m.c, r)
}

func (m *meeting) undo() { m.k.undo() }

func (m *meeting) construct() {
	c := m.c
	if c.givable = c.long(); c.givable {
		m.t.Save()
	}
	m.word = m.t.Share(m.word)
	m.ants = c.movers(m.ants, c.ants)
	for k := range c.ants {
		m.ants[k].start(c, k)
	}
	look := max(1, checkEvery/c.ants)
	for m.p = 1; m.p <= c.n; m.p++ {
		if c.givable && m.p%look == 0 {
			if c.stopped() {
				return
			}
			c.progress(int64(m.p), int64(c.n))
		}
		c.pool.Run((c.ants+crowd-1)/crowd, m.move)
	}
	m.t.Unshare(m.word)
}

// step makes the current step of some ants.
func (m *meeting) step(block, _ int) {
	for k := block * crowd; k < min(m.c.ants, (block+1)*crowd); k++ {
		if m.p < m.c.n {
			m.choose(k)
		} else {
			m.end(k)
		}
	}
}

// choose makes ant k's step.
func (m *meeting) choose(k int) {
	c, t, a, tour, p := m.c, m.t, &m.ants[k], m.c.tour(k), m.p
	city := tour[p-1]
	at := int(city) * t.Stride
	var weight [trail.Width]float32
	for s := range t.K {
		weight[s] = float32(m.trail(int32(at+s)) * m.scaled[at+s])
	}
	slot := m.slot(city, k, p, uint64(a.word(p)) < m.r.Greedy, weight[:t.K], a.seen)
	var to int32
	var place trail.Place
	if slot >= 0 {
		place = int32(at + slot)
		to = t.ID[place]
		a.length += int64(t.Dist[place])
	} else {
		to, place = t.FallbackBy(city, c.Nearest, a.seen, &a.unvisited, tour[:p], m.read)
		a.length += int64(c.sp.D(city, to))
		a.falls++
	}
	tour[p], a.seen[to] = to, 1
	if p%int(m.r.Period) == 0 {
		m.wear(place)
	}
}

// end closes ant k's tour.
func (m *meeting) end(k int) {
	c, tour := m.c, m.c.tour(k)
	c.out.Lengths[k], c.out.Falls[k] = m.ants[k].length+c.closing(tour), m.ants[k].falls
	if n := len(tour); n > 1 && n%int(m.r.Period) == 0 {
		m.wear(m.t.Place(tour[n-1], tour[0]))
	}
}

// trail returns the present trail at a slot, or of an unlisted edge.
func (m *meeting) trail(i int32) float32 {
	return math.Float32frombits(atomic.LoadUint32(&m.word[m.t.SharedAt(i)]))
}

// wear makes the local update of the edge at a place. An edge for which no trail is stored stays at
// tau0.
func (m *meeting) wear(at trail.Place) {
	if at == trail.None {
		return
	}
	if at < 0 {
		at = -1 - at
	}
	w := &m.word[m.t.SharedAt(at)]
	for {
		old := atomic.LoadUint32(w)
		if atomic.CompareAndSwapUint32(w, old,
			math.Float32bits(m.r.Worn(math.Float32frombits(old)))) {
			return
		}
	}
}
