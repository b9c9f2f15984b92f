package ils

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/tours"
)

// What Rounds and Tiles have in common: tours side by side that an engine holds, here or on a
// device, which may be lost.

// fetchTours copies so many tours of n cities from an engine.
func fetchTours(
	count, n int, engine interface {
		Tour(chain int, into []int32) error
	},
) ([][]int32, error) {
	out := make([][]int32, count)
	for a := range out {
		out[a] = make([]int32, n)
		if err := engine.Tour(a, out[a]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// traced are the tours in the instance's numbering; nil where they could not be fetched.
func traced(sp *tours.Space, all [][]int32, err error) [][]int32 {
	if err != nil {
		return nil
	}
	for a, t := range all {
		all[a] = sp.ToInstance(t)
	}
	return all
}

// floats are the lengths of the chains' tours.
func floats(lengths []int64) []float64 {
	out := make([]float64, len(lengths))
	for a, l := range lengths {
		out[a] = float64(l)
	}
	return out
}

// chainState is what a state holds of the chains.
type chainState struct {
	tours   [][]int32 // none: the device that had them was lost
	best    []int32   // empty: there is none yet
	descend bool      // the tours are still to be made minima
	more    []int64   // numbers of the solver's own
}

// write writes the state.
func (c chainState) write(w *solvers.Writer) {
	flag := int64(0)
	if c.descend {
		flag = 1
	}
	w.Int64s("chains", append([]int64{int64(len(c.tours)), flag}, c.more...)...)
	w.Int32s("best", c.best)
	for _, t := range c.tours {
		w.Int32s("tour", t)
	}
}

// readChains reads a state of tours of n cities with so many numbers of the solver's own, and keeps
// the first most tours. One without tours cannot be taken over.
func readHeld(r *solvers.Reader, n, most, numbers int) (c chainState, err error) {
	head := r.Int64s("chains", 2+numbers)
	c.best = r.Int32s("best", -1)
	if err := r.Err(); err != nil {
		return c, err
	}
	c.descend, c.more = head[1] == 1, head[2:]
	if head[0] < 1 {
		return c, fmt.Errorf(
			"ils: the state has no chains, the device was lost before it was written: %w", solvers.ErrState,
		)
	}
	if len(c.best) > 0 {
		if err := datasets.CheckPermutation(c.best, n); err != nil {
			return c, fmt.Errorf("ils: the state's best tour: %w: %w", err, solvers.ErrState)
		}
	}
	for a := range head[0] {
		t := r.Int32s("tour", n)
		if err := r.Err(); err != nil {
			return c, err
		}
		if err := datasets.CheckPermutation(t, n); err != nil {
			return c, fmt.Errorf("ils: the state's tour %d: %w: %w", a, err, solvers.ErrState)
		}
		if len(c.tours) < most {
			c.tours = append(c.tours, t)
		}
	}
	return c, nil
}
