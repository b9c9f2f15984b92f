package moves

import (
	"fmt"

	"metalab/solvers"
)

// Proved returns an error that wraps solvers.ErrWrongBest if the value of a walk, a sum of deltas,
// differs from Cost of its solution. Searches call it before they leave a solution, at the latest
// at the end of an iteration, so that nobody sees a wrong value. Walks on other problems than
// users' have no wrong deltas.
func Proved(w Walk) error {
	t, ok := w.(*ownWalk)
	if !ok || !t.summed {
		return nil
	}
	got, err := t.judged()
	if err := solvers.Claimed(t.form.Sense(), t.cost, got, err); err != nil {
		return fmt.Errorf("%w: a Delta of %s differs from Cost: check %s names the move", err,
			t.p.Name(), t.p.Name())
	}
	t.summed = false
	return nil
}

// judged returns Cost of the solution, by a value of the type that evaluates no moves.
func (t *ownWalk) judged() (float64, error) {
	if t.judge == nil {
		var err error
		if t.judge, err = t.follower(); err != nil {
			return 0, err
		}
	}
	defer t.p.Keep()
	t.judge.load(t.main.solution())
	return t.judge.cost(), nil
}
