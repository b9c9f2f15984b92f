package host

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"metalab/kernel/wire"
)

// A Call is one request of a verb, and what a room may ask of the host while it carries it out.
type Call struct {
	ctx  context.Context
	id   string
	who  string
	host *Host

	// before is the number of iterations that an earlier attempt of the same call made before its
	// connection was lost; made is the number of this attempt.
	before int64
	made   atomic.Int64
}

// progress sends all clients an event that says how far a long call is.
func (c *Call) progress(done, total int64, note string) {
	c.host.Publish(wire.Event{
		Kind: wire.EventProgress, Call: c.id, Done: done, Total: total,
		Note: note,
	})
}

// often calls f at most ten times a second.
func (c *Call) often(f func(done, total int64)) func(done, total int64) {
	var mu sync.Mutex
	var last time.Time
	return func(done, total int64) {
		mu.Lock()
		now := time.Now()
		due := now.Sub(last) >= 100*time.Millisecond || done == total
		if due {
			last = now
		}
		mu.Unlock()
		if due {
			f(done, total)
		}
	}
}

// attempt is a call that is running or done.
type attempt struct {
	done      chan struct{}
	raw       []byte
	err       *wire.Error
	made      int64
	withdrawn bool
}

// maxAttempts is the number of stored answers for repeated calls.
const maxAttempts = 512

// calls stores calls and their answers, so that a call repeated after a lost connection does not
// run twice.
type calls struct {
	mu    sync.Mutex
	byID  map[string]*attempt
	order []string
}

func newCalls() *calls { return &calls{byID: map[string]*attempt{}} }

// once runs f, unless the call has run before: then it returns that answer. A call that was cut off
// half done continues where it stopped.
func (cs *calls) once(c *Call, group string,
	f func(*Call) ([]byte, *wire.Error),
) ([]byte, *wire.Error) {
	if c.id == "" || group == "look" || group == "data" || group == "session" {
		return f(c) // these change nothing
	}
	for {
		cs.mu.Lock()
		a := cs.byID[c.id]
		if a == nil {
			a = &attempt{done: make(chan struct{})}
			cs.byID[c.id] = a
			cs.order = append(cs.order, c.id)
			if len(cs.order) > maxAttempts {
				cs.forget()
			}
			cs.mu.Unlock()
			return cs.first(a, c, f)
		}
		cs.mu.Unlock()
		select {
		case <-a.done:
		case <-c.ctx.Done():
			return nil, WireError("", c.ctx.Err())
		}
		if !a.withdrawn {
			return a.raw, a.err
		}
		c.before = a.made
		cs.mu.Lock()
		if cs.byID[c.id] == a {
			delete(cs.byID, c.id)
		}
		cs.mu.Unlock()
	}
}

func (cs *calls) first(a *attempt, c *Call,
	f func(*Call) ([]byte, *wire.Error),
) ([]byte, *wire.Error) {
	raw, err := f(c)
	a.raw, a.err = raw, err
	a.made = c.before + c.made.Load()
	a.withdrawn = err != nil && c.ctx.Err() != nil
	close(a.done)
	return raw, err
}

// forget drops the oldest answer of a call that has ended.
func (cs *calls) forget() {
	for i, id := range cs.order {
		if a := cs.byID[id]; a != nil {
			select {
			case <-a.done:
			default:
				continue
			}
			delete(cs.byID, id)
		}
		cs.order = append(cs.order[:i:i], cs.order[i+1:]...)
		return
	}
}
