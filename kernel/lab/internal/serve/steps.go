package serve

import (
	"encoding/json"
	"sync"
	"time"

	"metalab/kernel/wire"
)

const (
	// flushAfter is how long after the end of its budget a request is answered with the finished
	// iterations, if the current one takes longer.
	flushAfter = 20 * time.Millisecond

	// lookEvery is the period of reading the best solution between iterations, so that such an answer
	// can contain it: it cannot be read during a long iteration.
	lookEvery = time.Millisecond
)

// Steps make iterations.
type Steps struct {
	// Measures are how many numbers of an iteration follow the four that each has.
	Measures int
	// Snapshot returns the state.
	Snapshot func() ([]byte, error)
	// Step makes one iteration and appends its numbers: value, best, mean, digest, measures.
	Step func(it int64, to []float64) ([]float64, error)
	// Over tells, of the numbers of an iteration, whether it is the last one; nil: none is.
	Over func(point []float64) bool
	// Best is the best solution where the host does not have it, else nil; wait tells that it comes
	// later. Nil: the host asks for it.
	Best func() (best []byte, wait bool, err error)
	// Blame adds to the error of an iteration where it comes from; nil: nothing.
	Blame func(*wire.WorkerError)
}

// batch is the answer to a request for iterations.
type batch struct {
	s  *server
	of *Steps

	mu      sync.Mutex // guards what follows
	out     wire.WorkerSteps
	covered int // points up to the last look at the best solution
	flushed bool
	done    bool
}

// send answers with the finished iterations.
func (b *batch) send(more bool) {
	b.out.Later = b.out.Later || b.of.Best != nil && b.covered < len(b.out.Points)
	b.out.CPU, b.out.More = usedCPU()-b.s.cpu, more
	b.s.buf = b.out.Append(b.s.buf[:0])
	b.s.reply(wire.OpStep, b.s.buf)
	b.out.Points, b.out.State, b.out.Best, b.out.Later = b.out.Points[:0], nil, nil, false
	b.covered = 0
}

// look adds the best solution to the answer if the host does not have it.
func (b *batch) look() error {
	if b.of.Best == nil {
		return nil
	}
	best, wait, err := b.of.Best()
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.covered, b.out.Later = len(b.out.Points), wait
	if best != nil {
		b.out.Best = best
	}
	return nil
}

// flush answers with the finished iterations while another one runs.
func (b *batch) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.flushed = !b.done && len(b.out.Points) > 0; b.flushed {
		b.send(true)
	}
}

// took stores the numbers of an iteration, or its error, and reports whether the batch ends.
func (b *batch) took(point []float64, e *wire.WorkerError, late bool) (last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	over := false
	if e != nil {
		if b.of.Blame != nil {
			b.of.Blame(e)
		}
		b.out.Failed, _ = json.Marshal(e) // strings and a number: it cannot fail
	} else {
		b.out.Points = append(b.out.Points, point...)
		over = b.of.Over != nil && b.of.Over(point)
	}
	b.done = e != nil || over || b.flushed || late
	return b.done
}

// steps makes iterations until the count or the budget is spent, one fails, or it was the last one.
func (s *server) steps(q wire.WorkerStep, of *Steps) error {
	t0 := time.Now()
	b := &batch{s: s, of: of, out: wire.WorkerSteps{Measures: of.Measures}}
	if q.State {
		var err error
		if b.out.State, err = of.Snapshot(); err != nil {
			return err
		}
		b.out.StateNS = int64(time.Since(t0))
	}
	if q.Count > 1 {
		defer time.AfterFunc(time.Duration(q.Budget)+flushAfter, b.flush).Stop()
	}
	var point []float64
	looked, last := t0, false
	for it := q.First; it < q.First+q.Count && !last; it++ {
		e := s.Caught(func() error {
			var err error
			point, err = of.Step(it, point[:0])
			return err
		})
		now := time.Now()
		last = b.took(point, e, int64(now.Sub(t0)) > q.Budget)
		if e == nil && (last || it == q.First+q.Count-1 || now.Sub(looked) > lookEvery) {
			looked = now
			if err := b.look(); err != nil {
				return err
			}
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = true
	b.send(false)
	return nil
}
