package ils

import (
	"context"
	"fmt"
	"slices"

	"metalab/solvers"
	"metalab/solvers/genetic"
	"metalab/solvers/record"
)

// StartAt makes the given solution the first tour of the first pool.
func (s *Pools) StartAt(sol record.Solution) { s.given = sol.Perm }

func (s *Pools) Counts() string { return counts }

func (s *Pools) Best() float64 { return s.best.value() }

func (s *Pools) Solution() record.Solution { return s.best.solution(s.on.space) }

func (s *Pools) Lengths() []float64 { return floats(s.lengths) }

// Trace is nil when the device was lost.
func (s *Pools) Trace() [][]int32 {
	if s.fetchCopies() != nil {
		return nil
	}
	return s.trace(s.on.space)
}

// fetchCopies gets the tours from the engine of the kicks, which continues with its own.
func (s *Pools) fetchCopies() error {
	was := s.ahead
	err := s.fetch()
	s.ahead = was
	return err
}

func (s *Pools) Snapshot(w *solvers.Writer) {
	count := int64(len(s.tours))
	if s.fetchCopies() != nil {
		count = 0
	}
	p := &s.plan
	w.Int64s("pools", count, p.stage, p.kicks, p.bred, p.idle, p.pools, s.best.length)
	w.Int32s("best", s.best.tour)
	for a := range count {
		w.Int32s("tour", s.tours[a])
	}
}

// Restore reads a state. If the parameters have fewer tours than the state, the last ones are
// dropped; if they have more, the new ones are copies of the best.
func (s *Pools) Restore(r *solvers.Reader) error {
	n := s.on.space.N
	head := r.Int64s("pools", 7)
	best := r.Int32s("best", -1)
	if err := r.Err(); err != nil {
		return err
	}
	plan := poolsPlan{head[1], head[2], head[3], head[4], head[5]}
	switch {
	case head[0] < 1:
		return fmt.Errorf(
			"ils: the state has no tours, the device was lost before it was written: %w", solvers.ErrState,
		)
	case plan.stage < poolMaking || plan.stage >= poolsStages ||
		min(plan.kicks, plan.bred, plan.idle, plan.pools) < 0:
		return fmt.Errorf("ils: a state with a pool %v: %w", head, solvers.ErrState)
	}
	all, err := readTours(r, "tour", int(head[0]), n)
	if err != nil {
		return err
	}
	s.best = incumbent{length: head[6]}
	if len(best) > 0 {
		if err := checkTour("best", -1, best, n); err != nil {
			return err
		}
		s.best.tour = best
	}
	more := s.best.tour
	if more == nil {
		more = all[0]
	}
	for len(all) < s.param.tours {
		all = append(all, slices.Clone(more))
	}
	s.tours, s.plan, s.ahead, s.ready = all[:s.param.tours], plan, false, false
	for a := range s.tours {
		s.measure(a)
	}
	return nil
}

func (s *Pools) Close() {
	if s.cross != nil {
		s.cross.Close()
	}
	s.on.Close()
}

func (s *Pools) Time(on bool) bool {
	e, ok := s.cross.(genetic.RoundsTuned)
	return s.on.Time(on) && (!ok || e.Time(on))
}

// Spans returns the spans of the kicks, or of the generation, whichever the iteration was.
func (s *Pools) Spans() []solvers.Span {
	if e, ok := s.cross.(genetic.RoundsTuned); ok && s.plan.stage > poolKicks {
		return e.Spans()
	}
	return s.on.Spans()
}

func (s *Pools) Waves() []solvers.Wave { return s.on.Waves() }

// Turn is a turn on the device that both engines share.
func (s *Pools) Turn(ctx context.Context) (give func(), waited bool, err error) {
	return s.on.Turn(ctx)
}
