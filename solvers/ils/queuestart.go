package ils

import (
	"slices"

	"metalab/solvers/arith"
)

// On programmed logic arrays start=boruvka is better: it leaves fewer long edges. start=fit, the
// default there, takes it where most cities stand in a lattice, and greedy elsewhere. start=either
// runs both first searches and continues from the shorter tour; on nine instances of tours-dev of
// that size it is 0.08 % behind the better start alone after 7 s without the lists, as the second
// search takes a second or two.

// starts make the first tour of chain a, by the values of the parameter start.
var starts = map[string]func(s *queue, a int) []int32{
	"fit": func(s *queue, _ int) []int32 {
		if s.lattice() {
			return s.space.QuickBoruvka()
		}
		return s.space.Greedy(s.local.near)
	},
	// The other one follows after a search: see tryOther.
	"either":  func(s *queue, _ int) []int32 { return s.space.Greedy(s.local.near) },
	"greedy":  func(s *queue, _ int) []int32 { return s.space.Greedy(s.local.near) },
	"boruvka": func(s *queue, _ int) []int32 { return s.space.QuickBoruvka() },
	"nn": func(s *queue, a int) []int32 {
		return s.space.NearestNeighbour(s.space.Internal[a%s.space.N])
	},
	"curve": func(s *queue, _ int) []int32 { return s.space.Curve() },
	"random": func(s *queue, a int) []int32 {
		r := arith.NewStream(s.env.Seed, 0, uint32(a), drawStart)
		return s.space.Random(&r)
	},
}

// begin builds the first tours of count chains. Starts without random draws give the same tour for
// all, which it builds once.
func (s *queue) begin(count int) (c chains) {
	each := s.param.start == "nn" || s.param.start == "random"
	for a := range count {
		var tour []int32
		switch {
		case a > 0 && !each:
			tour = slices.Clone(c.tours[0])
		case s.given != nil:
			tour = s.space.FromInstance(s.given)
		default:
			tour = starts[s.param.start](s, a)
		}
		c.tours = append(c.tours, tour)
		c.lengths = append(c.lengths, s.space.Length(tour))
	}
	return c
}

// lattice tells whether most cities stand in a lattice. It is not for several goroutines at a time.
func (s *queue) lattice() bool {
	if s.rows == 0 {
		s.rows = 1 + s.space.Even()
	}
	return s.rows > 1.5
}

// glances reports whether the first iteration runs a quick search along lists without weights,
// whose weights follow later: with the defaults from 20,000 cities on, on lattices. There the two
// searches take about as long as the second alone, and there is a tour in a third of the time;
// elsewhere the two end with a longer tour, see the table ils-glance.
func (s *queue) glances() bool { return s.param.search.operator == "oropt" && s.mayGlance() }

// mayGlance is the part of glances that no change within a run takes back: a quick search that is
// due stays due where operator changes before it.
func (s *queue) mayGlance() bool {
	p := &s.param
	return p.start == "fit" && p.near.candidates == "sparse" && s.given == nil && s.lattice()
}
