package genetic

import (
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// herd is what both variants are made of: a population and the best tour so far. They are the
// state, which Snapshot writes.
type herd struct {
	inst  *datasets.TSP
	env   *solvers.Env
	space *tours.Space

	given []int32 // the start, in the instance's numbers; nil: none

	genes   []gene // none before the first iteration
	best    []int32
	bestLen int64
}

// lead takes over the population's shortest tour where it is the best so far, and returns its
// place.
func (h *herd) lead() int {
	at := shortest(h.genes)
	if h.best == nil || h.genes[at].length < h.bestLen {
		h.best, h.bestLen = append(h.best[:0], h.genes[at].tour...), h.genes[at].length
	}
	return at
}

// read reads what Snapshot wrote, for a population of a size.
func (h *herd) read(r *solvers.Reader, size int) error {
	genes, best, bestLen, err := readGenes(r, h.space)
	if err != nil {
		return err
	}
	h.genes, h.best, h.bestLen = resize(genes, size), best, bestLen
	return nil
}

func (h *herd) Snapshot(w *solvers.Writer) { writeGenes(w, h.genes, h.best, h.bestLen) }

// StartAt makes the tour the first of the population.
func (h *herd) StartAt(s record.Solution) { h.given = s.Perm }

func (h *herd) Best() float64 {
	if h.best == nil {
		return math.Inf(1)
	}
	return float64(h.bestLen)
}

func (h *herd) Solution() record.Solution {
	if h.best == nil {
		return record.Solution{}
	}
	return record.Solution{Perm: h.space.ToInstance(h.best)}
}

// Lengths are those of the tours of the population, by place.
func (h *herd) Lengths() []float64 {
	out := make([]float64, len(h.genes))
	for i := range h.genes {
		out[i] = float64(h.genes[i].length)
	}
	return out
}

// Trace is the tours of the population, by place.
func (h *herd) Trace() [][]int32 {
	out := make([][]int32, len(h.genes))
	for i := range h.genes {
		out[i] = h.space.ToInstance(h.genes[i].tour)
	}
	return out
}

func (h *herd) Close() {}
