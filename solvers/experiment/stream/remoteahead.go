package stream

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// lookahead holds the worker's operations beyond those of the run. They continue the run's
// operations, so they come next, unless the run is changed: then the worker repeats the part before
// them from the last state.
type lookahead struct {
	stretches func() []solvers.Stretch // see solvers.RemoteIsland
	points    []islandPoint
	last      *record.Solution // the best after all of them; nil: that which is known, or not told
	pending   *pending         // what the worker is asked for after them; nil: nothing
	quiet     int              // with more points than that nothing is asked for
}

// pending are requests that follow on each other whose answers the run does not wait for yet.
type pending struct {
	end     context.CancelFunc
	answers chan aheadReply // closed after the last
}

// aheadReply is the result of a request that went ahead.
type aheadReply struct {
	islandReply
	c   *islandRequest
	err error
}

// horizon is the end of an island's points.
type horizon struct {
	rest  []operation // what follows
	done  int         // operations until there
	best  float64
	have  number // the value of the newest solution that is known
	ended string
	chain uint64
}

// Ahead implements solvers.RemoteIsland.
func (a *remoteIsland) Ahead(next func() []solvers.Stretch) { a.stretches = next }

// drop has the worker begin anew where it has made more than the run has, or is about to.
func (a *remoteIsland) drop() {
	if len(a.points) > 0 || a.pending != nil {
		a.done = -1
	}
	if a.pending != nil {
		a.pending.end()
		for range a.pending.answers { // what it used is free again
		}
	}
	a.points, a.last, a.pending, a.quiet = nil, nil, nil, math.MaxInt
}

// planned are the operations that follow from an iteration on, that one included.
func (a *remoteIsland) planned(it int64) (out []operation) {
	if a.stretches == nil {
		return []operation{{Do: doIterate, Iter: it}}
	}
	for _, s := range a.stretches() {
		for k := range s.Iterations {
			if out = append(out, operation{
				Do: doIterate, Iter: it, Best: s.Sends && k == s.Iterations-1,
			}); len(out) > maxAhead {
				return out
			}
			it++
		}
		for i := range s.Takes {
			o := &s.Takes[i]
			if out = append(out, operation{
				Do: doAdmit, Iter: it - 1, Solution: &o.Solution, Cost: number(o.Value), Better: o.Better,
			}); len(out) > maxAhead {
				return out
			}
		}
	}
	return out
}

// goAhead adds what follows to a call that ends with an iteration.
func (a *remoteIsland) goAhead(c *islandRequest) {
	n := len(a.operations)
	if n == 0 || a.operations[n-1].Do != doIterate || c.Want != "" || n == a.heardOf || a.s.lockstep {
		return
	}
	have := number(a.best)
	if a.found == nil {
		have = number(math.Inf(1))
	}
	all := a.planned(a.operations[n-1].Iter)
	c.Have, c.Ahead = &have, len(all)-1
	c.Operations = append(slices.Clone(c.Operations[:len(c.Operations)-1]), all...)
}

// requestAhead asks the worker for what follows on what it has answered already, for the run to
// have it when it comes there; it is the iteration that the run has made last.
func (a *remoteIsland) requestAhead(it int64) {
	if a.worker == "" || a.done < 0 || a.s.lockstep || len(a.points) > a.quiet || a.due() {
		return
	}
	for a.pending != nil { // what has come meanwhile
		select {
		case t, ok := <-a.pending.answers:
			a.receive(&t, ok)
			continue
		default:
		}
		return
	}
	a.quiet = len(a.points) / 2
	h := a.front()
	h.rest = a.planned(it)[1:]
	if a.done < 0 || !h.advance(a.points) || !h.more() {
		return
	}
	if a.last != nil {
		h.have = number(h.best)
	}
	ctx, end := context.WithCancel(context.Background())
	a.pending = &pending{end, make(chan aheadReply, len(h.rest)+1)}
	go a.ahead(ctx, a.worker, a.turn, h, a.pending.answers)
}

// ahead asks a worker for all that follows, call by call.
func (a *remoteIsland) ahead(
	ctx context.Context, worker string, turn int, h horizon, answers chan<- aheadReply,
) {
	defer close(answers)
	for h.more() {
		have := h.have
		c := &islandRequest{
			Run: a.s.run, Island: a.number, Done: h.done, Operations: h.rest, Ahead: len(h.rest),
			Have: &have,
			Turn: turn,
		}
		t, err := a.send(ctx, worker, c)
		on := err == nil && !t.Unknown && t.Error == "" && t.Refused == "" && len(t.Ahead) > 0 &&
			h.advance(t.Ahead)
		answers <- aheadReply{t, c, err} // there is room: each but the last has an operation
		if !on {
			return
		}
		if t.Solution != nil {
			h.have = number(h.best)
		}
	}
}

// front returns the position of the run.
func (a *remoteIsland) front() horizon {
	h := horizon{
		done: a.done, best: a.best, have: number(math.Inf(1)), ended: a.ended, chain: a.chain,
	}
	if a.found != nil {
		h.have = number(a.best)
	}
	return h
}

// advance goes over points; false where they do not follow.
func (h *horizon) advance(points []islandPoint) bool {
	for i := range points {
		p := &points[i]
		if h.skip(); len(h.rest) == 0 || !p.is(&h.rest[0]) {
			return false
		}
		h.rest = h.rest[1:]
		if p.Do != doAdmit {
			digest, err := hexOf(p.Digest)
			if err != nil {
				return false
			}
			h.chain = arith.Chain(h.chain, digest)
		}
		h.done++
		if h.best, h.ended = float64(p.Best), p.Ended; p.Solution != nil {
			h.have = p.Best
		}
	}
	return true
}

// skip leaves out admissions that are not better than the best.
func (h *horizon) skip() {
	for len(h.rest) > 0 && h.rest[0].Better && float64(h.rest[0].Cost) >= h.best {
		h.rest = h.rest[1:]
	}
}

// more reports whether an iteration follows.
func (h *horizon) more() bool {
	return h.ended == "" &&
		slices.ContainsFunc(h.rest, func(d operation) bool { return d.Do == doIterate })
}

// is reports whether a point belongs to an operation.
func (p *islandPoint) is(d *operation) bool {
	return p.Iter == d.Iter && (p.Do == doAdmit) == (d.Do == doAdmit)
}

// await stores the results of work in progress, and waits for them if nothing else is there. The
// error is that of ctx.
func (a *remoteIsland) await(ctx context.Context) error {
	for a.pending != nil && len(a.points) == 0 {
		select {
		case t, ok := <-a.pending.answers:
			a.receive(&t, ok)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// receive stores an answer to the work in progress; ok is false if no more follow. The caller that
// needs failed work requests it again.
func (a *remoteIsland) receive(t *aheadReply, ok bool) {
	if !ok {
		a.pending.end()
		a.pending = nil
		return
	}
	h := a.front()
	for i := range a.points { // what they were is known
		h.rest = append(h.rest, operation{Do: a.points[i].what(), Iter: a.points[i].Iter})
	}
	err := t.err
	switch whole := h.advance(a.points); {
	case err != nil:
	case t.Unknown || t.Error != "" || !whole || t.c.Done != h.done:
		a.drop() // and it is done anew
		return
	case t.Refused != "":
		err = falseError{errors.New(t.Refused)}
	case t.Chain != hexText(h.chain) || float64(t.Best) != h.best:
		err = falseError{errors.New("what it continues from is not what it answered")}
	default:
		if bad := a.fits(&t.islandReply, t.c); bad != nil {
			err = falseError{bad}
		}
	}
	if err != nil {
		worker := a.worker
		a.drop()
		a.done = -1
		a.note(why(worker, a.number, err))
		var f falseError
		a.s.release(worker, errors.As(err, &f))
		if errors.Is(err, errLost) {
			a.s.lose(worker)
		}
		a.worker = ""
		return
	}
	if n := len(a.points); n > 0 && a.last != nil {
		a.points[n-1].Solution = a.last
	}
	if a.points, a.last = append(a.points, t.Ahead...), nil; len(t.Ahead) > 0 && t.Solution != nil {
		s := t.Solution.Clone()
		a.last = &s
	}
}

// what describes the operation at a point.
func (p *islandPoint) what() string {
	if p.Do == doAdmit {
		return doAdmit
	}
	return doIterate
}

// fits returns why what a worker tells of operations ahead is not what was asked for.
func (a *remoteIsland) fits(t *islandReply, c *islandRequest) error {
	if len(t.Ahead) > c.Ahead {
		return fmt.Errorf("it made %d iterations ahead, of %d", len(t.Ahead), c.Ahead)
	}
	costs := func(s *record.Solution, best float64) error {
		if s == nil {
			return nil
		}
		cost, err := solvers.Cost(a.inst, *s)
		if err != nil || cost != best {
			return fmt.Errorf("its best solution costs %v, and it says %v (%v)", cost, best, err)
		}
		return nil
	}
	best, plan := float64(t.Best), c.Operations[len(c.Operations)-c.Ahead:]
	if p := t.Point; p != nil {
		if err := costs(p.Solution, best); err != nil {
			return err
		}
	}
	for i := range t.Ahead {
		p := &t.Ahead[i]
		h := horizon{rest: plan, best: best}
		if h.skip(); len(h.rest) == 0 || !p.is(&h.rest[0]) {
			return errors.New("it made another iteration ahead than was asked for")
		}
		if p.Do == doAdmit {
			p.of = &h.rest[0]
		} else if _, err := hexOf(p.Digest); err != nil {
			return err
		}
		plan = h.rest[1:]
		if float64(p.Best) > best {
			return fmt.Errorf("its best gets worse, from %v to %v", best, p.Best)
		}
		best = float64(p.Best)
		if err := costs(p.Solution, best); err != nil {
			return err
		}
	}
	if c.Have == nil {
		return nil
	}
	return costs(t.Solution, best)
}

// next uses an operation that was done ahead.
func (a *remoteIsland) next(d operation) (q islandPoint) {
	q = a.points[0]
	a.points = a.points[1:]
	a.operations = append(a.operations, d)
	a.done++
	a.heardOf = len(a.operations)
	if best := float64(q.Best); best != a.best {
		a.best, a.found = best, nil
	}
	if q.Solution != nil {
		s := q.Solution.Clone()
		a.found = &s
	}
	if a.ended = q.Ended; len(a.points) == 0 && a.last != nil {
		a.found, a.last = a.last, nil
	}
	return q
}

// consume uses an iteration that ran ahead.
func (a *remoteIsland) consume(p *record.Point) error {
	digest, err := hexOf(a.points[0].Digest)
	if err != nil {
		return err
	}
	q := a.next(operation{Do: doIterate, Iter: a.points[0].Iter})
	a.chain = arith.Chain(a.chain, digest)
	return a.point(&q, p)
}

// admitted uses an admission that ran ahead; ok is false if it was another one.
func (a *remoteIsland) admitted(it int64, s record.Solution, cost float64) (changed, ok bool) {
	ctx, end := context.WithTimeout(context.Background(), 2*a.s.l.t.AckWait)
	defer end()
	if a.await(ctx) != nil || len(a.points) == 0 {
		return false, false
	}
	p := &a.points[0]
	if p.of == nil || p.Iter != it || float64(p.of.Cost) != cost ||
		solvers.HashSolution(*p.of.Solution) != solvers.HashSolution(s) {
		return false, false
	}
	q := a.next(operation{Do: doAdmit, Iter: it, Solution: &s, Cost: number(cost)})
	return q.Changed, true
}

// point fills the island's point.
func (a *remoteIsland) point(q *islandPoint, p *record.Point) (err error) {
	a.env.Pool.Charge(time.Duration(max(0, min(float64(q.CPU), 1e9)) * float64(time.Second)))
	p.IterBest, p.Mean, p.Evals = float64(q.IterBest), float64(q.Mean), q.Evals
	if p.Digest, err = hexOf(q.Digest); err != nil {
		return err
	}
	for i, m := range q.Measures {
		p.Measures[i] = float64(m)
	}
	return nil
}

// lookBack fetches the best solution from a worker that has gone ahead since, and reports whether
// it was there.
func (a *remoteIsland) lookBack() bool {
	if len(a.points) == 0 && a.pending == nil || a.worker == "" || a.done < 0 {
		return false
	}
	ctx, end := context.WithTimeout(context.Background(), a.s.l.t.AckWait)
	defer end()
	t, err := a.send(ctx, a.worker, &islandRequest{
		Run: a.s.run, Island: a.number, Done: a.done, Want: wantSolution, Past: true, Turn: a.turn,
	})
	if err != nil || t.Solution == nil {
		return false
	}
	if cost, err := solvers.Cost(a.inst, *t.Solution); err != nil || cost != a.best {
		return false
	}
	s := t.Solution.Clone()
	a.found = &s
	return true
}
