package ils

import "metalab/solvers/internal/assembly"

// A phase is the work of one iteration of queue.
type phase int

const (
	glancing   phase = iota // a quick search from all cities on every chain, see glances
	descending              // a full search on every chain
	comparing               // the same from the other start; the shorter of both tours stays
	kicking                 // some kicks on every chain: perturb, search, accept
	filling                 // local optima for the pool
	crossing                // a generation of the pool
)

// schedule says which phase comes next: first the searches that are due, then cycles of kicks, each
// followed by a pool if there are pools. Numbers of it stand in states.
type schedule struct {
	glance  bool  // a quick search from all cities is due
	descend bool  // a search from all cities is due
	other   bool  // after it, one from the other start
	made    int64 // kicks of a chain in the cycle
	assembly.Plan
}

// phase returns the phase of the next iteration.
func (s *schedule) phase() phase {
	switch {
	case s.glance:
		return glancing
	case s.descend:
		return descending
	case s.other:
		return comparing
	case s.Stage == assembly.NoPool:
		return kicking
	case s.Stage == assembly.Filling:
		return filling
	}
	return crossing
}

// kicked counts kicks of a chain, and reports whether they end a cycle.
func (s *schedule) kicked(kicks int, cycle float64) (over bool) {
	if s.made += int64(kicks); float64(s.made) < cycle {
		return false
	}
	s.made = 0
	return true
}
