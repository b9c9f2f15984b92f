package moves

import (
	"fmt"
	"sync"

	"metalab/solvers/arith"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// ownWalk is a solution of a user's problem; see package own. Each goroutine of a scan evaluates
// with its own value of the problem's type, which follows the walk's solution.
type ownWalk struct {
	p    *own.Problem
	form record.Form
	nbs  []Neighbourhood
	cost float64
	main *follower

	summed bool      // cost is a sum of deltas that Cost was not compared with
	judge  *follower // compares them; nil: never

	ban  ban // of the next scan
	pace pace

	// The last move, by which followers that are one move behind catch up, and its number.
	last  Move
	count int64

	mu    sync.Mutex
	spare []*follower // that no goroutine uses now
	lent  bool        // main is lent
}

// follower is a solution with a value of the problem's type.
type follower struct {
	evaluator
	count int64 // moves of the walk that it has made
	asked Move  // the last move whose delta was asked for, if known
	known bool
	delta float64
}

// evaluator is a copy of a solution of one form, with the value that evaluates its neighbours.
type evaluator interface {
	load(s record.Solution)
	cost() float64
	// delta does not change the solution that others see; cost is that of the solution.
	delta(m Move, cost float64) float64
	apply(m Move)
	exact() bool      // deltas may be added up
	quick(k int) bool // the neighbourhood with number k has deltas of its own
	pure(k int) bool  // these are asked for without a change of the solution

	// scan finds the best of the moves of a neighbourhood from lo to hi that the rule allows; ok is
	// false where the evaluator has no loop of its own for it.
	scan(k int, lo, hi int64, nb Neighbourhood, r rule) (best choice, ok bool)
	solution() record.Solution
	random(draws *arith.Stream)
	entry(at int32) int32
	hash() uint64
}

// A rule says which moves a scan may choose.
type rule struct {
	allow func(m Move, delta float64) bool // nil: all
	ban
}

// A ban is the result of allow for swaps of a permutation, if until is not nil: it allows those of
// which both entries may move at a time of the clock, and those with a delta below hope.
type ban struct {
	until []int64 // by entry: the last time at which it may not move
	clock int64
	hope  float64
}

// newOwnWalk returns a walk on the problem.
func newOwnWalk(p *own.Problem) (Walk, error) {
	if p.Form().Kind == record.FormReals {
		return newOwnBall(p)
	}
	nbs, err := neighbourhoods(p)
	if err != nil {
		return nil, err
	}
	t := &ownWalk{p: p, form: p.Form(), nbs: nbs}
	t.main, err = t.follower()
	return t, err
}

// follower makes one, without a solution.
func (t *ownWalk) follower() (*follower, error) {
	v, err := t.p.Value()
	if err != nil {
		return nil, err
	}
	f := &follower{count: -1}
	if t.form.Kind == record.FormBits {
		f.evaluator = newOwnBits(v, t.form)
	} else {
		f.evaluator = newOwnVector(v, t.form)
	}
	return f, nil
}

// lend returns a follower of the present solution for the calling goroutine, until giveBack. For
// deltas that do not change the solution it may return the walk's own, so that a walk that one
// goroutine scans applies each of its moves once.
func (t *ownWalk) lend(k int) *follower {
	t.mu.Lock()
	if !t.lent && t.main.pure(k) {
		t.lent = true
		t.mu.Unlock()
		return t.main
	}
	var f *follower
	if n := len(t.spare); n > 0 {
		f, t.spare = t.spare[n-1], t.spare[:n-1]
	}
	t.mu.Unlock()
	if f == nil {
		var err error
		if f, err = t.follower(); err != nil {
			panic(err)
		}
	}
	switch f.count {
	case t.count:
	case t.count - 1:
		f.apply(t.last)
	default:
		f.load(t.main.solution())
	}
	f.count = t.count
	return f
}

func (t *ownWalk) giveBack(f *follower) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f == t.main {
		t.lent = false
		return
	}
	t.spare = append(t.spare, f)
}

func (t *ownWalk) Neighbourhoods() []Neighbourhood { return t.nbs }
func (t *ownWalk) Cost() float64                   { return t.cost }
func (t *ownWalk) Solution() record.Solution       { return t.main.solution() }
func (t *ownWalk) Hash() uint64                    { return t.main.hash() }
func (t *ownWalk) entry(at int32) int32            { return t.main.entry(at) }

func (t *ownWalk) Delta(m Move) float64 {
	defer t.p.Keep()
	f := t.main
	if !f.known || f.asked != m {
		f.asked, f.delta, f.known = m, f.evaluator.delta(m, t.cost), true
	}
	return f.delta
}

func (t *ownWalk) Apply(m Move) {
	defer t.p.Keep()
	f := t.main
	d := 0.0
	if f.exact() {
		d = t.Delta(m)
	}
	f.apply(m)
	if t.cost += d; !f.exact() {
		t.cost = f.cost()
	} else if d != 0 {
		t.summed = true
	}
	t.advance(m, t.count+1)
}

// advance gives the walk's solution the next number.
func (t *ownWalk) advance(m Move, count int64) {
	t.last, t.count = m, count
	t.main.count, t.main.known = count, false
}

func (t *ownWalk) Load(s record.Solution) error {
	if err := t.form.Take(s); err != nil {
		return fmt.Errorf("moves: %s: %w", t.p.Name(), err)
	}
	defer t.p.Keep()
	t.main.load(s)
	t.cost, t.summed = t.main.cost(), false
	t.advance(Move{}, t.count+2) // followers load it too
	return nil
}

func (t *ownWalk) Random(draws *arith.Stream) {
	defer t.p.Keep()
	t.main.random(draws)
	t.main.load(t.main.solution())
	t.cost, t.summed = t.main.cost(), false
	t.advance(Move{}, t.count+2)
}

func (t *ownWalk) prepare(int, wave) {}

func (t *ownWalk) steps(k int) int64 {
	if t.main.quick(k) {
		return t.pace.steps(k, 8)
	}
	return t.pace.steps(k, 8*int64(t.form.N))
}

func (t *ownWalk) value(k int, _ int64, m Move) float64 {
	f := t.lend(k)
	defer t.giveBack(f)
	defer t.p.Keep()
	return f.evaluator.delta(m, t.cost)
}

func (t *ownWalk) scan(k int, w wave, allow func(Move, float64) bool) (choice, error) {
	nb := t.nbs[k]
	return w.run(nb.Size(), 1, t.steps(k), func(lo, hi int64) choice {
		done := paced(t, k)
		defer done(hi - lo)
		defer t.p.Keep()
		f := t.lend(k)
		defer t.giveBack(f)
		best, ok := f.evaluator.scan(k, lo, hi, nb, rule{allow, t.ban})
		if ok {
			return best
		}
		m := nb.Move(lo)
		for x := lo; x < hi; x++ {
			if d := f.evaluator.delta(m, t.cost); d < best.delta && (allow == nil || allow(m, d)) {
				best = choice{d, x}
			}
			m = nb.Next(m)
		}
		return best
	})
}

// ownWeight estimates the time to evaluate a neighbour in the neighbourhood with number k, in steps
// of a few look-ups.
func ownWeight(p *own.Problem, k int) int64 {
	n := int64(p.Size())
	t, err := newOwnWalk(p)
	if w, ok := t.(*ownWalk); err == nil && ok && w.main.quick(k) {
		return 4
	}
	return n
}
