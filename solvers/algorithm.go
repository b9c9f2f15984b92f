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
	// Declare adds the parameters to t; their fields hold defaults that suit the instance. The engine
	// calls it once, before any other method.
	Declare(t *Params)

	// Init builds the state before the first iteration. The parameters are final. An error names what
	// is impossible, such as a structural value that the instance does not allow.
	Init(env *Env) error

	// Iterate runs iteration it (the first is 1) and fills p: IterBest, Mean, Digest (of this
	// iteration alone; the engine chains them), Evals where it counts (see Counter) and Measures,
	// whose length is that of Measures(). The engine fills the rest. It must not keep p.
	//
	// When ctx ends it may give up: it then returns ctx's error, or one that wraps it, and leaves the
	// state as it was before, so that the engine can run the iteration again. Any other error, and a
	// panic, fails the run whether ctx has ended or not. An algorithm whose iterations are short need
	// not look at ctx.
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

	// Restore reads the state from r, after Init. Structural parameters may differ from those at the
	// time of writing, which r.Params holds. Restore carries over what it can; an error names the
	// parameter that prevents it.
	Restore(r *Reader) error

	// Close frees what the garbage collector cannot free.
	Close()
}

// A Changer is an Algorithm that must act when live parameters change. The engine calls Changed
// between two iterations, after the fields have their new values, with the names of the changed
// parameters. The new state may depend only on the old state and on the values.
type Changer interface{ Changed(names []string) }

// A Controller is an Algorithm whose live parameters follow the time of a step that has a limit of
// time, such as a temperature. The engine calls Control between two iterations with the share of
// the time that is spent, 0 to 1. Control returns the changes to apply, or nil, and changes nothing
// itself. The engine checks and records them like changes by a user, so a replay needs no clock.
type Controller interface {
	Control(spent float64) record.Values
}

// A Counter is an Algorithm that counts its evaluations, so that its effort can be compared with
// that of others. Iterate sets Point.Evals to the number of evaluations of that iteration; the
// engine adds them up. Counts returns their name in the plural, such as "tours built"; empty: it
// does not count here.
type Counter interface{ Counts() string }

// A Sourcer is an Algorithm with a parameter whose values stand for a text that records store, such
// as the code that a researcher declared. Source returns that text, or "" for other values.
type Sourcer interface {
	Source(name string, v record.Value) string
}

// A Tracer is an Algorithm that can return the solutions of its last iteration, by agent. Diff uses
// them to name the agent and the position at which two runs part.
type Tracer interface{ Trace() [][]int32 }

// A Trail is the strength of the pheromone on an edge, in the instance's numbering.
type Trail struct {
	From, To int32
	Strength float32
}

// A Trailer is an Algorithm with pheromone trails that can be drawn. Trails returns at most limit
// of them, the strongest first, and the number of all. An edge of a symmetric instance appears
// once. If too many trails are equally strong, Trails picks some from all over the instance.
type Trailer interface {
	Trails(limit int) (strongest []Trail, all int)
}

// A LengthReporter is an Algorithm that can return the values of the solutions of its last
// iteration, by agent.
type LengthReporter interface{ Lengths() []float64 }

// A Sized is an Algorithm whose state can be too large to be written while the run continues.
// StateBytes returns about how many bytes it has now.
type Sized interface{ StateBytes() int64 }

// A Starter is an Algorithm that can begin at a given solution. The engine calls StartAt before
// Init with a solution of the instance, which replaces those that Init would build.
type Starter interface{ StartAt(s record.Solution) }

// An Admitter is an Algorithm that can accept a solution found by another search. The engine calls
// Admit between two iterations, after iteration it, with a solution of the instance and its cost.
// Admit reports whether the state changed. The new state may depend only on the old state, on it
// and on the solution. Admit may reject a solution that is worse than all of its own. Islands need
// an Admitter; see MaxIslands.
type Admitter interface {
	Admit(it int64, s record.Solution, cost float64) (changed bool, err error)
}

// A Divisible is an Algorithm whose agents, such as walks, fall into parts that exchange nothing,
// so that a part gives the same result without the others.
type Divisible interface {
	// BestAgent returns the number of the agent that found the best solution, from 0; -1: none of
	// them, or it is unknown.
	BestAgent() int

	// Only restricts the run to the part of an agent. The engine calls it before Init, when the
	// parameters are final. Best, Solution, BestAgent, draws and state are then those of the part in
	// the whole run; points describe the part alone. It returns an error for an agent that there is
	// not.
	Only(agent int) (Part, error)
}

// A Part is a part of a run; see Divisible.
type Part struct {
	Name        string // such as "island 3"
	First, Last int    // its agents, from 0
	Of          int    // agents of the whole run
	Agents      string // what they are, in the plural, such as "walks"
}

// A Finisher is an Algorithm whose search can be over. Ended returns why another iteration would
// find nothing, such as "100 climbs made", or "" while the search can continue. It is a function of
// the state and the parameters. A run that is over runs no more iterations until its parameters
// change.
type Finisher interface{ Ended() string }

// A Sharer is an Algorithm that shares a device with the algorithms of other runs. The engine calls
// Turn before each iteration, on the thread that runs it, and give after it. waited reports whether
// another algorithm had the device; the engine does not count that time as the run's. An error of
// ctx ends the wait and abandons the iteration.
type Sharer interface {
	Turn(ctx context.Context) (give func(), waited bool, err error)
}

// A Spreader is an Algorithm whose work has parts that can run on several devices; Parts returns
// their number. Other algorithms use only the first of their devices.
type Spreader interface{ Parts() int }

// An Evaluator is an Algorithm that evaluates whole solutions itself, for an instance whose cost
// function has parameters of the run. Judge returns the cost with their present values, by code
// that the search does not use.
type Evaluator interface {
	Judge(s record.Solution) (float64, error)
}

// An Elsewhere is an instance whose algorithms run where its code is. The engine calls its method
// Algorithm in place of Variant.New.
type Elsewhere interface {
	Algorithm(v Variant) (Algorithm, error)
}

// Make returns the algorithm of the variant on an instance. It calls New, or Algorithm of an
// instance that is an Elsewhere.
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
	if j, ok := r.alg.(Evaluator); ok {
		return j.Judge(s)
	}
	return Cost(r.inst, s)
}

// Env holds what the engine passes to an algorithm at Init.
type Env struct {
	Seed uint64

	// Pool runs loops on several goroutines. Its size never changes a result.
	Pool *Pool

	// Progress is the finished fraction of a long iteration, in units of 1/2^16. An algorithm may set
	// it for the status line.
	Progress *atomic.Uint32

	// Run is the run's name, for messages.
	Run string

	// Devices are the ordinals of the GPUs that share the work of a CUDA variant, in ascending order.
	// A variant that uses one GPU takes the first. If Devices is nil, Init picks the GPU with the most
	// free memory and stores it here.
	Devices []int

	// Tell receives a line about a problem that is no iteration's error; see Run.Trouble. Any
	// goroutine may call it. It may be nil.
	Tell func(text string)
}

// A Variant is a registered algorithm: one named trajectory of a solver, on one backend.
type Variant struct {
	Solver   string   // as "acs"
	Name     string   // as "seq"
	Formerly []string // its former names, which old records and plans have
	Backend  string   // "cpu" or "cuda"
	Revision int      // raised when the same record would give another result
	Default  bool     // used when no variant is named, see Instead
	Fallback bool     // used when none is named on a backend that the default lacks

	Kinds []datasets.Kind // the problems that it accepts
	// false for the racing variants, as published: laws 1 to 3 do not bind them
	Deterministic bool
	Presets       []Preset // beside "default"

	Title  string // one line, as "Ant Colony System, step by step"
	Source string // authors, year, title, DOI
	Layout string // how it draws random numbers: key, counter, words

	// Family names the form of the state. Variants of a solver with the same Family share their state,
	// and a fork can change from one to another; an empty Family shares with none. Apart says why it
	// is empty.
	Family, Apart string

	// Advice names another variant that does better on an instance in the same time, in a sentence;
	// empty: there is none. Open reports it to users who open this variant with its defaults or with
	// the preset best. The parameters are those of the run, nil where none is open. It may be nil.
	Advice func(inst datasets.Instance, params record.Values) string

	// Instead returns the variant to open in place of this one, the default, with a sentence why;
	// empty: this one. Choose calls it where a configuration names the solver alone; return another
	// variant only if it does plainly better on the instance. It may be nil.
	Instead func(inst datasets.Instance) (variant, why string)

	// KeepsFixed reports whether its tours contain all fixed edges of the instance. Other variants
	// refuse an instance that has fixed edges.
	KeepsFixed bool

	// NoStart says why an algorithm that is no Starter cannot begin at a given solution.
	NoStart string

	// New returns the algorithm with its parameters at their defaults for the instance. It must be
	// quick: Init does the long work.
	New func(inst datasets.Instance) (Algorithm, error)
}
