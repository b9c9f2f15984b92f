package solvers

import (
	"runtime"
	"sync"
	"time"
)

// A ledger attributes the process's CPU time to runs. A run is charged for the time of its own
// threads between two readings: its loop's thread, and helpers while they work for it. Time that
// belongs to no run, such as garbage collection, waking threads and saving results, is divided
// among the runs that are active meanwhile, in proportion to their own time; a run that is active
// alone is charged for all of it.
type ledger struct {
	mu    sync.Mutex
	works map[int]time.Duration // threads whose work is known, with their CPU time when it began
	known time.Duration         // CPU time of such work that has ended
	going []*account

	// At the last sharing out: the CPU time of the process, what of it is known, and when.
	process, seen time.Duration
	shared        time.Time
	rest          time.Duration // not shared out yet; negative: known ahead of the process's clock
	clock         clock
}

// A clock tells CPU times.
type clock struct {
	process, own func() time.Duration // of the process, of the calling thread
	of           func(thread int) time.Duration
	thread       func() int
}

// noThread is the number of all threads where the system does not tell them apart.
const noThread = 0

// cpus is the ledger of all runs of the process.
var cpus = newLedger(clock{processCPU, threadCPU, cpuOfThread, thread})

func newLedger(c clock) *ledger { return &ledger{works: map[int]time.Duration{}, clock: c} }

// An account is the part of a run that goes.
type account struct {
	thread     int
	pool       *Pool
	read, seen time.Duration // its own CPU time when it was read, and at the last sharing out
	owed       time.Duration // of what was shared out
}

// enter says that what the calling thread does from now on is known to be for a run, or for none;
// its goroutine must be locked to it. It returns the thread's CPU time. leave ends it; nested
// is true where the thread's work was known before, and then stays so.
func (l *ledger) enter() (began time.Duration, nested bool) {
	id := l.clock.thread()
	l.mu.Lock()
	defer l.mu.Unlock()
	began = l.clock.own()
	if _, nested = l.works[id]; !nested && id != noThread {
		l.works[id] = began
	}
	return began, nested
}

// aside says that the calling thread works for none until the function that it returns is called.
func (l *ledger) aside() (end func()) {
	runtime.LockOSThread()
	began, nested := l.enter()
	return func() {
		l.leave(began, nested)
		runtime.UnlockOSThread()
	}
}

// leave returns the thread's CPU time since enter.
func (l *ledger) leave(began time.Duration, nested bool) time.Duration {
	id := l.clock.thread()
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.clock.own() - began
	if !nested {
		delete(l.works, id)
		l.known += d
	}
	return d
}

// open lets the calling thread's run go: what is used from now on counts.
func (l *ledger) open(p *Pool) *account {
	a := &account{thread: l.clock.thread(), pool: p}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.share()
	own := l.clock.own()
	a.read, a.seen = own+p.spent(), own+p.near()
	l.going = append(l.going, a)
	return a
}

// close ends what open began. The caller has charged the account before.
func (l *ledger) close(a *account) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, b := range l.going {
		if a == b {
			l.going = append(l.going[:i], l.going[i+1:]...)
			return
		}
	}
}

// hand lets another pool, which has counted what the one before has, work for the run.
func (l *ledger) hand(a *account, p *Pool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a.pool = p
}

// The rest is shared out as often as this, or less often, so that the reading of many threads'
// clocks takes no more than a small part of the time; and whenever a run begins or ceases to go.
const (
	shareEach   = 10 * time.Millisecond
	shareThread = 100 * time.Microsecond
)

// take returns the CPU time of the calling thread's run since open or the last take; now shares out
// the rest before.
func (l *ledger) take(a *account, now bool) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now || time.Since(l.shared) > max(shareEach, time.Duration(len(l.works))*shareThread) {
		l.share()
	}
	read := l.clock.own() + a.pool.spent()
	d := max(0, read-a.read+a.owed)
	a.read, a.owed = read, 0
	return d
}

// share shares out what is not known of the CPU time since the last time; mu is locked.
func (l *ledger) share() {
	process, seen := l.clock.process(), l.known
	for id, began := range l.works {
		seen += max(0, l.clock.of(id)-began)
	}
	if len(l.going) == 0 {
		l.rest = 0
	} else {
		l.rest += process - l.process - (seen - l.seen)
	}
	l.process, l.seen, l.shared = process, seen, time.Now()
	var sum time.Duration
	own := make([]time.Duration, len(l.going))
	for i, a := range l.going {
		at := l.clock.of(a.thread) + a.pool.near()
		own[i], a.seen = max(0, at-a.seen), at
		sum += own[i]
	}
	if l.rest <= 0 {
		return
	}
	for i, a := range l.going {
		part := 1 / float64(len(own))
		if sum > 0 {
			part = float64(own[i]) / float64(sum)
		}
		a.owed += time.Duration(float64(l.rest) * part)
	}
	l.rest = 0
}
