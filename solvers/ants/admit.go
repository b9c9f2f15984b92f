package ants

import (
	"slices"

	"metalab/solvers"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/record"
)

// A tour from another search becomes the best tour if it is shorter: it is then rewarded as if an
// ant had built it. Ant System rewards only the tours of its own ants in an iteration, so it admits
// nothing.
var (
	_ solvers.Admitter = (*admitting)(nil)
	_ solvers.Admitter = (*focused)(nil)
)

// admitting is colonies whose policy rewards a tour that no ant of theirs made.
type admitting struct{ *colonies }

// An admitter is such a colony: admit makes a tour, in internal numbers, the best one if it is
// shorter.
type admitter interface {
	admit(tour []int32, length, it int64) (changed bool, err error)
}

// Admit implements solvers.Admitter. Among several colonies, the one with the longest best tour
// accepts it, and among equal ones the last; exchange brings it to the others.
func (s *admitting) Admit(it int64, sol record.Solution, _ float64) (bool, error) {
	to := 0
	for k, m := range s.all {
		if m.Best() >= s.all[to].Best() {
			to = k
		}
	}
	c := s.all[to].base()
	tour := c.sp.FromInstance(sol.Perm)
	return s.all[to].(admitter).admit(tour, c.sp.Length(tour), it)
}

func (s *colonySystem) admit(tour []int32, length, it int64) (bool, error) {
	if length >= s.bestLength {
		return false, nil
	}
	return true, s.receive(tour, length, it)
}

// admit may also make it the best since the trails were set back, which are then not set back
// again before it had its time.
func (m *maxMin) admit(tour []int32, length, it int64) (bool, error) {
	switch {
	case length < m.bestLength:
		return true, m.receive(tour, length, it)
	case length < m.restart.length:
		return true, m.restarted(tour, length, it)
	}
	return false, nil
}

// Admit implements solvers.Admitter: a tour that is shorter than the one that the ants change
// replaces it. Its new edges get trails like those that an ant brings. During the crossing of a
// pool it also replaces the longest of the pool's tours.
func (f *focused) Admit(it int64, s record.Solution, _ float64) (bool, error) {
	tour := f.sp.FromInstance(s.Perm)
	length := f.sp.Length(tour)
	changed := false
	if f.pool.plan.Stage > assembly.Filling {
		changed = f.pool.Admit(assembly.NewMember(f.sp, tour), f.startCrossing)
	}
	if length >= f.held.length {
		return changed, nil
	}
	f.adopt(tour, length, it)
	return true, nil
}

// adopt makes a tour the one that ants change. Trails are those of its edges from iteration it on.
func (f *focused) adopt(tour []int32, length, it int64) {
	f.settle()
	if f.held.isBest && length >= f.held.bestLength { // the best tour is left
		copy(f.held.best, f.held.tour)
		f.held.isBest = false
	}
	next, was := following(tour), following(f.held.tour)
	for i, c := range f.held.tour {
		if d := f.held.tour[(i+1)%f.n]; next[c] != d && next[d] != c {
			f.t.off(c, d, it)
		}
	}
	for i, c := range tour {
		if d := tour[(i+1)%f.n]; was[c] != d && was[d] != c {
			f.t.on(c, d, it)
		}
	}
	copy(f.held.tour, canonical(tour))
	f.held.length, f.held.moved = length, false
	if length < f.held.bestLength {
		f.held.bestLength, f.held.isBest = length, true
	}
	for _, w := range f.work {
		w.ready = false
	}
}

// following lists the city after each in a tour.
func following(tour []int32) []int32 {
	next := make([]int32, len(tour))
	for i, c := range tour {
		next[c] = tour[(i+1)%len(tour)]
	}
	return next
}

// canonical is a tour from city 0 on in the direction of the smaller of its two neighbours.
func canonical(tour []int32) []int32 {
	n := len(tour)
	at := slices.Index(tour, 0)
	step := 1
	if tour[(at+n-1)%n] < tour[(at+1)%n] {
		step = n - 1
	}
	out := make([]int32, n)
	for i := range out {
		out[i] = tour[at]
		at = (at + step) % n
	}
	return out
}
