package solvers

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"metalab/solvers/record"
)

// A Verifier is an Algorithm whose claims are not taken on trust, as that of a solver that a
// researcher wrote: Verify is called at the end of each step and at a pause, and returns an
// error where the best value is not that of the best solution by the instance's own cost
// function. The run is then paused, and has no best until Verify, or Best, finds it right.
type Verifier interface{ Verify() error }

// ErrWrongBest is wrapped by errors about a best that is not what it says.
var ErrWrongBest = errors.New("the best is not what it says")

// Claimed returns an error that wraps ErrWrongBest unless a solution has the value that is
// claimed for it, of an objective of that sense.
func Claimed(s record.Sense, claim, got float64, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("%w: its solution is not one: %w", ErrWrongBest, err)
	case got != claim:
		return fmt.Errorf(
			"%w: it claims %s, and its solution has %s", ErrWrongBest, plain(s.Value(claim)),
			plain(s.Value(got)),
		)
	}
	return nil
}

// plain writes a value in full.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Late is the cause of a context that ends a step at a limit of time while an iteration goes
// on: StepUntil then notes and returns Why in place of an error.
type Late struct{ Why string }

// Error is the reason.
func (l *Late) Error() string { return l.Why }

// late is why a step was ended at a limit of time, empty when it was ended by somebody.
func late(ctx context.Context) string {
	if l := (*Late)(nil); errors.As(context.Cause(ctx), &l) {
		return l.Why
	}
	return ""
}

// Trouble says in a line what is wrong with the run: that its best is not what it says, or why
// the iteration after the last could not be made; empty when nothing is known to be.
func (r *Run) Trouble() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.doubt != nil {
		return r.doubt.Error()
	}
	return r.trouble
}

// Doubt is the error about the run's best, nil where nothing speaks against it, and the last
// iteration at which it was found right: what points after it say of the best is only what the
// solver claims.
func (r *Run) Doubt() (sound int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sound, r.doubt
}

// tell keeps a line for Trouble; any goroutine may call it.
func (r *Run) tell(text string) {
	r.mu.Lock()
	if r.trouble != text {
		r.trouble = text
		r.wakeWatchers()
	}
	r.mu.Unlock()
}

// judge keeps what was found about the best, and passes it on.
func (r *Run) judge(err error) error {
	if !errors.Is(err, ErrWrongBest) && err != nil {
		return err // nothing was found
	}
	r.mu.Lock()
	if r.doubt = err; err == nil {
		r.sound = r.last.Iter
	}
	r.mu.Unlock()
	return err
}

// verify checks the best of an algorithm whose claims are not taken on trust.
func (r *Run) verify() error {
	v, ok := r.alg.(Verifier)
	if !ok || r.last.Iter == 0 || r.err != nil {
		return nil
	}
	err := r.judge(v.Verify())
	if err == nil {
		return nil
	}
	err = fmt.Errorf("iteration %d: %w", r.last.Iter, err)
	r.halt(err)
	return err
}

// halt pauses the run before an iteration that could not be made, or at a best that is wrong.
func (r *Run) halt(err error) {
	r.rest()
	r.going, r.until = false, nil
	r.tell(err.Error())
	r.note(record.Change{Kind: record.KindStop, Name: err.Error()})
	r.setState(Paused, err.Error())
	r.release(err)
}
