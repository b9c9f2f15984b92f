package solvers

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// State is the activity of a run.
type State string

// The states of a run.
const (
	Paused   State = "paused"   // waits for a step or a go
	Stepping State = "stepping" // makes a stated number of iterations
	Running  State = "running"  // iterates until a pause
	Failed   State = "failed"   // its algorithm returned an error; see Run.Err
	Closed   State = "closed"   // its memory is freed
)

// The errors of a run's methods.
var (
	// ErrPaused ends a step that a Pause interrupted.
	ErrPaused = errors.New("paused")
	// ErrClosed is returned by every method of a closed run.
	ErrClosed = errors.New("the run is closed")
	// ErrFailed is wrapped by the errors of a run whose algorithm failed.
	ErrFailed = errors.New("the run has failed")
	// ErrHalted is wrapped by an error of Iterate that leaves the state as before the iteration. The
	// run is then paused, and the next step repeats the iteration.
	ErrHalted = errors.New("the iteration was not made")
)

// A Run is a search that can be stepped, tuned, forked, saved and replayed. All methods may be
// called from any goroutine.
//
// One goroutine owns the algorithm. Every action on the run is a command that this goroutine
// executes between two iterations, in the order of arrival.
type Run struct {
	identity
	mailbox
	owned
	shared

	progress atomic.Uint32
	urgent   atomic.Int32 // commands on their way for which no iteration is to be begun
}

// mailbox holds the channels to the run's owner.
type mailbox struct {
	cmds chan func()
	quit chan struct{} // closed by Close
	done chan struct{} // closed when the owner has ended
	kept chan struct{} // has an item when there are new results
}

// owned holds what only the owner's goroutine reads and writes.
type owned struct {
	variant Variant
	alg     Algorithm
	params  *Params
	env     *Env
	header  record.Header
	checked checkpoint
	timed   bool // the algorithm's times are measured
	// the algorithm is closed: a run that failed while it moved
	unloaded bool
	// those that wait for their iterations, first come first served
	steps  []*request
	going  bool                       // go on by itself when no step waits
	until  func(*record.Point) string // ends the standing order, saying why; nil: only Pause does
	digest uint64
	proof  proof
	point  record.Point // scratch of Iterate
	before lastSet      // the last set, until the next iteration
	ctx    context.Context
	cancel context.CancelCauseFunc
	clocks
}

// clocks are of the boundary before, while iterating.
type clocks struct {
	clock   time.Time
	account *account // nil: it does not iterate
	cpuRead time.Time
	breath  breath
	turn    turn
}

// shared holds what mu guards.
type shared struct {
	mu       sync.Mutex
	state    State
	err      error
	last     record.Point
	hist     history
	journal  []record.Change
	bestIter int64
	why      string                  // it is in this state
	ruleErr  error                   // of the rule that ended GoUntil by a panic; while it is paused
	devices  []int                   // see Devices
	unused   error                   // see UnusedState
	trouble  string                  // see Trouble
	later    []record.Change         // see Pending; the owner alone writes it
	doubt    error                   // see Doubt
	sound    int64                   // the same
	changed  chan struct{}           // closed, and made anew, when state or journal change
	cutter   context.CancelCauseFunc // cancels the iteration under way
	repeats  []record.Series
	results  []repeated // of the repeats, as they came, for the autosave
}

// request is a step that somebody waits for.
type request struct {
	left int64
	stop func(*record.Point) string // nil, or says why the step should end
	why  string
	done chan error
}

func (r *Run) start() {
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	r.cutter = r.cancel
	r.turn.of = &onCores
	go r.loop()
}

// loop is the owner.
func (r *Run) loop() {
	runtime.LockOSThread() // so that the thread's CPU time is the run's
	began, nested := cpus.enter()
	defer close(r.done)
	defer cpus.leave(began, nested)
	defer r.end()
	defer r.leaveTurn()
	for {
		if len(r.steps) == 0 && !r.going || r.urgent.Load() > 0 {
			r.leaveTurn()
			r.show()
			r.rest()
			select {
			case f := <-r.cmds:
				f()
			case <-r.quit:
				return
			}
			continue
		}
		select {
		case f := <-r.cmds:
			r.show()
			r.rest()
			f()
			continue
		case <-r.quit:
			r.show()
			return
		default:
		}
		over := false
		if err := guard(func() { over = r.over() }); err != nil {
			r.fail(err)
			continue
		}
		if over {
			continue
		}
		if !r.takeTurn() {
			continue
		}
		r.breath.take()
		r.wake()
		if err := guard(r.iterate); err != nil {
			r.fail(fmt.Errorf("iteration %d: %w", r.latest().Iter, err))
		}
	}
}

// over ends all steps and the standing order where the search is over, and tells whether it is.
func (r *Run) over() bool {
	e, ok := r.alg.(Finisher)
	if !ok {
		return false
	}
	why := e.Ended()
	if why == "" {
		return false
	}
	r.show()
	r.rest()
	r.going, r.until = false, nil
	n := len(r.journal)
	if n == 0 || r.journal[n-1].Name != why || r.journal[n-1].Iter != r.last.Iter {
		r.note(record.Change{Kind: record.KindStop, Name: why})
	}
	err := r.verify()
	if err == nil {
		r.setState(Paused, why)
	}
	for _, q := range r.steps {
		q.why = why
		q.done <- err
	}
	r.steps = nil
	return true
}

// end frees what the run held and tells everybody who waits.
func (r *Run) end() {
	r.rest()
	r.release(ErrClosed)
	_ = guard(r.unload) // nobody is left to receive the error
	r.setState(Closed, "")
}

// wake starts the clocks.
func (r *Run) wake() {
	if r.account != nil {
		return
	}
	r.clock = time.Now()
	r.cpuRead = r.clock
	r.account = cpus.open(r.env.Pool)
}

// rest stops the clocks and brings the last point's CPU time up to date.
func (r *Run) rest() {
	if r.account == nil {
		return
	}
	spent := cpus.take(r.account, true)
	cpus.close(r.account)
	r.account = nil
	r.mu.Lock()
	r.last.CPU += spent.Seconds()
	r.mu.Unlock()
}

// iterate makes one iteration and everything that follows from it.
func (r *Run) iterate() {
	r.before = lastSet{}
	if !r.makeLater() {
		return
	}
	last := r.latest()
	it := last.Iter + 1
	if err := r.proveFirst(); err != nil {
		r.fail(err)
		return
	}
	p := &r.point
	p.IterBest, p.Mean, p.Digest, p.Evals, p.Spent = 0, 0, 0, 0, 0
	if a, ok := r.alg.(*archipelago); ok {
		a.wanted = r.wanted()
	}
	if err := r.guarded(it, p); err != nil {
		if r.ctx.Err() != nil {
			r.renewContext()
			if errors.Is(err, context.Canceled) {
				return // abandoned: the iteration did not happen
			}
		}
		if err = fmt.Errorf("iteration %d: %w", it, err); errors.Is(err, ErrHalted) {
			if r.show() {
				r.halt(err)
			}
			return
		}
		if r.elsewhere(err) {
			return
		}
		_ = r.settle() // where the device is lost, what waits for a proof is, too
		r.fail(err)
		return
	}
	made.Add(1)
	now := time.Now()
	p.Iter = it
	p.Wall = last.Wall + now.Sub(r.clock).Seconds()
	r.clock = now
	p.CPU = last.CPU
	if now.Sub(r.cpuRead) > time.Millisecond {
		p.CPU += cpus.take(r.account, false).Seconds()
		r.cpuRead = now
	}
	p.Evals = r.evaluated(last, p.Evals)
	p.Best = r.alg.Best()
	p.Improved = p.Best < last.Best
	if p.Since = last.Since + 1; p.Improved {
		p.Since = 0
	}
	digest := r.digest
	if last != &r.last {
		digest = last.Digest
	}
	p.Digest = arith.Chain(digest, p.Digest)
	r.progress.Store(0)
	r.noteOrder(it)
	if shown, err := r.accept(p); err != nil {
		r.fail(err)
		return
	} else if shown {
		r.publish(p)
	}
	r.keepCheck()
	r.serve(p)
}

// publish makes a point the last one, which everybody sees.
func (r *Run) publish(p *record.Point) {
	r.digest = p.Digest
	r.mu.Lock()
	m := append(r.last.Measures[:0], p.Measures...) // not shared with the scratch point
	r.last = *p
	r.last.Measures = m
	r.trouble = ""
	if p.Improved {
		r.bestIter = p.Iter
	}
	if p.Improved || Kept(p.Iter) {
		q := *p
		q.Since = 0 // as in a record
		r.hist.keep(q)
	}
	r.mu.Unlock()
}

// evaluated returns the number of evaluations since the start, after an iteration with now more
// than the last. It is 0 for runs recorded before evaluations were counted.
func (r *Run) evaluated(last *record.Point, now int64) int64 {
	if r.counts == "" || last.Iter > 0 && last.Evals == 0 {
		return 0
	}
	return last.Evals + now
}

// serve counts the iteration for the request in turn, and for the standing order.
func (r *Run) serve(p *record.Point) {
	if r.until != nil {
		why, wrong := asked(r.until, p)
		if wrong != nil {
			why = firstLine(wrong)
		}
		if why != "" {
			if !r.show() {
				return
			}
			r.going, r.until = false, nil
			r.note(record.Change{Kind: record.KindStop, Name: why})
			if len(r.steps) == 0 {
				r.rest()
				if r.verify() == nil {
					r.mu.Lock()
					r.ruleErr = wrong
					r.mu.Unlock()
					r.setState(Paused, why)
				}
			}
			if wrong != nil {
				r.tell(why)
			}
		}
	}
	if len(r.steps) == 0 {
		if r.until != nil {
			r.control(p)
		}
		return
	}
	q := r.steps[0]
	var wrong error
	if q.left--; q.stop != nil {
		if q.why, wrong = asked(q.stop, p); wrong != nil {
			q.why = firstLine(wrong)
		}
	}
	if q.left > 0 && q.why == "" {
		r.control(p)
		return
	}
	if !r.show() {
		return
	}
	r.steps = r.steps[1:]
	r.rest()
	if q.why != "" {
		r.note(record.Change{Kind: record.KindStop, Name: q.why})
	}
	err := r.verify()
	if err == nil && len(r.steps) == 0 && !r.going {
		r.setState(Paused, q.why)
	}
	q.done <- errors.Join(wrong, err)
}

// control lets an algorithm change parameters as the time of a step passes. The journal holds such
// a change like any other.
func (r *Run) control(p *record.Point) {
	a, ok := r.alg.(Controller)
	if !ok || p.Spent == 0 {
		return
	}
	if vs := a.Control(p.Spent); vs != nil && r.show() {
		r.claim(vs)
		if _, err := r.set(vs, "clock"); err != nil {
			r.tell(fmt.Sprintf("%s: the clock's change was not made: %v", r.name, err))
		}
	}
}

// guarded calls Iterate and turns a panic into an error, with the place in it.
func (r *Run) guarded(it int64, p *record.Point) (err error) {
	if perr := guard(func() { err = r.make(it, p) }); perr != nil {
		return perr
	}
	return err
}

func (r *Run) make(it int64, p *record.Point) error {
	if s, ok := r.alg.(Sharer); ok {
		give, waited, err := s.Turn(r.ctx)
		if err != nil {
			return err
		}
		defer give()
		if waited {
			r.clock = time.Now() // the others' time is not this run's
		}
	}
	return r.alg.Iterate(r.ctx, it, p)
}

// renewContext makes a fresh context after an abandoned iteration.
func (r *Run) renewContext() {
	ctx, cancel := context.WithCancelCause(context.Background())
	r.mu.Lock()
	r.ctx, r.cancel, r.cutter = ctx, cancel, cancel
	r.mu.Unlock()
}

func (r *Run) fail(err error) {
	r.mu.Lock()
	r.err = err
	r.trouble = firstLine(err)
	r.mu.Unlock()
	r.going, r.until = false, nil
	r.setState(Failed, err.Error()) // before those who wait may ask
	r.release(fmt.Errorf("%w: %w", ErrFailed, err))
}

// release answers everybody who waits for a step.
func (r *Run) release(err error) {
	for _, q := range r.steps {
		q.done <- err
	}
	r.steps = nil
}

// setState says what the run is doing from now on, and why.
func (r *Run) setState(s State, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s != Paused {
		r.ruleErr = nil
	}
	if r.state != s || r.why != why {
		r.state, r.why = s, why
		r.wakeWatchers()
	}
}

// note adds an entry to the journal and returns it with its iteration and time.
func (r *Run) note(c record.Change) record.Change {
	r.mu.Lock()
	defer r.mu.Unlock()
	c.Iter = r.last.Iter
	if c.At.IsZero() {
		c.At = time.Now().UTC().Truncate(time.Millisecond)
	}
	r.journal = append(r.journal, c)
	r.wakeWatchers()
	return c
}
