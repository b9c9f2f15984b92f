package ants

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
)

// The state of a colony, in order: "best" (length, tour's presence), "tour", "branch",
// "off", "tau" (n x candidates, or n x n under storage matrix, by internal city) and
// what the algorithm adds.

func (c *colony) Snapshot(w *solvers.Writer) {
	w.Int64s("best", c.bestLength)
	w.Int32s("tour", c.best)
	w.Float64s("branch", c.branch)
	t := c.t
	w.Float32s("off", []float32{t.off})
	if t.full != nil {
		w.Float32s("tau", t.full.tau)
		return
	}
	if t.k == t.stride {
		w.Float32s("tau", t.tau)
		return
	}
	tight := make([]float32, 0, t.n*t.k)
	for i := range t.n {
		tight = append(tight, t.tau[i*t.stride:i*t.stride+t.k]...)
	}
	w.Float32s("tau", tight)
}

// Restore takes the colony's part of a state over.
func (c *colony) Restore(r *solvers.Reader) error {
	length := r.Int64s("best", 1)[0]
	tour := r.Int32s("tour", c.n)
	branch := r.Float64s("branch", 1)[0]
	off := r.Float32s("off", 1)
	storage, _ := r.Params["storage"].Word()
	f, ok := r.Params["candidates"].Float()
	if !ok {
		return fmt.Errorf("ants: the state has no parameter candidates: %w", solvers.ErrState)
	}
	k := max(0, min(int(f), c.n-1))
	size := c.n * k
	if storage == storeMatrix {
		size = c.n * c.n
	}
	tau := r.Float32s("tau", size)
	if r.Err() != nil {
		return r.Err()
	}
	if length != unknown {
		if err := datasets.CheckPermutation(tour, c.n); err != nil {
			return fmt.Errorf("ants: the state's best tour: %w: %w", err, solvers.ErrState)
		}
	}
	c.bestLength, c.branch, c.traced = length, branch, 0
	copy(c.best, tour)
	if length != unknown {
		c.know()
	}
	return c.t.adopt(tau, off[0], k, storage == storeMatrix)
}

// adopt takes over trails that were written with lists of k cities, or as a matrix.
// Edges that were on no list have the trail off.
func (t *trails) adopt(tau []float32, off float32, k int, matrix bool) error {
	t.off = off
	var old *trails
	switch {
	case matrix:
	case k == t.k && t.full == nil:
		for i := range t.n {
			copy(t.tau[i*t.stride:i*t.stride+t.k], tau[i*k:i*k+k])
		}
		return nil
	default:
		l, err := newLists(t.sp, k)
		if err != nil {
			return err
		}
		old = &trails{lists: l, off: off, tau: make([]float32, len(l.id))}
		for i := range t.n {
			copy(old.tau[i*l.stride:i*l.stride+k], tau[i*k:i*k+k])
		}
	}
	was := func(i, j int32) float32 {
		if matrix {
			return tau[int(i)*t.n+int(j)]
		}
		return old.at(i, j)
	}
	for i := range int32(t.n) {
		for s := range t.k {
			at := int(i)*t.stride + s
			t.tau[at] = was(i, t.id[at])
		}
		if t.full != nil {
			for j := range int32(t.n) {
				t.full.tau[int(i)*t.n+int(j)] = was(i, j)
			}
		}
	}
	return nil
}

// Restore implements solvers.Algorithm.
func (a *system) Restore(r *solvers.Reader) error {
	if err := a.colony.Restore(r); err != nil {
		return err
	}
	a.refresh()
	return nil
}

// Restore implements solvers.Algorithm.
func (s *sequence) Restore(r *solvers.Reader) error {
	if err := s.colony.Restore(r); err != nil {
		return err
	}
	s.refresh()
	return nil
}

// Snapshot implements solvers.Algorithm.
func (m *maxmin) Snapshot(w *solvers.Writer) {
	m.colony.Snapshot(w)
	w.Float32s("limits", []float32{m.lo, m.hi})
	w.Int64s("restart", m.restartLength, m.restartFound, m.restartAt, m.resets)
	w.Int32s("restarted", m.restart)
}

// Restore implements solvers.Algorithm.
func (m *maxmin) Restore(r *solvers.Reader) error {
	if err := m.colony.Restore(r); err != nil {
		return err
	}
	limits := r.Float32s("limits", 2)
	v := r.Int64s("restart", 4)
	tour := r.Int32s("restarted", m.n)
	if r.Err() != nil {
		return r.Err()
	}
	if v[0] != unknown {
		if err := datasets.CheckPermutation(tour, m.n); err != nil {
			return fmt.Errorf("ants: the state's best tour since the reset: %w: %w", err, solvers.ErrState)
		}
	}
	m.restartLength, m.restartFound, m.restartAt, m.resets = v[0], v[1], v[2], v[3]
	copy(m.restart, tour)
	m.lo, m.hi = limits[0], limits[1]
	m.refresh()
	return nil
}
