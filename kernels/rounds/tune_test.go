package rounds

import (
	"errors"
	"testing"
	"time"

	"metalab/kernels/launch"
	"metalab/solvers/rounds"
)

// clock is a clock that the test sets.
type clock struct {
	now   time.Duration
	marks map[int]time.Duration
}

func (c *clock) Mark(i int) error { c.marks[i] = c.now; return nil }

func (c *clock) Between(from, to int) (time.Duration, error) {
	return c.marks[to] - c.marks[from], nil
}

// The tuner tries numbers of warps in iterations of kicks, skips what fails and stays with the
// fastest.
func TestTuner(t *testing.T) {
	t.Parallel()
	c := &clock{marks: map[int]time.Duration{}}
	var u tuner
	u.begin(c)
	if u.Waves() != nil || u.Spans() != nil {
		t.Error("something is told before the first launch")
	}
	tried := map[int]int{}
	// iterate returns the warps with which the iteration was made, and whether that was a trial.
	iterate := func(j rounds.Job, chains, own int) (warps int, trial bool) {
		t.Helper()
		if err := errors.Join(u.next(j, chains, own), u.First()); err != nil {
			t.Fatal(err)
		}
		if err := u.queue(j, func(k rounds.Job) error {
			warps, trial = k.Warps, u.search.Trying() && !k.Descend
			if trial {
				tried[warps]++
			}
			switch warps {
			case 16:
				return errors.New("too many resources")
			case 6:
				c.now += 80 * time.Microsecond
			case 1:
				c.now += time.Millisecond
			default:
				c.now += 100 * time.Microsecond
			}
			if w := u.Waves(); w[0].Config != launch.Blocks(chains, warps) && !w[0].Tuned {
				t.Fatalf("%+v while %d warps are tried", w, warps)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(u.Last(), u.Read()); err != nil {
			t.Fatal(err)
		}
		return warps, trial
	}
	kicks := rounds.Job{Kicks: 5, Trials: 3}
	descent := rounds.Job{Descend: true, Trials: 3}
	if warps, trial := iterate(descent, 64, 8); trial || warps != 8 {
		t.Errorf("a descent: %d warps, %v", warps, trial)
	}
	for {
		if iterate(kicks, 64, 4); u.Waves()[0].Tuned {
			break
		}
	}
	if tried[4] != 3 || tried[1] != 1 || tried[6] != 3 || tried[16] != 1 || tried[2] != 3 {
		t.Errorf("tried %v", tried)
	}
	if w := u.Waves(); len(w) != 1 || !w[0].Tuned || w[0].Config != launch.Blocks(64, 6) ||
		w[0].What != "search of 64 chains" || len(w[0].Trials) != 7 {
		t.Errorf("%+v", w)
	}
	if warps, trial := iterate(descent, 64, 8); trial || warps != 8 {
		t.Errorf("a descent: %d warps, %v", warps, trial)
	}
	if warps, _ := iterate(kicks, 64, 4); warps != 6 {
		t.Errorf("%d warps after tuning", warps)
	}
	u.Time(true)
	for range 2 { // every iteration, for none is a graph
		if iterate(kicks, 64, 4); len(u.Spans()) != 1 || u.Spans()[0].Time != 80*time.Microsecond {
			t.Errorf("spans %v", u.Spans())
		}
	}
	u.Time(false)
	if _, trial := iterate(kicks, 65, 4); !trial {
		t.Error("other chains, and no trials")
	}
	fixed := rounds.Job{Kicks: 5, Warps: 3, Trials: 3}
	if warps, trial := iterate(fixed, 64, 4); trial || warps != 3 || u.Waves()[0].Tuned {
		t.Errorf("%d warps, where 3 are given: %v", warps, trial)
	}
	if warps, trial := iterate(rounds.Job{Kicks: 5}, 64, 4); trial || warps != 4 {
		t.Errorf("no trials: %d warps, %v", warps, trial)
	}
}
