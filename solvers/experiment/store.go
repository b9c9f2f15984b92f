package experiment

import (
	"context"
	"errors"
	"iter"
	"time"

	"metalab/solvers/record"
)

// The errors of stores.
var (
	// ErrUnknown is wrapped by the error about an experiment or a unit that a store lacks.
	ErrUnknown = errors.New("there is no such one")
	// ErrTaken is wrapped by the error about an experiment that another process is running.
	ErrTaken = errors.New("it is being made by another process")
)

// An Info describes the state of an experiment.
type Info struct {
	Name                string
	Plan                Plan // the latest one
	Began               time.Time
	Units, Done, Failed int
}

// Left returns the number of units that are neither done nor failed.
func (i Info) Left() int { return i.Units - i.Done - i.Failed }

// A Store stores experiments by name. Any goroutine may call its methods. While one process writes,
// others may read.
type Store interface {
	// Add creates an experiment from a plan and its units, or adds them to the existing one. It leaves
	// existing units as they are, and gives new ones the next numbers. It returns the number of new
	// units.
	Add(ctx context.Context, name string, plan Plan, units []Unit) (added int, err error)

	// Experiments returns all experiments, by name.
	Experiments(ctx context.Context) ([]Info, error)

	// Info returns the state of an experiment. Its error wraps ErrUnknown if there is none with that
	// name.
	Info(ctx context.Context, name string) (Info, error)

	// Rows yields the units of an experiment with their results, without traces and solutions, by
	// number.
	Rows(ctx context.Context, name string) iter.Seq2[Row, error]

	// Row returns one of them, by its number.
	Row(ctx context.Context, name string, number int) (Row, error)

	// Trace returns the trace of a unit, empty if it has none.
	Trace(ctx context.Context, name string, number int) ([]TracePoint, error)

	// Traces yields the traces of all units that have one, by number.
	Traces(ctx context.Context, name string) iter.Seq2[Traced, error]

	// Solutions yields the best solutions of all units that have one, by number.
	Solutions(ctx context.Context, name string) iter.Seq2[Solved, error]

	// Queue returns the units that are neither done nor failed; with again it includes the failed
	// ones. Only one process at a time can hold the queue of an experiment: the error of another wraps
	// ErrTaken.
	Queue(ctx context.Context, name string, again bool) (Queue, error)

	// Drop removes units with their results from an experiment, and returns their number. The other
	// units keep their numbers. Its error wraps ErrTaken while a process runs the experiment.
	Drop(ctx context.Context, name string, numbers []int) (dropped int, err error)

	// Note adds an entry to the journal of an experiment, and Journal returns all entries.
	Note(ctx context.Context, name, text string) error
	Journal(ctx context.Context, name string) ([]Entry, error)

	// Remove deletes an experiment.
	Remove(ctx context.Context, name string) error

	Close() error
}

// An Entry describes an action on an experiment, such as the addition of a plan.
type Entry struct {
	At   time.Time
	Text string
}

// A Traced is a unit's trace.
type Traced struct {
	Number int // of the unit
	Points []TracePoint
}

// A Solved is a unit's best solution.
type Solved struct {
	Number   int // of the unit
	Solution record.Solution
}

// A Queue hands out units to run. Any goroutine may call its methods.
type Queue interface {
	// Take returns the next unit of a backend that nobody has taken. ok is false if there is none
	// left.
	Take(ctx context.Context, backend string) (u Unit, ok bool, err error)

	// Finish stores the result of a taken unit. When it returns, a crash can no longer lose the
	// result.
	Finish(ctx context.Context, u Unit, r Result) error

	// Return gives back a unit that did not run.
	Return(u Unit) error

	// Left returns the number of units of a backend that nobody has taken.
	Left(backend string) int

	// Backends returns the backends of the units, in alphabetical order.
	Backends() []string

	// Close releases the queue for other processes. Taken units without a result wait again.
	Close() error
}
