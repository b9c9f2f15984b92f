package ils

import (
	"testing"

	"metalab/solvers/internal/assembly"
)

// What is due comes in this order: a quick search, searches from all cities, the other start, a
// pool, kicks.
func TestPhases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		plan schedule
		want phase
	}{
		{schedule{glance: true, descend: true}, glancing},
		{schedule{descend: true, other: true, Plan: assembly.Plan{Stage: assembly.ByBlocks}}, descending},
		{schedule{other: true, Plan: assembly.Plan{Stage: assembly.Filling}}, comparing},
		{schedule{Plan: assembly.Plan{Stage: assembly.Filling}}, filling},
		{schedule{Plan: assembly.Plan{Stage: assembly.ByCycles}}, crossing},
		{schedule{Plan: assembly.Plan{Stage: assembly.ByBlocks}}, crossing},
		{schedule{made: 7}, kicking},
	} {
		if got := c.plan.phase(); got != c.want {
			t.Errorf("%+v: phase %v, want %v", c.plan, got, c.want)
		}
	}
}

// A cycle ends with the iteration in which its last kick is made, and the next begins at 0.
func TestCyclesEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kicks int
		cycle float64
		want  int // iterations of a cycle
	}{{10, 30, 3}, {10, 30.5, 4}, {10, 1, 1}, {7, 30, 5}} {
		var s schedule
		for cycle := range 3 {
			its := 1
			for !s.kicked(c.kicks, c.cycle) {
				its++
			}
			if its != c.want || s.made != 0 {
				t.Errorf("%+v: cycle %d has %d iterations, %d kicks after it", c, cycle, its, s.made)
			}
		}
	}
}
