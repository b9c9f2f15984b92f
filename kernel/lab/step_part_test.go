package lab

import (
	"testing"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// The rest of a step is foreseen from what was made of it: by the end that comes first.
func TestStepPart(t *testing.T) {
	t.Parallel()
	start := reply.Status{Iteration: 100, WallS: 10, CPUS: 20}
	now := reply.Status{Iteration: 125, WallS: 12, CPUS: 28}
	for _, c := range []struct {
		q          wire.StepRequest
		part, left float64
	}{
		{wire.StepRequest{N: 100}, 0.25, 12},
		{wire.StepRequest{N: 25}, 1, 0},
		{wire.StepRequest{N: 10}, 1, 0},
		{wire.StepRequest{Wall: 4}, 0.5, 4},
		{wire.StepRequest{CPU: 32}, 0.25, 12},
		{wire.StepRequest{Until: "iteration=350"}, 0.1, 36},
		{wire.StepRequest{Until: "gap<1,time=20s"}, 0.1, 36},
		{wire.StepRequest{Until: "time=20s,iteration=150"}, 0.5, 4},
		{wire.StepRequest{Until: "iteration=50"}, 0, 0},
		{wire.StepRequest{Until: "gap<1"}, 0, 0},
		{wire.StepRequest{Until: "nonsense"}, 0, 0},
	} {
		part, left := stepPart(c.q, start, now, 4*time.Second)
		if part != c.part || left < c.left-1e-9 || left > c.left+1e-9 {
			t.Errorf("%+v: %v and %v s, want %v and %v", c.q, part, left, c.part, c.left)
		}
	}
	if part, left := stepPart(wire.StepRequest{N: 10}, start, start, time.Second); part != 0 ||
		left != 0 {
		t.Errorf("before the first iteration: %v, %v s", part, left)
	}
}
