package ils

import (
	"fmt"

	"metalab/solvers"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/record"
)

// A tour from another search replaces the longest tour if it is shorter: that of a chain, or during
// crossing that of a member of the pool.
var (
	_ solvers.Admitter = (*queue)(nil)
	_ solvers.Admitter = (*bestSearch)(nil)
	_ solvers.Admitter = (*Rounds)(nil)
	_ solvers.Admitter = (*Tiles)(nil)
)

// admit lets the chain with the longest tour go on from a shorter one; -1: none is longer.
func (c *chains) admit(tour []int32, length int64) (chain int) {
	at := c.longest()
	if length >= c.lengths[at] {
		return -1
	}
	copy(c.tours[at], tour)
	c.lengths[at] = length
	return at
}

// Admit implements solvers.Admitter.
func (s *queue) Admit(_ int64, sol record.Solution, _ float64) (bool, error) {
	tour := s.space.FromInstance(sol.Perm)
	length := s.space.Length(tour)
	changed := s.best.beaten(length)
	s.best.offer(tour, length)
	if s.plan.Stage > assembly.Filling {
		return s.pool.Admit(assembly.NewMember(s.space, tour), s.startCrossing) || changed, nil
	}
	if a := s.chains.admit(tour, length); a >= 0 {
		changed = true
		if len(s.bases) > 0 {
			copy(s.bases[a], tour)
		}
	}
	return changed, nil
}

// Admit implements solvers.Admitter.
func (s *bestSearch) Admit(_ int64, sol record.Solution, _ float64) (bool, error) {
	tour := s.space.FromInstance(sol.Perm)
	length := s.space.Length(tour)
	changed := s.best.beaten(length)
	s.best.offer(tour, length)
	if s.chains.admit(tour, length) < 0 {
		return changed, nil
	}
	s.loaded = false
	return true, nil
}

// admit is chains.admit of tours that an engine holds.
func (h *held[E]) admit(tour []int32, length int64) (bool, error) {
	at := 0
	for a, l := range h.lengths {
		if l > h.lengths[at] {
			at = a
		}
	}
	if length >= h.lengths[at] {
		return false, nil
	}
	all, err := h.tours()
	if err != nil {
		return false, fmt.Errorf("ils: %w", err)
	}
	all[at] = tour
	return true, h.load(all)
}

// Admit implements solvers.Admitter.
func (s *Rounds) Admit(_ int64, sol record.Solution, _ float64) (bool, error) {
	tour := s.space.FromInstance(sol.Perm)
	length := s.space.Length(tour)
	changed := s.best.beaten(length)
	s.best.offer(tour, length)
	took, err := s.held.admit(tour, length)
	return took || changed, err
}

// Admit implements solvers.Admitter.
func (s *Tiles) Admit(_ int64, sol record.Solution, _ float64) (bool, error) {
	if err := s.fetch(); err != nil { // the engine forgets its best when it is loaded
		return false, err
	}
	tour := s.space.FromInstance(sol.Perm)
	length := s.space.Length(tour)
	changed := !s.found || length < s.best.length
	if changed {
		s.found, s.best = true, incumbent{append([]int32(nil), tour...), length}
	}
	took, err := s.held.admit(tour, length)
	return took || changed, err
}
