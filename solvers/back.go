package solvers

import (
	"context"
	"fmt"
	"slices"

	"metalab/datasets"
	"metalab/solvers/record"
)

// A Boundary is a place in a run's past, between two of its iterations.
type Boundary struct {
	Iter    int64 // iterations made
	Changes int   // entries of the journal that were made; later ones were not
}

// Before is the boundary of a record after so many iterations, before what was changed there.
func Before(rec *record.Record, iter int64) Boundary {
	n := slices.IndexFunc(rec.Journal, func(c record.Change) bool { return c.Iter >= iter })
	if n < 0 {
		n = len(rec.Journal)
	}
	return Boundary{Iter: iter, Changes: n}
}

// Back opens the run of a record as it stood at a boundary, under a name, by making its iterations
// again: from state where that is of an earlier one, else from the first on, and then all points
// are compared with the record's. With a note the journal tells of it; state and note may be nil.
func Back(ctx context.Context, rec *record.Record, state []byte, inst datasets.Instance,
	name string, to Boundary, note *record.Change, o ReplayOptions,
) (*Run, error) {
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
	if head, err := NewReader(state); err == nil && head.Head.Iter < past.End {
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
