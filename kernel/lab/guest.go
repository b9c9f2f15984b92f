package lab

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"

	"metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A Solver is a search of your own, for [Declare]. It is a struct with three methods; its fields
// declare the rest:
//
//	type Walk struct {
//		T     float64 `param:"temperature,0..1000" doc:"temperature of the acceptance"`
//		Moves int     `param:"moves,structural,1..100000" doc:"moves of an iteration"`
//		Taken float64 `measure:"taken"`        // plotted under that name
//		near  [][]int `state:"-"`              // made by Init, not part of the state
//		p     *lab.Problem
//		tour, best []int                       // the state: kept, forked, saved and loaded
//		cost, bestCost float64
//	}
//
// Fields with the tag param are parameters: of type float64 or int with a range a..b, bool, or
// string with words a|b|c; the constructor sets the default. The name comes first, then in any
// order live (the default: may change while it runs), structural or schedule, the range, step=0.1
// and unit=ants. The tag doc is their sentence.
//
// All other fields, also unexported ones, are the state: numbers, strings, slices, arrays, maps,
// structs and pointers of these. Give fields that Init computes from the instance alone, and that
// need no saving, the tag state:"-"; a *Problem needs no tag. A solver with fields of other types,
// such as functions or interfaces, must have the methods of a [Keeper].
//
// It searches every kind of problem that its Init accepts, also your own problems, see
// [DeclareProblem], [Problem.Own] and [Problem.Walk].
type Solver interface {
	// Init builds the state before the first iteration. The parameters have their values. lab also
	// calls it before it restores a state.
	Init(p *Problem, r *Rand) error

	// Step runs iteration it, from 1, and returns the value of the solution that it looked at, or the
	// best of several. All random numbers must come from r, which depends only on the seed and on it.
	// A clock, the order of a map, or goroutines that race would make replays impossible.
	Step(it int64, r *Rand) (value float64, err error)

	// Best returns the best solution so far and its value: a tour or a permutation from 0, numbers +1
	// and -1 for a permuted perceptron, or for your own problem 0 and 1, or values. lab calls it after
	// each iteration, so it should return stored values. The value must equal that of the cost
	// function, and must never grow.
	Best() (value float64, solution []int)
}

// A RealSolver is a Solver that also searches your own problems on real vectors, which are
// []float64 there. See [Problem.Low], [Problem.High] and [Problem.CostReals].
type RealSolver interface {
	// BestReals is Best for a problem of real vectors, in place of Best.
	BestReals() (value float64, x []float64)
}

// A Keeper is a Solver that writes its state itself. lab calls Restore after Init, or after later
// iterations; it must bring back the state that Snapshot wrote.
type Keeper interface {
	Snapshot() ([]byte, error)
	Restore(state []byte) error
}

// A Changer is a Solver that must act when parameters change. lab calls Changed between two
// iterations, when the fields hold the new values. If a parameter of your own problem changes,
// Changed must compute all stored costs again, also that of the best.
type Changer interface{ Changed(names []string) }

// A Titler is a Solver with a sentence that describes it.
type Titler interface{ Title() string }

// A Valuer is a Solver that looks at several solutions in an iteration. Values returns their values
// in the last iteration; plots show the mean.
type Valuer interface{ Values() []float64 }

// Declare registers your own solver in the session under a name. make returns a new one with the
// default values of its parameters. [Open] opens it like a built-in one, from any cell, and
// stepping, tuning, plots, forks, records and replay work in the same way.
//
// The solver runs in a worker: a copy of this program, started by the host, in which Declare does
// not return. The worker also runs the code before Declare, above all the initialisers of
// variables, but not the code after it. So put Declare first in its cell. In the worker a call of
// lab before it is an error.
//
// Random numbers other than those of Rand, such as those of math/rand, are an error, for no run
// could be replayed; for clocks, loops over maps, goroutines and variables outside of the solver
// there is a warning.
//
// The solver's output appears below its step, or at the prompt. Since the worker may run iterations
// ahead, it may come early, or twice.
//
// If you declare a name again, the open runs of this solver continue with the new code and their
// state, between two iterations: fields with the same name and type keep their values, and Init
// sets the others. The run's journal records who changed the code, with the old and the new one.
// The parameter code selects the code of a run, so a run can return to earlier code, and a fork can
// have other code than its parent. Its value is a hash of the source of the type, the constructor
// and all that they use, so the same cell declares nothing new when it runs again.
func Declare(name string, make func() Solver) *reply.DeclareReply {
	if make == nil {
		fail(&Error{wire.CodeRequest, "lab: Declare: no constructor, as func() lab.Solver { return " +
			"&Walk{T: 10} }"})
	}
	if w := os.Getenv(wire.EnvWorker); w != "" {
		if w == name {
			serveSolver(name, make)
		}
		return &reply.DeclareReply{Solver: name} // of another solver: its worker is another process
	}
	f := front.Get().Declare
	q := wire.DeclareRequest{Solver: name}
	if f != nil {
		var err error
		var done func()
		q, done, err = f(name)
		defer done()
		check(err)
	} else {
		s := make()
		if s == nil {
			fail(&Error{wire.CodeRequest, "lab: Declare: the constructor returns nil"})
		}
		if _, err := describe(name, s); err != nil {
			fail(&Error{wire.CodeRequest, "declare: " + err.Error()})
		}
		var err error
		if q.Program, err = os.Executable(); err != nil {
			fail(&Error{wire.CodeFile, "lab: Declare: " + err.Error()})
		}
		q.Type = typeName(s)
		q.Source, q.Line = sourceOf(make)
	}
	var r reply.DeclareReply
	ask("declare", q, &r)
	if len(r.Notes) > 0 && f == nil { // whether the reply is shown or not, and once
		fmt.Println(strings.Join(r.Notes, "\n"))
		r.Notes = nil
	}
	return &r
}

// typeName is the name of a solver's type, less the package where that is main.
func typeName(s Solver) string {
	t := reflect.TypeOf(s)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return strings.TrimPrefix(t.String(), "main.")
}

// maxSource is the size in bytes above which a file is not taken for that of a cell.
const maxSource = 4 << 20

// sourceOf returns the file that contains a function, and its line, if the file can be read. For a
// cell it is the program that GoNB made of all cells so far.
func sourceOf(f any) (text []byte, line int) {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	if fn == nil {
		return nil, 0
	}
	file, line := fn.FileLine(fn.Entry())
	if st, err := os.Stat(file); err != nil || st.Size() > maxSource {
		return nil, 0
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, 0
	}
	return b, line
}
