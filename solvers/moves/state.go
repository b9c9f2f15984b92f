package moves

import (
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// write writes a solution, empty when there is none.
func write(w *solvers.Writer, of datasets.Kind, name string, s record.Solution) {
	switch {
	case s.Bits != nil:
		w.Int32s(name, widen(s.Bits))
	case of == datasets.KindWeierstrass: // also if there is none yet
		w.Float64s(name+" real", s.Real...)
	default:
		w.Int32s(name, s.Perm)
	}
}

func widen(b []int8) []int32 {
	out := make([]int32, len(b))
	for i, x := range b {
		out[i] = int32(x)
	}
	return out
}

// read reads a solution of the instance and returns its cost; the cost of a missing one is
// infinite.
func (s *search) read(
	r *solvers.Reader, name string,
) (sol record.Solution, cost float64, err error) {
	if s.inst.Kind() == datasets.KindWeierstrass {
		return s.readReal(r, name)
	}
	v := r.Int32s(name, -1)
	if err := r.Err(); err != nil {
		return sol, 0, err
	}
	if len(v) == 0 {
		return sol, math.Inf(1), nil
	}
	if s.inst.Kind() == datasets.KindPPP {
		sol.Bits = make([]int8, len(v))
		for i, x := range v {
			sol.Bits[i] = int8(x)
			if int32(sol.Bits[i]) != x {
				sol.Bits[i] = 0 // not a bit: the cost function returns an error
			}
		}
	} else {
		sol.Perm = v
	}
	cost, err = solvers.Cost(s.inst, sol)
	if err != nil {
		return sol, 0, fmt.Errorf("moves: %s of the state: %w", name, err)
	}
	return sol, cost, nil
}

func (s *search) readReal(
	r *solvers.Reader, name string,
) (sol record.Solution, cost float64, err error) {
	sol.Real = r.Float64s(name+" real", -1)
	if err := r.Err(); err != nil {
		return sol, 0, err
	}
	if len(sol.Real) == 0 {
		return record.Solution{}, math.Inf(1), nil
	}
	cost, err = solvers.Cost(s.inst, sol)
	if err != nil {
		return sol, 0, fmt.Errorf("moves: %s of the state: %w", name, err)
	}
	return sol, cost, nil
}

// Snapshot writes the state of all walks.
func (s *search) Snapshot(w *solvers.Writer) {
	if s.lost(w) {
		return
	}
	w.Int64s("walks", int64(len(s.all)))
	write(w, s.inst.Kind(), "best", s.best)
	for _, a := range s.all {
		done := int64(0)
		if a.done {
			done = 1 + a.last
		}
		w.Int64s("walk", a.clock, int64(a.level), a.from, a.climb, done)
		write(w, s.inst.Kind(), "now", a.Solution())
		write(w, s.inst.Kind(), "top", a.top)
		write(w, s.inst.Kind(), "home", a.home)
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
	best, cost, err := s.read(r, "best")
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
		now, _, err := s.read(r, "now")
		if err != nil {
			return err
		}
		if err := w.Load(now); err != nil {
			return err
		}
		if w.top, w.low, err = s.read(r, "top"); err != nil {
			return err
		}
		if w.home, w.homes, err = s.read(r, "home"); err != nil {
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
