package solvers

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// turnFor is how long a run continues while others wait for a turn.
	turnFor = 5 * time.Millisecond
	// turnPatience is how long runs wait while no turn ends because iterations are long; then one more
	// run proceeds beside them.
	turnPatience = 50 * time.Millisecond
)

// A rota lets runs on the cores go on in turn, as many at once as there are cores. Go gives each of
// hundreds of busy goroutines ten milliseconds before one that answers a request; those that wait
// for a turn are not in its way, and take commands meanwhile.
type rota struct {
	wanted   atomic.Bool // somebody waits
	patience time.Duration
	mu       sync.Mutex
	out      int             // turns that are had
	queue    []chan struct{} // of those that wait; closed when it is theirs
	given    time.Time       // when one of them got a turn
}

// onCores is the rota of all runs of the process.
var onCores = rota{patience: turnPatience}

// ask returns a channel that is closed when a turn is had.
func (t *rota) ask() chan struct{} {
	ch := make(chan struct{})
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) == 0 && t.out < runtime.GOMAXPROCS(0) {
		t.out++
		close(ch)
		return ch
	}
	if t.queue = append(t.queue, ch); len(t.queue) == 1 {
		t.wanted.Store(true)
		t.given = time.Now()
		time.AfterFunc(t.patience, t.late)
	}
	return ch
}

// give gives the first who waits a turn; mu is locked.
func (t *rota) give() {
	t.out++
	t.given = time.Now()
	close(t.queue[0])
	t.queue = slices.Delete(t.queue, 0, 1)
	t.wanted.Store(len(t.queue) > 0)
}

// back takes a turn back.
func (t *rota) back() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.out--; len(t.queue) > 0 && t.out < runtime.GOMAXPROCS(0) {
		t.give()
	}
}

// withdraw ends a wait, or takes the turn back that came meanwhile.
func (t *rota) withdraw(ch chan struct{}) {
	t.mu.Lock()
	i := slices.Index(t.queue, ch)
	if i >= 0 {
		t.queue = slices.Delete(t.queue, i, i+1)
		t.wanted.Store(len(t.queue) > 0)
	}
	t.mu.Unlock()
	if i < 0 {
		t.back()
	}
}

// late grants one more turn if none was granted for a while.
func (t *rota) late() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) == 0 {
		return
	}
	if time.Since(t.given) >= t.patience {
		t.give()
	}
	if len(t.queue) > 0 {
		time.AfterFunc(t.patience, t.late)
	}
}

// A turn is a run's part of a rota.
type turn struct {
	of    *rota
	had   bool          // the run may iterate
	since time.Time     // it may
	asked chan struct{} // not nil: it waits
}

// takeTurn waits until the run may iterate; false where something else came first.
func (r *Run) takeTurn() bool {
	t := &r.turn
	if r.variant.Backend != hostBackend ||
		t.had && (!t.of.wanted.Load() || time.Since(t.since) < turnFor) {
		return true
	}
	if t.had {
		t.had = false
		t.of.back()
	}
	if t.asked == nil {
		t.asked = t.of.ask()
	}
	select {
	case <-t.asked:
		t.asked, t.had, t.since = nil, true, time.Now()
		return true
	case f := <-r.cmds:
		r.show()
		r.rest()
		f()
	case <-r.quit: // the loop sees it
	}
	return false
}

// leaveTurn says that the run does not iterate.
func (r *Run) leaveTurn() {
	t := &r.turn
	if t.had {
		t.had = false
		t.of.back()
	}
	if t.asked != nil {
		t.of.withdraw(t.asked)
		t.asked = nil
	}
}
