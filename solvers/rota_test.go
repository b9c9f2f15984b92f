package solvers_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"metalab/solvers"
	"metalab/solvers/record"
)

// joined opens runs that share a rota.
func joined(t *testing.T, n int, of *solvers.Rota) []*solvers.Run {
	t.Helper()
	var runs []*solvers.Run
	for range n {
		r := open(t, nil)
		if err := of.Join(r); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	return runs
}

// A run that waits for its turn answers commands, and iterates once it is its turn.
func TestWaitsForTurn(t *testing.T) {
	t.Parallel()
	of := solvers.NewRota(time.Hour)
	r := joined(t, 1, of)[0]
	for range runtime.GOMAXPROCS(0) {
		of.Take()
	}
	if err := r.Go(); err != nil {
		t.Fatal(err)
	}
	for of.Waiting() == 0 {
		time.Sleep(time.Millisecond)
	}
	if _, err := r.Set(t.Context(), record.Values{"heat": record.Num(5)}, "me"); err != nil {
		t.Error(err)
	}
	if err := r.Pause(""); err != nil {
		t.Error(err)
	}
	if it := r.Last().Iter; it != 0 || of.Waiting() != 0 {
		t.Errorf("without a turn it made %d iterations; %d wait after the pause", it, of.Waiting())
	}
	of.Back()
	if err := r.Step(t.Context(), 3); err != nil || r.Last().Iter != 3 {
		t.Errorf("with a turn: iteration %d, %v", r.Last().Iter, err)
	}
	of.Back()
}

// Many runs come all to their iterations, also where some are closed while they wait.
func TestTurnsOfMany(t *testing.T) {
	t.Parallel()
	of := solvers.NewRota(time.Hour)
	runs := joined(t, 8*runtime.GOMAXPROCS(0), of)
	var wg sync.WaitGroup
	for i, r := range runs {
		if i%4 == 0 {
			if err := r.Go(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		wg.Go(func() {
			if err := r.Step(t.Context(), 200); err != nil || r.Last().Iter != 200 {
				t.Errorf("iteration %d, %v", r.Last().Iter, err)
			}
		})
	}
	for i := 0; i < len(runs); i += 8 {
		runs[i].Close()
	}
	wg.Wait()
	for _, r := range runs {
		r.Close()
	}
	for range runtime.GOMAXPROCS(0) { // none was lost
		of.Take()
	}
}

// Turns that do not end, as those of long iterations, stop nobody for good.
func TestTurnsThatDoNotEnd(t *testing.T) {
	t.Parallel()
	of := solvers.NewRota(time.Millisecond)
	for range runtime.GOMAXPROCS(0) {
		of.Take()
	}
	for _, r := range joined(t, 3, of) {
		if err := r.Step(t.Context(), 5); err != nil || r.Last().Iter != 5 {
			t.Errorf("iteration %d, %v", r.Last().Iter, err)
		}
	}
}
