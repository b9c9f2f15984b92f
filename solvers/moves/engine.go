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

	// Climb makes the scans that are left of every walk, as out says, and stops a walk after the scan
	// in which it finds no better solution in the last neighbourhood: it has then ended. It goes on
	// from the counts and sums of out.
	Climb(ctx context.Context, job Job, out []Outcome) error

	// Put gives the engine the state of one walk.
	Put(walk int, s *State) error
}

// A Problem is what an engine needs to know when it is made.
type Problem struct {
	Instance datasets.Instance
	Seed     uint64
	Env      *solvers.Env
}

// A Job is an iteration.
type Job struct {
	Scans         int // of each walk
	Neighbourhood int // its number among those of Walk.Neighbourhoods; of a descent the first
	Neighbours    int // of real vectors, with
	Radius        float64
	Precision     string

	// Of tabu search.
	Tenures    string
	Tenure     int
	Aspiration int

	// Of climbing: which move is made, as the parameter select says, "" for tabu search; and how many
	// neighbourhoods a descent has.
	Select string
	Depth  int

	// These change no result.
	Evaluation              string
	Threads, Block          int    // Threads 0: the engine chooses, or tunes
	Trials                  int    // iterations by which a configuration is judged; 0: no tuning
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

// NewOutcome is one before the first of so many scans.
func NewOutcome(scans int) Outcome { return Outcome{Least: math.Inf(1), Left: scans} }

// TabuOn describes tabu/robust on a backend whose engine is made by engine, for solvers.Register.
// It takes instances of these kinds.
func TabuOn(
	backend string, kinds []datasets.Kind, engine func(*Problem) (Engine, error),
) solvers.Variant {
	v := tabuVariant
	v.Backend, v.Kinds = backend, kinds
	v.New = checked(func(inst datasets.Instance) (solvers.Algorithm, error) {
		s, err := makeTabu(inst, engine)
		return remoteTabu{s}, err
	})
	return v
}

// remoteTabu is tabu search by an engine.
type remoteTabu struct{ *tabu }

func (s remoteTabu) Time(on bool) bool {
	e, ok := s.far.engine.(Tuned)
	return ok && e.Time(on)
}

func (s remoteTabu) Spans() []solvers.Span {
	if e, ok := s.far.engine.(Tuned); ok {
		return e.Spans()
	}
	return nil
}

func (s remoteTabu) Waves() []solvers.Wave {
	if e, ok := s.far.engine.(Tuned); ok {
		return e.Waves()
	}
	return nil
}

func (s remoteTabu) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if e, ok := s.far.engine.(Tuned); ok {
		return e.Turn(ctx)
	}
	return func() {}, false, nil
}

// remote is a search whose scans an engine makes. While it is ahead the walkers have the present
// clocks and the costs of the best solutions, and the rest of their state is older.
type remote struct {
	engine Engine
	loaded bool // the engine has the walkers' state
	ahead  bool
	err    error // of a copy that could not be made; the next iteration returns it
	out    []Outcome
}

// pull copies the engine's state to the walkers.
func (s *tabu) pull() {
	if !s.far.ahead {
		return
	}
	for a := range s.all {
		s.far.err = errors.Join(s.far.err, s.pullOne(a))
	}
	s.far.ahead = s.far.err != nil
}

// pullOne copies the state of a walk.
func (s *tabu) pullOne(a int) error {
	w := s.all[a]
	state := State{Now: w.Solution(), Top: w.Solution(), Until: w.memory.times()}
	if err := s.far.engine.State(a, &state); err != nil {
		return fmt.Errorf("moves: the state of walk %d: %w", a, err)
	}
	w.clock, w.top, w.low = state.Clock, state.Top, state.Low
	return w.Load(state.Now)
}

// push gives the walkers' state to the engine, if it has another.
func (s *tabu) push() error {
	if s.far.loaded {
		return nil
	}
	var states []State
	for _, w := range s.all {
		states = append(states, State{
			Clock: w.clock, Now: w.Solution(), Top: w.top, Low: w.low, Until: w.memory.times(),
		})
	}
	err := s.far.engine.Load(states)
	s.far.loaded = err == nil
	return err
}

// elsewhere is search.iterate by the engine.
func (s *tabu) elsewhere(
	ctx context.Context, it int64, k int, p *record.Point,
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
	job := Job{
		Scans: s.scans, Neighbourhood: k, Tenures: s.tenures, Tenure: s.tenure,
		Aspiration: s.aspiration, Evaluation: s.evaluation, Threads: s.threads, Block: s.block,
		Trials: s.trials, Generate: s.generate, Reduce: s.reduce, Cache: s.cache,
		Neighbours: s.neighbours, Radius: s.radius, Precision: s.precision,
	}
	if err := s.far.engine.Iterate(ctx, job, s.far.out); err != nil {
		return total, err
	}
	s.far.ahead = true
	results := make([]result, len(s.all))
	best, low := -1, s.bestCost
	for a, o := range s.far.out {
		w := s.all[a]
		w.clock += int64(s.scans)
		w.low = o.Low
		results[a] = result{
			least: o.Least, sum: o.Sum, scans: int64(s.scans), tally: o.Tally, hash: o.Hash,
		}
		if w.low < low {
			best, low = a, w.low
		}
	}
	if s.exchanging(it) {
		s.pull()
	} else if best >= 0 {
		s.far.err = s.pullOne(best)
	}
	if s.far.err != nil {
		return total, s.far.err
	}
	moved, err := s.finish(it, p, results, &total)
	if moved {
		s.far.loaded = false
	}
	return total, err
}

// lost writes that the state is lost with its device, so that an old one is not restored by
// mistake, and returns true, if it is.
func (s *tabu) lost(w *solvers.Writer) bool {
	s.pull()
	if s.far.err == nil {
		return false
	}
	w.Bytes("lost", []byte(s.far.err.Error()))
	return true
}

// begin makes the engine.
func (s *tabu) begin(env *solvers.Env) (err error) {
	s.far.engine, err = s.engine(&Problem{Instance: s.inst, Seed: env.Seed, Env: env})
	return err
}
