package solvers

import (
	"context"
	"fmt"
	"sync/atomic"

	"metalab/datasets"
	"metalab/solvers/record"
)

// An Algorithm is a search that can be stepped. Implement it to get everything else:
// runs, tuning, forks, records, replay, pictures and comparisons.
//
// All methods are called from one goroutine at a time, none while Iterate runs.
// After Init, whatever the algorithm does must be a function of the instance, the
// seed, the parameters, the iteration number and the state that Snapshot writes: no
// clock, no global random numbers, no order of goroutines or of maps.
type Algorithm interface {
	// Declare adds the parameters to t; their fields hold defaults that suit the
	// instance. It is called once, before all else.
	Declare(t *Params)

	// Init makes the state before the first iteration. The parameters are final;
	// an error names what cannot be (as a structural value that the instance
	// does not allow).
	Init(env *Env) error

	// Iterate makes iteration it (the first is 1) and fills p: IterBest, Mean, Digest (of this
	// iteration alone; the engine chains them), Evals where it counts (see Counter) and Measures,
	// whose length is that of Measures(). The engine fills the rest. It must not keep p.
	//
	// When ctx ends it may give up: it then returns ctx's error, or one that wraps
	// it, and leaves the state as it was before, so that the iteration can be made
	// again. Any other error, and a panic, fails the run whether ctx has ended or
	// not. An algorithm whose iterations are short need not look at ctx.
	Iterate(ctx context.Context, it int64, p *record.Point) error

	// Measures names the solver's own measures, as "branching"; nil for none.
	Measures() []string

	// Best returns the value of the best solution so far: math.Inf(1) before
	// the first iteration. It is called after every iteration and must be cheap.
	Best() float64

	// Solution returns a copy of the best solution, in the instance's numbering.
	Solution() record.Solution

	// Snapshot writes the state: all that the next iterations depend on, the best
	// solution included; not the parameters, the instance and the seed, which the
	// engine keeps. It does not depend on the backend.
	Snapshot(w *Writer)

	// Restore takes over the state that r holds, after Init. Structural parameters
	// may differ from those under which it was written (r.Params holds those): what
	// can be carried over is, and an error names the parameter for which it cannot.
	Restore(r *Reader) error

	// Close frees what the garbage collector does not.
	Close()
}

// A Changer is an Algorithm that must act when live parameters change: Changed is
// called at the boundary, with the names that changed, after the fields hold the new
// values. The state after it may depend only on the state before and on the values.
type Changer interface{ Changed(names []string) }

// A Controller is an Algorithm whose live parameters should follow the time of a step that is
// limited by time, as a temperature does: Control returns the changes to make at a boundary where
// the share spent of the time is over, or nil. They are made, checked and recorded like changes
// that a user asks for, so a replay needs no clock. Control changes nothing itself.
type Controller interface {
	Control(spent float64) record.Values
}

// A Counter is an Algorithm that counts what it evaluates, by which its effort can be compared
// with that of others. Iterate sets Point.Evals to how many the iteration evaluated (the engine
// adds them up), and Counts says in the plural what they are, as "tours built"; empty: it does
// not count here.
type Counter interface{ Counts() string }

// A Sourcer is an Algorithm with a parameter whose values stand for a text that records
// keep, as the code that a researcher declared: Source returns it, empty for other values.
type Sourcer interface {
	Source(name string, v record.Value) string
}

// A Tracer is an Algorithm that can show the solutions of its last iteration, by
// agent: what Diff uses to name the agent and the position at which two runs part.
type Tracer interface{ Trace() [][]int32 }

// A Trail is the strength of the pheromone on an edge, in the instance's numbering.
type Trail struct {
	From, To int32
	Strength float32
}

// A Trailer is an Algorithm with pheromone trails that can be drawn: Trails returns
// at most limit of them, the strongest first, an edge of a symmetric instance once, and how
// many there are. Of equal ones that are too many it returns some from everywhere.
type Trailer interface {
	Trails(limit int) (strongest []Trail, all int)
}

// A Lengther is an Algorithm that can show the values of the solutions of its last
// iteration, by agent.
type Lengther interface{ Lengths() []float64 }

// A Sized is an Algorithm whose state can be too large to be written while the run goes on:
// StateBytes is about how many bytes it takes now.
type Sized interface{ StateBytes() int64 }

// A Starter is an Algorithm that can begin at a solution that it is given: StartAt is called
// before Init with one of the instance, which it takes in place of those that it would make.
type Starter interface{ StartAt(s record.Solution) }

// An Admitter is an Algorithm that can take in a solution which another search found: Admit is
// called at the boundary after iteration it, with a solution of the instance and its cost. It
// reports whether that changed the state, which may depend only on the state before, on it and on
// the solution. What is worse than all that the search has it may leave. Islands need it; see
// MaxIslands.
type Admitter interface {
	Admit(it int64, s record.Solution, cost float64) (changed bool, err error)
}

// An Ender is an Algorithm whose search can be over: Ended says why another iteration would find
// nothing, as "100 climbs made"; empty: it would. It is a function of the state and the
// parameters. A run that is over makes no more iterations until its parameters change.
type Ender interface{ Ended() string }

// A Sharer is an Algorithm that shares a device with those of other runs: Turn is called before
// each iteration, on the thread that makes it, and give after it. waited tells whether another was
// at work; the time until then is not counted as the run's. An error of ctx gives the iteration up.
type Sharer interface {
	Turn(ctx context.Context) (give func(), waited bool, err error)
}

// A Spreader is an Algorithm whose work is in parts that may be made on several devices: Parts is
// how many there are. Others use the first of the devices that they are given.
type Spreader interface{ Parts() int }

// A Judge is an Algorithm that evaluates whole solutions itself, as on an instance whose cost
// function has parameters of the run: Judge is the cost with the values that they have now, by code
// that the search does not use.
type Judge interface {
	Judge(s record.Solution) (float64, error)
}

// An Elsewhere is an instance whose algorithms run where its code is: Algorithm makes that of a
// variant, in place of Variant.New.
type Elsewhere interface {
	Algorithm(v Variant) (Algorithm, error)
}

// Make makes the algorithm of the variant on an instance: by New, or where the instance's code is.
func (v Variant) Make(inst datasets.Instance) (Algorithm, error) {
	if o, ok := inst.(Elsewhere); ok {
		return o.Algorithm(v)
	}
	if v.New == nil {
		return nil, fmt.Errorf("the variant %s/%s was registered without New, which makes its algorithm",
			v.Solver, v.Name)
	}
	a, err := v.New(inst)
	if err == nil && a == nil {
		err = fmt.Errorf("the variant %s/%s: its New made no algorithm", v.Solver, v.Name)
	}
	return a, err
}

// cost is the cost of a solution as the run sees it now.
func (r *Run) cost(s record.Solution) (float64, error) {
	if j, ok := r.alg.(Judge); ok {
		return j.Judge(s)
	}
	return Cost(r.inst, s)
}

// Env is what the engine gives an algorithm at Init.
type Env struct {
	Seed uint64

	// Pool runs loops on several goroutines. Its size never changes a result.
	Pool *Pool

	// Progress is the fraction of a long iteration that is done, in 1/2^16; an
	// algorithm may set it for the status line.
	Progress *atomic.Uint32

	// Run is the run's name, for what is told about it.
	Run string

	// Devices are the ordinals of the GPUs over which a CUDA variant shares out its work, in
	// ascending order; a variant that uses one takes the first. Where they are nil, Init takes the one
	// with the most free memory and puts it here.
	Devices []int

	// Tell is told in a line what is wrong, when that is no iteration's error; see
	// Run.Trouble. Any goroutine may call it. It may be nil.
	Tell func(text string)
}

// A Variant is a registered algorithm: a named trajectory of a solver on a backend.
type Variant struct {
	Solver   string   // as "acs"
	Name     string   // as "seq"
	Formerly []string // names that it had before, which records and plans of then have
	Backend  string   // "cpu" or "cuda"
	Revision int      // raised whenever the same record would give another result
	Default  bool     // taken when no variant is named, see Instead
	Fallback bool     // taken then on a backend on which the default does not run

	Kinds []datasets.Kind // the problems that it takes
	// false for the racing variants as published: laws 1 to 3 do not bind them
	Deterministic bool
	Presets       []Preset // beside "default"

	Title  string // one line, as "Ant Colony System, step by step"
	Source string // authors, year, title, DOI
	Layout string // how it draws its random numbers: key, counter, words

	// Family names what the state is: variants of a solver with the same one, if it is not empty,
	// share their state, and a fork goes from one to another. Apart says why it has none.
	Family, Apart string

	// Advice names another variant that does better on an instance in the same time, in a sentence;
	// empty: none does. It is told where this one is opened with its default values or with the
	// preset best. It may be nil.
	Advice func(inst datasets.Instance) string

	// Instead names the variant of the solver that is opened in place of this one, the default,
	// where a configuration names the solver alone and that variant does plainly better on the
	// instance, and says so in a sentence; empty: none. It may be nil. See Choose.
	Instead func(inst datasets.Instance) (variant, why string)

	// KeepsFixed tells whether its tours have all fixed edges of the instance. Others refuse an
	// instance that has some.
	KeepsFixed bool

	// NoStart says why it can begin at no solution that it is given, where it is no Starter.
	NoStart string

	// New returns the algorithm with its parameters at their defaults for the
	// instance. It does no long work: that is Init's.
	New func(inst datasets.Instance) (Algorithm, error)
}
