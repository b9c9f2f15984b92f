package ils

import (
	"slices"

	"metalab/solvers/tours"
)

// With accept=annealing the limit of what is kept falls from the temperature to 0 in a cycle of
// cooling kicks a city, which ends with an iteration. Then the chain's tour and the one at the
// cycle's beginning are merged, which takes back what the cycle made worse, part by part. The next
// cycle begins from there. In the first cycle, in which kicks gain by themselves, the limit is 0.

// cycleKicks is the number of kicks of a chain in a cycle.
func (s *queue) cycleKicks() float64 { return float64(s.cooling * float64(s.space.N)) }

// warmth is the share of the temperature that is left after so many kicks of an iteration.
func (s *queue) warmth(kicks int) float64 {
	if len(s.bases) == 0 {
		return 0
	}
	return max(0, 1-float64(s.made+int64(kicks))/s.cycleKicks())
}

// cycle ends an iteration of accept=annealing, and the cycle if it is over.
func (s *queue) cycle() {
	if s.made += int64(s.kicks); float64(s.made) < s.cycleKicks() {
		return
	}
	s.made = 0
	if len(s.bases) == 0 {
		for _, t := range s.tours {
			s.bases = append(s.bases, slices.Clone(t))
		}
		return
	}
	if s.merger == nil {
		s.merger = tours.NewMerger(s.space)
	}
	for a, base := range s.bases {
		s.merger.Merge(base, s.tours[a])
		copy(s.tours[a], base)
		s.lengths[a] = s.space.Length(base)
	}
}

// endCycles makes the next cycle the first.
func (s *queue) endCycles() { s.bases, s.made = nil, 0 }
