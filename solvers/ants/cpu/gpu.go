package cpu

import (
	"math"
	"sync/atomic"

	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// acsGPU is the form of acs/gpu, ACS-GPU of R. Skinderowicz, 2016, section 3.1.2: at each step all
// ants choose at once, and each makes the local update of its edge within the step, by an atomic
// compare-and-swap on the trail; the next step begins when all are done, for the paper launches its
// kernel once for each step. Chance decides which updates of its step a choice sees, and their
// order. The closing edges are position n of the tours, in one more step.
//
// Here the pool's workers share the ants of a step, 16 at a time: these choose before any of them
// updates, like warps that are resident together. So even with one worker, where the squads of 16
// come in turn and no run depends on chance, it differs from acs/seq. The ants choose as chooser
// says.
//
// An edge of a symmetric instance has one trail; the paper's matrix has two, updated one after the
// other.
type acsGPU struct {
	c *Crew
	t *trail.Table
	k *tableKeeper
	r stepRules

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
	m := &acsGPU{c: c, t: c.t, k: k}
	m.move, m.read = m.step, m.trail
	return m, k
}

func (m *acsGPU) rules(r *crew.Rules) {
	m.r = stepRulesOf(r)
	m.chooser.rules(m.c, r)
}

func (m *acsGPU) undo() { m.k.undo() }

func (m *acsGPU) construct() {
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
		c.pool.RunOf((c.ants+crowd-1)/crowd, c.choices(1), m.move)
	}
	m.t.Unshare(m.word)
}

// step makes the current step of some ants.
func (m *acsGPU) step(block, _ int) {
	var edges [crowd]trail.Place
	first, end := block*crowd, min(m.c.ants, (block+1)*crowd)
	for k := first; k < end; k++ {
		if m.p < m.c.n {
			edges[k-first] = m.choose(k)
		} else {
			edges[k-first] = m.end(k)
		}
	}
	for k := first; k < end && m.p%m.r.Period == 0; k++ {
		m.wear(edges[k-first])
	}
}

// choose makes ant k's step, and returns the place of its edge.
func (m *acsGPU) choose(k int) trail.Place {
	c, t, a, tour, p := m.c, m.t, &m.ants[k], m.c.tour(k), m.p
	city := tour[p-1]
	at := int(city) * t.Stride
	var weight [trail.Width]float32
	for s := range t.K {
		weight[s] = float32(m.trail(int32(at+s)) * m.scaled[at+s])
	}
	slot := m.slot(city, k, p, m.r.exploits(a.word(p)), weight[:t.K], a.seen)
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
	return place
}

// end closes ant k's tour, and returns the place of its closing edge.
func (m *acsGPU) end(k int) trail.Place {
	c, tour := m.c, m.c.tour(k)
	c.out.Lengths[k], c.out.Falls[k] = m.ants[k].length+c.closing(tour), m.ants[k].falls
	if n := len(tour); n > 1 {
		return m.t.Place(tour[n-1], tour[0])
	}
	return trail.None
}

// trail returns the present trail at a slot, or of an unlisted edge.
func (m *acsGPU) trail(i int32) float32 {
	return math.Float32frombits(atomic.LoadUint32(&m.word[m.t.SharedAt(i)]))
}

// wear makes the local update of the edge at a place. An edge for which no trail is stored stays at
// tau0.
func (m *acsGPU) wear(at trail.Place) {
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
