package solvers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers/record"
)

// A Boundary is a place in a run's past, between two of its iterations.
type Boundary struct {
	Iter    int64 // iterations run so far
	Changes int   // entries of the journal that apply; later ones do not
}

// Before returns the boundary of a record after iter iterations, before the changes at that
// iteration.
func Before(rec *record.Record, iter int64) Boundary {
	n := slices.IndexFunc(rec.Journal, func(c record.Change) bool { return c.Iter >= iter })
	if n < 0 {
		n = len(rec.Journal)
	}
	return Boundary{Iter: iter, Changes: n}
}

// Back opens the run of a record as it stood at a boundary, under a name, by running its iterations
// again: from state if that belongs to an earlier iteration, else from the first. From the first,
// it compares all points with the record's. If note is not nil, it becomes an entry of the journal.
// state and note may be nil.
func Back(ctx context.Context, rec *record.Record, state []byte, inst datasets.Instance,
	name string, to Boundary, note *record.Change, o ReplayOptions,
) (*Run, error) {
	if ctx == nil {
		return nil, errNoContext
	}
	if err := sameInstance(rec, inst); err != nil {
		return nil, err
	}
	if to.Iter < 0 || to.Iter > rec.End {
		return nil, fmt.Errorf("iteration %d is none of %s, want 0 to %d", to.Iter, rec.Header.Run,
			rec.End)
	}
	past := *rec
	past.End, past.Journal = to.Iter, rec.Journal[:to.Changes]
	past.Points = slices.Clone(rec.Points)
	past.Points = slices.DeleteFunc(past.Points, func(p record.Point) bool { return p.Iter > to.Iter })
	o.open = true
	r, err := back(ctx, &past, state, inst, name, o)
	if err != nil || note == nil {
		return r, err
	}
	return r, r.do(ctx, func() { r.note(*note) })
}

func back(ctx context.Context, past *record.Record, state []byte, inst datasets.Instance,
	name string, o ReplayOptions,
) (*Run, error) {
	if head, err := NewReader(state); err == nil && (head.Head.Iter < past.End ||
		o.Exact && head.Head.Iter == past.End) {
		r, err := revive(ctx, past, state, inst, name, o)
		if err == nil || ctx.Err() != nil {
			return r, err
		}
	}
	r, d, err := replay(ctx, past, inst, name, o)
	if err != nil || d == nil {
		return r, err
	}
	r.Close()
	return nil, fmt.Errorf("%s: made again it differs from what it was: %s", past.Header.Run, d)
}

// mostBefore is the size of the largest state that is stored before a set, in bytes.
const mostBefore = 16 << 20

// lastSet is the state of a run before somebody set its parameters after its last iteration.
type lastSet struct {
	state   []byte
	changes int // entries of the journal
}

// remember keeps the state before the first set after an iteration, so that undo need make nothing.
func (r *Run) remember() {
	if sized, ok := r.alg.(Sized); r.before.state != nil || r.err != nil || r.last.Iter == 0 ||
		ok && sized.StateBytes() > mostBefore {
		return
	}
	if state, err := r.snapshot(); err == nil && len(state) <= mostBefore {
		r.before = lastSet{state, len(r.journal)}
	}
}

// StateBefore returns the state at a boundary after which parameters were set and no iteration ran,
// nil if it is not stored. [Back] with [ReplayOptions].Exact then runs no iteration.
func (r *Run) StateBefore(ctx context.Context, to Boundary) (state []byte, err error) {
	err = r.do(ctx, func() {
		if r.last.Iter == to.Iter && r.before.changes == to.Changes {
			state = r.before.state
		}
	})
	return state, err
}

// An effort tells how much of the time of a record's iterations is over at one of them.
type effort struct {
	points   []record.Point
	from, to float64 // seconds
}

// effortOf returns the effort of the iterations after one. If the record has no times, all
// iterations count the same.
func effortOf(rec *record.Record, after int64) *effort {
	e := &effort{points: rec.Points}
	e.from, e.to = e.at(after), e.at(rec.End)
	if n := len(rec.Points); n == 0 || !(e.to > e.from) {
		return &effort{from: float64(after), to: float64(rec.End)}
	}
	return e
}

// at returns the time at which an iteration ended, interpolated between the points.
func (e *effort) at(iter int64) float64 {
	if len(e.points) == 0 {
		return float64(iter)
	}
	i, _ := slices.BinarySearchFunc(e.points, iter, func(p record.Point, i int64) int {
		return cmp.Compare(p.Iter, i)
	})
	a, b := record.Point{}, e.points[min(i, len(e.points)-1)]
	if i = min(i, len(e.points)-1); i > 0 {
		a = e.points[i-1]
	}
	if b.Iter <= a.Iter {
		return b.Wall
	}
	return a.Wall + float64((b.Wall-a.Wall)*float64(iter-a.Iter)/float64(b.Iter-a.Iter))
}

// done is which part of a total is done at an iteration.
func (e *effort) done(iter, total int64) int64 {
	if e == nil || !(e.to > e.from) {
		return iter
	}
	part := (e.at(iter) - e.from) / (e.to - e.from)
	return int64(math.Round(float64(total) * min(1, max(0, part))))
}
