package ants

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
)

// The state of acs/spm and acs/spm-alt, in order: "best" (length), "tour", "branch", and the
// memory: "edges" (n x spm_slots: where they lead, -1 for none), "trails" (theirs), "heads" (by city: the
// place that was stored into last).

// Snapshot implements solvers.Algorithm.
func (s *selective) Snapshot(w *solvers.Writer) {
	s.fetchBest(&s.hired, nil)
	s.fetchMemory()
	if s.lost != nil {
		noState(w, s.lost)
		return
	}
	w.Int64s("best", s.bestLength)
	w.Int32s("tour", s.best)
	w.Float64s("branch", s.branch)
	w.Int32s("edges", s.mem.City)
	w.Float32s("trails", s.mem.Tau)
	w.Bytes("heads", s.mem.Head)
}

// Restore implements solvers.Algorithm.
func (s *selective) Restore(r *solvers.Reader) error {
	length := r.Int64s("best", 1)[0]
	tour := r.Int32s("tour", s.n)
	branch := r.Float64s("branch", 1)[0]
	f, ok := r.Params["spm_slots"].Float()
	if !ok || f < 1 || f > MostSlots {
		return fmt.Errorf("ants: the state's parameter spm_slots is %v, want 1 to %d: %w", r.Params["spm_slots"], MostSlots, solvers.ErrState)
	}
	old := &Memory{Slots: int(f)}
	old.City = r.Int32s("edges", s.n*old.Slots)
	old.Tau = r.Float32s("trails", s.n*old.Slots)
	old.Head = r.Bytes("heads", s.n)
	if r.Err() != nil {
		return r.Err()
	}
	for i, j := range old.City {
		if j != NoCity && (j < 0 || int(j) >= s.n || int(j) == i/old.Slots || !(old.Tau[i] > 0)) {
			return fmt.Errorf("ants: the state stores a trail %v from city %d to %d, want others of 0 to %d: %w", old.Tau[i], i/old.Slots, j, s.n-1, solvers.ErrState)
		}
	}
	for _, h := range old.Head {
		if int(h) >= old.Slots {
			return fmt.Errorf("ants: the state's rings have a place %d, want below %d: %w", h, old.Slots, solvers.ErrState)
		}
	}
	if length != unknown {
		if err := datasets.CheckPermutation(tour, s.n); err != nil {
			return fmt.Errorf("ants: the state's best tour: %w: %w", err, solvers.ErrState)
		}
	}
	s.bestLength, s.branch, s.traced = length, branch, 0
	copy(s.best, tour)
	if length != unknown {
		s.know()
	}
	if old.Slots == s.slots {
		s.mem.copy(old)
	} else {
		s.mem.fit(old)
	}
	if s.crew == nil {
		s.index()
		return nil
	}
	return s.sendAll()
}
