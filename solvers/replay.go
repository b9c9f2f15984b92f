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

// ErrNothing is wrapped by the error of a replay of a record without points: nothing shows whether
// the new run is the recorded one.
var ErrNothing = errors.New("nothing to compare")

// ErrNotDeterministic is wrapped by the error of a replay of a variant that races, as it was
// published: its runs cannot be repeated, only compared by statistics.
var ErrNotDeterministic = errors.New("the variant races, so its runs cannot be made again")

// A Difference is the first place at which two runs part.
type Difference struct {
	Iter int64 // the iteration
	// the field of the point, such as "best", or "solution" when agent and position are known
	What     string
	Seed     *uint64 // of the repeat; nil: it is in the run itself
	Agent    int     // -1 when unknown
	Position int     // -1 when unknown
	A, B     string  // the two values
}

// String returns d in one line.
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

// Error returns d as the error of a record that cannot be opened because its run differs.
func (d *Difference) Error() string { return d.String() }

// stage is a stretch of a record that one algorithm runs.
type stage struct {
	variant Variant
	seed    uint64
}

// Replayable returns the reason why this program cannot replay a record, nil if it can. on, when
// not empty, is the backend for all of it.
func Replayable(rec *record.Record, on string) error {
	_, err := plan(rec, on)
	return err
}

type itinerary struct {
	stages []stage // one more than there are forks in the journal
	last   stage
}

// ReplayOptions says how a replay runs. The zero value uses the backends of the record.
type ReplayOptions struct {
	Backend string // run all of it on this backend, by the twin law
	Devices []int  // of that backend; nil: the one with the most free memory
	Repeats bool   // then also repeat the seeds of the record's repeats
	// called now and then with the finished part of a total, measured by the recorded times; may be
	// nil
	Progress func(done, total int64)
	// called for every iteration; may be nil. It must not keep the point.
	Each func(*record.Point)
	// called with each new best solution, before Each; may be nil
	Better func(record.Best)
	// called if nothing differs, with descriptions of what runs of this program record and the record
	// lacks, such as "the evaluations"; may be nil
	Lacks func(what []string)

	Exact bool // of Back: the state is that of the boundary; see [Run.StateBefore]

	effort  *effort
	open    bool // the digest at the end is not known
	island  *int // the record is that of an island; see Header.Island
	counted bool // the evaluations of the record were counted
	lacks   *lacking
}

// tellEvery is the time between two calls of Progress at least, where iterations are slow; else it
// is called after every 64th.
const tellEvery = 0.1

// tell says how far a replay is; told is the time of the last call.
func (o *ReplayOptions) tell(p *record.Point, total int64, told *float64) {
	if o.Progress != nil && (p.Iter%64 == 0 || p.Wall-*told > tellEvery) {
		*told = p.Wall
		o.Progress(o.effort.done(p.Iter, total), total)
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
			return &RevisionError{
				Solver: h.Solver, Variant: variant, Record: revision, Program: v.Revision, Header: h,
			}
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

// Replay runs a record again and compares the new run with it: every point, the values that changes
// replaced, an island's migrants, the value of the start, the end, the best solution and, with
// o.Repeats, the results of all seeds. It stops at the first difference, and returns nil when the
// two are identical. The error is about a replay that cannot run or, wrapping [ErrNothing], that
// can compare nothing.
//
// Replay does not compare what the run does not depend on: times, machines, builds, paths, who did
// something, why a step or a seed ended, the names of the run, the preset, the instance and
// measures, and the best known value. It compares evaluations if the record has any, since old
// records have none. It also compares points and replaced values only where the record has them;
// o.Lacks receives what it has not.
func Replay(
	ctx context.Context, rec *record.Record, inst datasets.Instance, o ReplayOptions,
) (*Difference, error) {
	if ctx == nil {
		return nil, errNoContext
	}
	if err := sameInstance(rec, inst); err != nil {
		return nil, err
	}
	if n := rec.Header.Instance.Size; n != inst.Size() {
		return aside(0, "size of "+inst.Name(), n, inst.Size()), nil
	}
	if a, b := rec.Header.Instance.Sense(), SenseOf(inst); a != b {
		better := map[record.Sense]string{record.Minimise: "smaller", record.Maximise: "greater"}
		return aside(0, "which values are better", better[a], better[b]), nil
	}
	o.lacks = &lacking{}
	if rec.Header.Island != nil {
		o.lacks.since = renumbered(rec.Header.Params, rec.Journal)
	}
	r, d, err := replay(ctx, rec, inst, "", o)
	if err == nil && d == nil {
		d, err = r.compareBest(ctx, rec)
	}
	if r != nil {
		r.Close()
	}
	if err == nil && d == nil && o.Repeats {
		d, err = replaySeeds(ctx, rec, inst, o)
	}
	bare := len(rec.Points) == 0 && !ofUnit(rec)
	if err == nil && d == nil && bare && !(o.Repeats && rec.Seeds() > 0) {
		err = fmt.Errorf("%w: the record of %s has no points", ErrNothing, rec.Header.Run)
	}
	if err == nil && d == nil && o.Lacks != nil {
		o.Lacks(o.lacks.words(rec))
	}
	return d, err
}

// aside is a difference that is of no agent and no position.
func aside(iter int64, what string, a, b any) *Difference {
	return &Difference{
		Iter: iter, What: what, Agent: -1, Position: -1, A: fmt.Sprint(a), B: fmt.Sprint(b),
	}
}

// counted reports whether the evaluations of a record were counted.
func counted(rec *record.Record) bool {
	return slices.ContainsFunc(rec.Points, func(p record.Point) bool { return p.Evals != 0 })
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
	o.island, o.counted, o.effort = h.Island, counted(rec), effortOf(rec, 0)
	if a, b := h.Start, r.header.Start; a != nil && a.Value != b.Value {
		s := SenseOf(inst)
		return r, aside(0, "value of the start", s.Value(a.Value), s.Value(b.Value)), nil
	}
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
			if d, err := r.redoSame(ctx, c); err != nil || d != nil {
				return r, d, err
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
	if len(points) > 0 {
		return r, aside(points[0].Iter, "a point", "one in the record", fmt.Sprintf(
			"none within its iterations 1 to %d", rec.End)), nil
	}
	return r.closeReplay(ctx, rec, o)
}

// closeReplay compares what a record says of its end, and of what its island took in.
func (r *Run) closeReplay(
	ctx context.Context, rec *record.Record, o ReplayOptions,
) (*Run, *Difference, error) {
	var digest uint64
	var came []record.Change
	if err := r.do(ctx, func() {
		digest = r.digestOf(o.island)
		if x, ok := r.ofIsland(o.island); ok {
			came = x.arrived()
		}
		r.adoptJournal(rec)
		r.setPending(pending(rec.Journal, rec.End))
	}); err != nil {
		return r, nil, err
	}
	r.adoptRepeats(rec)
	if digest != rec.Digest && !o.open {
		return r, aside(rec.End, "digest", fmt.Sprintf("%016x", rec.Digest),
			fmt.Sprintf("%016x", digest)), nil
	}
	if o.island != nil {
		return r, compareMigrants(rec.Journal, came), nil
	}
	return r, nil, nil
}

// redoSame makes a recorded change again and compares the value that it replaced.
func (r *Run) redoSame(ctx context.Context, c record.Change) (d *Difference, err error) {
	if c.Name == DevicesName || c.Old.IsZero() {
		return nil, r.redo(ctx, c)
	}
	var old, was string
	if err := r.do(ctx, func() {
		for n := range r.params.renamed(record.Values{c.Name: c.Old}) {
			e := r.params.find(n)
			if e == nil {
				return // redo says that there is none
			}
			old, was = e.value().String(), c.Old.String()
			if v, err := e.check(c.Old); err == nil {
				was = v.String()
			}
		}
	}); err != nil {
		return nil, err
	}
	if old != was {
		return aside(c.Iter, c.Name+" before it was set", was, old), nil
	}
	return nil, r.redo(ctx, c)
}

// compareBest compares the best solution of a record with that of the run at its end. One that was
// cut short may have an earlier best; one of an experiment's unit has neither points nor a best.
func (r *Run) compareBest(ctx context.Context, rec *record.Record) (*Difference, error) {
	if ofUnit(rec) {
		return nil, nil
	}
	b, err := r.bestOf(ctx, rec.Header.Island)
	if err != nil || !rec.Whole && rec.Best.Iter != b.Iter {
		return nil, err
	}
	return compareBests(rec.Best, b, SenseOf(r.inst)), nil
}

// ofUnit reports whether a record belongs to an experiment's unit, which has neither points nor a
// best solution; a replay compares the chained digest of its end.
func ofUnit(rec *record.Record) bool {
	return len(rec.Points) == 0 && rec.Best.Iter == 0 && rec.Digest != 0 && rec.Seeds() == 0
}

// compareBests compares the best solutions of two runs with equally many iterations. If a run found
// nothing better than its start, the record holds no solution.
func compareBests(a, b record.Best, s record.Sense) *Difference {
	switch {
	case a.Iter != b.Iter:
		return aside(max(a.Iter, b.Iter), "iteration of the best solution", a.Iter, b.Iter)
	case a.Iter == 0:
		return nil
	case a.Value != b.Value:
		return aside(a.Iter, "value of the best solution", s.Value(a.Value), s.Value(b.Value))
	}
	if i, x, y := firstEntry(a.Solution, b.Solution); i >= 0 {
		d := aside(a.Iter, "best solution", x, y)
		d.Position = i
		return d
	}
	if x, y := a.Agent, b.Agent; x != nil && y != nil && *x != *y {
		return aside(a.Iter, "agent that found the best solution", *x, *y)
	}
	return nil
}

// firstEntry is the first position at which two solutions differ and what each has there; -1 where
// there is none.
func firstEntry(a, b record.Solution) (position int, x, y any) {
	switch {
	case len(a.Bits) > 0 || len(b.Bits) > 0:
		return entryOf(a.Bits, b.Bits)
	case len(a.Real) > 0 || len(b.Real) > 0:
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
	told := 0.0
	check := func(record.Point) func(*record.Point) string {
		return func(p *record.Point) string {
			o.tell(p, total, &told)
			q := r.pointOf(o.island, p)
			has := n < len(points) && points[n].Iter == p.Iter
			o.lacks.see(q, has, o.counted)
			if has {
				diff = comparePoints(&points[n], q, r.names, SenseOf(r.inst), o.counted)
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

// comparePoints returns the first field in which two points differ, nil when none; counted says
// whether both have evaluations.
func comparePoints(
	a, b *record.Point, names []string, s record.Sense, counted bool,
) *Difference {
	d := func(what string, x, y any) *Difference { return aside(a.Iter, what, x, y) }
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
	switch {
	case a.Improved != b.Improved:
		return d("improved", a.Improved, b.Improved)
	case counted && a.Evals != b.Evals:
		return d("evaluations", a.Evals, b.Evals)
	}
	for i := range min(len(a.Measures), len(b.Measures)) {
		x, y := a.Measures[i], b.Measures[i]
		if !same(x, y) && !(math.IsNaN(x) && math.IsInf(y, 0)) && !(math.IsNaN(y) && math.IsInf(x, 0)) {
			return d(names[i], x, y)
		}
	}
	return nil
}
