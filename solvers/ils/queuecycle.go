package ils

import (
	"slices"

	"metalab/solvers/tours"
)

// With accept=annealing, the default, the search also accepts kicks that make the tour longer, up
// to a limit that falls to 0 within cooling kicks a city. Then it merges the tour with the previous
// one: where the two differ, it takes the better parts of either, as far as they leave one tour;
// see tours.Merger. So a cycle need not make the whole tour shorter to be of use, and never makes
// it longer. In the first cycle the limit is 0: up to some kicks a city a search without longer
// tours leads, later it stagnates (table ils-annealing). A cycle ends with an iteration.

// cycleKicks is the number of kicks of a chain in a cycle.
func (s *queue) cycleKicks() float64 {
	return float64(s.param.accept.cooling * float64(s.space.N))
}

// warmth returns the share of the temperature that is left after some kicks of an iteration.
func (s *queue) warmth(kicks int) float64 {
	if len(s.bases) == 0 {
		return 0
	}
	return max(0, 1-float64(s.plan.made+int64(kicks))/s.cycleKicks())
}

// kicked ends an iteration of kicks, and the cycle if it is over. Then a pool begins, if there are
// pools.
func (s *queue) kicked() {
	anneals := s.param.accept.rule == "annealing"
	if !anneals && s.param.pool == 0 {
		return
	}
	if !s.plan.kicked(s.param.kick.number, s.cycleKicks()) {
		return
	}
	if anneals {
		s.mergeCycle()
	}
	if s.param.pool > 0 {
		s.plan.Begin(s.param.pool, 2*len(s.tours), s.space.N)
	}
}

// mergeCycle ends a cycle of accept=annealing.
func (s *queue) mergeCycle() {
	if len(s.bases) == 0 {
		for _, t := range s.tours {
			s.bases = append(s.bases, slices.Clone(t))
		}
		return
	}
	for a, base := range s.bases {
		s.merge(base, s.tours[a])
		copy(s.tours[a], base)
		s.lengths[a] = s.space.Length(base)
	}
}

// merge takes the better parts of the tour b over into a, and returns how much longer a becomes.
func (s *queue) merge(a, b []int32) int64 {
	if s.merger == nil {
		s.merger = tours.NewMerger(s.space)
	}
	return s.merger.Merge(a, b)
}

// endCycles makes the next cycle the first.
func (s *queue) endCycles() { s.bases, s.plan.made = nil, 0 }
