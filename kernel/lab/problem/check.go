package problem

import (
	"metalab/kernel/wire"
	"metalab/solvers/moves"
)

// check compares deltas with costs, and both with kernels compiled from them.
func (w *worker) check(q wire.WorkerCheck) (wire.WorkerChecked, error) {
	if len(q.Params) > 0 {
		w.give(q.Params)
	}
	var out wire.WorkerChecked
	e := w.Caught(func() error {
		done, wrong, err := moves.CheckOwn(w.p, q.Seed, q.Moves)
		for _, c := range done {
			out.Neighbourhoods = append(out.Neighbourhoods, wire.CheckedMoves(c))
		}
		if out.Wrong = wrong; wrong != "" || err != nil || q.Source == "" {
			return err
		}
		w.p.Told("source", q.Source)
		k, wrong, _, err := moves.CompareOwn(w.p, q.Seed, q.Moves)
		out.Kernels.On, out.Kernels.Not, out.Wrong = k.On, k.Not, wrong
		for _, c := range k.Checked {
			out.Kernels.Neighbourhoods = append(out.Kernels.Neighbourhoods, wire.CheckedMoves(c))
		}
		return err
	})
	if e != nil {
		out.Wrong, out.Where, out.Line = e.Text, e.Where, e.Line
	}
	return out, nil
}
