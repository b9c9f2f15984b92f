package cpu

import (
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// squad is the number of ants that make their tours on the same trails.
const squad = 16

// squads is the form of acs/alt: ants build whole tours without waiting for one another after each
// step. They work in squads of 16; squad q has the ants 16 q to 16 q + 15. The ants of a squad are
// spread over the cores and choose as chooser says, by the trails as the squad before left them.
// Then each ant in turn applies its local updates, to the edge to each position that is a multiple
// of local_period; the closing edge is that to position n. So an ant sees the updates of earlier
// squads and none of its own squad.
type squads struct {
	c      *Crew
	k      *tableKeeper
	r      stepRules
	choose chooser
	first  int // the squad's first ant
	make   func(i, worker int)
}

// Alt is the form of acs/alt.
func Alt(c *Crew) (constructor, keeper) {
	k := newTable(c)
	s := &squads{c: c, k: k}
	s.make = s.tour
	return s, k
}

func (s *squads) rules(r *crew.Rules) {
	s.r = stepRulesOf(r)
	s.choose.rules(s.c, r)
}

func (s *squads) undo() { s.k.undo() }

func (s *squads) construct() {
	c := s.c
	if c.givable = c.long(); c.givable {
		c.t.Save()
	}
	for s.first = 0; s.first < c.ants; s.first += squad {
		end := min(c.ants, s.first+squad)
		if c.givable && c.stopped() {
			return
		}
		c.pool.Run(end-s.first, s.make)
		if c.cut.Load() {
			return
		}
		for k := s.first; k < end; k++ {
			s.wear(c.tour(k))
		}
		c.progress(int64(end), int64(c.ants))
	}
}

// tour makes the tour of an ant of the squad.
func (s *squads) tour(i, worker int) {
	c, t, own, k := s.c, s.c.t, s.c.work[worker], s.first+i
	clear(own.seen)
	own.unvisited.Reset()
	tour, seen := c.tour(k), own.seen
	d := newDraws(c.seed, c.it, k)
	city := int32(arith.Below(d.word(0), c.n))
	tour[0], seen[city] = city, 1
	var length int64
	falls := int32(0)
	var weight [trail.Width]float32
	for p := 1; p < len(tour); p++ {
		if p%checkEvery == 0 && c.givable && c.stopped() {
			return
		}
		at := int(city) * t.Stride
		for x, tau := range t.Tau[at : at+t.K] {
			weight[x] = float32(tau * s.choose.scaled[at+x])
		}
		greedy := s.r.exploits(d.word(p))
		if x := s.choose.slot(city, k, p, greedy, weight[:t.K], seen); x >= 0 {
			slot := at + x
			city = t.ID[slot]
			length += int64(t.Dist[slot])
		} else {
			to, _ := t.Fallback(city, c.Nearest, seen, &own.unvisited, tour[:p])
			length += int64(c.sp.D(city, to))
			city = to
			falls++
		}
		tour[p], seen[city] = city, 1
	}
	c.out.Lengths[k], c.out.Falls[k] = length+c.closing(tour), falls
}

// wear makes the local updates of a tour.
func (s *squads) wear(tour []int32) {
	update := func(i, j int32) { worn(s.c.t, &s.r.Local, i, j, s.c.t.Place(i, j)) }
	n := len(tour)
	for p := s.r.Period; p <= n && n > 1; p += s.r.Period {
		update(tour[p-1], tour[p%n])
	}
}
