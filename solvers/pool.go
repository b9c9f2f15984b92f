package solvers

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// A Pool runs loops on several goroutines. Which worker takes which index is left to
// chance, so a loop's body must write only what belongs to its index; then the
// number of workers changes no result.
type Pool struct {
	of    *Pool // see Part; nil: none
	size  atomic.Int32
	cores atomic.Int32 // what a size below 1 means; 0: all that Go may use
	cpu   atomic.Int64 // ns of CPU time that workers have spent

	mu     sync.Mutex
	jobs   chan *job
	alive  int
	closed bool
}

type job struct {
	n    int64
	next atomic.Int64
	body func(i, worker int)
	done sync.WaitGroup
	seat atomic.Int32
	died atomic.Pointer[string] // what a call panicked with, and where
}

// NewPool returns a pool of size workers, the caller of Run being one of them; a
// size below 1 means all cores that Go may use.
func NewPool(size int) *Pool {
	p := &Pool{}
	p.Resize(size)
	return p
}

// Size is the number of workers, at least 1: worker numbers are below it.
func (p *Pool) Size() int { return int(p.size.Load()) }

// Resize changes the number of workers; it must not be called during Run.
func (p *Pool) Resize(size int) {
	if size < 1 {
		size = int(p.cores.Load())
	}
	if size < 1 {
		size = runtime.GOMAXPROCS(0)
	}
	p.size.Store(int32(size))
}

// Part returns a pool of size workers for loops in the body of one of p, whose CPU time counts as
// that of p.
func (p *Pool) Part(size int) *Pool {
	q := NewPool(size)
	q.of = p
	return q
}

// Charge counts CPU time that another process has spent for the run.
func (p *Pool) Charge(d time.Duration) {
	for ; p != nil; p = p.of {
		p.cpu.Add(int64(d))
	}
}

// Run calls body(i, worker) for i in [0, n), each once, on up to Size workers, and
// returns when all have ended. worker is in [0, Size()) and no two calls with the
// same worker overlap: use it to choose scratch memory. Where a call panics, Run panics
// after all workers have ended, in the caller's goroutine.
func (p *Pool) Run(n int, body func(i, worker int)) {
	helpers := min(p.Size(), n) - 1
	if helpers < 1 {
		for i := range n {
			body(i, 0)
		}
		return
	}
	j := &job{n: int64(n), body: body}
	j.done.Add(helpers)
	p.staff(helpers)
	for range helpers {
		p.jobs <- j
	}
	j.work(0)
	j.done.Wait()
	if why := j.died.Load(); why != nil {
		panic(*why)
	}
}

func (j *job) work(worker int) {
	defer func() {
		if x := recover(); x != nil {
			why := fmt.Sprintf("%v\n%s", x, debug.Stack())
			j.died.CompareAndSwap(nil, &why)
			j.next.Store(j.n) // the others stop
		}
	}()
	for {
		i := j.next.Add(1) - 1
		if i >= j.n {
			return
		}
		j.body(int(i), worker)
	}
}

// staff makes sure that at least n helpers wait for jobs.
func (p *Pool) staff(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		panic("solvers: Run on a closed pool")
	}
	if p.jobs == nil {
		p.jobs = make(chan *job)
	}
	for ; p.alive < n; p.alive++ {
		go p.help(p.jobs)
	}
}

// help serves jobs on an OS thread of its own, so that its CPU time can be told.
func (p *Pool) help(jobs <-chan *job) {
	runtime.LockOSThread()
	for j := range jobs {
		t0 := threadCPU()
		j.work(int(j.seat.Add(1)))
		p.Charge(threadCPU() - t0)
		j.done.Done()
	}
}

// Close ends the helpers.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.jobs != nil && !p.closed {
		close(p.jobs)
	}
	p.closed = true
}

// spent is the CPU time of the helpers so far.
func (p *Pool) spent() time.Duration { return time.Duration(p.cpu.Load()) }
