package ants

import (
	"errors"
	"slices"
	"time"

	"metalab/gpu"
	"metalab/solvers"
	"metalab/solvers/wave"
)

// warpThreads are the threads of a warp.
const warpThreads = 32

// raceFactor: the tuner drops a launch that is this many times slower than the best.
const raceFactor = 1.2

// A clock times what is put into a device's own stream.
type clock interface {
	// mark puts the mark with number i into the stream.
	mark(i int) error
	// between returns the time from one mark to another; the device must have passed both.
	between(from, to int) (time.Duration, error)
}

// events are a clock of a device's events, made when they are first used.
type events struct {
	d    *gpu.Device
	made []*gpu.Event
}

func (e *events) mark(i int) error {
	for len(e.made) <= i {
		m, err := e.d.NewEvent()
		if err != nil {
			return err
		}
		e.made = append(e.made, m)
	}
	return e.made[i].Record(nil)
}

func (e *events) between(from, to int) (time.Duration,
	error,
) {
	return e.made[to].Since(e.made[from])
}

// pacer times a crew's iterations, and tunes how its construction is launched: a wave.Config has
// the threads of all ants and those of a block. Neither changes a result.
type pacer struct {
	clock clock

	// Functions of the crew. adopt sets the configuration of the next construction.
	sought func() int                // the tours that get a local search; may be nil
	own    func() wave.Config        // what the parameter warps asks for, or the crew's own choice
	shapes func() []wave.Config      // what may be tried
	adopt  func(c wave.Config) error // an error: the device does not take it
	what   func() string             // what is launched

	free   bool // the parameter warps is 0: tune
	trials int
	tuner  *wave.Tuner
	now    wave.Config

	// The local search's tuner, which begins when the construction's has ended, as first tours are
	// unlike later ones.
	searchTuner *wave.Tuner
	searched    wave.Config // how it was launched last

	timing bool // spans are asked for
	parts  bool // this iteration's parts are measured, not the whole
	spans  []solvers.Span
	noted  []stretch // of this iteration
}

// stretch is a part of an iteration, between the marks 2 i + 2 and 2 i + 3, where i is its index in
// noted. Marks 0 and 1 enclose the iteration.
type stretch struct {
	name  string
	tuner *wave.Tuner // the tuner whose trial it is, or nil
}

// again drops the tuners' results, after a change of something on which they depend.
func (p *pacer) again() { p.tuner, p.searchTuner = nil, nil }

// ask sets the parameter warps.
func (p *pacer) ask(warps int) {
	if free := warps == 0; free != p.free || !free {
		p.free = free
		p.again()
	}
}

// setTrials sets the parameter trials.
func (p *pacer) setTrials(n int) {
	if n != p.trials {
		p.trials = n
		p.again()
	}
}

func (p *pacer) Time(on bool) bool {
	if p.timing != on {
		p.timing, p.parts, p.spans = on, on, nil
	}
	return true
}

func (p *pacer) Spans() []solvers.Span { return slices.Clone(p.spans) }

func (p *pacer) Waves() []solvers.Wave {
	if p.now == (wave.Config{}) {
		return nil
	}
	out := []solvers.Wave{tableOf(p.what(), p.now, p.tuner)}
	if p.searched != (wave.Config{}) {
		out = append(out, tableOf("local search", p.searched, p.searchTuner))
	}
	return out
}

// tableOf is a tuner's table; now is what was launched last.
func tableOf(what string, now wave.Config, t *wave.Tuner) solvers.Wave {
	w := solvers.Wave{What: what, Config: now}
	if t != nil {
		w.Trials = t.Trials()
		if c, ok := t.Best(); ok && t.Done() {
			w.Config, w.Tuned = c, true
		}
	}
	return w
}

// settle adopts the launch of the next construction: the one asked for, the next to be tried, or
// the best found. Launches that the device cannot make are skipped.
func (p *pacer) settle() error {
	own := p.own()
	if !p.free || p.trials == 0 {
		p.now = own
		return p.adopt(own)
	}
	if p.tuner == nil {
		list := []wave.Config{own}
		for _, c := range p.shapes() {
			if !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
		p.tuner = wave.New(list, p.trials)
		p.tuner.Race(raceFactor)
	}
	for {
		c := p.tuner.Next()
		if c == (wave.Config{}) { // none could be launched: the crew returns an error, or finds one
			c = own
		}
		err := p.adopt(c)
		if p.now = c; err == nil || gpu.IsSticky(err) || p.tuner.Done() {
			p.trySearch()
			return err
		}
		p.tuner.Skip(err)
	}
}

// trying tells whether the next construction is a trial.
func (p *pacer) trying() bool { return busy(p.tuner) }

// busy tells whether a tuner has something to try.
func busy(t *wave.Tuner) bool { return t != nil && !t.Done() }

// loose tells whether the parts of the next iteration are timed. It is then not a graph, because
// graphs have no events.
func (p *pacer) loose() bool { return p.trying() || busy(p.searchTuner) || p.timing && p.parts }

// pace queues the construction by f. While shapes are tried, it skips those that cannot be
// launched.
func (p *pacer) pace(f func() error) error {
	for {
		err := p.part("construct", p.trying(), f)
		if err == nil || !p.trying() || gpu.IsSticky(err) {
			return err
		}
		p.tuner.Skip(err)
		if serr := p.settle(); serr != nil {
			return errors.Join(err, serr)
		}
	}
}

// paceSearch queues the local search by f, which is given the warps of a tour; 0: f chooses.
func (p *pacer) paceSearch(f func(warps int) error) error {
	for {
		var trial *wave.Tuner
		if busy(p.searchTuner) {
			trial = p.searchTuner
		}
		warps := 0
		if p.searchTuner != nil {
			p.searched = p.searchTuner.Next()
			warps = p.searched.Block / warpThreads
		}
		err := p.measure("local search", trial, func() error { return f(warps) })
		if err == nil || trial == nil || gpu.IsSticky(err) {
			return err
		}
		trial.Skip(err)
	}
}

// trySearch begins the tuning of the local search, unless there is nothing to tune, the
// construction is still being tuned, or it has begun already. It must be called before it is
// decided whether the iteration is a graph.
func (p *pacer) trySearch() {
	tours := 0
	if p.sought != nil {
		tours = p.sought()
	}
	if p.searchTuner != nil || tours == 0 || !p.free || p.trials == 0 || p.tuner == nil || p.trying() {
		return
	}
	var list []wave.Config
	for _, warps := range []int{8, 4, 16, 2, 6, 10, 12} {
		list = append(list, blockAnts(tours, warps))
	}
	p.searchTuner = wave.New(list, p.trials)
	p.searchTuner.Race(raceFactor)
}

// part queues a part of an iteration by f, with marks around it if its time is needed, for spans
// or, in a trial, for the construction's tuner.
func (p *pacer) part(name string, trial bool, f func() error) error {
	if trial {
		return p.measure(name, p.tuner, f)
	}
	return p.measure(name, nil, f)
}

// measure is part, for any tuner; nil: none.
func (p *pacer) measure(name string, trial *wave.Tuner, f func() error) error {
	if !p.loose() {
		return f()
	}
	at := 2*len(p.noted) + 2
	if err := p.clock.mark(at); err != nil {
		return err
	}
	if err := f(); err != nil {
		return err
	}
	p.noted = append(p.noted, stretch{name, trial})
	return p.clock.mark(at + 1)
}

// first puts a mark before an iteration.
func (p *pacer) first() error {
	p.noted = p.noted[:0]
	if !p.timing || p.parts {
		return nil
	}
	return p.clock.mark(0)
}

// last puts a mark after it.
func (p *pacer) last() error {
	if !p.timing || p.parts {
		return nil
	}
	return p.clock.mark(1)
}

// read reads the times of a finished iteration.
func (p *pacer) read() error {
	for i, n := range p.noted {
		took, err := p.clock.between(2*i+2, 2*i+3)
		if err != nil {
			return err
		}
		if n.tuner != nil {
			n.tuner.Report(took, nil)
		}
		p.tell(n.name, took)
	}
	if !p.timing {
		return nil
	}
	if !p.parts {
		took, err := p.clock.between(0, 1)
		if err != nil {
			return err
		}
		p.tell("iteration", took)
	}
	p.parts = !p.parts
	return nil
}

// tell records a span.
func (p *pacer) tell(name string, took time.Duration) {
	if !p.timing {
		return
	}
	at := slices.IndexFunc(p.spans, func(s solvers.Span) bool { return s.Name == name })
	if at < 0 {
		at, p.spans = len(p.spans), append(p.spans, solvers.Span{Name: name})
	}
	p.spans[at].Time = took
}

// blocksOf returns configurations of ants that are a warp each, for several numbers of ants in a
// block, up to most: powers of two and numbers between them.
func blocksOf(ants, most int) []wave.Config {
	var out []wave.Config
	for _, w := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32} {
		if w <= most && w <= max(ants, 1) {
			out = append(out, warpAnts(ants, w))
		}
	}
	return out
}

// warpAnts returns the configuration of ants that are a warp each, with block ants in a block.
func warpAnts(ants, block int) wave.Config {
	return wave.Config{Threads: warpThreads * int64(ants), Block: warpThreads * block}
}

// blockAnts returns the configuration of ants that are a block each, of this many warps.
func blockAnts(ants, warps int) wave.Config {
	return wave.Config{Threads: warpThreads * int64(ants) * int64(warps), Block: warpThreads * warps}
}
