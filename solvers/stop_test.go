package solvers_test

import (
	"strings"
	"testing"

	"metalab/solvers"
)

// NoImprovement counts over steps one after the other.
func TestNoImprovementCountsOverSteps(t *testing.T) {
	long, short := open(t, nil), open(t, nil)
	why, err := long.StepUntil(t.Context(), -1, solvers.NoImprovement(200))
	if err != nil || why == "" {
		t.Fatal(why, err)
	}
	for range 1000 {
		if why, err = short.StepUntil(t.Context(), 30, solvers.NoImprovement(200)); err != nil {
			t.Fatal(err)
		} else if why != "" {
			break
		}
	}
	if a, b := long.Last().Iter, short.Last().Iter; a != b {
		t.Errorf("one step stops at %d, many of 30 at %d", a, b)
	}
}

func TestWithinGap(t *testing.T) {
	r := open(t, nil)
	mustStep(t, r, 1)
	inst := solved{grid(t, 20), 1}
	known := inst.optimum
	gap := solvers.Gap(r.Last().Best, &known)
	why, err := r.StepUntil(t.Context(), 1000, solvers.WithinGap(inst, gap-1))
	if last := solvers.Gap(r.Last().Best, &known); err != nil ||
		!strings.Contains(why, "gap ") || last > gap-1 {
		t.Errorf("%q at %v, want at most %v, %v", why, last, gap-1, err)
	}
	why, _ = r.StepUntil(t.Context(), 5, solvers.WithinGap(nil, 1))
	if !strings.Contains(why, "known") {
		t.Errorf("without a best known value: %q", why)
	}
}
