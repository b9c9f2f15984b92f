package cuda

import "sync"

// barrier lets n threads wait for one another, as often as they like; one that leaves is not
// waited for any more.
type barrier struct {
	mu      sync.Mutex
	c       *sync.Cond
	n, here int
	round   int
}

func newBarrier(n int) *barrier {
	b := &barrier{n: n}
	b.c = sync.NewCond(&b.mu)
	return b
}

// open lets those who wait go, once all are there.
func (b *barrier) open() {
	if b.here == b.n {
		b.here = 0
		b.round++
		b.c.Broadcast()
	}
}

func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.round
	b.here++
	b.open()
	for r == b.round {
		b.c.Wait()
	}
}

func (b *barrier) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n--
	if b.n > 0 {
		b.open()
	}
}
