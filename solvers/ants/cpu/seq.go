package cpu

import (
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// mover is an ant of acs between two of its steps.
type mover struct {
	draws
	seen      []uint8
	unvisited trail.Unvisited
	length    int64
	falls     int32
}

// start puts an ant into its first city.
func (a *mover) start(c *Crew, ant int) {
	clear(a.seen)
	a.unvisited.Reset()
	a.length, a.falls = 0, 0
	a.draws = newDraws(c.seed, c.it, ant)
	city := int32(arith.Below(a.word(0), c.n))
	c.tour(ant)[0] = city
	a.seen[city] = 1
}

// movers extends the list to at least as many movers as ants.
func (c *Crew) movers(list []mover, ants int) []mover {
	for len(list) < ants {
		list = append(list, mover{seen: make([]uint8, c.n)})
	}
	return list
}

// An iteration of acs/seq, alt, spm-sync or spm can be cancelled only if it has at least this many
// choices, because that needs a copy of the trails.
const (
	longIteration = 1 << 20
	longLocal     = 1 << 15 // with a local search
)

// long tells whether the iteration has that many choices.
func (c *Crew) long() bool {
	return c.ants*c.n >= longIteration || c.search != nil && c.ants*c.n >= longLocal
}

// worn makes the local update of the edge from i to j, whose place is known.
func worn(t *trail.Table, r *trail.Local, i, j int32, at trail.Place) {
	if v := t.Read(i, j, at); v != r.Tau0 {
		t.Set(i, j, at, r.Worn(v))
	}
}

// stepRules are the rules of the steps of acs, with what choices compare.
type stepRules struct {
	crew.Steps
	threshold uint64 // Steps.Threshold
}

func stepRulesOf(r *crew.Rules) stepRules { return stepRules{r.Steps, r.Steps.Threshold()} }

// exploits makes the q0 choice by the word that an ant drew: whether it takes the greatest weight,
// exploitation in the words of M. Dorigo and L. M. Gambardella, or else draws a city, exploration.
func (r *stepRules) exploits(word uint32) bool { return uint64(word) < r.threshold }

// steps is the form of acs/seq: in each step the ants move in turn, and each choice sees all
// earlier updates.
type steps struct {
	c    *Crew
	k    *tableKeeper
	r    stepRules
	ants []mover
	cum  []float32
}

// Seq is the form of acs/seq.
func Seq(c *Crew) (constructor, keeper) {
	k := newTable(c)
	return &steps{c: c, k: k, cum: make([]float32, c.t.Stride/4)}, k
}

func (s *steps) rules(r *crew.Rules) { s.r = stepRulesOf(r) }

func (s *steps) undo() { s.k.undo() }

func (s *steps) construct() {
	c, t, n := s.c, s.c.t, s.c.n
	if c.givable = c.long(); c.givable {
		t.Save()
	}
	s.ants = c.movers(s.ants, c.ants)
	ants := s.ants[:c.ants]
	for k := range ants {
		ants[k].start(c, k)
	}
	look := max(1, checkEvery/len(ants))
	for p := 1; p < n; p++ {
		if c.givable && p%look == 0 {
			if c.stopped() {
				return
			}
			c.progress(int64(p), int64(n))
		}
		update := p%s.r.Period == 0
		for k := range ants {
			a := &ants[k]
			tour := c.tour(k)
			city := tour[p-1]
			var slot int32
			if s.r.exploits(a.word(p)) {
				slot = greatest(t, city, a.seen)
			} else {
				slot = roulette(t, city, a.seen, s.cum, arith.Unit32(explore(c.seed, c.it, k, p)))
			}
			var to int32
			if slot >= 0 {
				to = t.ID[slot]
				a.length += int64(t.Dist[slot])
			} else {
				to, slot = t.Fallback(city, c.Nearest, a.seen, &a.unvisited, tour[:p])
				a.length += int64(c.sp.D(city, to))
				a.falls++
			}
			tour[p] = to
			a.seen[to] = 1
			if update {
				worn(t, &s.r.Local, city, to, slot)
			}
		}
	}
	for k := range ants {
		tour := c.tour(k)
		c.out.Lengths[k] = ants[k].length + c.closing(tour)
		c.out.Falls[k] = ants[k].falls
		if n > 1 {
			last, first := tour[n-1], tour[0]
			worn(t, &s.r.Local, last, first, t.Place(last, first))
		}
	}
}
