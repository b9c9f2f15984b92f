package genetic

import (
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// common holds what both variants share: a population and the best tour so far. They are the state,
// which Snapshot writes.
type common struct {
	inst  *datasets.TSP
	env   *solvers.Env
	space *tours.Space

	given []int32 // the start, in the instance's numbers; nil: none

	members []individual // none before the first iteration
	best    []int32
	bestLen int64
}

// lead stores the population's shortest tour if it is the best so far, and returns its place.
func (c *common) lead() int {
	at := shortest(c.members)
	if c.best == nil || c.members[at].length < c.bestLen {
		c.best, c.bestLen = append(c.best[:0], c.members[at].tour...), c.members[at].length
	}
	return at
}

// read reads what Snapshot wrote, for a population of a size.
func (c *common) read(r *solvers.Reader, size int) error {
	members, best, bestLen, err := readPopulation(r, c.space, here)
	if err != nil {
		return err
	}
	c.members, c.best, c.bestLen = resize(members, size), best, bestLen
	return nil
}

func (c *common) Snapshot(w *solvers.Writer) { writePopulation(w, c.members, c.best, c.bestLen) }

// StartAt makes the tour the first of the population.
func (c *common) StartAt(s record.Solution) { c.given = s.Perm }

func (c *common) Best() float64 {
	if c.best == nil {
		return math.Inf(1)
	}
	return float64(c.bestLen)
}

func (c *common) Solution() record.Solution {
	if c.best == nil {
		return record.Solution{}
	}
	return record.Solution{Perm: c.space.ToInstance(c.best)}
}

// Lengths returns the lengths of the population's tours, by place.
func (c *common) Lengths() []float64 {
	out := make([]float64, len(c.members))
	for i := range c.members {
		out[i] = float64(c.members[i].length)
	}
	return out
}

// Trace is the tours of the population, by place.
func (c *common) Trace() [][]int32 {
	out := make([][]int32, len(c.members))
	for i := range c.members {
		out[i] = c.space.ToInstance(c.members[i].tour)
	}
	return out
}

func (c *common) Close() {}
