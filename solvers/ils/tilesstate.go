package ils

import (
	"fmt"
	"math"
	"slices"

	"metalab/solvers"
	"metalab/solvers/record"
)

// Control sets cooling to the kicks of the whole step at the present rate.
func (s *Tiles) Control(spent float64) record.Values {
	if !s.param.timed || s.param.accept != "threshold" || s.done == 0 {
		return nil
	}
	cooling := min(maxCooling, math.Round(float64(s.done)/float64(s.p.Space.N)/spent*100)/100)
	if cooling > 0 && math.Abs(cooling-s.param.cooling) > coolingStep*s.param.cooling {
		return record.Of("cooling", cooling)
	}
	return nil
}

// StartAt makes all chains begin with the tour.
func (s *Tiles) StartAt(sol record.Solution) { s.given = sol.Perm }

func (s *Tiles) Counts() string { return counts }

// Measures are the shares of kicks that were accepted, that improved the tour and that were undone
// only because they joined other ends of paths, and the kicks of a chain so far per city.
func (s *Tiles) Measures() []string { return []string{"kept", "gaining", "refused", "kicks"} }

func (s *Tiles) Best() float64 {
	if !s.found {
		return math.Inf(1)
	}
	return float64(s.best.length)
}

// fetch gets the best tour from the engine.
func (s *Tiles) fetch() error {
	if !s.found || s.best.tour != nil {
		return nil
	}
	tour := make([]int32, s.p.Space.N)
	if err := s.engine.Kept(tour); err != nil {
		return err
	}
	if l := s.p.Space.Length(tour); l != s.best.length {
		return fmt.Errorf(
			"ils: the best tour is said to have the length %d, and it has %d", s.best.length, l,
		)
	}
	s.best.tour = tour
	return nil
}

// Solution is empty when the device that has the best tour was lost.
func (s *Tiles) Solution() record.Solution {
	if s.fetch() != nil || !s.found {
		return record.Solution{}
	}
	return record.Solution{Perm: s.p.Space.ToInstance(s.best.tour)}
}

// Snapshot writes a state without chains where the device that holds the tours was lost. Restore
// refuses it: the record can then be replayed.
func (s *Tiles) Snapshot(w *solvers.Writer) {
	chains, err := s.tours()
	if err == nil {
		err = s.fetch()
	}
	if err != nil {
		chains = nil
	}
	heldState{chains, s.best.tour, s.descend, []int64{s.done, s.best.length}}.write(w)
}

// Restore reads a state. If the number of chains differs from that of the state, it does what its
// declaration says about a change.
func (s *Tiles) Restore(r *solvers.Reader) error {
	c, err := readHeld(r, s.p.Space.N, s.param.chains, 2)
	if err != nil {
		return err
	}
	chains := c.tours
	s.descend, s.done, s.best = c.descend, c.more[0], incumbent{length: c.more[1]}
	if s.found = len(c.best) > 0; s.found {
		s.best.tour = c.best
	}
	for len(chains) < s.param.chains {
		if !s.found { // no search has ended yet: begin as at the start
			chains = append(chains, s.starts(s.param.chains)[len(chains):]...)
			break
		}
		chains = append(chains, slices.Clone(s.best.tour))
	}
	return s.load(chains)
}

func (s *Tiles) Close() {
	if s.cut != nil {
		s.cut.Wait()
	}
	s.held.Close()
}
