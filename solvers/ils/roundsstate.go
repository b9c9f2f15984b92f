package ils

import (
	"slices"

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
	chainState{chains, s.best, s.descend, []int64{s.bestLen}}.write(w)
}

// Restore reads a state. Where the parameters have other numbers of chains or of neighbours or
// other moves than the state, it does what their declarations say of a change.
func (s *Rounds) Restore(r *solvers.Reader) error {
	c, err := readHeld(r, s.p.Space.N, s.chains, 1)
	if err != nil {
		return err
	}
	chains, best := c.tours, c.best
	s.descend, s.best, s.bestLen = c.descend, nil, c.more[0]
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
