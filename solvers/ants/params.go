package ants

import (
	"metalab/solvers"
	"metalab/solvers/record"
)

// maxTours bounds ants x cities: the tours of an iteration take 4 bytes each.
const maxTours = 1 << 30

// mostAnts is the largest number of ants for n cities.
func mostAnts(n int) int { return max(1, min(1<<16, maxTours/max(1, n))) }

// fewAnts is want, or what the size allows.
func fewAnts(want, n int) int { return max(1, min(want, mostAnts(n))) }

// mostCandidates is the longest list.
func mostCandidates(n int) int { return max(2, n-1) }

func fewCandidates(want, n int) int { return max(1, min(want, n-1)) }

const localDoc = "Local search on the tour of every ant (see local_share), with 10 quadrant neighbours: 2opt, 3opt, oropt by a queue of cities to look at and first improvement, on the host's cores; " +
	"2opt-rounds and oropt-rounds (2-opt, and segments of up to three cities inserted elsewhere), many moves at once, on a GPU where the tours are."

// declareAnts declares the parameters that come first in all algorithms.
func (c *common) declareAnts(t *solvers.Params, n int) {
	t.Int(&c.ants, record.Param{
		Name: "ants", Class: record.Live, Min: 1, Max: float64(max(2, mostAnts(n))), Step: 1, Unit: "ants",
		Doc:    "Number of ants, each of which makes one tour an iteration.",
		Effect: "the trails stay; the next iteration has the new number of tours",
	})
}

func (c *common) declareBeta(t *solvers.Params) {
	t.Float(&c.beta, record.Param{
		Name: "beta", Class: record.Live, Min: 0, Max: 20, Step: 0.5,
		Doc:    "Exponent of the visibility, 1 / (distance + 0.1), in the weight of a choice.",
		Effect: "the trails stay; all weights are computed again",
	})
}

// declareRounds declares the local search of variants whose tours stay where they are.
func (c *colony) declareRounds(t *solvers.Params) {
	t.Enum(&c.localSearch, record.Param{
		Name: "local_search", Class: record.Structural, Options: localWords,
		Doc:    localDoc + " Backend cuda takes those of rounds and none.",
		Effect: "a fork keeps the trails",
	})
	c.declareLocal(t)
}

// declareStructure declares the structural parameters.
func (c *common) declareStructure(t *solvers.Params, n int) {
	t.Int(&c.candidates, record.Param{
		Name: "candidates", Class: record.Structural, Min: 1, Max: float64(mostCandidates(n)), Step: 1, Unit: "cities",
		Doc:    "Length of the candidate lists: an ant goes to one of this many nearest cities while one is unvisited; n-1 is no lists.",
		Effect: "a fork keeps all trails",
	})
	t.Enum(&c.storage, record.Param{
		Name: "storage", Class: record.Structural, Options: []string{storeCandidates, storeMatrix},
		Doc:    "How trails are stored: by slot of the candidate lists with entries for other rewarded edges, or as a matrix (12 n^2 bytes, at most 1 GiB); tours are the same.",
		Effect: "a fork keeps all trails",
	})
	t.Enum(&c.localSearch, record.Param{
		Name: "local_search", Class: record.Structural, Options: localWords,
		Doc:    localDoc + " Asymmetric instances take 3opt, then the moves that turn no path round, and none.",
		Effect: "a fork keeps the trails",
	})
}
