package front

import "metalab/solvers/record"

// A Problem is what a declaration says of a problem, in the process that has its code.
type Problem struct {
	Name   string
	Form   record.Form
	Make   func() any
	Params []record.Param
	// Set stores values of parameters in a value that Make made.
	Set func(v any, vs record.Values)
	// Refused is why the problem cannot be served; empty: it can.
	Refused string
}

// server serves problems to the host: package metalab/kernel/lab/problem sets it, in programs
// that link the searches.
var server func(Problem)

// Serve makes f the server of problems. It is called from init.
func Serve(f func(Problem)) { server = f }

// Server is the server of problems; nil in programs that do not link the searches.
func Server() func(Problem) { return server }

// An Evaluator evaluates solutions of a problem for a solver that lives in the same process.
type Evaluator interface {
	// Give sets parameters of the problem, in all values of its type.
	Give(vs record.Values)

	// Value is a new value of the problem's type, which follows Give.
	Value() (any, error)

	// Cost is the cost of a solution, by a value that Judge does not use.
	Cost(s record.Solution) (float64, error)

	// Judge is the cost of a solution, by a value that nothing else uses.
	Judge(s record.Solution) (float64, error)

	// Neighbourhoods are their names.
	Neighbourhoods() []string

	// Walk is a solution with its neighbours in a neighbourhood, which are evaluated by the problem's
	// own methods.
	Walk(neighbourhood string) (Walk, error)
}

// A Walk is a solution with its neighbours.
type Walk interface {
	Load(s record.Solution) error
	Cost() float64
	Size() int
	Delta(k int) float64
	Apply(k int)
	Solution() record.Solution
}

// Placed is an error of somebody's code, with its place in the source.
type Placed interface {
	error
	Place() (text, where string, line int)
}

var evaluators func(Problem) (Evaluator, error)

// Evaluate makes f the maker of evaluators. It is called from init.
func Evaluate(f func(Problem) (Evaluator, error)) { evaluators = f }

// Evaluators is their maker; nil in programs that do not link it.
func Evaluators() func(Problem) (Evaluator, error) { return evaluators }
