package experiment

import (
	"time"

	"metalab/solvers/record"
)

// State says how far a unit is.
type State string

// The states of a unit.
const (
	Waiting State = "waiting" // to be made
	Making  State = "making"  // under way
	Done    State = "done"
	Failed  State = "failed" // there is an error instead of a result
)

// A Result is what came of a unit.
type Result struct {
	// Best is the cost of the best solution, of which Unit.Instance.Sense makes a value; NaN where it
	// failed before it had one.
	Best    float64
	Gap     float64 // above Optimum in percent; NaN where Optimum is
	Optimum float64 // the best known cost; NaN where none is known

	Iterations  int64
	Evaluations int64   // 0 where the solver does not count them
	Wall        float64 // seconds of iterating
	CPU         float64 // CPU seconds of the same
	Digest      uint64  // chained, after the last iteration; see record.Point
	Why         string  // what ended it before its number of iterations; empty: nothing

	Error string // why it failed; empty: it did not

	Ended   time.Time
	Machine string // which made it: processor and system
	Device  string // the GPU that made it; empty: the processor

	// What follows is left out by readers of rows; see Store.

	Trace    []TracePoint
	Solution record.Solution // the best; empty where there is none
}

// A TracePoint is a row of a unit's trace: the best so far at an iteration. The first iteration,
// each with a new best and the last have one.
type TracePoint struct {
	Iteration   int64
	Evaluations int64
	Wall, CPU   float64 // seconds
	Best        float64
}

// A Row is a unit with how far it is, and with its result where that is there.
type Row struct {
	Unit   Unit
	State  State
	Result Result // without its trace and solution
}

// traceOf makes a trace of a history that ends at last.
func traceOf(history []record.Point, last record.Point) []TracePoint {
	var out []TracePoint
	put := func(p record.Point) {
		out = append(out, TracePoint{p.Iter, p.Evals, p.Wall, p.CPU, p.Best})
	}
	for _, p := range history {
		if p.Iter < last.Iter && (p.Improved || p.Iter == 1) {
			put(p)
		}
	}
	if last.Iter > 0 {
		put(last)
	}
	return out
}
