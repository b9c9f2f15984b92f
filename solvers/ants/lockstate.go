package ants

import (
	"errors"
	"fmt"
	"math"

	"metalab/solvers"
	"metalab/solvers/record"
)

// The state of acs/lockstep is a colony's, without guests, and "outs" (n x Outs: where the edges beyond lists lead, the city
// itself for nowhere) and "outtau" (n x Outs: their trails, 0 for nowhere).

// Snapshot implements solvers.Algorithm.
func (l *lockstep) Snapshot(w *solvers.Writer) {
	l.fetchBest(&l.hired, nil)
	l.fetchRows()
	if l.lost != nil {
		noState(w, l.lost)
		return
	}
	l.sequence.Snapshot(w)
	w.Int32s("outs", l.outs.city)
	w.Float32s("outtau", l.outs.tau)
}

// Restore implements solvers.Algorithm.
func (l *lockstep) Restore(r *solvers.Reader) error {
	if err := l.colony.Restore(r); err != nil {
		return err
	}
	city, tau := r.Int32s("outs", l.n*Outs), r.Float32s("outtau", l.n*Outs)
	if r.Err() != nil {
		return r.Err()
	}
	for p, j := range city {
		if c := p / Outs; j < 0 || int(j) >= l.n || (int(j) == c) != (tau[p] == 0) || !(tau[p] >= 0) {
			return fmt.Errorf("ants: the state has a trail %v from city %d to %d, want one above 0 to another city of 0 to %d, or 0 to itself: %w", tau[p], c, j, l.n-1, solvers.ErrState)
		}
	}
	// Lists may have had another length.
	l.t.extra.clear()
	l.outs.clear()
	for p, j := range city {
		c := int32(p / Outs)
		switch s := l.t.find(c, j); {
		case s >= 0:
			l.t.tau[s] = tau[p]
		case j != c:
			l.outs.city[p], l.outs.tau[p] = j, tau[p]
		}
	}
	l.t.limit(l.env.Pool, l.tau0, math.MaxFloat32)
	l.look()
	if l.crew == nil {
		l.join()
		return nil
	}
	return l.sendAll()
}

// fetchRows brings the trails here.
func (l *lockstep) fetchRows() {
	if l.crew == nil || !l.pull {
		return
	}
	wide := make([]float32, l.n*Width)
	l.lost = errors.Join(l.lost, l.gang.Trails(wide), l.gang.Outs(l.outs.city))
	l.t.narrow(wide, l.t.tau)
	for p := range l.outs.tau {
		l.outs.tau[p] = wide[p/Outs*Width+MostListed+p%Outs]
	}
	l.pull = false
}

// Solution implements solvers.Algorithm.
func (l *lockstep) Solution() record.Solution {
	l.fetchBest(&l.hired, nil)
	return l.sequence.Solution()
}

// Trace implements solvers.Tracer.
func (l *lockstep) Trace() [][]int32 {
	if !l.atHome() {
		l.fetchTours(&l.hired)
	}
	return l.sequence.Trace()
}

// Trails implements solvers.Trailer.
func (l *lockstep) Trails(limit int) ([]solvers.Trail, int) {
	l.fetchRows()
	extra := l.t.extra // empty but for now
	for p, j := range l.outs.city {
		if c := int32(p / Outs); j != c && l.t.place(c, j) == none {
			extra.put(c, j, l.outs.tau[p])
		}
	}
	defer extra.clear()
	return l.sequence.Trails(limit)
}
