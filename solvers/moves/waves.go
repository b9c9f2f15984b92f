package moves

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"metalab/solvers"
	"metalab/solvers/record"
	waves "metalab/solvers/wave"
)

// tuned is what a tuner is for.
type tuned struct {
	k    int // number of the neighbourhood
	size int64
}

// declareWaves adds the parameters that say how a neighbourhood is shared out.
func (s *search) declareWaves(t *solvers.Params) {
	t.Int(&s.threads, record.Param{
		Name: "wave", Class: record.Schedule, Min: 0, Max: 1 << 30, Step: 32, Unit: "threads",
		Doc: "Threads that one walk's neighbourhood is dealt out to, those of a block to one worker " +
			"at a time; 0: tuned by the clock in the first scans.",
	})
	t.Int(&s.block, record.Param{
		Name: "block", Class: record.Schedule, Min: waves.MinBlock, Max: 1024, Step: waves.MinBlock,
		Unit: "threads",
		Doc:  "Threads of a block, where wave says how many there are in all.",
	})
	t.Int(&s.trials, record.Param{
		Name: "trials", Class: record.Schedule, Min: 0, Max: 1000, Step: 1, Unit: "scans",
		Doc: "Scans by which the tuner judges a configuration; 0: no tuning, a worker takes about " +
			"8192 neighbours at a time.",
	})
}

// chunk is how many of the neighbours a worker takes at a time when nothing is tuned.
func (s *search) chunk(size int64) int64 {
	if s.threads > 0 {
		return waves.Config{Threads: int64(s.threads), Block: s.block}.Share(size)
	}
	return max((1<<13)/s.weight(), 1)
}

// fewest is the size of a neighbourhood, in steps of a few look-ups, below which it is one
// worker's: to wake another one takes longer than to evaluate it.
const fewest = 1 << 12

// look is a scan under the configuration that the tuner tries, or has found; where the
// neighbourhood is one worker's, or wave tells the configuration, there is none.
func (s *search) look(
	t *walker, k int, w wave, allow func(m Move, delta float64) bool,
) (choice, error) {
	size := t.Neighbourhoods()[k].Size()
	steps := size * s.weight()
	if q, ok := t.Walk.(*tspWalk); ok && q.quick(k) {
		steps /= 16 // one number is compared
	}
	if w.pool == nil || w.pool.Size() == 1 || s.threads > 0 || s.trials == 0 || steps < fewest {
		return t.scan(k, w, allow)
	}
	tuner := s.tuner(k, size, w.pool.Size())
	config := tuner.Next()
	w.block = config.Share(size)
	if tuner.Done() {
		return t.scan(k, w, allow)
	}
	var c choice
	took, err := waves.Timed(func() (err error) {
		c, err = t.scan(k, w, allow)
		return err
	})
	if err == nil { // a scan that was cancelled says nothing about its configuration
		tuner.Report(took, nil)
	}
	return c, err
}

// tuner is the one of a neighbourhood. A worker's share matters by its size alone, so of the
// configurations one for each power of two of blocks is tried, up to some for each worker.
func (s *search) tuner(k int, size int64, workers int) *waves.Tuner {
	key := tuned{k, size}
	if t, ok := s.tuners[key]; ok {
		return t
	}
	plan := waves.Plan{Solution: s.inst.Size(), Neighbours: size}
	configs := plan.Distinct(func(c waves.Config) int64 {
		return int64(bits.Len64(uint64(min(c.Blocks(), 64*int64(workers)))))
	})
	if s.tuners == nil {
		s.tuners = map[tuned]*waves.Tuner{}
	}
	t := waves.New(configs, s.trials)
	s.tuners[key] = t
	return t
}

// Untuned says why no neighbourhood is tuned.
func (s *search) Untuned() string {
	workers := s.env.Pool.Size()
	switch {
	case s.threads > 0:
		return fmt.Sprintf(
			"nothing of it is tuned: wave=%d says to how many threads a neighbourhood is dealt out, "+
				"%d to a block (wave=0: tuned)", s.threads, s.block,
		)
	case s.trials == 0:
		return "nothing of it is tuned: trials=0, the tuner is off"
	case len(s.all) > 1:
		return fmt.Sprintf(
			"nothing of it is tuned: each of the %d walks goes to one worker whole",
			len(s.all),
		)
	case workers == 1:
		return "nothing of it is tuned: there is one worker, no neighbourhood is dealt out"
	}
	return ""
}

// retune forgets what was found, after a change of what it depends on.
func (s *search) retune(changed string) {
	switch changed {
	case "workers", "wave", "block", "trials", "evaluation":
		s.tuners = nil
	}
}

// Waves is a table for each neighbourhood that was tuned.
func (s *search) Waves() []solvers.Wave {
	var keys []tuned
	for k := range s.tuners {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b tuned) int {
		return cmp.Or(
			cmp.Compare(a.k, b.k), cmp.Compare(a.size, b.size),
		)
	})
	var out []solvers.Wave
	for _, k := range keys {
		t := s.tuners[k]
		w := solvers.Wave{
			What: fmt.Sprintf("scan of %d neighbours", k.size), Trials: t.Trials(), Config: t.Next(),
		}
		if _, ok := t.Best(); ok {
			w.Tuned = t.Done()
		}
		out = append(out, w)
	}
	return out
}
