package experiment

import (
	"context"
	"errors"
	"iter"
	"time"

	"metalab/solvers/record"
)

// Errors of stores.
var (
	// ErrUnknown is wrapped by the error about an experiment or a unit that a store lacks.
	ErrUnknown = errors.New("there is no such one")
	// ErrTaken is wrapped by the error about an experiment that another process makes.
	ErrTaken = errors.New("it is being made by another process")
)

// An Info says how far an experiment is.
type Info struct {
	Name                string
	Plan                Plan // the latest that was added
	Began               time.Time
	Units, Done, Failed int
}

// Left is the number of units that are neither done nor failed.
func (i Info) Left() int { return i.Units - i.Done - i.Failed }

// A Store keeps experiments by name. Its methods may be called from any goroutine; what one
// process writes, others may read meanwhile.
type Store interface {
	// Add makes an experiment of a plan and its units, or adds them to the one of that name.
	// Units that it has stay as they are; the others get the numbers that follow. It returns how
	// many are new.
	Add(ctx context.Context, name string, plan Plan, units []Unit) (added int, err error)

	// Experiments lists all experiments, by name.
	Experiments(ctx context.Context) ([]Info, error)

	// Info tells about one; its error wraps ErrUnknown where there is none.
	Info(ctx context.Context, name string) (Info, error)

	// Rows are the units of an experiment with their results, without traces and solutions, by number.
	Rows(ctx context.Context, name string) iter.Seq2[Row, error]

	// Row is one of them, by its number.
	Row(ctx context.Context, name string, number int) (Row, error)

	// Trace is the trace of a unit; empty where there is none.
	Trace(ctx context.Context, name string, number int) ([]TracePoint, error)

	// Traces are the traces of all units that have one, by their numbers.
	Traces(ctx context.Context, name string) iter.Seq2[Traced, error]

	// Solutions are the best solutions of all units that have one, by their numbers.
	Solutions(ctx context.Context, name string) iter.Seq2[Solved, error]

	// Queue returns the units that are neither done nor failed, for making them; with again the
	// failed ones, too. One process at a time can have the queue of an experiment: the error of
	// another wraps ErrTaken.
	Queue(ctx context.Context, name string, again bool) (Queue, error)

	// Drop takes units out of an experiment, with their results, and returns how many; the others
	// keep their numbers. Its error wraps ErrTaken where a process makes the experiment.
	Drop(ctx context.Context, name string, numbers []int) (dropped int, err error)

	// Note adds an entry to the journal of an experiment, and Journal returns all of them.
	Note(ctx context.Context, name, text string) error
	Journal(ctx context.Context, name string) ([]Entry, error)

	// Remove deletes an experiment.
	Remove(ctx context.Context, name string) error

	Close() error
}

// An Entry says in words what was done to an experiment, as that a plan was added.
type Entry struct {
	At   time.Time
	Text string
}

// Traced is a unit's trace.
type Traced struct {
	Number int // of the unit
	Points []TracePoint
}

// Solved is a unit's best solution.
type Solved struct {
	Number   int // of the unit
	Solution record.Solution
}

// A Queue hands out units that are to be made. Its methods may be called from any goroutine.
type Queue interface {
	// Take returns the next unit of a backend that nobody has taken; ok is false where there is
	// none left.
	Take(ctx context.Context, backend string) (u Unit, ok bool, err error)

	// Finish stores what came of a unit that was taken. It returns when that cannot be lost any
	// more by a crash.
	Finish(ctx context.Context, u Unit, r Result) error

	// Return gives back a unit that was not made.
	Return(u Unit) error

	// Left is how many units of a backend are not taken.
	Left(backend string) int

	// Backends are those of the units, in alphabetical order.
	Backends() []string

	// Close frees the queue for others; units that were taken and not finished are waiting again.
	Close() error
}
