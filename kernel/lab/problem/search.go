package problem

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"syscall"
	"time"

	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// search is a search on the problem.
type search struct {
	bare    *solvers.Bare
	checked float64 // the last best whose solution has its value
	cpu     int64   // when the first state was made
	own     record.Values
}

// flushAfter is how long after the end of its budget a request is answered with the finished
// iterations, if the current one takes longer.
const flushAfter = 20 * time.Millisecond

// ownCPU is the CPU time that the process has used, in ns.
func ownCPU() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// bare makes a search.
func (w *worker) bare(solver, variant string) (*solvers.Bare, error) {
	v, err := solvers.Find(solver, variant, "cpu")
	if err != nil {
		return nil, err
	}
	return solvers.NewBare(v, w.p)
}

// variant tells of a search on the problem: its parameters, those of the problem first.
func (w *worker) variant(q wire.WorkerVariant) (wire.WorkerHello, error) {
	h := wire.WorkerHello{
		Protocol: wire.WorkerProtocol, Name: w.of.Name, Form: &w.of.Form,
		Params: append([]record.Param{}, w.of.Params...),
	}
	b, err := w.bare(q.Solver, q.Variant)
	if err != nil {
		return h, err
	}
	taken := map[string]bool{}
	for _, p := range h.Params {
		taken[p.Name] = true
		h.Own = append(h.Own, p.Name)
	}
	for _, p := range b.Params() {
		if taken[p.Name] {
			return h, fmt.Errorf("%s has a parameter %s, and so has %s: give that of the problem another "+
				"name", w.of.Name, p.Name, q.Solver)
		}
		h.Params = append(h.Params, p)
	}
	h.Measures, h.Counts, h.Starts = b.Measures(), b.Counts(), b.StartsAt()
	return h, nil
}

// split parts values into those of the problem and those of the search.
func (w *worker) split(vs record.Values) (ofProblem, ofSearch record.Values) {
	ofProblem, ofSearch = record.Values{}, record.Values{}
	for n, v := range vs {
		ofSearch[n] = v
	}
	for _, p := range w.of.Params {
		if v, ok := vs[p.Name]; ok {
			ofProblem[p.Name] = v
			delete(ofSearch, p.Name)
		}
	}
	return ofProblem, ofSearch
}

// give sets parameters of the problem, in all values of its type.
func (w *worker) give(vs record.Values) {
	w.p.Prepare(func(v any) { w.of.Set(v, vs) })
}

// init makes a search and its first state, which it returns.
func (w *worker) init(in wire.WorkerInit) ([]byte, error) {
	w.p.Named(in.Sum)
	ofProblem, ofSearch := w.split(in.Params)
	w.give(ofProblem)
	b, err := w.bare(in.Solver, in.Variant)
	if err != nil {
		return nil, err
	}
	if err := b.Init(in.Seed, ofSearch, in.Start); err != nil {
		return nil, err
	}
	w.s = &search{bare: b, checked: math.Inf(1), cpu: ownCPU(), own: ofProblem}
	return b.Snapshot()
}

// costOf answers with the cost of a solution.
func (w *worker) costOf(f frame) error {
	var s record.Solution
	if err := json.Unmarshal(f.body, &s); err != nil {
		return err
	}
	c, err := w.p.CostOf(s)
	if err != nil {
		return err
	}
	return w.replyJSON(f.op, c)
}

// searching carries out a request to the search.
func (w *worker) searching(f frame) error {
	s := w.s
	switch f.op {
	case wire.OpSet:
		var vs record.Values
		if err := json.Unmarshal(f.body, &vs); err != nil {
			return err
		}
		if err := w.set(vs); err != nil {
			return err
		}
		w.reply(f.op)
	case wire.OpStep:
		q, err := wire.ParseWorkerStep(f.body)
		if err != nil {
			return err
		}
		return w.steps(q)
	case wire.OpSnapshot:
		state, err := s.bare.Snapshot()
		if err != nil {
			return err
		}
		w.reply(f.op, state)
	case wire.OpRestore:
		s.checked = math.Inf(1)
		if err := s.bare.Restore(f.body); err != nil {
			return err
		}
		w.reply(f.op, []byte("[]"))
	case wire.OpBest:
		return w.replyJSON(f.op, wire.WorkerFound{Value: s.bare.Best(), Solution: s.bare.Solution()})
	case wire.OpEnded:
		return w.replyJSON(f.op, s.bare.Ended())
	default:
		return fmt.Errorf("request %q, which this worker does not know", f.op)
	}
	return nil
}

// set takes in new values. Where one of the problem changes, all solutions get their costs anew:
// they go through a state, by which a search computes them again.
func (w *worker) set(vs record.Values) error {
	s := w.s
	ofProblem, ofSearch := w.split(vs)
	changed := false
	for n, v := range ofProblem {
		changed = changed || s.own[n] != v
	}
	if changed {
		state, err := s.bare.Snapshot()
		if err != nil {
			return err
		}
		s.own = ofProblem
		w.give(ofProblem)
		s.checked = math.Inf(1)
		if err := s.bare.Restore(state); err != nil {
			return err
		}
	}
	return s.bare.Set(ofSearch)
}

// step makes one iteration and appends its results: value, best, mean, digest, the measures, the
// evaluations, and 1 where the search is over.
func (w *worker) step(it int64, to []float64) ([]float64, error) {
	s := w.s
	p, err := s.bare.Iterate(context.Background(), it)
	if err != nil {
		return to, err
	}
	if p.Best < s.checked {
		got, err := w.p.CostOf(s.bare.Solution())
		if err := solvers.Claimed(p.Best, got, err); err != nil {
			return to, fmt.Errorf("%w: a Delta of %s differs from Cost: check %s names the move", err,
				w.of.Name, w.of.Name)
		}
		s.checked = p.Best
	}
	to = append(to, p.IterBest, p.Best, p.Mean, math.Float64frombits(p.Digest))
	to = append(append(to, p.Measures...), float64(p.Evals), 0)
	if s.bare.Ended() != "" {
		to[len(to)-1] = 1
	}
	return to, nil
}

// batch is the answer to a request for iterations.
type batch struct {
	w  *worker
	mu sync.Mutex // guards what follows

	out     wire.WorkerSteps
	flushed bool
	done    bool
}

// send answers with the finished iterations.
func (b *batch) send(more bool) {
	b.out.CPU, b.out.More = ownCPU()-b.w.s.cpu, more
	b.w.buf = b.out.Append(b.w.buf[:0])
	b.w.reply(wire.OpStep, b.w.buf)
	b.out.Points, b.out.State = b.out.Points[:0], nil
}

// steps makes iterations until the count or the budget is spent, one fails, or the search is over.
func (w *worker) steps(q wire.WorkerStep) error {
	t0 := time.Now()
	b := &batch{w: w, out: wire.WorkerSteps{Measures: len(w.s.bare.Measures()) + 2}}
	if q.State {
		var err error
		if b.out.State, err = w.s.bare.Snapshot(); err != nil {
			return err
		}
		b.out.StateNS = int64(time.Since(t0))
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
	for it := q.First; it < q.First+q.Count && !b.done; it++ {
		e := w.caught(func() error {
			var err error
			point, err = w.step(it, point[:0])
			return err
		})
		b.mu.Lock()
		over := false
		if e != nil {
			b.out.Failed, _ = json.Marshal(e) // strings and a number: it cannot fail
		} else {
			b.out.Points = append(b.out.Points, point...)
			over = point[len(point)-1] != 0
		}
		b.done = e != nil || over || b.flushed || int64(time.Since(t0)) > q.Budget
		b.mu.Unlock()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = true
	b.send(false)
	return nil
}
