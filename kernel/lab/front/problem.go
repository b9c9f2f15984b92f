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
