package problem

import (
	"metalab/kernel/wire"
	"metalab/solvers/moves"
)

// check compares deltas with costs.
func (w *worker) check(q wire.WorkerCheck) (wire.WorkerChecked, error) {
	if len(q.Params) > 0 {
		w.give(q.Params)
	}
	var out wire.WorkerChecked
	e := w.caught(func() error {
		done, wrong, err := moves.CheckOwn(w.p, q.Seed, q.Moves)
		for _, c := range done {
			out.Neighbourhoods = append(out.Neighbourhoods, wire.CheckedMoves{
				Name: c.Name, Size: c.Size, Moves: c.Moves, Delta: c.Delta,
			})
		}
		out.Wrong = wrong
		return err
	})
	if e != nil {
		out.Wrong, out.Where, out.Line = e.Text, e.Where, e.Line
	}
	return out, nil
}
