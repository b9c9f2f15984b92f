package problem

import (
	"fmt"
	"time"

	"metalab/kernel/wire"
	"metalab/solvers/moves"
)

// check compares deltas with costs, and both with kernels compiled from them, each within a budget.
func (w *worker) check(q wire.WorkerCheck) (wire.WorkerChecked, error) {
	if len(q.Params) > 0 {
		w.give(q.Params)
	}
	var out wire.WorkerChecked
	budget := time.Duration(q.Budget)
	e := w.Caught(func() error {
		late := false
		done, wrong, err := moves.CheckOwn(w.p, q.Seed, q.Moves, within(budget, &late))
		if late {
			out.Late = fmt.Sprintf("fewer than the %d moves of each neighbourhood that were asked for: the "+
				"time of a check, %v, was over", q.Moves, budget)
		}
		for _, c := range done {
			out.Neighbourhoods = append(out.Neighbourhoods, wire.CheckedMoves(c))
		}
		if out.Wrong = wrong; wrong != "" || err != nil || q.Source == "" {
			return err
		}
		w.p.Told("source", q.Source)
		return w.compare(q, budget, &out)
	})
	if e != nil {
		out.Wrong, out.Where, out.Line = e.Text, e.Where, e.Line
	}
	return out, nil
}

// within returns a function that becomes true when a time has passed, and sets late then.
func within(budget time.Duration, late *bool) func() bool {
	if budget == 0 {
		return nil
	}
	end := time.Now().Add(budget)
	return func() bool {
		if time.Now().Before(end) {
			return false
		}
		*late = true
		return true
	}
}

// compared is the result of a comparison with kernels.
type compared struct {
	k     moves.Kernels
	wrong string
	err   error
	late  bool
}

// compare compares with kernels. A batch of moves that does not end within the budget is given up,
// and what was compared before it stays: the process ends after its answer.
func (w *worker) compare(q wire.WorkerCheck, budget time.Duration, out *wire.WorkerChecked) error {
	done := make(chan compared, 1)
	go func() {
		var c compared
		defer func() {
			if x := recover(); x != nil {
				c.err = fmt.Errorf("panic: %v", x)
			}
			done <- c
		}()
		c.k, c.wrong, _, c.err = moves.CompareOwn(w.p, q.Seed, q.Moves, within(budget, &c.late))
	}()
	var end <-chan time.Time
	if budget > 0 {
		end = time.After(budget + budget/4)
	}
	select {
	case c := <-done:
		out.Kernels.On, out.Kernels.Not, out.Wrong = c.k.On, c.k.Not, c.wrong
		if c.late && out.Late == "" {
			out.Late = fmt.Sprintf("fewer moves in kernels than were asked for: the time of a check, %v, "+
				"was over", budget)
		}
		for _, c := range c.k.Checked {
			out.Kernels.Neighbourhoods = append(out.Kernels.Neighbourhoods, wire.CheckedMoves(c))
		}
		return c.err
	case <-end:
		out.Late = fmt.Sprintf("no comparison with kernels: it did not end within %v", budget)
		return nil
	}
}
