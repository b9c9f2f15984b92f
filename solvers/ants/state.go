package ants

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
)

// The state of a colony, in order: "best" (length, tour's presence), "tour", "branch",
// "off", "tau" (n x candidates, or n x n under storage matrix, by internal city), "edges"
// (the cities of the guests, twice as many, and under storage matrix none), "guests" (their
// trails) and what the algorithm adds.

// Snapshot writes the colony's part of a state.
func (c *colony) Snapshot(w *solvers.Writer) {
	w.Int64s("best", c.bestLength)
	w.Int32s("tour", c.best)
	w.Float64s("branch", c.branch)
	t := c.t
	w.Float32s("off", []float32{t.off})
	if t.full != nil {
		w.Float32s("tau", t.full.tau)
		w.Int32s("edges", nil)
		w.Float32s("guests", nil)
		return
	}
	tight := t.tau
	if t.k < t.stride {
		tight = make([]float32, 0, t.n*t.k)
		for i := range t.n {
			tight = append(tight, t.tau[i*t.stride:i*t.stride+t.k]...)
		}
	}
	w.Float32s("tau", tight)
	var edges []int32
	var tau []float32
	for e, g := range t.extra.list {
		if !t.extra.two || e&1 == 0 {
			edges = append(edges, g.from, g.to)
			tau = append(tau, g.tau)
		}
	}
	w.Int32s("edges", edges)
	w.Float32s("guests", tau)
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
	matrix := storage == storeMatrix || int(f) == 0 // without lists there is a matrix always
	if matrix {
		size = c.n * c.n
	}
	tau := r.Float32s("tau", size)
	edges := r.Int32s("edges", -1)
	guests := r.Float32s("guests", len(edges)/2)
	if r.Err() != nil {
		return r.Err()
	}
	for _, c2 := range edges {
		if c2 < 0 || int(c2) >= c.n {
			return fmt.Errorf("ants: the state has a trail of city %d, want 0 to %d: %w", c2, c.n-1, solvers.ErrState)
		}
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
	return c.t.adopt(tau, off[0], k, matrix, edges, guests)
}

// adopt takes over trails that were written with lists of k cities and guests, or as a
// matrix. All other edges have the trail off.
func (t *trails) adopt(tau []float32, off float32, k int, matrix bool, edges []int32, guests []float32) error {
	t.off = off
	if t.extra != nil {
		t.extra.clear()
	}
	same := k == t.k && !matrix && t.full == nil
	was := func(i, j int32) float32 { return tau[int(i)*t.n+int(j)] }
	if !matrix {
		l := t.lists
		if k != t.k {
			var err error
			if l, err = newLists(t.sp, k); err != nil {
				return err
			}
		}
		old := &trails{lists: l, off: off, tau: make([]float32, len(l.id)), extra: newGuests(t.n, !t.sp.Asymmetric)}
		for i := range t.n {
			copy(old.tau[i*l.stride:i*l.stride+k], tau[i*k:i*k+k])
		}
		for e, v := range guests {
			old.extra.put(edges[2*e], edges[2*e+1], v)
		}
		if same {
			t.tau, t.extra = old.tau, old.extra
			return nil
		}
		was = old.at
		if t.extra != nil {
			t.keepUnlisted(old)
		}
	} else if t.extra != nil {
		for i := range int32(t.n) {
			for j := range int32(t.n) {
				if v := was(i, j); i != j && v != off && (t.mirror == nil || i < j) && t.place(i, j) == none {
					t.extra.put(i, j, v)
				}
			}
		}
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

// keepUnlisted makes guests of the trails of old that are on no list here.
func (t *trails) keepUnlisted(old *trails) {
	for i := range int32(t.n) {
		for s := range old.k {
			at := int(i)*old.stride + s
			if j, v := old.id[at], old.tau[at]; v != t.off && t.place(i, j) == none {
				t.extra.put(i, j, v)
			}
		}
	}
	for e, g := range old.extra.list {
		if (!old.extra.two || e&1 == 0) && t.place(g.from, g.to) == none {
			t.extra.put(g.from, g.to, g.tau)
		}
	}
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
