package rounds

import (
	"errors"
	"testing"
	"time"

	"metalab/solvers/rounds"
)

// The tuner tries numbers of warps in iterations of kicks, skips what fails and stays with the
// fastest.
func TestTuner(t *testing.T) {
	t.Parallel()
	var u tuner
	if u.Waves() != nil || u.Spans() != nil {
		t.Error("something is told before the first launch")
	}
	kicks := rounds.Job{Kicks: 5, Trials: 3}
	if j, trial := u.next(rounds.Job{Descend: true, Trials: 3}, 64, 8); trial || j.Warps != 8 {
		t.Errorf("a descent: %+v, %v", j, trial)
	}
	tried := map[int]int{}
	for {
		j, trial := u.next(kicks, 64, 4)
		if !trial {
			break
		}
		tried[j.Warps]++
		switch j.Warps {
		case 16:
			u.wave.Skip(errors.New("too many resources"))
		case 6:
			u.wave.Report(80*time.Microsecond, nil)
		case 1:
			u.wave.Report(time.Millisecond, nil)
		default:
			u.wave.Report(100*time.Microsecond, nil)
		}
		if w := u.Waves(); w[0].Config != teamOf(64, j.Warps) && !w[0].Tuned {
			t.Fatalf("%+v while %d warps are tried", w, j.Warps)
		}
	}
	if tried[4] != 3 || tried[1] != 2 || tried[6] != 3 || tried[16] != 1 || tried[2] != 3 {
		t.Errorf("tried %v", tried)
	}
	if w := u.Waves(); len(w) != 1 || !w[0].Tuned || w[0].Config != teamOf(64, 6) ||
		w[0].What != "search of 64 chains" || len(w[0].Trials) != 7 {
		t.Errorf("%+v", w)
	}
	if j, _ := u.next(kicks, 64, 4); j.Warps != 6 {
		t.Errorf("%d warps after tuning", j.Warps)
	}
	if _, trial := u.next(kicks, 65, 4); !trial {
		t.Error("other chains, and no trials")
	}
	if j, trial := u.next(rounds.Job{Kicks: 5, Warps: 3, Trials: 3}, 64, 4); trial || j.Warps != 3 ||
		u.Waves()[0].Tuned {
		t.Errorf("warps are given: %+v, %v", j, trial)
	}
	if j, trial := u.next(rounds.Job{Kicks: 5}, 64, 4); trial || j.Warps != 4 {
		t.Errorf("no trials: %+v, %v", j, trial)
	}
}
