package solvers

import (
	"fmt"
	"math"
	"slices"
	"time"

	"metalab/datasets"
	"metalab/solvers/record"
)

// proofShare is the largest share of the time that goes into recomputing new bests. Points beyond
// it wait, unseen, for the next proof, which precedes every answer.
const proofShare = 0.02

// mostWaiting is the largest number of points that wait for a proof.
const mostWaiting = 1 << 12

// A proof holds what is known about the best of a run. It belongs to the owner.
type proof struct {
	best   *record.Best   // as it was last computed again; nil: never
	points []record.Point // after it, which nobody has seen
	took   time.Duration  // the last one
	at     time.Time      // when it was found
}

// latest returns the last point, which nobody may have seen yet.
func (r *Run) latest() *record.Point {
	if n := len(r.proof.points); n > 0 {
		return &r.proof.points[n-1]
	}
	return &r.last
}

// proved reports whether bests are recomputed before anybody sees them. Exempt are algorithms that
// verify their own, and islands that run on workers: there the coordinator checks what workers
// report, and a solution may vanish with its worker until the island runs again.
func (r *Run) proved() bool {
	if a, ok := r.alg.(*archipelago); ok && a.abroad {
		return false
	}
	return !r.verifies()
}

// verifies tells whether the algorithm verifies its own bests.
func (r *Run) verifies() bool {
	_, own := r.alg.(Verifier)
	return own
}

// accept looks at a point before anybody is shown it. A new best is computed again by the
// instance's own cost function; shown is false where the point waits for that, with those after it.
// A best must not be below a proven optimum. An error ends the run, whose record stays as it was at
// the last proof.
func (r *Run) accept(p *record.Point) (shown bool, err error) {
	if r.verifies() {
		return true, nil
	}
	if known, ok := r.inst.BestKnown(); p.Improved && ok && known.Proven && p.Best < known.Value {
		r.proof.points = nil
		return false, r.wrong(p.Iter, fmt.Errorf("%w: it claims %s, below the optimum %s of %s (%s)",
			ErrWrongBest, plain(p.Best), plain(known.Value), r.inst.Name(), known.Source))
	}
	f := &r.proof
	if !r.proved() || p.Best == r.latest().Best && len(f.points) == 0 {
		return true, nil
	}
	q := *p
	q.Measures = slices.Clone(p.Measures)
	f.points = append(f.points, q)
	since := time.Since(f.at)
	if proofShare*float64(since) < float64(f.took) && len(f.points) < mostWaiting {
		return false, nil
	}
	return false, r.settle()
}

// show shows the points that wait for a proof; false, where that fails, and the run has ended.
func (r *Run) show() bool {
	if err := r.settle(); err != nil {
		r.fail(err)
		return false
	}
	return true
}

// settle makes a proof of the last of the points that wait for one, and shows them. After an error
// there are none.
func (r *Run) settle() error {
	f := &r.proof
	if len(f.points) == 0 {
		return nil
	}
	points := f.points
	f.points = nil
	began := time.Now()
	last := points[len(points)-1]
	s := r.alg.Solution()
	got, err := r.cost(s)
	if err := Claimed(SenseOf(r.inst), last.Best, got, err); err != nil {
		return r.wrong(last.Iter, err)
	}
	b := &record.Best{Value: last.Best, Solution: s, Agent: r.bestAgent()}
	for i := range points {
		if points[i].Improved {
			b.Iter = points[i].Iter
		}
		r.publish(&points[i])
	}
	f.best, f.at = b, time.Now()
	f.took = f.at.Sub(began)
	f.points = points[:0]
	return nil
}

// proveFirst does it for what a run begins with, after a state was restored.
func (r *Run) proveFirst() error {
	if !r.proved() || r.last.Iter == 0 || r.proof.best != nil {
		return nil
	}
	b, err := r.best()
	if err != nil {
		return r.wrong(r.last.Iter, err)
	}
	r.proof.best = &b
	return nil
}

// lastProven is the best before the one that ended the run.
func (r *Run) lastProven() (record.Best, error) {
	switch {
	case r.last.Iter == 0:
		return record.Best{Value: math.Inf(1)}, nil
	case r.proof.best == nil:
		return record.Best{}, fmt.Errorf("%s: %w", r.name, r.err)
	}
	b := *r.proof.best
	b.Solution = b.Solution.Clone()
	return b, nil
}

// wrong is the error about a wrong best of this iteration: what became of the run, and what helps
// to find the cause.
func (r *Run) wrong(it int64, err error) error {
	whose := "the program or of the machine"
	help := "save it, and send it with what waves and devices say"
	if r.inst.Kind() == datasets.KindOwn {
		whose = "the search, or of a Delta that is not by how much Cost changes"
		help = "compare Delta with the difference of two costs"
	}
	v := r.variant
	return fmt.Errorf("iteration %d: %w (%s/%s on %s, a fault of %s; the record has the %d "+
		"iterations before: %s)", it, err, v.Solver, v.Name, v.Backend, whose, r.last.Iter, help)
}
