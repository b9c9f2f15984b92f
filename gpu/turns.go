package gpu

import (
	"context"
	"slices"
	"sync"
)

// Turns is a lock that is granted in the order of the requests: of k goroutines that request it
// again and again, each waits for one turn of each other.
type Turns struct {
	mu      sync.Mutex
	taken   bool
	waiting []chan struct{} // the first is next
}

// Take waits for its turn, and returns a function that ends it, to be called once. waited reports
// whether another holder was at work. If ctx ends first, Take returns its error, and holds nothing.
func (t *Turns) Take(ctx context.Context) (give func(), waited bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	t.mu.Lock()
	if !t.taken {
		t.taken = true
		t.mu.Unlock()
		return t.give, false, nil
	}
	c := make(chan struct{})
	t.waiting = append(t.waiting, c)
	t.mu.Unlock()
	select {
	case <-c:
		return t.give, true, nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	at := slices.Index(t.waiting, c)
	if at >= 0 {
		t.waiting = slices.Delete(t.waiting, at, at+1)
	}
	t.mu.Unlock()
	if at < 0 { // the turn was granted at the same moment
		t.give()
	}
	return nil, true, ctx.Err()
}

// give hands the lock on.
func (t *Turns) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		t.taken = false
		return
	}
	c := t.waiting[0]
	t.waiting = slices.Delete(t.waiting, 0, 1)
	close(c)
}

// Waiting returns the number of waiting requests.
func (t *Turns) Waiting() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.waiting)
}

// turns are those of the devices, by ordinal: what is opened twice shares them.
var turns struct {
	sync.Mutex
	of map[int]*Turns
}

// Turns returns the lock of the device. Runs that share the device acquire it for each iteration,
// so that none waits for more than one iteration of each other. No other call on the device waits
// for it.
func (d *Device) Turns() *Turns {
	turns.Lock()
	defer turns.Unlock()
	n := d.info.Ordinal
	if turns.of == nil {
		turns.of = map[int]*Turns{}
	}
	if turns.of[n] == nil {
		turns.of[n] = &Turns{}
	}
	return turns.of[n]
}
