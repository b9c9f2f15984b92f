package solvers

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"metalab/solvers/internal/worth"
)

// A Pool runs loops on several goroutines. Chance decides which worker gets which index, so a
// loop's body must write only what belongs to its index. Then the number of workers changes no
// result.
type Pool struct {
	// Worth is the smallest share of a loop that is worth waking a worker for, in steps of about a
	// nanosecond; 0: a value that suits usual processors.
	Worth int64

	of    *Pool // see Part; nil: none
	size  atomic.Int32
	cores atomic.Int32 // what a size below 1 means; 0: all that Go may use
	cpu   atomic.Int64 // ns of CPU time that workers have spent
	far   atomic.Int64 // ns that other processes have, see Charge
	woken atomic.Int64 // see Woken

	mu     sync.Mutex
	jobs   chan *job
	alive  int
	closed bool
}

// A job is a loop. Its caller waits for the calls of the body, not for the workers: a helper that
// comes when nothing is left drops the job.
type job struct {
	n     int64
	next  atomic.Int64
	left  atomic.Int64 // calls that have not ended
	body  func(i, worker int)
	ended sync.WaitGroup // the last call has
	seat  atomic.Int32
	died  atomic.Pointer[string] // what a call panicked with, and where
}

// NewPool returns a pool of size workers, one of which is the caller of Run. A size below 1 means
// all cores that Go may use.
func NewPool(size int) *Pool {
	p := &Pool{}
	p.Resize(size)
	return p
}

// Size returns the number of workers, at least 1. Worker numbers are below it.
func (p *Pool) Size() int { return int(p.size.Load()) }

// Resize changes the number of workers. Do not call it during Run.
func (p *Pool) Resize(size int) {
	if size < 1 {
		size = int(p.cores.Load())
	}
	if size < 1 {
		size = runtime.GOMAXPROCS(0)
	}
	p.size.Store(int32(size))
}

// Part returns a pool of size workers for loops inside the body of a loop of p. Its CPU time counts
// as p's.
func (p *Pool) Part(size int) *Pool {
	q := NewPool(size)
	q.of, q.Worth = p, p.Worth
	return q
}

// Charge adds CPU time that another process has spent for the run.
func (p *Pool) Charge(d time.Duration) {
	for ; p != nil; p = p.of {
		p.far.Add(int64(d))
	}
}

// carry counts in p what another pool has counted.
func (p *Pool) carry(was *Pool) {
	p.cpu.Add(was.cpu.Load())
	p.far.Add(was.far.Load())
}

// counted calls f on a thread of its own, whose CPU time counts as that of a worker where it does
// not count already.
func (p *Pool) counted(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began, nested := cpus.enter()
	defer func() {
		d := cpus.leave(began, nested)
		for q := p; q != nil && !nested; q = q.of {
			q.cpu.Add(int64(d))
		}
	}()
	f()
}

// Workers returns how many workers share a loop of so many steps of about a nanosecond each,
// between 1 and Size, so that each gets at least Worth. All loops decide by it which helpers to
// wake.
func (p *Pool) Workers(steps int64) int {
	return int(min(max(steps/p.least(), 1), int64(p.Size())))
}

// least is the work for which it pays to wake a worker.
func (p *Pool) least() int64 {
	if p.Worth > 0 {
		return p.Worth
	}
	return worth.Steps()
}

// Fill returns the number of calls, of so many steps each, that are worth all workers.
func (p *Pool) Fill(steps int64) int64 { return int64(p.Size()) * p.least() / max(steps, 1) }

// Woken returns how many times a loop has woken a helper.
func (p *Pool) Woken() int64 { return p.woken.Load() }

// Run calls body(i, worker) for i in [0, n), each once, on up to Size workers, and returns after
// the last call. worker is in [0, Size()), and no two calls with the same worker overlap: use it to
// choose scratch memory. If a call panics, Run panics in the caller's goroutine after all workers
// have ended.
//
// Run is for long calls, such as a local search, each of which is worth a worker. For shorter calls
// RunOf wakes as many workers as pay.
func (p *Pool) Run(n int, body func(i, worker int)) { p.deal(n, p.Size(), body) }

// RunOf is like Run, for a loop whose n calls together have so many steps of about a nanosecond.
func (p *Pool) RunOf(n int, steps int64, body func(i, worker int)) {
	p.deal(n, p.Workers(steps), body)
}

// deal runs a loop on the calling goroutine and on workers-1 helpers.
func (p *Pool) deal(n, workers int, body func(i, worker int)) {
	helpers := min(workers, n) - 1
	if helpers < 1 {
		for i := range n {
			body(i, 0)
		}
		return
	}
	j := &job{n: int64(n), body: body}
	j.left.Store(j.n)
	j.ended.Add(1)
	p.staff(helpers)
	for range helpers {
		select {
		case p.jobs <- j:
			p.woken.Add(1)
		default: // too many jobs are waiting for any helper to be free
		}
	}
	j.made(j.work(0))
	j.ended.Wait()
	if why := j.died.Load(); why != nil {
		panic(*why)
	}
}

// work makes calls until none is left, and returns how many.
func (j *job) work(worker int) (made int64) {
	defer func() {
		if x := recover(); x != nil {
			why := fmt.Sprintf("%v\n%s", x, debug.Stack())
			j.died.CompareAndSwap(nil, &why)
			made++
			if at := j.next.Swap(j.n); at < j.n { // nobody makes the others
				made += j.n - at
			}
		}
	}()
	for {
		i := j.next.Add(1) - 1
		if i >= j.n {
			return made
		}
		j.body(int(i), worker)
		made++
	}
}

// made records that calls have ended.
func (j *job) made(calls int64) {
	if calls > 0 && j.left.Add(-calls) == 0 {
		j.ended.Done()
	}
}

// mostJobs is the number of wake-ups that may wait for late helpers. A send never blocks.
const mostJobs = 1 << 10

// staff makes sure that at least n helpers wait for jobs.
func (p *Pool) staff(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		panic("solvers: Run on a closed pool")
	}
	if p.jobs == nil {
		p.jobs = make(chan *job, mostJobs)
	}
	for ; p.alive < n; p.alive++ {
		go p.help(p.jobs)
	}
}

// help runs jobs, each on one OS thread, which makes its CPU time measurable.
func (p *Pool) help(jobs <-chan *job) {
	for j := range jobs {
		if j.next.Load() >= j.n {
			continue
		}
		var calls int64
		p.counted(func() { calls = j.work(int(j.seat.Add(1))) })
		j.made(calls) // its CPU time is counted before the caller learns that the last call has ended
	}
}

// Close stops the helpers.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.jobs != nil && !p.closed {
		close(p.jobs)
	}
	p.closed = true
}

// near is the CPU time of the helpers so far, and spent that of other processes too.
func (p *Pool) near() time.Duration  { return time.Duration(p.cpu.Load()) }
func (p *Pool) spent() time.Duration { return time.Duration(p.cpu.Load() + p.far.Load()) }
