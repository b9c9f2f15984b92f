package tty

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// A Suggestion is one way to go on with what is typed.
type Suggestion struct {
	// Text takes the place of what is being completed. A trailing blank or "="
	// saves the user from typing it.
	Text string

	// Description is the sentence shown beside it; it may be empty.
	Description string
}

// A Completer returns what could stand at offset pos of text, best first, and the offset from which
// to pos the suggestions replace the text. Offsets are in bytes and 0 ≤ from ≤ pos ≤ len(text). The
// suggestions must fit what is typed already: they are not filtered afterwards.
//
// In a multi-line input, text begins with the lines already entered, and from counts as no earlier
// than the last of them.
//
// It is called after each key that changes the text, so it should take a millisecond, not more.
type Completer func(text string, pos int) (from int, list []Suggestion)

// Options says how a [Terminal] behaves. The zero value is a bare prompt.
type Options struct {
	// Prompt returns what stands before the line, such as "lab> ", a single row
	// without escape sequences. It is asked at the start of each line and after
	// a call of Refresh. Nil is "> ".
	Prompt func() string

	// Continuation stands before the second and later lines of an input.
	// If empty it is "...> ".
	Continuation string

	// Incomplete tells whether text needs another line, as an open brace does.
	// Nil never asks for one.
	Incomplete func(text string) bool

	// Completer offers completions. Nil offers none.
	Completer Completer

	// CompleteOnTab keeps the suggestions away until Tab is pressed. Otherwise
	// they also appear while a word is typed.
	CompleteOnTab bool

	// Status returns the line shown above the prompt while a line is typed, cut
	// to the width of the screen; none if it is empty. It is asked at the start
	// of each line and after a call of Refresh, on the goroutine that draws, so
	// it must return at once: keep what it shows in memory.
	Status func() string

	// HistoryFile is the path of the history; empty keeps it in memory only. The terminal creates a
	// missing folder.
	HistoryFile string

	// Hold makes ReadLine return with the terminal held (see [Terminal.Hold]), so that no key is lost
	// or shown between two lines; [Terminal.Release] brings the usual mode back.
	Hold bool

	// CaptureOutput makes os.Stdout, os.Stderr and the log package's standard logger write above the
	// prompt, so that a stray fmt.Println of another goroutine does not spoil the line being typed. It
	// lasts until Close. It does not catch output to copies of these variables from before Open, or to
	// the file descriptors themselves; give [Terminal.Stdout] to a child process that needs the
	// terminal.
	CaptureOutput bool
}

// The errors of ReadLine, beside io.EOF and those of its context.
var (
	// ErrInterrupted says that ^C dropped the line. The prompt is ready for the next call.
	ErrInterrupted = errors.New("tty: interrupted")

	// ErrClosed says that the terminal was closed.
	ErrClosed = errors.New("tty: closed")

	// ErrNoTerminal says that the process has no terminal to open.
	ErrNoTerminal = errors.New("tty: no terminal")
)

// A SignalError says that the process was asked to end while a line was typed.
// The terminal is restored by then; the program should save what it must, and
// end.
type SignalError struct {
	Signal os.Signal // SIGTERM or SIGHUP
}

func (e *SignalError) Error() string { return "tty: " + e.Signal.String() }

// ExitCode returns the customary exit status, 128 and the signal's number.
func (e *SignalError) ExitCode() int {
	if s, ok := e.Signal.(syscall.Signal); ok {
		return 128 + int(s)
	}
	return 1
}

// A CallbackPanic is what ReadLine panics with when a function of [Options]
// panicked, after the terminal has been restored.
type CallbackPanic struct {
	Value any    // what it panicked with
	Stack []byte // where
}

func (p *CallbackPanic) Error() string {
	return fmt.Sprintf("tty: a callback panicked: %v\n\n%s", p.Value, p.Stack)
}

// A Reader reads inputs one by one; [Terminal] and [LineReader] are such. At
// the end it returns io.EOF.
type Reader interface {
	ReadLine(ctx context.Context) (string, error)
}

var (
	_ io.Closer = (*Terminal)(nil)

	_ Reader = (*Terminal)(nil)
	_ Reader = (*LineReader)(nil)
)
