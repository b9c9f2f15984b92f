package ants

import (
	"context"

	"metalab/solvers"
	"metalab/solvers/record"
)

// A TunedCrew is a Crew that finds out how its walks are best launched, and tells how long
// they take. Neither changes a result.
type TunedCrew interface {
	Crew
	solvers.Timer
	solvers.Waver
	solvers.Sharer
	// Trials sets how many walks the tuner judges a launch by; 0: it does not tune.
	Trials(n int)
}

// declareTrials declares how the tuner judges.
func (h *hired) declareTrials(t *solvers.Params) {
	h.trials = 3
	t.Int(&h.trials, record.Param{
		Name: "trials", Class: record.Schedule, Min: 0, Max: 100, Step: 1, Unit: "iterations",
		Doc:    "Iterations by which the tuner judges a launch on a GPU where warps is 0; 0: no tuning, the program's own choice. Nothing on the cpu.",
		Effect: "none: results are the same",
	})
}

// tune tells the crew of trials.
func (h *hired) tune() {
	if c, ok := h.crew.(TunedCrew); ok {
		c.Trials(h.trials)
	}
}

// Turn implements solvers.Sharer.
func (h *hired) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if c, ok := h.crew.(TunedCrew); ok {
		return c.Turn(ctx)
	}
	return func() {}, false, nil
}

// Time implements solvers.Timer.
func (h *hired) Time(on bool) bool {
	c, ok := h.crew.(TunedCrew)
	return ok && c.Time(on)
}

// Spans implements solvers.Timer.
func (h *hired) Spans() []solvers.Span {
	if c, ok := h.crew.(TunedCrew); ok {
		return c.Spans()
	}
	return nil
}

// Waves implements solvers.Waver.
func (h *hired) Waves() []solvers.Wave {
	if c, ok := h.crew.(TunedCrew); ok {
		return c.Waves()
	}
	return nil
}
