package solvers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"metalab/datasets"
	"metalab/solvers/record"
)

// snapshot returns the state at this boundary; it is called by the owner. A run that
// failed has none: its algorithm may stand in the midst of an iteration.
func (r *Run) snapshot() ([]byte, error) {
	if r.err != nil {
		return nil, fmt.Errorf(
			"%w, and its state may be that of half an iteration: save it, and load makes its %d "+
				"iterations again: %w",
			ErrFailed, r.last.Iter, r.err,
		)
	}
	size := int64(0)
	if sized, ok := r.alg.(Sized); ok {
		size = sized.StateBytes()
	}
	w, err := newWriter(r.stateHead(), size)
	if err != nil {
		return nil, err
	}
	r.alg.Snapshot(w)
	return w.bytes(), nil
}

// stateHead says which state the run is in; it is called by the owner.
func (r *Run) stateHead() StateHead {
	return StateHead{
		Version: stateVersion, Solver: r.variant.Solver, Variant: r.variant.Name,
		Revision: r.variant.Revision,
		SHA256:   r.inst.SHA256(), Seed: r.env.Seed, Iter: r.last.Iter, Digest: r.digest,
		Evals: r.last.Evals, Params: r.params.Values(),
	}
}

// restore reads a state, before the run is started.
func (r *Run) restore(state []byte) error {
	rd, err := NewReader(state)
	if err != nil {
		return err
	}
	h := rd.Head
	known, same := r.variant.reads(h.Solver, h.Variant, h.Revision)
	switch {
	case !known:
		return fmt.Errorf(
			"state: it is of %s/%s and the run is of %s/%s: %w", h.Solver, h.Variant, r.variant.Solver,
			r.variant.Name, ErrState,
		)
	case !same:
		return fmt.Errorf("state: it is of revision %d of %s/%s, which is not that of this program: %w",
			h.Revision, h.Solver, h.Variant, ErrState)
	case h.SHA256 != r.inst.SHA256():
		return fmt.Errorf("state: it is of other data than %s: %w", r.inst.Name(), ErrState)
	}
	if err := r.alg.Restore(rd); err != nil {
		return err
	}
	if rd.Err() != nil {
		return rd.Err()
	}
	r.digest = h.Digest
	return nil
}

// Snapshot returns the state at the next boundary between iterations, in the form of a Writer with
// a head in front.
func (r *Run) Snapshot(ctx context.Context) ([]byte, error) {
	var b []byte
	var err error
	if derr := r.do(ctx, func() { b, err = r.snapshot() }); derr != nil {
		return nil, derr
	}
	return b, err
}

// Record returns the record of the run at the next boundary between iterations, with its best
// solution checked.
func (r *Run) Record(ctx context.Context) (*record.Record, error) {
	var rec *record.Record
	var err error
	if derr := r.do(ctx, func() { rec, err = r.onPaper() }); derr != nil {
		return nil, derr
	}
	return rec, err
}

func (r *Run) onPaper() (*record.Record, error) {
	b, err := r.best()
	if err != nil {
		return nil, err
	}
	rec := &record.Record{
		Header: r.header, Journal: slices.Clone(r.journal), Points: slices.Clone(r.hist.points),
		Best: b, Repeats: r.Repeats(), End: r.last.Iter, Digest: r.digest, Whole: true,
	}
	// The last point, so that timings and values at the end stand in the file,
	// and the end shows in plots, even when thinning would leave it out.
	if k := len(rec.Points); r.last.Iter > 0 && (k == 0 || rec.Points[k-1].Iter < r.last.Iter) {
		p := r.last
		p.Measures, p.Since = slices.Clone(p.Measures), 0
		rec.Points = append(rec.Points, p)
	}
	return rec, nil
}

// StatePath returns the path of the state that belongs to the record at path: beside it, and if
// path is a symbolic link, beside the file that the link leads to.
func StatePath(path string) string {
	if st, err := os.Lstat(path); err == nil && st.Mode()&os.ModeSymlink != 0 {
		if to, err := filepath.EvalSymlinks(path); err == nil {
			path = to
		}
	}
	return path + ".state"
}

// Save writes the record to path and the state to StatePath(path), each atomically: when a write
// fails, the old file is still there. The run may continue meanwhile. For a failed run Save writes
// the record alone.
//
// Save replaces a file at path if it is a record of the same run, or one whose contents r has. It
// leaves any other file, and the error is a *record.TakenError. The same holds for a file at
// StatePath(path) that is no state, or the state of another run.
func (r *Run) Save(ctx context.Context, path string) error {
	return r.SaveWith(ctx, path, SaveOptions{})
}

// SaveRecord is Save without the state, which may be large; Load then runs all iterations again.
func (r *Run) SaveRecord(ctx context.Context, path string) error {
	return r.SaveWith(ctx, path, SaveOptions{NoState: true})
}

// SaveOptions says how SaveWith saves a run.
type SaveOptions struct {
	NoState bool // write the record alone
	Force   bool // replace any file
}

// SaveWith is Save with options.
func (r *Run) SaveWith(ctx context.Context, path string, o SaveOptions) error {
	if v := r.variant; o.NoState && !v.Deterministic {
		return fmt.Errorf("save %s without its state: %s/%s on %s: %w", r.name, v.Solver, v.Name,
			v.Backend, ErrNotDeterministic)
	}
	path, err := record.Target(path) // before the state is written beside it
	if err != nil {
		return fmt.Errorf("save %s: %w", r.name, err)
	}
	var rec *record.Record
	var state []byte
	var now StateHead
	derr := r.do(ctx, func() {
		now = r.stateHead()
		if rec, err = r.onPaper(); err == nil && r.err == nil && !o.NoState {
			state, err = r.snapshot()
		}
	})
	if err = errors.Join(derr, err); err != nil {
		return fmt.Errorf("save %s: %w", r.name, err)
	}
	if !o.Force {
		if err := vacant(path, rec, now); err != nil {
			return fmt.Errorf("save %s: %w", r.name, err)
		}
	}
	// The state first. A record without its state can be replayed from the start, but a state of a
	// later iteration than its record is useless.
	if state == nil {
		err = os.Remove(StatePath(path)) // of what was saved there before
	} else {
		err = record.Atomic(StatePath(path), func(w io.Writer) error {
			_, err := w.Write(state)
			return err
		})
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("save %s: %w", r.name, err)
	}
	if err := rec.WriteFile(path); err != nil {
		return fmt.Errorf("save %s: %w", r.name, err)
	}
	return nil
}

// vacant returns an error unless record and state may be written to path and beside it.
func vacant(path string, rec *record.Record, now StateHead) error {
	if err := rec.Vacant(path); err != nil {
		return err
	}
	at := StatePath(path)
	if _, err := os.Lstat(at); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	old, err := headIn(at)
	_, none := os.Lstat(path) // nil: a record is there
	switch {
	case err != nil:
		return &record.TakenError{Path: at, What: "it is no state of a run"}
	case old.Solver == now.Solver && old.SHA256 == now.SHA256 &&
		(none == nil || old.Seed == now.Seed && old.Iter <= now.Iter):
		return nil // of the record there, or as this run had it
	}
	return &record.TakenError{Path: at, What: fmt.Sprintf("the state of another run (%s/%s, seed %d, "+
		"iteration %d)", old.Solver, old.Variant, old.Seed, old.Iter)}
}

// Load opens the run of the record at path as it stood when it was saved: from the state beside it
// if that is there and good, else by running all iterations again and checking them against the
// record. The instance must be the record's.
func Load(ctx context.Context, path string, inst datasets.Instance, name string) (*Run, error) {
	if ctx == nil {
		return nil, errNoContext
	}
	rec, err := record.ReadFile(path)
	if err != nil {
		return nil, err
	}
	state, err := os.ReadFile(StatePath(path))
	if err != nil {
		state = nil // made again from the start
	}
	return Revive(ctx, rec, state, inst, name)
}

// Revive is Load from memory. state may be nil.
func Revive(
	ctx context.Context, rec *record.Record, state []byte, inst datasets.Instance, name string,
) (*Run, error) {
	if ctx == nil {
		return nil, errNoContext
	}
	if err := sameInstance(rec, inst); err != nil {
		return nil, err
	}
	if i := rec.Header.Island; i != nil {
		return nil, fmt.Errorf("%s is the record of island %d alone, which replay makes again with the "+
			"others; load the record of the whole run", rec.Header.Run, *i)
	}
	var unused error
	if state != nil {
		r, err := revive(ctx, rec, state, inst, name, ReplayOptions{})
		if err == nil {
			return r, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		unused = err
	}
	r, d, err := replay(ctx, rec, inst, name, ReplayOptions{})
	if err != nil {
		return nil, err
	}
	if d != nil {
		r.Close()
		return nil, fmt.Errorf("load %s: made again it differs from the record: %w", rec.Header.Run, d)
	}
	r.mu.Lock()
	r.unused = unused
	r.mu.Unlock()
	return r, nil
}

// UnusedState returns why Load or Revive ignored the state and ran the iterations again; nil if it
// used the state, or if there was none.
func (r *Run) UnusedState() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unused
}

func sameInstance(rec *record.Record, inst datasets.Instance) error {
	if rec == nil {
		return errors.New("solvers: there is no record")
	}
	if absent(inst) {
		return errors.New("solvers: the record is of " + rec.Header.Instance.Name + ", and there is no " +
			"instance")
	}
	if ref := rec.Header.Instance; inst.SHA256() != ref.SHA256 {
		return fmt.Errorf("the record is of %s with SHA-256 %.12s…, and this %s has %.12s…: other "+
			"data under one name",
			ref.Name, ref.SHA256, inst.Name(), inst.SHA256())
	}
	return nil
}

// revive starts from a state and makes the iterations between it and the end of the
// record again.
func revive(
	ctx context.Context, rec *record.Record, state []byte, inst datasets.Instance, name string,
	o ReplayOptions,
) (*Run, error) {
	rd, err := NewReader(state)
	if err != nil {
		return nil, err
	}
	at := rd.Head.Iter
	if at > rec.End {
		return nil, fmt.Errorf(
			"state: it is of iteration %d and the record ends at %d: %w", at, rec.End, ErrState,
		)
	}
	for _, c := range rec.Journal {
		if c.Kind == record.KindFork && c.Iter > at {
			return nil, fmt.Errorf("state: it is from before the fork: %w", ErrState)
		}
	}
	find := plan
	if at == rec.End {
		find = stages // there is no iteration to repeat
	}
	p, err := find(rec, "")
	if err != nil {
		return nil, err
	}
	r := newRun(cmp.Or(name, rec.Header.Run), inst)
	if err := r.build(plans{
		variant: p.last.variant, seed: p.last.seed, preset: p.last.variant.presetOf(rec.Header),
		params: rd.Params, devices: o.Devices, start: rec.Header.Start,
	}); err != nil {
		return nil, err
	}
	if err := r.restore(state); err != nil {
		r.unload()
		return nil, err
	}
	r.checked.state = state
	o.effort = effortOf(rec, at)
	r.followOrders(rec.Journal, rec.End)
	r.adopt(rec, at)
	r.last.Evals = max(r.last.Evals, rd.Head.Evals) // the history may lack the point of the iteration
	r.start()
	if err := r.goOn(ctx, rec, at, rd.Params, o); err != nil {
		r.Close()
		return nil, err
	}
	var digest uint64
	if err := r.do(ctx, func() { digest = r.digest }); err != nil {
		return nil, err
	}
	if digest != rec.Digest && !o.open {
		r.Close()
		return nil, fmt.Errorf("state: going on from it does not lead to the record's end: %w", ErrState)
	}
	if err := r.do(ctx, func() {
		r.adoptJournal(rec)
		r.setPending(pending(rec.Journal, rec.End))
	}); err != nil {
		return nil, err
	}
	r.adoptRepeats(rec)
	return r, nil
}

// goOn makes the iterations and changes of a record again that come after iteration at, whose state
// has these parameters.
func (r *Run) goOn(
	ctx context.Context, rec *record.Record, at int64, params record.Values, o ReplayOptions,
) error {
	// Changes at the state's own iteration came before the state if it holds their outcome.
	outcome := record.Values{}
	for _, c := range rec.Journal {
		if c.Iter == at && c.Kind == record.KindSet && c.Name != DevicesName {
			outcome[c.Name] = c.New
		}
	}
	after := true
	for name, v := range outcome {
		after = after && params[name] == v
	}
	for _, c := range rec.Journal {
		if c.Iter < at || (c.Iter == at && after) || c.Kind != record.KindSet {
			continue
		}
		if _, _, err := r.follow(ctx, nil, c.Iter, rec.End, o); err != nil {
			return err
		}
		if err := r.redo(ctx, c); err != nil {
			return err
		}
	}
	_, _, err := r.follow(ctx, nil, rec.End, rec.End, o)
	return err
}

// adopt copies the history of a record up to iteration at.
func (r *Run) adopt(rec *record.Record, at int64) {
	name := r.name
	r.header = rec.Header
	r.header.Run = name
	for _, p := range rec.Points {
		if p.Iter > at {
			break
		}
		if p.Improved || Kept(p.Iter) {
			r.hist.keep(p)
		}
		if p.Improved {
			r.bestIter = p.Iter
		}
		r.last = p
		r.last.Measures = slices.Clone(p.Measures)
	}
	r.pad()
	r.last.Iter = at
	r.last.Digest = r.digest
	if r.last.Iter > 0 { // before the first iteration everything is better, as in a run that opens
		r.last.Best = r.alg.Best()
	}
	r.last.Since = at - r.bestIter
}

// adoptJournal copies the journal of a record, times and names included.
func (r *Run) adoptJournal(rec *record.Record) {
	r.mu.Lock()
	r.journal = slices.Clone(rec.Journal)
	r.mu.Unlock()
}

// redo makes a recorded change again.
func (r *Run) redo(ctx context.Context, c record.Change) (err error) {
	if c.Name == DevicesName {
		return nil // it changed no result, and this machine may have others
	}
	vs := record.Values{c.Name: c.New}
	if derr := r.do(ctx, func() {
		if _, err = r.set(vs, c.Who); err == nil {
			r.claim(vs)
		}
	}); derr != nil {
		return derr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	return nil
}
