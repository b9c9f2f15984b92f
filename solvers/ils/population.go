package ils

import (
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// chains are tours that are searched side by side, in internal numbers, and their lengths.
type chains struct {
	tours   [][]int32
	lengths []int64
}

// shortest and longest are the chains with the shortest and the longest tour, of equal ones the
// first.
func (c *chains) shortest() int { return slices.Index(c.lengths, slices.Min(c.lengths)) }

func (c *chains) longest() int { return slices.Index(c.lengths, slices.Max(c.lengths)) }

// copyChain lets a chain go on from the tour of another one.
func (c *chains) copyChain(to, from int) {
	copy(c.tours[to], c.tours[from])
	c.lengths[to] = c.lengths[from]
}

// resize drops the last chains, or adds some that begin with the shortest tour, and returns the
// chain that has it.
func (c *chains) resize(count int) (from int) {
	from = c.shortest()
	c.tours = resized(c.tours, count, from)
	for len(c.lengths) < count {
		c.lengths = append(c.lengths, c.lengths[from])
	}
	c.lengths = c.lengths[:count]
	return from
}

// resized drops the last tours, or adds copies of one of them.
func resized(all [][]int32, count, from int) [][]int32 {
	for len(all) < count {
		all = append(all, slices.Clone(all[from]))
	}
	return all[:count]
}

// trace are the tours in the instance's numbers.
func (c *chains) trace(sp *tours.Space) [][]int32 {
	out := make([][]int32, len(c.tours))
	for i, t := range c.tours {
		out[i] = sp.ToInstance(t)
	}
	return out
}

// incumbent is the best tour since the start, in internal numbers; nil: no search has ended yet.
type incumbent struct {
	tour   []int32
	length int64
}

// beaten tells whether a tour of the length would be the best.
func (b *incumbent) beaten(length int64) bool { return b.tour == nil || length < b.length }

// offer takes a copy of a tour that is shorter.
func (b *incumbent) offer(tour []int32, length int64) {
	if b.beaten(length) {
		b.tour, b.length = append(b.tour[:0], tour...), length
	}
}

func (b *incumbent) value() float64 {
	if b.tour == nil {
		return math.Inf(1)
	}
	return float64(b.length)
}

func (b *incumbent) solution(sp *tours.Space) record.Solution {
	if b.tour == nil {
		return record.Solution{}
	}
	return record.Solution{Perm: sp.ToInstance(b.tour)}
}

// writeChains writes the chains, the best tour and a number of the search's own.
func writeChains(w *solvers.Writer, c *chains, flags int64, best *incumbent) {
	w.Int64s("chains", int64(len(c.tours)), flags, best.length)
	w.Int32s("best", best.tour)
	w.Int64s("lengths", c.lengths...)
	for _, t := range c.tours {
		w.Int32s("tour", t)
	}
}

// readChains reads what writeChains wrote of tours of n cities.
func readChains(r *solvers.Reader, n int) (c chains, flags int64, best incumbent, err error) {
	head := r.Int64s("chains", 3)
	tour := r.Int32s("best", -1)
	c.lengths = r.Int64s("lengths", int(head[0]))
	if err := r.Err(); err != nil {
		return c, 0, best, err
	}
	if len(tour) != n && len(tour) != 0 || len(c.lengths) == 0 {
		return c, 0, best, fmt.Errorf(
			"ils: a state of %d chains with a best tour of %d cities, want %d: %w", len(c.lengths),
			len(tour), n, solvers.ErrState,
		)
	}
	if c.tours, err = readTours(r, "tour", len(c.lengths), n); err != nil {
		return c, 0, best, err
	}
	if len(tour) > 0 { // otherwise no search has ended yet
		if err := checkTour("best", -1, tour, n); err != nil {
			return c, 0, best, err
		}
		best = incumbent{tour, head[2]}
	}
	return c, head[1], best, nil
}

// readTours reads count tours of n cities with a name.
func readTours(r *solvers.Reader, name string, count, n int) ([][]int32, error) {
	var all [][]int32
	for a := range count {
		t := r.Int32s(name, n)
		if err := r.Err(); err != nil {
			return nil, err
		}
		if err := checkTour(name, a, t, n); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// checkTour returns an error if a state's tour is none of n cities.
func checkTour(name string, at int, t []int32, n int) error {
	if err := datasets.CheckPermutation(t, n); err != nil {
		if at >= 0 {
			name = fmt.Sprint(name, " ", at)
		}
		return fmt.Errorf("ils: the state's %s: %w: %w", name, err, solvers.ErrState)
	}
	return nil
}
