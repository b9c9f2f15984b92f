package bench

import (
	"testing"

	"metalab/datasets"
)

// Costs, exponents and speed-ups are numbers, whatever the machine.
func TestScaling(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Load("rand-60-1")
	if err != nil {
		t.Fatal(err)
	}
	f := family{"tabu", "robust", []string{"rand-30-1", "rand-60-1"}, false, 20}
	if x, err := f.speedup(t.Context(), inst, 1); err != nil || !(x > 0) {
		t.Errorf("a speed-up of %g (%v)", x, err)
	}
	if x, err := f.exponent(t.Context(), inst, 1); err != nil || x != x {
		t.Errorf("an exponent of %g (%v)", x, err)
	}
	f.first, f.iterations = true, 1
	if c, err := f.spent(t.Context(), inst, 1, 1); err != nil || !(c.cpu > 0) || !(c.wall > 0) {
		t.Errorf("the first iteration takes %+v (%v)", c, err)
	}
}
