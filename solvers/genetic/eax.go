package genetic

import (
	"sync/atomic"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/record"
)

// Replacement rules.
const (
	replaceEntropy = "entropy"
	replaceGreedy  = "greedy"
)

// eax is the genetic search with edge assembly crossover.
type eax struct {
	// Parameters; see Declare.
	population, children, workers int
	replacement                   string

	common                       // in members, child means that the last generation replaced the tour
	crossed *assembly.Population // the same members, where there are some
	stage
	cut atomic.Bool
}

// newEAX returns the search with the parameters of the preset best.
func newEAX(t *datasets.TSP) *eax {
	s := &eax{common: common{inst: t}}
	s.population, s.children, s.replacement, s.workers = 100, 30, replaceEntropy, 0
	return s
}

func (s *eax) Declare(t *solvers.Params) {
	t.Int(&s.population, record.Param{
		Name: "population", Class: record.Structural, Min: 2, Max: 1 << 20, Step: 1, Unit: "tours",
		Doc:    "Tours of the population.",
		Effect: "a fork to fewer keeps the shortest in their order, a fork to more repeats them in turn",
	})
	t.Int(&s.children, record.Param{
		Name: "children", Class: record.Live, Min: 1, Max: 10000, Step: 1, Unit: "children",
		Doc: "Children of a couple in a generation, each from another A-B cycle or block; fewer where " +
			"there are fewer cycles. The best of them replaces the first parent if it is shorter. A " +
			"stage may end when 1500 children of a tour in turn brought no better one.",
		Effect: "the next generation is made so",
	})
	t.Enum(&s.replacement, record.Param{
		Name: "replacement", Class: record.Live, Options: []string{replaceEntropy, replaceGreedy},
		Doc: "Which child is the best: entropy, the one with the largest gain for the entropy of the " +
			"population's edges that it costs; greedy, the shortest.",
		Effect: "the next generation is made so",
	})
	t.Int(&s.workers, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that share the couples; 0 means one for each core.",
	})
}

// Counts returns the name of the built tours: the first population, and all children.
func (s *eax) Counts() string { return counts }

func (s *eax) Measures() []string {
	return []string{"diversity", "entropy", "replaced", "children", "cycles", "stage"}
}

// Ended tells why the search is over.
func (s *eax) Ended() string {
	return ended(s.members, &s.stage)
}

func (s *eax) Snapshot(w *solvers.Writer) {
	s.common.Snapshot(w)
	s.stage.snapshot(w)
}

// Restore also reads the stage, but if the size of the population changed, the stage begins anew.
func (s *eax) Restore(r *solvers.Reader) error {
	if err := s.read(r, s.population); err != nil {
		return err
	}
	if err := s.stage.restore(r, s.population); err != nil {
		return err
	}
	s.recount()
	return nil
}
