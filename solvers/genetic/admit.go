package genetic

import (
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// A tour from another search replaces the population's longest tour, unless it is not shorter or
// the population has a tour of the same length, which counts as the same tour.
var (
	_ solvers.Admitter = (*tournament)(nil)
	_ solvers.Admitter = (*eax)(nil)
	_ solvers.Admitter = (*rounds)(nil)
)

// place returns the place of a tour in a population, among equally long ones the last; -1: nowhere.
func place(members []individual, m *individual) int {
	at := -1
	for i := range members {
		if members[i].length == m.length {
			return -1
		}
		if members[i].length > m.length && (at < 0 || members[i].length >= members[at].length) {
			at = i
		}
	}
	return at
}

// migrant is a solution as a member.
func (c *common) migrant(s record.Solution) individual {
	t := c.space.FromInstance(s.Perm)
	return individual{tour: t, length: c.space.Length(t), hash: arith.HashPerm(t)}
}

// admit accepts a member, and returns its place; -1: it was rejected.
func (c *common) admit(s record.Solution) int {
	m := c.migrant(s)
	at := place(c.members, &m)
	if at < 0 {
		return -1
	}
	c.members[at] = m
	c.lead()
	return at
}

// Admit implements solvers.Admitter.
func (s *eax) Admit(_ int64, sol record.Solution, _ float64) (bool, error) {
	if s.admit(sol) < 0 {
		return false, nil
	}
	s.recount()
	return true, nil
}

// Admit implements solvers.Admitter.
func (s *rounds) Admit(_ int64, sol record.Solution, _ float64) (bool, error) {
	if s.admit(sol) < 0 {
		return false, nil
	}
	s.loaded = false
	return true, nil
}

// Admit implements solvers.Admitter.
func (g *tournament) Admit(_ int64, sol record.Solution, _ float64) (bool, error) {
	if g.far == nil {
		return g.admit(sol) >= 0, nil
	}
	m := g.migrant(sol)
	at := place(g.members, &m)
	if at < 0 {
		return false, nil
	}
	return true, g.far.admit(g, at, &m)
}

// admit accepts a member whose tour is on the host.
func (f *remote) admit(g *tournament, at int, m *individual) error {
	if err := f.vacant(g, 1); err != nil {
		return err
	}
	tour := m.tour
	m.row, m.tour = f.free[0], nil
	if err := f.engine.Put(m.row, tour); err != nil {
		return err
	}
	g.members[at] = *m
	f.lead(g)
	return nil
}
