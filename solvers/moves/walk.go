package moves

import (
	"context"
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// A Walk is a solution with data by which its moves are evaluated fast. It is for one goroutine at
// a time; only a scan uses several, by itself.
type Walk interface {
	// Neighbourhoods returns the neighbourhoods of the problem, the smallest first.
	Neighbourhoods() []Neighbourhood

	// Cost is the value of the solution.
	Cost() float64

	// Delta returns by how much a move of one of the neighbourhoods makes the cost grow. It does
	// not change the solution.
	Delta(m Move) float64

	// Apply makes the move.
	Apply(m Move)

	// Load sets the solution to a copy of s.
	Load(s record.Solution) error

	// Solution returns a copy of the solution.
	Solution() record.Solution

	// Random sets a random solution.
	Random(draws *arith.Stream)

	// Hash returns a hash of the solution.
	Hash() uint64

	// entry returns the entry at a position: the facility's location, the city, the bit.
	entry(at int32) int32

	// prepare must be called before value and scan in the neighbourhood with number k.
	prepare(k int, w wave)

	// value returns Delta of the move m with the given index. It is fast after prepare, and any number
	// of goroutines may call it.
	value(k int, index int64, m Move) float64

	// steps estimates the time of value in the neighbourhood with number k, in steps of about a
	// nanosecond.
	steps(k int) int64

	// scan returns the best move of the neighbourhood with number k that allow accepts; prepare
	// must have been called. It asks allow only about moves that are better than those before.
	scan(k int, w wave, allow func(m Move, delta float64) bool) (choice, error)
}

// On returns a walk on the instance, without a particular solution; Load sets one. It returns an
// error for kinds of instances without neighbourhoods.
func On(inst datasets.Instance) (Walk, error) {
	switch inst := inst.(type) {
	case *datasets.QAP:
		return newQAPWalk(inst)
	case *datasets.PPP:
		return newPPPWalk(inst)
	case *datasets.TSP:
		return newTSPWalk(inst)
	case *datasets.Colouring:
		return newColourWalk(inst)
	case *datasets.Cut:
		return newCutWalk(inst)
	case *datasets.Weierstrass:
		return newBallWalk(inst)
	case *own.Problem:
		return newOwnWalk(inst)
	}
	return nil, fmt.Errorf("moves: an instance of %T has no neighbourhoods here", inst)
}

// A choice is a move of a neighbourhood by its index; -1 means that none was found.
type choice struct {
	delta float64
	index int64
}

var noChoice = choice{delta: math.Inf(1), index: -1}

// before orders choices: the smaller delta, then the smaller index.
func (c choice) before(d choice) bool {
	return c.index >= 0 &&
		(d.index < 0 || c.delta < d.delta || c.delta == d.delta && c.index < d.index)
}

// A wave says how the neighbours of a scan are shared out. It never changes the result.
type wave struct {
	ctx   context.Context
	pool  *solvers.Pool // nil: the caller alone
	block int64         // neighbours that a worker takes at a time

	weight int64 // of a neighbour, in steps of a few look-ups
}

// lookEvery is the number of steps, of a few look-ups each, between two checks of the context.
const lookEvery = 1 << 16

// run calls body for parts [lo, hi) of [0, n), and merges the choices that it returns. Each of the
// n items stands for per neighbours and takes steps of about a nanosecond, and a part is of about
// block neighbours. If the context ends, run returns its error.
func (w wave) run(n, per, steps int64, body func(lo, hi int64) choice) (choice, error) {
	size := max(w.block/max(per, 1), 1)
	small := min(size, max(lookEvery/max(per*w.weight, 1), 1))
	part := func(lo, hi int64) choice { // in smaller parts, so that a long part can be cancelled
		best := noChoice
		for ; lo < hi && w.ctx.Err() == nil; lo += small {
			if c := body(lo, min(lo+small, hi)); c.before(best) {
				best = c
			}
		}
		return best
	}
	if w.pool == nil || n <= size || w.pool.Workers(n*steps) == 1 {
		best := part(0, n)
		return best, w.ctx.Err()
	}
	parts := int((n + size - 1) / size)
	found := make([]choice, parts)
	w.pool.RunOf(parts, n*steps, func(i, _ int) {
		lo := int64(i) * size
		found[i] = part(lo, min(lo+size, n))
	})
	if err := w.ctx.Err(); err != nil {
		return noChoice, err
	}
	best := noChoice
	for _, c := range found {
		if c.before(best) {
			best = c
		}
	}
	return best, nil
}

// share calls body for parts [lo, hi) of n rows, of about size rows each, which take steps of a
// nanosecond or so. It does not look at the context.
func (w wave) share(n, size int, steps int64, body func(part, lo, hi int)) {
	parts := w.parts(n, size, steps)
	if parts < 2 {
		body(0, 0, n)
		return
	}
	size = (n + parts - 1) / parts
	w.pool.RunOf(parts, int64(n)*steps, func(i, _ int) {
		body(i, min(i*size, n), min((i+1)*size, n))
	})
}

// parts returns the number of parts for share: one if no helper would be woken.
func (w wave) parts(n, size int, steps int64) int {
	if w.pool == nil || n < 2 || w.pool.Workers(int64(n)*steps) == 1 {
		return 1
	}
	size = max(size, 1)
	return (n + size - 1) / size
}

// scanAll implements scan by calling value for one move after the other.
func scanAll(k int, t Walk, w wave, allow func(m Move, delta float64) bool) (choice, error) {
	nb := t.Neighbourhoods()[k]
	return w.run(nb.Size(), 1, t.steps(k), func(lo, hi int64) choice {
		done := paced(t, k)
		defer done(hi - lo)
		best := noChoice
		m := nb.Move(lo)
		for x := lo; x < hi; x++ {
			if d := t.value(k, x, m); d < best.delta && (allow == nil || allow(m, d)) {
				best = choice{d, x}
			}
			m = nb.Next(m)
		}
		return best
	})
}

// firstFrom returns the first improving move at or after index start, continuing from 0 after the
// last, and how many moves were looked at up to it.
func firstFrom(k int, t Walk, w wave, start int64) (choice, int64, error) {
	nb := t.Neighbourhoods()[k]
	n := nb.Size()
	t.prepare(k, w)
	// Look at few moves at first, for early in a climb the first improving move is near; then at
	// more, so that all workers have enough to do.
	most := 16 * max(w.block, 64)
	if w.pool != nil {
		most = max(most, 2*w.pool.Fill(t.steps(k)))
	}
	for done, span := int64(0), int64(64); done < n; span = min(2*span, most) {
		size := min(span, n-done)
		if at := (start + done) % n; at+size > n {
			size = n - at // not beyond the end, so that a part is one range
		}
		base := (start + done) % n
		c, err := w.run(size, 1, t.steps(k), func(lo, hi int64) choice {
			done := paced(t, k)
			m := nb.Move(base + lo)
			value := func(x int64, m Move) float64 { return t.value(k, x, m) }
			if o, ok := t.(*ownWalk); ok {
				defer o.p.Keep()
				f := o.lend(k)
				defer o.giveBack(f)
				value = func(_ int64, m Move) float64 { return f.evaluator.delta(m, o.cost) }
			}
			for x := base + lo; x < base+hi; x++ {
				if d := value(x, m); d < 0 {
					done(x - base - lo + 1)
					return choice{0, x} // all count as equal: the smaller index wins
				}
				m = nb.Next(m)
			}
			done(hi - lo)
			return noChoice
		})
		if err != nil {
			return noChoice, 0, err
		}
		if c.index >= 0 {
			c.delta = t.value(k, c.index, nb.Move(c.index))
			return c, done + c.index - base + 1, nil
		}
		done += size
	}
	return noChoice, n, nil
}
