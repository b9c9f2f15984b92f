package launch

import (
	"errors"
	"slices"
	"time"

	"metalab/gpu"
	"metalab/solvers"
	"metalab/solvers/wave"
)

// raceFactor: the tuner drops a launch that is this many times slower than the best.
const raceFactor = 1.2

// trialShare: what trials may lose of the time of all launches of their stage.
const trialShare = 0.1

// A Clock times the work in a device's own stream.
type Clock interface {
	// Mark puts the mark with number i into the stream.
	Mark(i int) error
	// Between returns the time from one mark to another; the device must have passed both.
	Between(from, to int) (time.Duration, error)
}

// Events returns a clock of a device's events, which it creates at their first use.
func Events(d *gpu.Device) Clock { return &events{d: d} }

type events struct {
	d    *gpu.Device
	made []*gpu.Event
}

func (e *events) Mark(i int) error {
	for len(e.made) <= i {
		m, err := e.d.NewEvent()
		if err != nil {
			return err
		}
		e.made = append(e.made, m)
	}
	return e.made[i].Record(nil)
}

func (e *events) Between(from, to int) (time.Duration, error) {
	return e.made[to].Since(e.made[from])
}

// A Tuner times iterations, and tunes how their stages are launched. Neither changes a result. It
// has the methods of solvers.Timer and solvers.Waver. In each iteration call, in this order, Settle
// for each stage, First, Launch for each stage and Part for other parts, Last, and, once the device
// has finished, Read.
type Tuner struct {
	Clock Clock

	// Whole says that every other iteration is timed as a whole, because it may be a graph, in which
	// parts cannot be timed; else the parts of each iteration are timed.
	Whole bool

	stages []*Stage
	letter bool // see Tune
	free   bool // the launch is not given: tune
	trials int

	timing bool // spans are asked for
	parts  bool // this iteration's parts are measured, not the whole
	spans  []solvers.Span
	noted  []stretch // of this iteration
}

// A Stage is a part of an iteration whose launch is tuned.
type Stage struct {
	Name   string                    // of its span
	What   func() string             // what is launched
	Own    func() wave.Config        // what is asked for, or the program's own choice
	Shapes func() []wave.Config      // what may be tried beside it; none: it is not tuned
	Adopt  func(c wave.Config) error // sets the next launch; an error: the device does not take it

	// After is a stage that is tuned before, or nil. Until it is, the stage is launched as Own says.
	After *Stage

	tuner *wave.Tuner
	now   wave.Config
}

// stretch is a part of an iteration, between the marks 2 i + 2 and 2 i + 3, where i is its index in
// noted. Marks 0 and 1 enclose the iteration.
type stretch struct {
	name  string
	tuner *wave.Tuner // the tuner whose trial it is, or nil
}

// Add adds stages, in the order in which solvers.Run.Waves lists them. For Own and Adopt, zero
// values stand for functions that return nothing.
func (p *Tuner) Add(stages ...*Stage) { p.stages = append(p.stages, stages...) }

// Config is the configuration of the stage's next launch; the zero value: the launch chooses.
func (s *Stage) Config() wave.Config { return s.now }

// Trying tells whether the next launch of the stage is a trial. It is not where another
// configuration than the one to be tried was set, as by Fix.
func (s *Stage) Trying() bool {
	return s.untried() && !s.tuner.Resting() && s.now == s.tuner.Next()
}

// untried tells whether the tuner has configurations left to try.
func (s *Stage) untried() bool { return s.tuner != nil && !s.tuner.Done() }

// Again drops what the stage's tuner found, after a change of something on which it depends.
func (s *Stage) Again() { s.tuner = nil }

func (s *Stage) own() wave.Config {
	if s.Own == nil {
		return wave.Config{}
	}
	return s.Own()
}

// use sets the next launch.
func (s *Stage) use(c wave.Config) error {
	s.now = c
	if s.Adopt == nil {
		return nil
	}
	return s.Adopt(c)
}

// configs are those that a tuner tries, the stage's own first; to the letter its shapes alone.
func (s *Stage) configs(letter bool) []wave.Config {
	var list []wave.Config
	first := []wave.Config{s.own()}
	if letter {
		first = nil
	}
	for _, c := range append(first, s.Shapes()...) {
		if c != (wave.Config{}) && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// table is the stage's table.
func (s *Stage) table() solvers.Wave {
	w := solvers.Wave{What: s.What(), Config: s.now}
	if s.tuner != nil {
		w.Trials = s.tuner.Trials()
		if c, ok := s.tuner.Best(); ok && s.tuner.Done() {
			w.Config, w.Tuned = c, true
		}
	}
	return w
}

// Again drops the results of all tuners.
func (p *Tuner) Again() {
	for _, s := range p.stages {
		s.Again()
	}
}

// Schedule sets whether launches are tuned (free), and the number of iterations per configuration;
// 0: no tuning. A change drops earlier results.
func (p *Tuner) Schedule(free bool, trials int) {
	if free != p.free || !free || trials != p.trials {
		p.free, p.trials = free, trials
		p.Again()
	}
}

// Tune sets whether tuning follows Algorithm 3 to the letter (see package wave): every shape has
// all its trials, none is dropped as too slow, and the first that cannot be launched ends the
// search with the best so far. Else shapes race, within a share of the time, and the tuner skips
// those that cannot be launched.
func (p *Tuner) Tune(letter bool) {
	if letter != p.letter {
		p.letter = letter
		p.Again()
	}
}

// Time is a method of solvers.Timer.
func (p *Tuner) Time(on bool) bool {
	if p.timing != on {
		p.timing, p.parts, p.spans = on, on, nil
	}
	return true
}

// Spans is a method of solvers.Timer.
func (p *Tuner) Spans() []solvers.Span { return slices.Clone(p.spans) }

// Waves lists the stages that have been launched with a configuration.
func (p *Tuner) Waves() []solvers.Wave {
	var out []solvers.Wave
	for _, s := range p.stages {
		if s.now != (wave.Config{}) {
			out = append(out, s.table())
		}
	}
	return out
}

// Fix sets the stage's next launch to its own, without tuning: for iterations that are unlike the
// others. The tuner's results stay.
func (p *Tuner) Fix(s *Stage) error { return s.use(s.own()) }

// Settle sets the stage's next launch: the one asked for, the next to be tried, or the best found.
// Launches that the device cannot make are skipped, but see Tune. Once trials have cost their share
// of the time, the best found is launched until they have not.
func (p *Tuner) Settle(s *Stage) error {
	wait := s.After != nil && (s.After.tuner == nil || s.After.untried())
	if s.tuner == nil {
		if !p.free || p.trials == 0 || wait {
			return p.Fix(s)
		}
		list := s.configs(p.letter)
		if len(list) == 0 {
			return p.Fix(s)
		}
		s.tuner = wave.New(list, p.trials)
		if !p.letter {
			s.tuner.Race(raceFactor)
			s.tuner.Budget(trialShare)
		}
	}
	if s.tuner.Resting() {
		s.tuner.Rest()
		c, _ := s.tuner.Best()
		return s.use(c)
	}
	for {
		c := s.tuner.Next()
		if c == (wave.Config{}) { // none could be launched: Adopt returns an error, or finds one
			c = s.own()
		}
		err := s.use(c)
		if err == nil || gpu.IsSticky(err) || s.tuner.Done() {
			return err
		}
		p.refuse(s, err)
	}
}

// refuse notes that the configuration to be tried cannot be launched.
func (p *Tuner) refuse(s *Stage, err error) {
	if p.letter {
		s.tuner.Report(0, err)
	} else {
		s.tuner.Skip(err)
	}
}

// Loose tells whether the parts of the next iteration are timed. It is then not a graph, because
// graphs have no events.
func (p *Tuner) Loose() bool {
	return p.timing && p.parts || slices.ContainsFunc(p.stages, (*Stage).Trying)
}

// Launch queues a stage by f, with the configuration of the stage. While configurations are tried,
// it skips those that cannot be launched.
func (p *Tuner) Launch(s *Stage, f func() error) error {
	for {
		trying := s.Trying()
		var trial *wave.Tuner
		if trying {
			trial = s.tuner
		}
		err := p.measure(s.Name, trial, f)
		if err == nil || !trying || gpu.IsSticky(err) {
			return err
		}
		p.refuse(s, err)
		if serr := p.Settle(s); serr != nil {
			return errors.Join(err, serr)
		}
	}
}

// Part queues a part of an iteration that is not tuned by f.
func (p *Tuner) Part(name string, f func() error) error { return p.measure(name, nil, f) }

// measure queues a part by f, with marks around it if its time is needed, for spans or for the
// tuner whose trial it is.
func (p *Tuner) measure(name string, trial *wave.Tuner, f func() error) error {
	if !p.Loose() {
		return f()
	}
	at := 2*len(p.noted) + 2
	if err := p.Clock.Mark(at); err != nil {
		return err
	}
	if err := f(); err != nil {
		return err
	}
	p.noted = append(p.noted, stretch{name, trial})
	return p.Clock.Mark(at + 1)
}

// First must be called before the parts of an iteration are queued.
func (p *Tuner) First() error {
	p.noted = p.noted[:0]
	if !p.timing || p.parts {
		return nil
	}
	return p.Clock.Mark(0)
}

// Last must be called after they are.
func (p *Tuner) Last() error {
	if !p.timing || p.parts {
		return nil
	}
	return p.Clock.Mark(1)
}

// Read reads the times of a finished iteration.
func (p *Tuner) Read() error {
	for i, n := range p.noted {
		took, err := p.Clock.Between(2*i+2, 2*i+3)
		if err != nil {
			return err
		}
		if n.tuner != nil {
			n.tuner.Report(took, nil)
		}
		p.tell(n.name, took)
	}
	if !p.timing || !p.Whole {
		return nil
	}
	if !p.parts {
		took, err := p.Clock.Between(0, 1)
		if err != nil {
			return err
		}
		p.tell("iteration", took)
	}
	p.parts = !p.parts
	return nil
}

// tell records a span.
func (p *Tuner) tell(name string, took time.Duration) {
	if !p.timing {
		return
	}
	at := slices.IndexFunc(p.spans, func(s solvers.Span) bool { return s.Name == name })
	if at < 0 {
		at, p.spans = len(p.spans), append(p.spans, solvers.Span{Name: name})
	}
	p.spans[at].Time = took
}
