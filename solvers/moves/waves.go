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

// tuned identifies a tuner.
type tuned struct {
	k    int // number of the neighbourhood
	size int64
}

// declareWaves adds the parameters that say how a neighbourhood is shared out.
func (s *search) declareWaves(t *solvers.Params) {
	t.Int(&s.threads, record.Param{
		Name: "wave", Class: record.Schedule, Min: 0, Max: 1 << 30, Step: 32, Unit: "threads",
		Doc: "Threads that one walk's neighbourhood is dealt out to, those of a block to one worker " +
			"at a time, at most one a neighbour; 0: tuned by the clock in the first scans.",
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
	t.Enum(&s.tuning, record.Param{
		Name: "tuning", Class: record.Schedule, Options: []string{tuningRace, tuningPublished},
		Doc: "How configurations are tried: race, those that suit the device, of which slow ones are " +
			"given up soon and those that cannot be launched are skipped; published, Algorithm 3 of " +
			"Luong, Melab and Talbi to the letter: all its numbers of threads and sizes of blocks, each " +
			"with all trials, up to the first that cannot be launched.",
	})
}

// Values of the parameter tuning.
const (
	tuningRace      = "race"
	tuningPublished = "published"
)

// chunk returns how many neighbours a worker takes at a time without tuning.
func (s *search) chunk(size int64) int64 {
	if s.threads > 0 {
		return waves.Config{Threads: min(int64(s.threads), max(size, 1)), Block: s.block}.Share(size)
	}
	return max((1<<13)/s.weight(), 1)
}

// scanned estimates the time of a scan, in steps of about a nanosecond.
func scanned(t Walk, k int) int64 {
	size := t.Neighbourhoods()[k].Size()
	switch t := t.(type) {
	case *tspWalk:
		if t.quick(k) {
			return size // only one number is compared
		}
		if k == 0 && !t.published {
			return 6 * size
		}
	case *colourWalk:
		if k == 0 {
			return int64(t.inst.N) * t.vertex()
		}
	}
	return size * t.steps(k)
}

// look makes a scan with the configuration that the tuner tries, or has found. There is no tuner if
// one worker scans the neighbourhood alone, or if the parameter wave sets the configuration.
func (s *search) look(
	t *walker, k int, w wave, allow func(m Move, delta float64) bool,
) (choice, error) {
	size := t.Neighbourhoods()[k].Size()
	alone := w.pool == nil || w.pool.Workers(scanned(t.Walk, k)) == 1
	if alone || s.threads > 0 || s.trials == 0 {
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
	if err == nil { // a cancelled scan says nothing about its configuration
		tuner.Report(took, nil)
	}
	return c, err
}

// tuner returns the tuner of a neighbourhood. Only the size of a worker's share matters, so one
// configuration is tried for each power of two of blocks, up to a few blocks for each worker; with
// tuning=published all are.
func (s *search) tuner(k int, size int64, workers int) *waves.Tuner {
	key := tuned{k, size}
	if t, ok := s.tuners[key]; ok {
		return t
	}
	plan := waves.Plan{Solution: s.inst.Size(), Neighbours: size}
	configs := plan.Configs()
	if s.tuning != tuningPublished {
		configs = plan.Distinct(func(c waves.Config) int64 {
			return int64(bits.Len64(uint64(min(c.Blocks(), 64*int64(workers)))))
		})
		if configs[0].Blocks() > 1 { // one worker may still be the fastest
			one := waves.Config{Threads: waves.MaxBlock, Block: waves.MaxBlock}
			configs = append(configs, one)
		}
	}
	if s.tuners == nil {
		s.tuners = map[tuned]*waves.Tuner{}
	}
	t := waves.New(configs, s.trials)
	s.tuners[key] = t
	return t
}

// fixed returns which parameter keeps the tuner from its work, or "".
func (s *search) fixed() string {
	switch {
	case s.threads > 0:
		return fmt.Sprintf(
			"nothing of it is tuned: wave=%d says to how many threads a neighbourhood is dealt out, "+
				"%d to a block (wave=0: tuned)", s.threads, s.block,
		)
	case s.trials == 0:
		return "nothing of it is tuned: trials=0, the tuner is off"
	}
	return ""
}

// Untuned returns why no neighbourhood is tuned.
func (s *search) Untuned() string {
	workers, why := s.env.Pool.Size(), s.fixed()
	switch {
	case why != "":
		return why
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

// retune drops the tuners' results after a change of a parameter on which they depend.
func (s *search) retune(changed string) {
	switch changed {
	case "workers", "wave", "block", "trials", "tuning", "evaluation":
		s.tuners = nil
	}
}

// Waves returns a table for each neighbourhood that was tuned.
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
