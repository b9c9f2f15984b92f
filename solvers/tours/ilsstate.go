package tours

import (
	"fmt"

	"metalab/solvers"
)

// Snapshot implements solvers.Algorithm.
func (s *ils) Snapshot(w *solvers.Writer) {
	flag := int64(0)
	if s.descend {
		flag = 1
	}
	w.Int64s("chains", int64(len(s.tours)), flag, s.bestLen)
	w.Int32s("best", s.best)
	w.Int64s("lengths", s.lengths...)
	for _, t := range s.tours {
		w.Int32s("tour", t)
	}
}

// Restore implements solvers.Algorithm. Everything is carried over; chains that the
// parameters add or leave out are treated as by a change of chains.
func (s *ils) Restore(r *solvers.Reader) error {
	head := r.Int64s("chains", 3)
	best := r.Int32s("best", -1)
	lengths := r.Int64s("lengths", int(head[0]))
	if err := r.Err(); err != nil {
		return err
	}
	n := s.space.N
	if len(best) != n && len(best) != 0 || len(lengths) == 0 {
		return fmt.Errorf("tours: a state of %d chains with a best tour of %d cities, want %d", len(lengths), len(best), n)
	}
	tours := make([][]int32, len(lengths))
	for a := range tours {
		tours[a] = r.Int32s("tour", n)
	}
	if err := r.Err(); err != nil {
		return err
	}
	for a, t := range append(tours, best) {
		if len(t) > 0 && !permutation(t) {
			return fmt.Errorf("tours: tour %d of the state does not visit every city once", a)
		}
	}
	s.tours, s.lengths, s.descend, s.bestLen = tours, lengths, head[1] == 1, head[2]
	s.best = nil
	if len(best) > 0 {
		s.best = best
	}
	s.resize()
	return nil
}

// permutation tells whether t holds each of 0 .. len(t)-1 once.
func permutation(t []int32) bool {
	seen := make([]bool, len(t))
	for _, c := range t {
		if c < 0 || int(c) >= len(t) || seen[c] {
			return false
		}
		seen[c] = true
	}
	return true
}
