package solvers_test

import (
	"math"
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"
)

// Before a set the state is kept: a run goes back to it, and makes nothing again.
func TestBackToBeforeASetMakesNothing(t *testing.T) {
	r, plain := open(t, nil), open(t, nil)
	mustStep(t, r, 30)
	set(t, r, record.Of("heat", 2.0))
	set(t, r, record.Of("moves", 3))
	rec := paper(t, r)
	to := solvers.Boundary{Iter: 30}
	state, err := r.StateBefore(t.Context(), to)
	if err != nil || state == nil {
		t.Fatal(state == nil, err)
	}
	made := 0
	b, err := solvers.Back(t.Context(), rec, state, r.Instance(), "b", to, nil, solvers.ReplayOptions{
		Exact: true, Each: func(*record.Point) { made++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	mustStep(t, plain, 60)
	mustStep(t, b, 30)
	if made != 0 || b.Last().Digest != plain.Last().Digest || len(b.Journal()) != 0 {
		t.Errorf("%d iterations were made, digest %x, want %x; journal %v", made, b.Last().Digest,
			plain.Last().Digest, b.Journal())
	}
	mustStep(t, r, 1)
	if state, err := r.StateBefore(t.Context(), to); err != nil || state != nil {
		t.Errorf("after an iteration the state is still there: %v", err)
	}
}

// A replay tells how far it is by the time that iterations took.
func TestReplayTellsByCost(t *testing.T) {
	r := open(t, nil)
	mustStep(t, r, 1024)
	rec := paper(t, r)
	for i := range rec.Points { // the second half takes nine tenths
		p := &rec.Points[i]
		if p.Wall = float64(p.Iter) / 512 * 10; p.Iter > 512 {
			p.Wall = 10 + float64(p.Iter-512)/512*90
		}
	}
	at, half := int64(0), math.NaN()
	_, err := solvers.Replay(t.Context(), rec, r.Instance(), solvers.ReplayOptions{
		Each: func(p *record.Point) { at = p.Iter },
		Progress: func(done, total int64) {
			if at == 511 { // the one before
				half = float64(done) / float64(total)
			}
		},
	})
	if err != nil || !(math.Abs(half-0.1) < 0.01) {
		t.Errorf("half of the iterations are %v of the time, want 0.1; %v", half, err)
	}
}
