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
	heldState{chains, s.best.tour, s.descend, []int64{s.best.length}}.write(w)
}

// Restore reads a state. If the numbers of chains or of neighbours, or the moves, differ from those
// of the state, it does what their declarations say about a change.
func (s *Rounds) Restore(r *solvers.Reader) error {
	c, err := readHeld(r, s.space.N, s.param.chains, 1)
	if err != nil {
		return err
	}
	chains := c.tours
	if s.descend, s.best = c.descend, (incumbent{}); len(c.best) > 0 {
		s.best = incumbent{c.best, c.more[0]}
	}
	if before, ok := r.Params["neighbours"].Float(); !ok || int(before) != s.param.neighbours {
		s.descend = true
	}
	before, ok := r.Params["moves"]
	if !ok { // a state written before this parameter existed
		before = record.Text(TwoOpt)
	}
	if before != record.Text(s.param.moves) {
		s.descend = true
	}
	for len(chains) < s.param.chains {
		if s.best.tour == nil { // no search has ended yet: begin as at the start
			chains = append(chains, s.starts()[len(chains):]...)
			break
		}
		chains = append(chains, slices.Clone(s.best.tour))
	}
	return s.load(chains)
}
