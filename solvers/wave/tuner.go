package wave

import (
	"slices"
	"time"
)

// A Trial is what a configuration took.
type Trial struct {
	Config Config
	Times  []time.Duration // in the order of the trials
	Median time.Duration   // the lower one of two in the middle
	Err    error           // of the launch that failed and ended the search
}

// A Tuner finds the fastest of some configurations from reported times. It serves one goroutine at
// a time.
type Tuner struct {
	configs []Config
	trials  int
	at      int           // the configuration that is tried
	race    float64       // see Race; 0: every configuration has all its trials
	share   float64       // see Budget; 0: no bound
	spent   time.Duration // of all launches, those between trials too
	loss    time.Duration // of them, by launches slower than the best
	all     []Trial
	best    int // in all; -1 before the first whole one
}

// New returns a tuner over the configurations, each of which is timed trials times. With
// none, or with less than one trial, it is done from the start.
func New(configs []Config, trials int) *Tuner {
	t := &Tuner{configs: slices.Clone(configs), trials: trials, best: -1}
	if trials < 1 {
		t.configs = nil
	}
	return t
}

// Race gives a configuration up after two trials both of which took more than factor times
// the median of the best one, a factor above 1, as 1.2, and after one that took more than four
// times that median. It saves trials where
// configurations are far apart. It must be called before the first Report.
func (t *Tuner) Race(factor float64) { t.race = factor }

// farOff is how many times the best one's median a first trial may take in a race: one that takes
// more is not tried again.
const farOff = 4

// Budget bounds what trials cost: once launches that were slower than the best configuration have
// lost more than this share of all launches' time, the best is used until it is within the share
// again. A share from 0, which is no bound, to 1. It must be called before the first Report.
func (t *Tuner) Budget(share float64) { t.share = share }

// Resting reports whether the next launch is one of the best configuration and no trial, though
// not all were tried. Rest must then be called after it.
func (t *Tuner) Resting() bool {
	return t.share > 0 && t.best >= 0 && !t.Done() && float64(t.loss) > t.share*float64(t.spent)
}

// Rest notes a launch of the best configuration between trials.
func (t *Tuner) Rest() {
	if t.best >= 0 {
		t.spent += t.all[t.best].Median
	}
}

// Done reports whether nothing is left to try.
func (t *Tuner) Done() bool { return t.at >= len(t.configs) }

// Next is the configuration to launch: the one to be timed, the best one when all are or the
// tuner is resting, or the zero Config when there is none.
func (t *Tuner) Next() Config {
	if !t.Done() && !t.Resting() {
		return t.configs[t.at]
	}
	c, _ := t.Best()
	return c
}

// Report takes the time of a launch under Next, or the error with which it failed, which
// ends the search: larger configurations would fail as well, and what was best so far
// stands. After Done it does nothing.
func (t *Tuner) Report(d time.Duration, err error) {
	if t.Done() {
		return
	}
	last := t.trial()
	if err != nil {
		last.Err = err
		t.at = len(t.configs)
		return
	}
	last.Times = append(last.Times, d)
	t.spent += d
	if t.best >= 0 {
		t.loss += max(0, d-t.all[t.best].Median)
	}
	if len(last.Times) < t.trials && !t.lost(last.Times) {
		return
	}
	last.Median = median(last.Times)
	if t.best < 0 || last.Median < t.all[t.best].Median {
		t.best = len(t.all) - 1
	}
	t.at++
}

// trial is the row of the configuration that is tried.
func (t *Tuner) trial() *Trial {
	if n := len(t.all); n == 0 || t.all[n-1].Config != t.configs[t.at] {
		t.all = append(t.all, Trial{Config: t.configs[t.at]})
	}
	return &t.all[len(t.all)-1]
}

// lost tells whether times are too long for their configuration to be raced any longer.
func (t *Tuner) lost(times []time.Duration) bool {
	if t.race <= 0 || t.best < 0 {
		return false
	}
	if len(times) < 2 {
		return float64(times[0]) > farOff*float64(t.all[t.best].Median)
	}
	return float64(slices.Min(times)) > t.race*float64(t.all[t.best].Median)
}

// Skip notes that the configuration of Next cannot be launched, and goes on with the one
// after it: for configurations of which a later one may succeed where an earlier one
// failed. After Done it does nothing.
func (t *Tuner) Skip(err error) {
	if t.Done() {
		return
	}
	t.trial().Err = err
	t.at++
}

// Best is the fastest configuration of those whose trials are all made, the first of equal
// ones; ok is false when there is none yet.
func (t *Tuner) Best() (c Config, ok bool) {
	if t.best < 0 {
		return Config{}, false
	}
	return t.all[t.best].Config, true
}

// Trials is the table of what was tried, in order.
func (t *Tuner) Trials() []Trial {
	out := slices.Clone(t.all)
	for i := range out {
		out[i].Times = slices.Clone(out[i].Times)
	}
	return out
}

func median(ds []time.Duration) time.Duration {
	s := slices.Clone(ds)
	slices.Sort(s)
	return s[(len(s)-1)/2]
}

// Timed runs f and returns how long it took on the wall, for Report.
func Timed(f func() error) (time.Duration, error) {
	t0 := time.Now()
	err := f()
	return time.Since(t0), err
}
