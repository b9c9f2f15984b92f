package lab

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"metalab/kernel/wire"
)

const (
	// flushAfter is how long after the end of its budget a request is answered with the finished
	// iterations, if the current one takes longer.
	flushAfter = 20 * time.Millisecond

	// lookEvery is how often, while iterations are made, the best solution is looked at, so that
	// such an answer can contain it, for it cannot be read during a long iteration.
	lookEvery = time.Millisecond
)

// showEvery is the time between two looks at the best solution: none but with very many
// cities, where a look takes long.
func showEvery(n int) time.Duration {
	if n <= 100_000 {
		return 0
	}
	return time.Duration(n) * 400
}

// batch is the answer to a request for iterations.
type batch struct {
	w  *worker
	t0 time.Time

	mu      sync.Mutex // guards what follows
	out     wire.WorkerSteps
	covered int // points up to the last look at the best solution
	flushed bool
	done    bool
}

// send answers with the finished iterations.
func (b *batch) send(more bool) {
	b.out.Later = b.out.Later || b.covered < len(b.out.Points)
	b.out.CPU, b.out.More = ownCPU()-b.w.cpu, more
	b.w.buf = b.out.Append(b.w.buf[:0])
	b.w.reply(wire.OpStep, b.w.buf)
	b.out.Points, b.out.State, b.out.Best, b.out.Later = b.out.Points[:0], nil, nil, false
	b.covered = 0
}

// look adds the best solution to the answer if the host does not have it.
func (b *batch) look() error {
	w := b.w
	v, s := w.d.solver.Best()
	same := !w.showed.IsZero() && v == w.shownV && slices.Equal(s, w.shown)
	wait := !same && !w.showed.IsZero() && time.Since(w.showed) < showEvery(len(s))
	var best []byte
	if !same && !wait {
		var err error
		if best, err = bestOf(v, s); err != nil {
			return err
		}
		w.shown, w.shownV, w.showed = append(w.shown[:0], s...), v, time.Now()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.covered, b.out.Later = len(b.out.Points), wait
	if best != nil {
		b.out.Best = best
	}
	return nil
}

// steps makes iterations until the count or the budget is spent, or one fails.
func (w *worker) steps(q wire.WorkerStep) error {
	b := &batch{w: w, t0: time.Now(), out: wire.WorkerSteps{Measures: len(w.d.measures)}}
	if q.State {
		var err error
		if b.out.State, err = w.d.snapshot(); err != nil {
			return err
		}
		b.out.StateNS = int64(time.Since(b.t0))
	}
	if q.Count > 1 {
		flush := time.AfterFunc(time.Duration(q.Budget)+flushAfter, func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			if b.flushed = !b.done && len(b.out.Points) > 0; b.flushed {
				b.send(true)
			}
		})
		defer flush.Stop()
	}
	var point []float64
	looked := b.t0
	for it := q.First; it < q.First+q.Count && !b.done; it++ {
		e := caught(func() error {
			var err error
			point, err = w.step(it, point[:0])
			return err
		})
		b.mu.Lock()
		if e != nil {
			switch {
			case e.Where != "":
			case strings.HasPrefix(e.Text, wrongBest):
				e.Where = "Best"
			default:
				e.Where = "Step"
			}
			b.out.Failed, _ = json.Marshal(e) // strings and a number: it cannot fail
		} else {
			b.out.Points = append(b.out.Points, point...)
		}
		now := time.Now()
		b.done = e != nil || b.flushed || int64(now.Sub(b.t0)) > q.Budget
		last := b.done || it == q.First+q.Count-1
		b.mu.Unlock()
		if e == nil && (last || now.Sub(looked) > lookEvery) {
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
