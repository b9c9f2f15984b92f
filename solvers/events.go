package solvers

import (
	"context"
	"iter"
	"sync"

	"metalab/solvers/record"
)

// An Event tells what happened to a run.
type Event struct {
	Kind   string        // one of the kinds below
	Run    string        // the run's name
	Point  record.Point  // the latest; Measures must not be changed
	Change record.Change // of EventChange
	State  State         // of EventState
	Note   string        // of EventState: why, as "paused by prompt"
}

// The kinds of event. A slow reader loses point events and no others.
const (
	EventPoint  = "point"  // an iteration was made
	EventBest   = "best"   // an iteration was made, and it improved the best
	EventChange = "change" // the journal has a new entry
	EventState  = "state"  // the run started, paused, failed or was closed
)

// A queue hands events from the run to one reader without making the run wait.
type queue struct {
	mu     sync.Mutex
	items  []Event
	points int // how many of items are point events
	ready  chan struct{}
	closed bool
}

const maxQueuedPoints = 256

func (q *queue) put(e Event) {
	q.mu.Lock()
	if !q.closed {
		if e.Kind == EventPoint {
			if q.points == maxQueuedPoints {
				q.dropOldestPoint()
			}
			q.points++
		}
		q.items = append(q.items, e)
	}
	q.mu.Unlock()
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

func (q *queue) dropOldestPoint() {
	for i := range q.items {
		if q.items[i].Kind == EventPoint {
			q.items = append(q.items[:i], q.items[i+1:]...)
			q.points--
			return
		}
	}
}

// take empties the queue into buf; more is false when nothing will follow.
func (q *queue) take(buf []Event) (out []Event, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	out = append(buf, q.items...)
	q.items, q.points = q.items[:0], 0
	return out, !q.closed
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// Events returns the events of the run from now on, until ctx ends or the run is
// closed. It subscribes at once and frees the subscription when ctx ends, so an
// iterator that is never ranged over leaks nothing.
func (r *Run) Events(ctx context.Context) iter.Seq[Event] {
	q := &queue{ready: make(chan struct{}, 1)}
	r.mu.Lock()
	if r.state == Closed {
		q.closed = true
	}
	r.queues = append(r.queues, q)
	r.listeners.Store(int32(len(r.queues)))
	r.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { r.unsubscribe(q) })
	return func(yield func(Event) bool) {
		defer stop()
		defer r.unsubscribe(q)
		var buf []Event
		for {
			var more bool
			buf, more = q.take(buf[:0])
			for _, e := range buf {
				if !yield(e) {
					return
				}
			}
			if len(buf) > 0 {
				continue
			}
			if !more {
				return
			}
			select {
			case <-q.ready:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (r *Run) unsubscribe(q *queue) {
	q.close()
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.queues {
		if r.queues[i] == q {
			r.queues = append(r.queues[:i:i], r.queues[i+1:]...)
			break
		}
	}
	r.listeners.Store(int32(len(r.queues)))
}

// emit hands e to every reader; it is called by the owner.
func (r *Run) emit(e Event) {
	if r.listeners.Load() == 0 {
		return
	}
	r.mu.Lock()
	qs := r.queues
	r.mu.Unlock()
	e.Run = r.name
	for _, q := range qs {
		q.put(e)
	}
}
