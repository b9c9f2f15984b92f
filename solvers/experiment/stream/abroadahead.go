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

// future holds the worker's deeds beyond those of the run. They continue the run's deeds, so they
// come next, unless the run is changed: then the worker repeats the part before them from the last
// state.
type future struct {
	next  func() []solvers.Stretch // see solvers.Guest
	spots []spot
	last  *record.Solution // the best after all of them; nil: that which is known, or not told
	way   *underWay        // what the worker is asked for after them; nil: nothing
	quiet int              // with more spots than that nothing is asked for
}

// underWay are calls that follow on each other whose answers the run does not wait for yet.
type underWay struct {
	end     context.CancelFunc
	answers chan answered // closed after the last
}

// answered is the result of a call that went ahead.
type answered struct {
	told
	c   *call
	err error
}

// horizon is the end of an island's spots.
type horizon struct {
	rest  []deed // what follows
	done  int    // deeds until there
	best  float64
	have  number // the value of the newest solution that is known
	ended string
	chain uint64
}

// Ahead implements solvers.Guest.
func (a *abroad) Ahead(next func() []solvers.Stretch) { a.next = next }

// drop has the worker begin anew where it has made more than the run has, or is about to.
func (a *abroad) drop() {
	if len(a.spots) > 0 || a.way != nil {
		a.done = -1
	}
	if a.way != nil {
		a.way.end()
		for range a.way.answers { // what it used is free again
		}
	}
	a.spots, a.last, a.way, a.quiet = nil, nil, nil, math.MaxInt
}

// planned are the deeds that follow from an iteration on, that one included.
func (a *abroad) planned(it int64) (out []deed) {
	if a.next == nil {
		return []deed{{Do: doIterate, Iter: it}}
	}
	for _, s := range a.next() {
		for k := range s.Iterations {
			if out = append(out, deed{
				Do: doIterate, Iter: it, Best: s.Sends && k == s.Iterations-1,
			}); len(out) > maxAhead {
				return out
			}
			it++
		}
		for i := range s.Takes {
			o := &s.Takes[i]
			if out = append(out, deed{
				Do: doAdmit, Iter: it - 1, Solution: &o.Solution, Cost: number(o.Value), Better: o.Better,
			}); len(out) > maxAhead {
				return out
			}
		}
	}
	return out
}

// goAhead adds what follows to a call that ends with an iteration.
func (a *abroad) goAhead(c *call) {
	n := len(a.deeds)
	if n == 0 || a.deeds[n-1].Do != doIterate || c.Tell != "" || n == a.heardOf || a.s.lockstep {
		return
	}
	have := number(a.best)
	if a.found == nil {
		have = number(math.Inf(1))
	}
	all := a.planned(a.deeds[n-1].Iter)
	c.Have, c.Ahead = &have, len(all)-1
	c.Deeds = append(slices.Clone(c.Deeds[:len(c.Deeds)-1]), all...)
}

// press asks the worker for what follows on what it has told already, for the run to have it when
// it comes there; it is the iteration that the run has made last.
func (a *abroad) press(it int64) {
	if a.worker == "" || a.done < 0 || a.s.lockstep || len(a.spots) > a.quiet || a.due() {
		return
	}
	for a.way != nil { // what has come meanwhile
		select {
		case t, ok := <-a.way.answers:
			a.land(&t, ok)
			continue
		default:
		}
		return
	}
	a.quiet = len(a.spots) / 2
	h := a.front()
	h.rest = a.planned(it)[1:]
	if a.done < 0 || !h.pass(a.spots) || !h.more() {
		return
	}
	if a.last != nil {
		h.have = number(h.best)
	}
	ctx, end := context.WithCancel(context.Background())
	a.way = &underWay{end, make(chan answered, len(h.rest)+1)}
	go a.ahead(ctx, a.worker, a.turn, h, a.way.answers)
}

// ahead asks a worker for all that follows, call by call.
func (a *abroad) ahead(
	ctx context.Context, worker string, turn int, h horizon, answers chan<- answered,
) {
	defer close(answers)
	for h.more() {
		have := h.have
		c := &call{
			Run: a.s.run, Island: a.number, Done: h.done, Deeds: h.rest, Ahead: len(h.rest), Have: &have,
			Turn: turn,
		}
		t, err := a.send(ctx, worker, c)
		on := err == nil && !t.Unknown && t.Error == "" && t.Refused == "" && len(t.Ahead) > 0 &&
			h.pass(t.Ahead)
		answers <- answered{t, c, err} // there is room: each but the last has a deed
		if !on {
			return
		}
		if t.Solution != nil {
			h.have = number(h.best)
		}
	}
}

// front returns the position of the run.
func (a *abroad) front() horizon {
	h := horizon{
		done: a.done, best: a.best, have: number(math.Inf(1)), ended: a.ended, chain: a.chain,
	}
	if a.found != nil {
		h.have = number(a.best)
	}
	return h
}

// pass goes over spots; false where they do not follow.
func (h *horizon) pass(spots []spot) bool {
	for i := range spots {
		p := &spots[i]
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
	return h.ended == "" && slices.ContainsFunc(h.rest, func(d deed) bool { return d.Do == doIterate })
}

// is reports whether a spot belongs to a deed.
func (p *spot) is(d *deed) bool {
	return p.Iter == d.Iter && (p.Do == doAdmit) == (d.Do == doAdmit)
}

// arrive stores the results of work in progress, and waits for them if nothing else is there. The
// error is that of ctx.
func (a *abroad) arrive(ctx context.Context) error {
	for a.way != nil && len(a.spots) == 0 {
		select {
		case t, ok := <-a.way.answers:
			a.land(&t, ok)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// land stores an answer to the work in progress; ok is false if no more follow. The caller that
// needs failed work requests it again.
func (a *abroad) land(t *answered, ok bool) {
	if !ok {
		a.way.end()
		a.way = nil
		return
	}
	h := a.front()
	for i := range a.spots { // what they were is known
		h.rest = append(h.rest, deed{Do: a.spots[i].what(), Iter: a.spots[i].Iter})
	}
	err := t.err
	switch whole := h.pass(a.spots); {
	case err != nil:
	case t.Unknown || t.Error != "" || !whole || t.c.Done != h.done:
		a.drop() // and it is done anew
		return
	case t.Refused != "":
		err = falseError{errors.New(t.Refused)}
	case t.Chain != hexText(h.chain) || float64(t.Best) != h.best:
		err = falseError{errors.New("what it goes on from is not what it told")}
	default:
		if bad := a.fits(&t.told, t.c); bad != nil {
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
	if n := len(a.spots); n > 0 && a.last != nil {
		a.spots[n-1].Solution = a.last
	}
	if a.spots, a.last = append(a.spots, t.Ahead...), nil; len(t.Ahead) > 0 && t.Solution != nil {
		s := t.Solution.Clone()
		a.last = &s
	}
}

// what describes the deed at a spot.
func (p *spot) what() string {
	if p.Do == doAdmit {
		return doAdmit
	}
	return doIterate
}

// fits returns why what a worker tells of deeds ahead is not what was asked for.
func (a *abroad) fits(t *told, c *call) error {
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
	best, plan := float64(t.Best), c.Deeds[len(c.Deeds)-c.Ahead:]
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

// take uses a deed done ahead.
func (a *abroad) take(d deed) (q spot) {
	q = a.spots[0]
	a.spots = a.spots[1:]
	a.deeds = append(a.deeds, d)
	a.done++
	a.heardOf = len(a.deeds)
	if best := float64(q.Best); best != a.best {
		a.best, a.found = best, nil
	}
	if q.Solution != nil {
		s := q.Solution.Clone()
		a.found = &s
	}
	if a.ended = q.Ended; len(a.spots) == 0 && a.last != nil {
		a.found, a.last = a.last, nil
	}
	return q
}

// consume uses an iteration that ran ahead.
func (a *abroad) consume(p *record.Point) error {
	digest, err := hexOf(a.spots[0].Digest)
	if err != nil {
		return err
	}
	q := a.take(deed{Do: doIterate, Iter: a.spots[0].Iter})
	a.chain = arith.Chain(a.chain, digest)
	return a.point(&q, p)
}

// admitted uses an admission that ran ahead; ok is false if it was another one.
func (a *abroad) admitted(it int64, s record.Solution, cost float64) (changed, ok bool) {
	ctx, end := context.WithTimeout(context.Background(), 2*a.s.l.t.AckWait)
	defer end()
	if a.arrive(ctx) != nil || len(a.spots) == 0 {
		return false, false
	}
	p := &a.spots[0]
	if p.of == nil || p.Iter != it || float64(p.of.Cost) != cost ||
		solvers.HashSolution(*p.of.Solution) != solvers.HashSolution(s) {
		return false, false
	}
	q := a.take(deed{Do: doAdmit, Iter: it, Solution: &s, Cost: number(cost)})
	return q.Changed, true
}

// point fills the island's point.
func (a *abroad) point(q *spot, p *record.Point) (err error) {
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
func (a *abroad) lookBack() bool {
	if len(a.spots) == 0 && a.way == nil || a.worker == "" || a.done < 0 {
		return false
	}
	ctx, end := context.WithTimeout(context.Background(), a.s.l.t.AckWait)
	defer end()
	t, err := a.send(ctx, a.worker, &call{
		Run: a.s.run, Island: a.number, Done: a.done, Tell: tellSolution, Past: true, Turn: a.turn,
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
