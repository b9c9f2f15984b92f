package ils

import (
	"fmt"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Snapshot writes a state without chains where the device that holds the tours was lost. Restore
// refuses it: the record can then be replayed.
func (s *Rounds) Snapshot(w *solvers.Writer) {
	chains, err := s.tours()
	if err != nil {
		chains = nil
	}
	flag := int64(0)
	if s.descend {
		flag = 1
	}
	w.Int64s("chains", int64(len(chains)), flag, s.bestLen)
	w.Int32s("best", s.best)
	for _, t := range chains {
		w.Int32s("tour", t)
	}
}

// Restore reads a state. Where the parameters have other numbers of chains or of neighbours or
// other moves than the state, it does what their declarations say of a change.
func (s *Rounds) Restore(r *solvers.Reader) error {
	head := r.Int64s("chains", 3)
	best := r.Int32s("best", -1)
	if err := r.Err(); err != nil {
		return err
	}
	n := s.p.Space.N
	if head[0] < 1 {
		return fmt.Errorf(
			"ils: the state has no chains, the device was lost before it was written: %w", solvers.ErrState,
		)
	}
	if len(best) > 0 {
		if err := datasets.CheckPermutation(best, n); err != nil {
			return fmt.Errorf("ils: the state's best tour: %w: %w", err, solvers.ErrState)
		}
	}
	var chains [][]int32
	for a := range head[0] {
		t := r.Int32s("tour", n)
		if err := r.Err(); err != nil {
			return err
		}
		if err := datasets.CheckPermutation(t, n); err != nil {
			return fmt.Errorf("ils: the state's tour %d: %w: %w", a, err, solvers.ErrState)
		}
		if len(chains) < s.chains {
			chains = append(chains, t)
		}
	}
	s.descend, s.best, s.bestLen = head[1] == 1, nil, head[2]
	if len(best) > 0 {
		s.best = best
	}
	if before, ok := r.Params["neighbours"].Float(); !ok || int(before) != s.neighbours {
		s.descend = true
	}
	before, ok := r.Params["moves"]
	if !ok { // a state written before this parameter existed
		before = record.Text(TwoOpt)
	}
	if before != record.Text(s.moves) {
		s.descend = true
	}
	for len(chains) < s.chains {
		if s.best == nil { // no search was made yet: begin as at the start
			chains = append(chains, s.starts()[len(chains):]...)
			break
		}
		chains = append(chains, slices.Clone(s.best))
	}
	s.lengths = make([]int64, len(chains))
	for a, t := range chains {
		s.lengths[a] = s.p.Space.Length(t)
	}
	return s.engine.Load(chains)
}
