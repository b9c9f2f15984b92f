package solvers

import (
	"context"
	"iter"
	"slices"
	"time"

	"metalab/solvers/record"
)

// An Update is the state of a run, and what is new since the update before.
type Update struct {
	Point record.Point // the latest point
	State State        // what the run is doing
	// why it has paused or failed, such as "paused by prompt"; empty: it is done
	Why string
	// of a failed run, and of a stop rule of GoUntil that panicked, after which the run has paused
	Err     error
	Changes []record.Change // new entries of the journal
}

// Watch yields updates from now on: one whenever the state or the journal changes, and one every so
// often while the run iterates. It ends when ctx ends, or after the update that reports that the
// run is closed. If ctx is nil, it yields one update, with an error.
//
// The run sends nothing to watchers: each of them polls it at its own pace. So they cost the
// fastest run nothing. A slow watcher gets every change of the journal, but only the latest point
// and state.
func (r *Run) Watch(ctx context.Context, every time.Duration) iter.Seq[Update] {
	if ctx == nil {
		return func(yield func(Update) bool) { yield(Update{State: r.State(), Err: errNoContext}) }
	}
	r.mu.Lock()
	known, changed, moves, closed := len(r.journal), r.changed, r.state.moves(), r.state == Closed
	r.mu.Unlock()
	return func(yield func(Update) bool) {
		timer := time.NewTimer(every)
		defer timer.Stop()
		for !closed {
			if !moves {
				timer.Stop()
			}
			select {
			case <-ctx.Done():
				return
			case <-changed:
			case <-timer.C:
			}
			var u Update
			r.mu.Lock()
			changed = r.changed
			u.Point, u.State, u.Why, u.Err = r.last, r.state, r.why, r.err
			if u.Err == nil && u.State == Paused {
				u.Err = r.ruleErr
			}
			u.Point.Measures = slices.Clone(u.Point.Measures)
			u.Changes = slices.Clone(r.journal[min(known, len(r.journal)):])
			known = len(r.journal)
			r.mu.Unlock()
			if !yield(u) {
				return
			}
			timer.Reset(every)
			moves, closed = u.State.moves(), u.State == Closed
		}
	}
}

// moves tells whether a run in this state makes iterations.
func (s State) moves() bool { return s == Stepping || s == Running }

// wakeWatchers wakes those who watch; r.mu is locked.
func (r *Run) wakeWatchers() {
	close(r.changed)
	r.changed = make(chan struct{})
}
