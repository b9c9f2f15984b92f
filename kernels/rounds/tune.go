package rounds

import (
	"fmt"
	"slices"
	"time"

	"metalab/solvers"
	"metalab/solvers/rounds"
	"metalab/solvers/wave"
)

// raceFactor: the tuner drops a number of warps that is this many times slower than the best.
const raceFactor = 1.2

// tuner finds by a device's clock with how many warps a chain's kicks are fastest, in
// iterations that are made anyway. The search from all cities is one iteration, and not tuned.
type tuner struct {
	wave   *wave.Tuner
	chains int // that it is for
	trials int

	timing bool
	took   time.Duration // of the last iteration that was timed; 0: none
	now    wave.Config   // of the last launch
}

// teamOf returns the configuration of this many chains with this many warps each.
func teamOf(chains, warps int) wave.Config {
	return wave.Config{Threads: 32 * int64(chains) * int64(warps), Block: 32 * warps}
}

// next returns the job with the number of warps to launch. own is the program's own choice. trial
// tells whether the time of the launch goes into the table.
func (t *tuner) next(j rounds.Job, chains, own int) (_ rounds.Job, trial bool) {
	switch {
	case j.Warps > 0 || j.Trials == 0:
		t.wave = nil
		if j.Warps > 0 {
			own = j.Warps
		}
		j.Warps = own
	case j.Descend:
		j.Warps = own
	default:
		if t.wave == nil || t.chains != chains || t.trials != j.Trials {
			list := []wave.Config{teamOf(chains, own)}
			for _, w := range []int{1, 2, 4, 6, 8, 10, 16} {
				if w != own {
					list = append(list, teamOf(chains, w))
				}
			}
			t.wave, t.chains, t.trials = wave.New(list, j.Trials), chains, j.Trials
			t.wave.Race(raceFactor)
		}
		j.Warps = max(t.wave.Next().Block/32, 0)
		if j.Warps == 0 { // none could be launched
			j.Warps = own
		}
		trial = !t.wave.Done()
	}
	t.now = teamOf(chains, j.Warps)
	return j, trial
}

func (t *tuner) Time(on bool) bool {
	t.timing, t.took = on, 0
	return true
}

func (t *tuner) Spans() []solvers.Span {
	if t.took == 0 {
		return nil
	}
	return []solvers.Span{{Name: "search", Time: t.took}}
}

func (t *tuner) Waves() []solvers.Wave {
	if t.now == (wave.Config{}) {
		return nil
	}
	w := solvers.Wave{
		What: fmt.Sprintf("search of %d chains", t.now.Threads/int64(t.now.Block)), Config: t.now,
	}
	if t.wave != nil {
		w.Trials = slices.Clone(t.wave.Trials())
		if c, ok := t.wave.Best(); ok && t.wave.Done() {
			w.Config, w.Tuned = c, true
		}
	}
	return []solvers.Wave{w}
}
