package tiles

import (
	"runtime"
	"sync"

	"metalab/solvers"
	"metalab/solvers/tours"
)

// Cuts makes cuts of one size, each once, the next ones beforehand beside the search. Its methods
// are called from one goroutine at a time.
type Cuts struct {
	sp    *tours.Space
	seed  uint64
	size  int
	ahead int
	made  map[int]*making
	busy  sync.WaitGroup
}

// making is a cut that a goroutine makes; done is closed when it is there.
type making struct {
	cut  *Cut
	done chan struct{}
}

// underWay is how many cities the cuts that are being made have together; each takes 28 bytes.
const underWay = 16_000_000

// NewCuts returns cuts into pieces of at most size cities.
func NewCuts(sp *tours.Space, seed uint64, size int) *Cuts {
	ahead := min(runtime.GOMAXPROCS(0)/2, 16, underWay/max(1, sp.N))
	return &Cuts{sp: sp, seed: seed, size: size, ahead: max(1, ahead), made: map[int]*making{}}
}

// Size is the largest number of cities of a piece.
func (c *Cuts) Size() int { return c.size }

// Begin has the cuts after the number made, of the first count ones in turn.
func (c *Cuts) Begin(number, count int) {
	for i := range min(c.ahead, count) {
		c.make((number + i) % count)
	}
}

func (c *Cuts) make(number int) *making {
	m := c.made[number]
	if m == nil {
		m = &making{done: make(chan struct{})}
		c.made[number] = m
		c.busy.Go(func() {
			defer close(m.done)
			m.cut = NewCut(c.sp, c.seed, number, c.size, solvers.NewPool(1))
		})
	}
	return m
}

// Get returns the cut of this number, and begins to make those that follow it among the first
// count.
func (c *Cuts) Get(number, count int) *Cut {
	m := c.make(number)
	c.Begin((number+1)%count, count)
	<-m.done
	return m.cut
}

// Drop forgets the cuts from the number on.
func (c *Cuts) Drop(number int) {
	for i := range c.made {
		if i >= number {
			delete(c.made, i)
		}
	}
}

// Wait returns when no cut is being made.
func (c *Cuts) Wait() { c.busy.Wait() }
