package solvers

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"metalab/solvers/record"
)

// A Verifier is an Algorithm whose claims need a check, such as a solver that a researcher wrote.
// The engine calls Verify at the end of each step and at a pause. Verify returns an error if the
// instance's own cost function gives the best solution another value. The run is then paused, and
// has no best until Verify or Best succeeds.
type Verifier interface{ Verify() error }

// ErrWrongBest is wrapped by errors about a best solution that lacks the claimed value.
var ErrWrongBest = errors.New("the best is not what it says")

// Claimed returns an error that wraps ErrWrongBest unless the solution's value got equals the
// claim, for an objective of that sense. err is not nil if the solution is none of the instance;
// the error then wraps it too.
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

// TimeLimit is the cause of a context that ends a step at a time limit during an iteration.
// StepUntil then records Why and returns it in place of an error.
type TimeLimit struct{ Why string }

// Error returns the reason.
func (l *TimeLimit) Error() string { return l.Why }

// late returns why a time limit ended a step, empty if somebody ended it.
func late(ctx context.Context) string {
	if l := (*TimeLimit)(nil); errors.As(context.Cause(ctx), &l) {
		return l.Why
	}
	return ""
}

// Trouble describes the run's problem in a line: that its best is not what it claims, or why the
// next iteration could not run. It is empty if no problem is known.
func (r *Run) Trouble() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.doubt != nil {
		return r.doubt.Error()
	}
	return r.trouble
}

// Doubt returns the error about the run's best, nil if there is none, and the last iteration at
// which a check succeeded. Bests of later points are only the solver's claims.
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

// halt pauses the run before an iteration that could not run, or at a wrong best.
func (r *Run) halt(err error) {
	r.rest()
	r.going, r.until = false, nil
	r.tell(err.Error())
	r.note(record.Change{Kind: record.KindStop, Name: err.Error()})
	r.setState(Paused, err.Error())
	r.release(err)
}
