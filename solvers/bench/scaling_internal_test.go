package bench

import (
	"context"
	"math"
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
	if x, err := f.counted(t.Context(), inst, 1); err != nil || !(x > 0) {
		t.Errorf("a run counts %g of the process's CPU time (%v)", x, err)
	}
	square := func(_ context.Context, inst datasets.Instance, _ uint64) (float64, error) {
		return float64(inst.Size() * inst.Size()), nil
	}
	rows := f.grows("squares", square)
	for i, want := range []float64{900_000, 3_600_000, 2} {
		on, err := datasets.Load(rows[i].Instance)
		if err != nil {
			t.Fatal(err)
		}
		if x, err := rows[i].Do(t.Context(), on, 1); err != nil || math.Abs(x-want) > 1e-9*want {
			t.Errorf("%s on %s: %g, want %g (%v)", rows[i].What, rows[i].Instance, x, want, err)
		}
	}
	if c, err := f.opened(t.Context(), inst, 1); err != nil || c < 0 {
		t.Errorf("opened in %g s (%v)", c, err)
	}
	if c, err := loaded(t.Context(), inst, 1); err != nil || c < 0 {
		t.Errorf("loaded in %g s (%v)", c, err)
	}
	f.first, f.iterations = true, 1
	if c, err := f.spent(t.Context(), inst, 1, 1); err != nil || !(c.cpu > 0) || !(c.wall > 0) {
		t.Errorf("the first iteration takes %+v (%v)", c, err)
	}
}
