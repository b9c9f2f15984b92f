package solvers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers/record"
)

// ErrNotDeterministic is wrapped by the error of a replay of a variant that races as
// it was published: its runs cannot be made again, only compared by statistics.
var ErrNotDeterministic = errors.New("the variant races, so its runs cannot be made again")

// A Difference is the first place at which two runs part.
type Difference struct {
	Iter int64 // the iteration
	// the field of the point, as "best", or "solution" when agent and position are known
	What     string
	Seed     *uint64 // of the repeat; nil: it is in the run itself
	Agent    int     // -1 when not known
	Position int     // -1 when not known
	A, B     string  // the two values
}

// String is d in one line.
func (d *Difference) String() string {
	s := fmt.Sprintf("iteration %d: %s", d.Iter, d.What)
	if d.Seed != nil {
		s = fmt.Sprintf("the repeat with seed %d, %s", *d.Seed, s)
	}
	if d.Agent >= 0 {
		s += fmt.Sprintf(", agent %d", d.Agent)
	}
	if d.Position >= 0 {
		s += fmt.Sprintf(", position %d", d.Position)
	}
	return s + fmt.Sprintf(": %s against %s", d.A, d.B)
}

// Error is d as the error of a record that cannot be opened, as it is another.
func (d *Difference) Error() string { return d.String() }

// stage is a stretch of a record that is made with one algorithm.
type stage struct {
	variant Variant
	seed    uint64
}

// A RevisionError is the error of a record that another revision of its variant made.
type RevisionError struct {
	Solver, Variant string
	Record, Program int    // the revisions: that of the record, and that of this program
	Build           string // the versions of metalab and Go that wrote the record
}

// Error is in one line.
func (e *RevisionError) Error() string {
	return fmt.Sprintf("the record was made by revision %d of %s/%s and this program has revision "+
		"%d; use the metalab that wrote it (%s)", e.Record, e.Solver, e.Variant, e.Program, e.Build)
}

// Replayable returns why a record cannot be made again by this program, nil where it can; on, when
// not empty, is the backend for all of it.
func Replayable(rec *record.Record, on string) error {
	_, err := plan(rec, on)
	return err
}

type itinerary struct {
	stages []stage // one more than there are forks in the journal
	last   stage
}

// ReplayOptions says how a record is made again. The zero value makes it on the
// backends that made it first.
type ReplayOptions struct {
	Backend  string                  // make all of it on this backend, by the twin law
	Devices  []int                   // of that backend; nil: the one with the most free memory
	Repeats  bool                    // then make the seeds of the record's repeats again, too
	Progress func(done, total int64) // called now and then; may be nil
	// called for every iteration that is made; may be nil. It must not keep the point.
	Each func(*record.Point)
	// called with each new best solution, before Each; may be nil
	Better func(record.Best)

	open   bool // the digest at the end is not known
	island *int // the record is that of an island; see Header.Island
}

// tell says how far a replay is.
func (o *ReplayOptions) tell(p *record.Point, total int64) {
	if o.Progress != nil && p.Iter%64 == 0 {
		o.Progress(p.Iter, total)
	}
}

// plan finds the variants that a record needs; on, when not empty, is the backend for
// all of it. None may race.
func plan(rec *record.Record, on string) (itinerary, error) {
	it, err := stages(rec, on)
	for _, s := range it.stages {
		if v := s.variant; err == nil && !v.Deterministic {
			err = fmt.Errorf("%s/%s on %s: %w", v.Solver, v.Name, v.Backend, ErrNotDeterministic)
		}
	}
	return it, err
}

// stages is plan where variants may race.
func stages(rec *record.Record, on string) (itinerary, error) {
	var it itinerary
	h := rec.Header
	add := func(variant string, revision int, backend string, seed uint64) error {
		v, err := Find(h.Solver, variant, cmp.Or(on, backend))
		if err != nil {
			return err
		}
		if v.Revision != revision {
			return &RevisionError{h.Solver, variant, revision, v.Revision, h.Build}
		}
		it.last = stage{v, seed}
		it.stages = append(it.stages, it.last)
		return nil
	}
	variant, revision, backend, seed := h.Variant, h.Revision, h.Backend, h.Seed
	if err := add(variant, revision, backend, seed); err != nil {
		return it, err
	}
	for _, c := range rec.Journal {
		if c.Kind != record.KindFork {
			continue
		}
		backend = cmp.Or(c.On, backend)
		if c.Variant != "" {
			variant, revision = c.Variant, c.Revision
		}
		if c.Seed != nil {
			seed = *c.Seed
		}
		if err := add(variant, revision, backend, seed); err != nil {
			return it, err
		}
	}
	return it, nil
}

// Replay makes the run of a record again and compares every point that the record
// holds, its end and its best solution with the new one: it stops at the first difference,
// which is nil when the two are identical. The error is about replays that could not be made.
func Replay(
	ctx context.Context, rec *record.Record, inst datasets.Instance, o ReplayOptions,
) (*Difference, error) {
	if err := sameInstance(rec, inst); err != nil {
		return nil, err
	}
	if n := rec.Header.Instance.Size; n != inst.Size() {
		return &Difference{
			What: "size of " + inst.Name(), Agent: -1, Position: -1,
			A: fmt.Sprint(n), B: fmt.Sprint(inst.Size()),
		}, nil
	}
	r, d, err := replay(ctx, rec, inst, "", o)
	if err == nil && d == nil {
		d, err = r.compareBest(ctx, rec)
	}
	if r != nil {
		r.Close()
	}
	if err != nil || d != nil || !o.Repeats {
		return d, err
	}
	return replaySeeds(ctx, rec, inst, o)
}

// replay returns the run at the record's end, or at the first difference.
func replay(
	ctx context.Context, rec *record.Record, inst datasets.Instance, name string, o ReplayOptions,
) (*Run, *Difference, error) {
	p, err := plan(rec, o.Backend)
	if err != nil {
		return nil, nil, err
	}
	h := rec.Header
	r, err := Open(Config{
		Name: cmp.Or(name, h.Run), Solver: h.Solver, Variant: h.Variant,
		Backend:  p.stages[0].variant.Backend,
		Instance: inst, Path: h.Instance.Path, Seed: h.Seed, Params: h.Params, Start: h.Start,
		Preset: p.stages[0].variant.presetOf(h), Devices: o.Devices,
	})
	if err != nil {
		return nil, nil, err
	}
	if err := r.hasIsland(h.Island); err != nil && len(p.stages) == 1 { // else a fork may have it
		r.Close()
		return nil, nil, err
	}
	o.island = h.Island
	r.followOrders(rec.Journal, rec.End)
	params := r.header.Params // by the names that they have now
	r.header = h
	r.header.Variant, r.header.Params = p.stages[0].variant.Name, params
	r.header.Run = cmp.Or(name, h.Run)
	points := rec.Points
	forks := 0
	for _, c := range append(slices.Clone(rec.Journal), record.Change{Iter: rec.End, Kind: "end"}) {
		d, n, err := r.follow(ctx, points, c.Iter, rec.End, o)
		if err != nil || d != nil {
			return r, d, err
		}
		points = points[n:]
		switch c.Kind {
		case record.KindSet:
			if err := r.redo(ctx, c); err != nil {
				return r, nil, err
			}
		case record.KindFork:
			forks++
			st := p.stages[forks]
			n, err := r.Fork(
				ctx, Fork{
					Name: r.name, With: c.With, Variant: st.variant.Name, Backend: st.variant.Backend,
					Seed: &st.seed, Devices: o.Devices,
				},
			)
			r.Close()
			if err != nil {
				return nil, nil, err
			}
			r = n
			if err := r.hasIsland(h.Island); err != nil && forks == len(p.stages)-1 {
				return r, nil, err
			}
			r.followOrders(rec.Journal, rec.End)
		}
	}
	var digest uint64
	if err := r.do(ctx, func() { digest = r.digestOf(o.island); r.adoptJournal(rec) }); err != nil {
		return r, nil, err
	}
	r.adoptRepeats(rec)
	if digest != rec.Digest && !o.open {
		return r, &Difference{
			Iter: rec.End, What: "digest", Agent: -1, Position: -1,
			A: fmt.Sprintf("%016x", rec.Digest), B: fmt.Sprintf("%016x", digest),
		}, nil
	}
	return r, nil, nil
}

// compareBest compares the best solution of a record with that of the run at its end. One that was
// cut short may have an earlier best.
func (r *Run) compareBest(ctx context.Context, rec *record.Record) (*Difference, error) {
	a := rec.Best
	if a.Iter == 0 {
		return nil, nil
	}
	b, err := r.bestOf(ctx, rec.Header.Island)
	if err != nil {
		return nil, err
	}
	s := SenseOf(r.inst)
	d := func(what string, position int, x, y any) *Difference {
		return &Difference{
			Iter: a.Iter, What: what, Agent: -1, Position: position, A: fmt.Sprint(x), B: fmt.Sprint(y),
		}
	}
	switch {
	case a.Iter != b.Iter && !rec.Whole:
		return nil, nil
	case a.Iter != b.Iter:
		return d("iteration of the best solution", -1, a.Iter, b.Iter), nil
	case a.Value != b.Value:
		return d("value of the best solution", -1, s.Value(a.Value), s.Value(b.Value)), nil
	}
	if i, x, y := firstEntry(a.Solution, b.Solution); i >= 0 {
		return d("best solution", i, x, y), nil
	}
	return nil, nil
}

// firstEntry is the first position at which two solutions differ and what each has there; -1 where
// there is none.
func firstEntry(a, b record.Solution) (position int, x, y any) {
	switch {
	case len(b.Bits) > 0:
		return entryOf(a.Bits, b.Bits)
	case len(b.Real) > 0:
		return entryOf(a.Real, b.Real)
	}
	return entryOf(a.Perm, b.Perm)
}

func entryOf[E comparable](a, b []E) (position int, x, y any) {
	for i := range max(len(a), len(b)) {
		x, y = any("nothing"), any("nothing")
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return i, x, y
		}
	}
	return -1, nil, nil
}

// follow steps to iteration to and compares the record's points on the way; it returns
// how many it passed.
func (r *Run) follow(
	ctx context.Context, points []record.Point, to, total int64, o ReplayOptions,
) (*Difference, int, error) {
	n := 0
	at := r.Last().Iter
	if to < at {
		return nil, 0, fmt.Errorf(
			"the journal goes back from iteration %d to %d: %w", at, to, record.ErrFormat,
		)
	}
	var diff *Difference
	check := func(record.Point) func(*record.Point) string {
		return func(p *record.Point) string {
			o.tell(p, total)
			if n < len(points) && points[n].Iter == p.Iter {
				diff = comparePoints(&points[n], r.pointOf(o.island, p), r.names, SenseOf(r.inst))
				if diff != nil {
					return "difference"
				}
				n++
			}
			if o.Better != nil && p.Improved {
				o.Better(record.Best{Iter: p.Iter, Value: p.Best, Solution: r.alg.Solution()})
			}
			if o.Each != nil {
				o.Each(p)
			}
			return ""
		}
	}
	if to > at {
		if _, err := r.StepUntil(ctx, int(to-at), check); err != nil {
			return nil, n, err
		}
	}
	return diff, n, nil
}

// comparePoints returns the first field in which two points differ, nil when none.
func comparePoints(a, b *record.Point, names []string, s record.Sense) *Difference {
	d := func(what string, x, y any) *Difference {
		return &Difference{
			Iter: a.Iter, What: what, Agent: -1, Position: -1, A: fmt.Sprint(x), B: fmt.Sprint(y),
		}
	}
	same := func(x, y float64) bool { return x == y || (math.IsNaN(x) && math.IsNaN(y)) }
	switch {
	case !same(a.IterBest, b.IterBest):
		return d("iter_best", s.Value(a.IterBest), s.Value(b.IterBest))
	case !same(a.Mean, b.Mean):
		return d("mean", s.Value(a.Mean), s.Value(b.Mean))
	case !same(a.Best, b.Best):
		return d("best", s.Value(a.Best), s.Value(b.Best))
	case a.Digest != b.Digest:
		return d("digest", fmt.Sprintf("%016x", a.Digest), fmt.Sprintf("%016x", b.Digest))
	}
	for i := range min(len(a.Measures), len(b.Measures)) {
		x, y := a.Measures[i], b.Measures[i]
		if !same(x, y) && !(math.IsNaN(x) && math.IsInf(y, 0)) && !(math.IsNaN(y) && math.IsInf(x, 0)) {
			return d(names[i], x, y)
		}
	}
	return nil
}
