package moves

import (
	"context"
	"errors"
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// An Engine makes the scans of tabu search in place of the code of this package, as on a device,
// with the same results. Its methods are called from one goroutine at a time.
type Engine interface {
	// Load gives the engine the state of all walks; it copies it.
	Load(walks []State) error

	// Iterate makes scans of every walk and fills out, one for each walk. After an error the walks
	// are as before the iteration, unless the device was lost, and they with it. Iterate may look at
	// ctx at the start only.
	Iterate(ctx context.Context, job Job, out []Outcome) error

	// State copies the state of a walk to s, whose slices have the right lengths.
	State(walk int, s *State) error

	// Close frees what the garbage collector does not free.
	Close()
}

// A Tuned engine finds the best configurations of its launches by its device's clock, and reports
// how long they take. Neither changes a result.
type Tuned interface {
	Engine
	solvers.Timer
	solvers.Waver
	solvers.Sharer
}

// A Climber makes the scans of hill climbing and variable neighbourhood descent too.
type Climber interface {
	Engine

	// Climb runs the remaining scans of every walk, according to out, and stops a walk after the scan
	// that finds no better solution in the last neighbourhood: the walk has then ended. It continues
	// from the counts and sums of out. For tabu search, where job.Select is empty, it runs all scans.
	Climb(ctx context.Context, job Job, out []Outcome) error

	// Put gives the engine the state of one walk.
	Put(walk int, s *State) error
}

// A Problem holds the data for an engine.
type Problem struct {
	Instance datasets.Instance
	Seed     uint64
	Env      *solvers.Env

	// Tables is the number of the largest neighbourhood for whose scans an engine may keep tables, by
	// the parameters at the start; 0 is the smallest, and all with evaluation=published.
	Tables int
}

// A Job is an iteration.
type Job struct {
	Scans         int // of each walk
	Neighbourhood int // its number among those of Walk.Neighbourhoods; of a descent the first
	Neighbours    int // of real vectors, with
	Radius        float64
	Precision     string

	// For tabu search.
	Tenures    string
	Tenure     int
	Aspiration int

	// For climbing: the rule that selects the move, as in the parameter select, "" for tabu search;
	// and the number of neighbourhoods of a descent.
	Select string
	Depth  int

	// These change no result.
	Evaluation              string
	Threads, Block          int    // Threads 0: the engine chooses, or tunes
	Trials                  int    // iterations by which a configuration is judged; 0: no tuning
	Letter                  bool   // tuning is Algorithm 3 of the paper to the letter
	Generate, Reduce, Cache string // on a device
}

// A State is all that the scans of a walk depend on.
type State struct {
	Clock    int64           // scans so far
	Now, Top record.Solution // the present solution and the best
	Low      float64         // the cost of Top
	Until    []int64         // the memory of tabu search; see placements and elements
	Level    int             // of climbing: the place of its neighbourhood
	From     int64           // of climbing: the index from which the next scan looks
}

// An Outcome is the result of an iteration for a walk. All fields are compared between backends.
type Outcome struct {
	Low        float64 // the cost of the walk's best solution
	Least, Sum float64 // of the costs after each scan
	Hash       uint64  // of the present solution; see Walk
	Tally      [5]int64

	// Of climbing; see State.
	Left  int // scans that are left
	Level int
	From  int64
	Ended bool // the walk is at a local optimum
}

// NewOutcome returns the outcome before the first of a number of scans.
func NewOutcome(scans int) Outcome { return Outcome{Least: math.Inf(1), Left: scans} }

// TabuOn describes tabu/robust on a backend with engines from engine, for solvers.Register. It
// accepts instances of these kinds.
func TabuOn(
	backend string, kinds []datasets.Kind, engine func(*Problem) (Engine, error),
) solvers.Variant {
	v := tabuVariant
	v.Backend, v.Kinds = backend, kinds
	v.New = checked(func(inst datasets.Instance) (solvers.Algorithm, error) {
		s, err := makeTabu(inst, engine)
		if err != nil {
			return nil, err
		}
		return remoteTabu{s, device{&s.search}}, nil
	})
	return v
}

// HillOn describes hill/climb as TabuOn does tabu/robust. The engine must be a Climber.
func HillOn(
	backend string, kinds []datasets.Kind, engine func(*Problem) (Engine, error),
) solvers.Variant {
	return climbOn(hillVariant, backend, kinds, engine)
}

// VNDOn describes vnd/climb likewise; see HillOn.
func VNDOn(
	backend string, kinds []datasets.Kind, engine func(*Problem) (Engine, error),
) solvers.Variant {
	return climbOn(vndVariant, backend, kinds, engine)
}

func climbOn(
	v solvers.Variant, backend string, kinds []datasets.Kind, engine func(*Problem) (Engine, error),
) solvers.Variant {
	vnd := v.Solver == vndVariant.Solver
	v.Backend, v.Kinds = backend, kinds
	v.New = checked(func(inst datasets.Instance) (solvers.Algorithm, error) {
		s, err := newClimb(inst, vnd)
		if err != nil {
			return nil, err
		}
		s.engine = engine
		return remoteClimb{s, device{&s.search}}, nil
	})
	return v
}

// remoteTabu and remoteClimb are searches by an engine.
type (
	remoteTabu struct {
		*tabu
		device
	}
	remoteClimb struct {
		*climb
		device
	}
)

// device implements the device's interfaces for a search on an engine.
type device struct{ s *search }

func (d device) Time(on bool) bool {
	e, ok := d.s.far.engine.(Tuned)
	return ok && e.Time(on)
}

func (d device) Spans() []solvers.Span {
	if e, ok := d.s.far.engine.(Tuned); ok {
		return e.Spans()
	}
	return nil
}

func (d device) Waves() []solvers.Wave {
	if e, ok := d.s.far.engine.(Tuned); ok {
		return e.Waves()
	}
	return nil
}

func (d device) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if e, ok := d.s.far.engine.(Tuned); ok {
		return e.Turn(ctx)
	}
	return func() {}, false, nil
}

// Parts implements solvers.Spreader.
func (d device) Parts() int { return d.s.walks }

// Untuned returns why no launch is tuned.
func (d device) Untuned() string { return d.s.fixed() }

// remote is a search whose scans an engine makes. The walkers that are away have the present clocks
// and the costs of the best solutions, and the rest of their state is older than the engine's.
type remote struct {
	largest int // number of the largest neighbourhood of the parameters at the start

	engine Engine
	loaded bool   // the engine has the walkers' state, or newer
	away   []bool // by walk
	err    error  // of a failed copy; the next iteration returns it
	out    []Outcome
}

// pull copies the engine's state to the walkers.
func (s *search) pull() {
	for a := range s.far.away {
		s.pullOne(a)
	}
}

// pullOne copies the state of a walk, if it is away.
func (s *search) pullOne(a int) {
	if a >= len(s.far.away) || !s.far.away[a] {
		return
	}
	w := s.all[a]
	state := State{Now: w.Solution(), Top: w.Solution()}
	if w.memory != nil {
		state.Until = w.memory.times()
	}
	err := s.far.engine.State(a, &state)
	if err == nil {
		w.clock, w.top, w.low = state.Clock, state.Top, state.Low
		w.level, w.from = state.Level, state.From
		err = w.Load(state.Now)
	}
	if err != nil {
		s.far.err = errors.Join(s.far.err, fmt.Errorf("moves: the state of walk %d: %w", a, err))
		return
	}
	s.far.away[a] = false
}

// state returns a walk's state for an engine.
func (w *walker) state() State {
	s := State{
		Clock: w.clock, Now: w.Solution(), Top: w.top, Low: w.low, Level: w.level, From: w.from,
	}
	if w.memory != nil {
		s.Until = w.memory.times()
	}
	return s
}

// push gives the walkers' state to the engine, if it has another.
func (s *search) push() error {
	if s.far.loaded {
		return nil
	}
	var states []State
	for _, w := range s.all {
		states = append(states, w.state())
	}
	err := s.far.engine.Load(states)
	s.far.loaded, s.far.away = err == nil, make([]bool, len(s.all))
	return err
}

// job is an iteration for the engine.
func (s *search) job() Job {
	return Job{
		Scans: s.scans, Neighbours: s.neighbours, Radius: s.radius, Precision: s.precision,
		Evaluation: s.evaluation, Threads: s.threads, Block: s.block, Trials: s.trials,
		Letter:   s.tuning == tuningPublished,
		Generate: s.generate, Reduce: s.reduce, Cache: s.cache,
	}
}

// elsewhere is search.iterate by the engine, which fills far.out by run.
func (s *search) elsewhere(
	ctx context.Context, it int64, p *record.Point, run func() error,
) (total result, err error) {
	if err := errors.Join(s.far.err, ctx.Err()); err != nil {
		return total, err
	}
	if err := s.push(); err != nil {
		return total, err
	}
	if len(s.far.out) != len(s.all) {
		s.far.out = make([]Outcome, len(s.all))
	}
	if err := run(); err != nil {
		return total, err
	}
	results := make([]result, len(s.all))
	best, low := -1, s.bestCost
	for a, o := range s.far.out {
		w := s.all[a]
		results[a] = result{
			least: o.Least, sum: o.Sum, scans: int64(s.scans), tally: o.Tally, hash: o.Hash,
		}
		if s.far.away[a] {
			w.low = o.Low
		} else {
			results[a].hash = w.Hash()
		}
		if w.low < low {
			best, low = a, w.low
		}
	}
	other := -1 // the walk that may go on from the best solution
	if s.exchanging(it) {
		other = s.worst()
		s.pullOne(other)
	}
	if best >= 0 {
		s.pullOne(best)
	}
	if s.far.err != nil {
		return total, s.far.err
	}
	moved, err := s.finish(it, p, results, &total)
	if moved {
		s.far.err = s.put(other)
	}
	return total, errors.Join(err, s.far.err)
}

// put gives the engine the state of a walk that has another solution than its own.
func (s *search) put(a int) error {
	if e, ok := s.far.engine.(interface{ Put(int, *State) error }); ok {
		state := s.all[a].state()
		return e.Put(a, &state)
	}
	s.pull()
	s.far.loaded = false
	return s.far.err
}

// iterateFar makes an iteration of tabu search by the engine.
func (s *tabu) iterateFar(ctx context.Context, it int64, k int, p *record.Point) (result, error) {
	return s.elsewhere(ctx, it, p, func() error {
		job := s.job()
		job.Neighbourhood, job.Tenures, job.Tenure = k, s.tenures, s.tenure
		job.Aspiration = s.aspiration
		if err := s.far.engine.Iterate(ctx, job, s.far.out); err != nil {
			return err
		}
		for a, w := range s.all {
			w.clock += int64(s.scans)
			s.far.away[a] = true
		}
		return nil
	})
}

// iterateFar makes an iteration of climbing by the engine. A walk that has ended begins its next
// climb here.
func (s *climb) iterateFar(ctx context.Context, it int64, p *record.Point) (result, error) {
	e, ok := s.far.engine.(Climber)
	if !ok {
		return result{}, errors.New("moves: the engine of this backend does not climb: use backend cpu")
	}
	return s.elsewhere(ctx, it, p, func() error {
		job := s.job()
		job.Neighbourhood, job.Select, job.Depth = s.number(0), s.pick, 1
		if s.vnd {
			job.Depth = s.depth
		}
		for a := range s.far.out {
			s.far.out[a] = NewOutcome(s.scans)
			if s.far.away[a] {
				s.far.out[a].Low = s.all[a].low
			}
		}
		for begun := false; ; {
			more := false
			for a := range s.all {
				if err := s.resume(e, a); err != nil {
					return err
				}
				more = more || s.far.out[a].Left > 0
			}
			if !more {
				return nil
			}
			before := make([]int, len(s.all))
			for a, o := range s.far.out {
				before[a] = o.Left
			}
			if err := e.Climb(ctx, job, s.far.out); err != nil {
				if begun { // the walks have moved
					s.far.err = err
				}
				return err
			}
			begun, ctx = true, context.WithoutCancel(ctx)
			for a, w := range s.all {
				w.clock += int64(before[a] - s.far.out[a].Left)
				s.far.away[a] = s.far.away[a] || before[a] > 0
			}
		}
	})
}

// resume begins the next climb of a walk that has ended, or makes the scans that are left of one
// that is done.
func (s *climb) resume(e Climber, a int) error {
	w, o := s.all[a], &s.far.out[a]
	s.shape(w)
	if o.Ended {
		o.Ended = false
		s.pullOne(a)
		w.climb++
		s.again(a, w, w.clock)
	} else if w.done && w.climb <= int64(s.restarts) && o.Left > 0 {
		w.done = false // restarts was increased: continue from the last optimum
		s.again(a, w, w.last)
	} else if !w.done || o.Left == 0 {
		return s.far.err
	}
	if !w.done {
		state := w.state()
		return errors.Join(s.far.err, e.Put(a, &state))
	}
	r := result{least: o.Least, sum: o.Sum}
	for ; o.Left > 0; o.Left-- {
		w.clock++
		w.take(&r)
	}
	o.Least, o.Sum = r.least, r.sum
	return s.far.err
}

// lost writes that the state is lost with its device, so that an old one is not restored by
// mistake, and returns true, if it is.
func (s *search) lost(w *solvers.Writer) bool {
	s.pull()
	if s.far.err == nil {
		return false
	}
	w.Bytes("lost", []byte(s.far.err.Error()))
	return true
}

// open makes the engine, if there is one: on several devices several.
func (s *search) open(env *solvers.Env) (err error) {
	if s.engine == nil {
		return nil
	}
	p := &Problem{Instance: s.inst, Seed: env.Seed, Env: env, Tables: s.far.largest}
	if s.evaluation == "published" {
		p.Tables = 0
	}
	if len(env.Devices) < 2 {
		s.far.engine, err = s.engine(p)
		return err
	}
	x, err := newSpread(p, s.engine, s.walks)
	if err != nil {
		return err
	}
	s.far.engine = x
	return nil
}
