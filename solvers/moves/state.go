package moves

import (
	"fmt"

	"metalab/solvers"
)

// Snapshot writes the state of all walks.
func (s *search) Snapshot(w *solvers.Writer) {
	if s.lost(w) {
		return
	}
	w.Int64s("walks", int64(len(s.all)))
	w.Solution("best", s.inst.Kind(), s.best)
	for _, a := range s.all {
		done := int64(0)
		if a.done {
			done = 1 + a.last
		}
		w.Int64s("walk", a.clock, int64(a.level), a.from, a.climb, done)
		w.Solution("now", s.inst.Kind(), a.Solution())
		w.Solution("top", s.inst.Kind(), a.top)
		w.Solution("home", s.inst.Kind(), a.home)
		var times []int64
		if a.memory != nil {
			times = a.memory.times()
		}
		w.Int64s("memory", times...)
	}
}

// restore reads the state of all walks that the parameters still have.
func (s *search) restore(r *solvers.Reader, fill func(*walker)) error {
	n := r.Int64s("walks", 1)[0]
	best, cost, err := r.Solution("best", s.inst)
	if err != nil {
		return err
	}
	if n < 1 || n > 4096 {
		return fmt.Errorf("moves: a state of %d walks, want 1 to 4096", n)
	}
	var all []*walker
	for range n {
		w, err := s.fresh(fill)
		if err != nil {
			return err
		}
		head := r.Int64s("walk", 5)
		now, _, err := r.Solution("now", s.inst)
		if err != nil {
			return err
		}
		if err := w.Load(now); err != nil {
			return err
		}
		if w.top, w.low, err = r.Solution("top", s.inst); err != nil {
			return err
		}
		if w.home, w.homes, err = r.Solution("home", s.inst); err != nil {
			return err
		}
		var into []int64
		if w.memory != nil {
			into = w.memory.times()
		}
		times := r.Int64s("memory", len(into))
		if err := r.Err(); err != nil {
			return err
		}
		copy(into, times)
		w.clock, w.level, w.from, w.climb, w.done = head[0], int(head[1]), head[2], head[3], head[4] > 0
		w.last = max(head[4]-1, 0)
		if nbs := w.Neighbourhoods(); w.level < 0 || w.level >= len(nbs) || w.from < 0 {
			return fmt.Errorf(
				"moves: a state at move %d of neighbourhood %d, which does not exist", w.from, w.level,
			)
		}
		all = append(all, w)
	}
	s.all, s.best, s.bestCost = all, best, cost
	s.far.away = nil
	return s.resize(fill)
}
