package ils

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
)

func (s *queue) Snapshot(w *solvers.Writer) {
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

// Restore reads the whole state. If the parameters have another number of chains than the state,
// that has the same effect as a change of the parameter.
func (s *queue) Restore(r *solvers.Reader) error {
	head := r.Int64s("chains", 3)
	best := r.Int32s("best", -1)
	lengths := r.Int64s("lengths", int(head[0]))
	if err := r.Err(); err != nil {
		return err
	}
	n := s.space.N
	if len(best) != n && len(best) != 0 || len(lengths) == 0 {
		return fmt.Errorf(
			"ils: a state of %d chains with a best tour of %d cities, want %d", len(lengths), len(best), n,
		)
	}
	chains := make([][]int32, len(lengths))
	for a := range chains {
		chains[a] = r.Int32s("tour", n)
	}
	if err := r.Err(); err != nil {
		return err
	}
	for a, t := range append(chains, best) {
		if len(t) == 0 {
			continue // no search was made yet: there is no best tour
		}
		if err := datasets.CheckPermutation(t, n); err != nil {
			return fmt.Errorf("ils: the state's tour %d: %w: %w", a, err, solvers.ErrState)
		}
	}
	s.tours, s.lengths, s.descend, s.bestLen = chains, lengths, head[1] == 1, head[2]
	s.best = nil
	if len(best) > 0 {
		s.best = best
	}
	s.resize()
	return nil
}
