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
// Fields with the tag param are parameters: of type float64 or int with a range a..b, bool,
// or string with words a|b|c; with the value that the constructor gives them for a default.
// The name comes first, then in any order live (the default: may change while it runs),
// structural or schedule, the range, step=0.1 and unit=ants. The tag doc is their sentence.
//
// All other fields, unexported ones too, are the state: numbers, strings, slices, arrays, maps,
// structs and pointers of these. Fields that Init computes from the instance alone, and that need
// not be saved, have the tag state:"-"; a *Problem needs no tag. A solver with fields of other
// types, such as functions or interfaces, must have the methods of a [Keeper].
//
// It searches every kind of problem that its Init takes, those of your own too, which
// [DeclareProblem] declares: see [Problem.Own] and [Problem.Walk].
type Solver interface {
	// Init makes the state before the first iteration. The parameters have their values. It is also
	// called before a state is restored.
	Init(p *Problem, r *Rand) error

	// Step makes iteration it, the first is 1, and returns the value of the solution that it looked
	// at, or the best of several. All random numbers must come from r, which depends only on the
	// seed and on it. With a clock, the order of a map, or goroutines that race, a run could not be
	// replayed.
	Step(it int64, r *Rand) (value float64, err error)

	// Best returns the best solution so far and its value: a tour or a permutation from 0, numbers
	// +1 and -1 for a permuted perceptron, or 0 and 1, or values, of a problem of your own. It is
	// called after each iteration, so it should return stored values. The value must be that of the
	// cost function, and must never grow.
	Best() (value float64, solution []int)
}

// A RealSolver is a Solver that also searches problems of your own on real vectors, which are
// []float64 there. See [Problem.Low], [Problem.High] and [Problem.CostReals].
type RealSolver interface {
	// BestReals is Best on a problem of real vectors, where Best is not called.
	BestReals() (value float64, x []float64)
}

// A Keeper is a Solver that writes its state itself. Restore is called after Init, or on a solver
// that has made iterations since, and must bring it into the state that Snapshot wrote.
type Keeper interface {
	Snapshot() ([]byte, error)
	Restore(state []byte) error
}

// A Changer is a Solver that must act when parameters change: Changed is called between two
// iterations, when the fields hold the new values. Where a parameter of a problem of your own
// changes, it must compute the costs that it keeps anew, that of the best too.
type Changer interface{ Changed(names []string) }

// A Titler is a Solver that has a sentence about itself.
type Titler interface{ Title() string }

// Valuer is a Solver that looks at several solutions in an iteration: Values returns their
// values in the last one, whose mean is plotted.
type Valuer interface{ Values() []float64 }

// Declare makes a solver of your own known to the session under a name; make returns a new one with
// the default values of its parameters. [Open] opens it like a built-in one, from any cell, and
// stepping, tuning, plots, forks, records and replay work in the same way.
//
// The solver runs in a worker: a copy of this program, started by the host, in which Declare does
// not return. What the program does before Declare is done in the worker too, above all the
// initialisers of variables; what comes after it is not. So put Declare first in its cell. In the
// worker a call of lab before it is an error.
//
// Random numbers other than those of Rand, such as those of math/rand, are an error, for no run
// could be replayed; for clocks, loops over maps, goroutines and variables outside of the solver
// there is a warning.
//
// What the solver prints is shown below the step in which it printed it, or by the prompt. Since
// iterations may be made ahead, it may come early, or twice.
//
// If a name is declared again, the open runs of this solver continue with the new code and their
// state, between two iterations: fields with the same name and type keep their values, others are
// as Init makes them. The run's journal says who did it and from which code to which. The code of a
// run is the parameter code, so a run may return to earlier code, and a fork may have other code
// than its parent. Its value is a hash of the source of the type, the constructor and all that they
// use, so a cell that is run again declares nothing new.
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
