package solvers

import (
	"context"
	"strings"
	"time"

	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// Runs of tests whose islands do not wait for each other come in an order that is drawn, so that
// they are held to the laws like others; but for those that are called by a name with Live in it.
const Live = "live"

func init() {
	drawTurns = func(env *Env, it int64) func(step, islands int) int {
		if strings.Contains(env.Run, Live) {
			return nil
		}
		s := arith.NewStream(env.Seed, uint64(it), 0, 77)
		return func(_, islands int) int { return s.IntN(islands) }
	}
}

// ReadOrder reads an order of arrival.
func ReadOrder(epochs, made string, islands int) (e, m []int, err error) {
	o, err := readOrder(&record.Change{With: record.Of("epochs", epochs, "made", made)}, islands)
	if err != nil {
		return nil, nil, err
	}
	if c := o.change(1); c.With["made"].String() != words(o.Made) {
		panic("an order is not what it is")
	}
	return o.Epochs, o.Made, nil
}

// IslandsSpent is the CPU time of the last iteration of each island of a run.
func IslandsSpent(r *Run) (out []time.Duration) {
	_ = r.do(context.Background(), func() {
		for _, x := range r.alg.(*archipelago).islands {
			out = append(out, x.Spent())
		}
	})
	return out
}

// Rota is a rota of its own for the runs of a test.
type Rota struct{ rota }

// Take takes a turn, Back gives it back.
func (t *Rota) Take() { <-t.ask() }

// Back gives a turn back.
func (t *Rota) Back() { t.back() }

// Waiting is the number of those that wait.
func (t *Rota) Waiting() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queue)
}

// NewRota returns a rota with the patience of turns that do not end.
func NewRota(patience time.Duration) *Rota { return &Rota{rota{patience: patience}} }

// Join makes a run that rests wait for turns of t.
func (t *Rota) Join(r *Run) error {
	return r.do(context.Background(), func() { r.turn.of = &t.rota })
}

// FirstEntry is the first position at which two solutions differ.
func FirstEntry(a, b record.Solution) (position int, x, y any) { return firstEntry(a, b) }
