package experiment

import (
	"time"

	"metalab/solvers/record"
)

// State is the progress of a unit.
type State string

// The states of a unit.
const (
	Waiting State = "waiting" // not run yet
	Making  State = "making"  // in progress
	Done    State = "done"
	Failed  State = "failed" // it has an error in place of a result
)

// A Result is the outcome of a unit.
type Result struct {
	// Best is the cost of the best solution, which Unit.Instance.Sense converts into a value. It is
	// NaN if the unit failed before it had one.
	Best    float64
	Gap     float64 // above Optimum in percent; NaN if Optimum is
	Optimum float64 // the best known cost; NaN if none is known

	Iterations  int64
	Evaluations int64   // 0 if the solver does not count them
	Wall        float64 // seconds of iterating
	CPU         float64 // CPU seconds of the same
	Digest      uint64  // chained, after the last iteration; see record.Point
	Why         string  // what ended it before its last iteration; empty: nothing

	Error string // why it failed; empty: it did not

	Ended   time.Time
	Machine string // that ran it: processor and system
	Device  string // the GPU that ran it; empty: the CPU

	// Readers of rows omit the following fields; see Store.

	Trace    []TracePoint
	Solution record.Solution // the best; empty if there is none
}

// A TracePoint is a row of a unit's trace: the best so far at an iteration. The trace has a row for
// the first iteration, for each with a new best, and for the last.
type TracePoint struct {
	Iteration   int64
	Evaluations int64
	Wall, CPU   float64 // seconds
	Best        float64
}

// A Row is a unit with its state, and with its result if there is one.
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
