package cuda

import (
	"sync"
	"sync/atomic"
)

// barrier lets n threads wait for one another, as often as they like; one that leaves is not
// waited for any more.
type barrier struct {
	mu      sync.Mutex
	c       *sync.Cond
	n, here int
	round   int
	broken  bool
	of      *gathering
	says    string // to those who wait in vain
}

// gathering are the barriers of a block.
type gathering struct {
	awake atomic.Int64 // threads that have not ended and wait at none of them
	all   []*barrier
}

// A stuck is the panic of a thread that waits in vain.
type stuck string

// barrier adds one for n threads.
func (g *gathering) barrier(n int, says string) *barrier {
	b := &barrier{n: n, of: g, says: says}
	b.c = sync.NewCond(&b.mu)
	g.all = append(g.all, b)
	return b
}

// sleep marks a thread as waiting or ended. If it was the last one awake, the waiting threads would
// wait for ever, so all barriers break at once: none of the waiting threads gets through because
// others have left.
func (g *gathering) sleep() {
	if g.awake.Add(-1) > 0 {
		return
	}
	for _, b := range g.all {
		b.mu.Lock()
		b.broken = true
	}
	for _, b := range g.all {
		b.c.Broadcast()
		b.mu.Unlock()
	}
}

// open lets those who wait go, once all are there; asleep of them count as waiting. A broken one
// stays shut.
func (b *barrier) open(asleep int) bool {
	if b.broken || b.here < b.n {
		return false
	}
	b.of.awake.Add(int64(asleep))
	b.here = 0
	b.round++
	b.c.Broadcast()
	return true
}

// wait waits for the others, and panics where not all can come.
func (b *barrier) wait() {
	b.mu.Lock()
	r := b.round
	b.here++
	if b.open(b.here - 1) {
		b.mu.Unlock()
		return
	}
	b.mu.Unlock()
	b.of.sleep()
	b.mu.Lock()
	defer b.mu.Unlock()
	for r == b.round && !b.broken {
		b.c.Wait()
	}
	if r == b.round {
		panic(stuck(b.says))
	}
}

func (b *barrier) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n--
	if b.n > 0 {
		b.open(b.here)
	}
}
