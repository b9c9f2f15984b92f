package host

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"metalab/kernel/reply"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Points returns the history of the run with its last point, which thinning would leave out. Best
// values that a solver wrongly claimed are left out.
func (e *Run) Points() []record.Point {
	ps := e.run.History()
	if last := e.run.Last(); last.Iter > 0 && (len(ps) == 0 || ps[len(ps)-1].Iter < last.Iter) {
		ps = append(ps, last)
	}
	if sound, doubt := e.run.Doubt(); doubt != nil {
		for i := range ps {
			if ps[i].Iter > sound {
				ps[i].Best = math.NaN()
			}
		}
	}
	return ps
}

// mostPoints is the largest number of iterations that run again for their points, which are held in
// memory.
const mostPoints = 4_000_000

// EveryPoint returns the points of all iterations of a run. It runs those again that the history
// does not hold, which takes as long as the run, and checks them against those that it holds; their
// times are unknown.
func (h *Host) EveryPoint(c *Call, e *Run, note string) ([]record.Point, error) {
	ps := e.Points()
	if n := len(ps); n == 0 || ps[n-1].Iter <= int64(n) {
		return ps, nil
	}
	rec, err := e.run.Record(c.ctx)
	if err != nil {
		return nil, err
	}
	kept := fmt.Sprintf("the history keeps %d of %d iterations", len(rec.Points), rec.End)
	if rec.End > mostPoints {
		return nil, wrong(fmt.Sprintf("%s, and all are made again up to %d; without all the kept "+
			"ones are taken", kept, mostPoints))
	}
	if err := h.guests.Missing(rec); err != nil {
		return nil, err
	}
	all := make([]record.Point, 0, rec.End)
	next := 0
	each := func(p *record.Point) {
		q := *p
		q.Measures = append([]float64(nil), p.Measures...)
		q.Wall, q.CPU = float64(nan), float64(nan)
		if next < len(rec.Points) && rec.Points[next].Iter == q.Iter {
			q.Wall, q.CPU = rec.Points[next].Wall, rec.Points[next].CPU
			next++
		}
		all = append(all, q)
	}
	h.replaying(1)
	defer h.replaying(-1)
	d, err := solvers.Replay(c.ctx, rec, e.run.Instance(), solvers.ReplayOptions{
		Each:     each,
		Progress: c.often(func(done, total int64) { c.progress(done, total, note) }),
	})
	switch {
	case errors.Is(err, solvers.ErrNothing):
	case err != nil && c.ctx.Err() == nil:
		return nil, fmt.Errorf("%s, and the others cannot be made again: %w; without all the kept "+
			"ones are taken", kept, err)
	case err != nil:
		return nil, err
	case d != nil:
		return nil, fmt.Errorf("%s, and made again the run differs: %s", kept, d)
	}
	return all, nil
}

// Number returns a number for CSV; empty if it is not a number.
func Number(v float64) string {
	n := reply.Num(v)
	if !n.Known() {
		return ""
	}
	if a := math.Abs(v); a == 0 || a >= 1e-6 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64) // without an exponent
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
