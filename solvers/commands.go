package solvers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"metalab/solvers/record"
)

// do makes the owner execute f at the next boundary and waits for it. A panic of f, which calls the
// algorithm, fails the run.
func (r *Run) do(ctx context.Context, f func()) error {
	if ctx == nil {
		return errNoContext
	}
	ack := make(chan error, 1)
	select {
	case r.cmds <- func() {
		err := guard(f)
		if err != nil {
			r.fail(err)
			err = fmt.Errorf("%w: %w", ErrFailed, err)
		}
		ack <- err
	}:
	case <-r.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-ack:
		return err
	case <-r.done: // f ended the owner's goroutine, as t.FailNow does
		select {
		case err := <-ack:
			return err
		default:
			return ErrClosed
		}
	}
}

// Step runs n more iterations and returns when they are done. It serves concurrent callers in
// order, and each gets exactly its n. When ctx ends, Step withdraws the iterations that are left,
// may abandon the current one, and the run can continue as if nothing had been asked for. A Pause
// ends Step with an error that wraps ErrPaused. A search that is over (see Finisher) runs fewer
// iterations.
func (r *Run) Step(ctx context.Context, n int) error {
	if n < 0 {
		return fmt.Errorf("solvers: step: n is %d, want 0 or more", n)
	}
	_, err := r.StepUntil(ctx, n, nil)
	return err
}

// StepUntil runs at most n iterations (no limit when n < 0). It ends early, and returns why, when
// stop says so or the search is over. stop may be nil.
func (r *Run) StepUntil(ctx context.Context, n int, stop Stop) (why string, err error) {
	if n == 0 {
		return "", r.check()
	}
	q := &request{left: int64(n), done: make(chan error, 1)}
	if n < 0 {
		q.left = math.MaxInt64
	}
	if err := r.check(); err != nil {
		return "", err
	}
	err = r.do(ctx, func() {
		if r.err != nil {
			q.done <- fmt.Errorf("%w: %w", ErrFailed, r.err)
			return
		}
		var wrong error
		if q.stop, wrong = begun(stop, r.last); wrong != nil {
			q.done <- wrong
			return
		}
		r.steps = append(r.steps, q)
		r.tell("")
		if !r.going {
			r.setState(Stepping, "")
		}
	})
	if err != nil {
		return "", err
	}
	select {
	case err = <-q.done:
		return q.why, err
	case <-r.done:
		select {
		case err = <-q.done:
			return q.why, err
		default:
			return "", ErrClosed
		}
	case <-ctx.Done():
	}
	_ = r.cutIn(func() {
		if i := slices.Index(r.steps, q); i >= 0 {
			r.steps = slices.Delete(r.steps, i, i+1)
			why := late(ctx)
			if q.why = why; why != "" {
				r.note(record.Change{Kind: record.KindStop, Name: why})
				if r.Trouble() == "" { // nothing is known that says more
					r.tell(why)
				}
				q.done <- nil
			} else {
				q.done <- ctx.Err()
			}
			if len(r.steps) == 0 && !r.going {
				r.setState(Paused, q.why)
			}
		}
	})
	select {
	case err = <-q.done:
		return q.why, err
	default:
		return "", ErrClosed
	}
}

// cutIn is like do, for a command that should not wait for a long iteration: it abandons the
// current iteration and begins none before f. If others want the iteration, the run repeats it, so
// results stay the same.
func (r *Run) cutIn(f func()) error {
	r.urgent.Add(1)
	r.cut()
	return r.do(context.Background(), func() {
		r.urgent.Add(-1)
		f()
	})
}

// cut asks the current iteration to stop.
func (r *Run) cut() {
	r.mu.Lock()
	cancel := r.cutter
	r.mu.Unlock()
	cancel(context.Canceled)
}

// Steps runs n iterations one by one and yields the point of each. It ends after the first error,
// or when the search is over. If the loop breaks, the run pauses after the last point.
func (r *Run) Steps(ctx context.Context, n int) iter.Seq2[record.Point, error] {
	return func(yield func(record.Point, error) bool) {
		for range n {
			before := r.Last().Iter
			why, err := r.StepUntil(ctx, 1, nil)
			if err == nil && why != "" && r.Last().Iter == before {
				return
			}
			if !yield(r.Last(), err) || err != nil {
				return
			}
		}
	}
}

// Go lets the run iterate until it is paused; it returns at once.
func (r *Run) Go() error { return r.GoUntil(nil) }

// GoUntil lets the run iterate until stop says so, or a Pause. It returns at once, and replaces an
// earlier Go or GoUntil. stop may be nil.
func (r *Run) GoUntil(stop Stop) error {
	if err := r.check(); err != nil {
		return err
	}
	var failed error
	err := r.do(context.Background(), func() {
		if r.err != nil {
			failed = fmt.Errorf("%w: %w", ErrFailed, r.err)
			return
		}
		rule, wrong := begun(stop, r.last)
		if failed = wrong; wrong != nil {
			return
		}
		r.going, r.until = true, rule
		r.tell("")
		r.setState(Running, "")
	})
	return errors.Join(err, failed)
}

// Pause ends every step, and Go. who names the caller, for those whose step it ends. Pause may
// abandon the current iteration.
func (r *Run) Pause(who string) error {
	return r.cutIn(func() {
		if len(r.steps) == 0 && !r.going {
			return
		}
		r.going, r.until = false, nil
		err := ErrPaused
		if who != "" {
			err = fmt.Errorf("%w by %s", ErrPaused, who)
		}
		r.note(record.Change{Kind: record.KindStop, Name: "paused", Who: who})
		if r.err == nil {
			r.setState(Paused, err.Error())
		}
		r.release(err)
		_ = r.verify() // which Trouble tells
	})
}

// Finish ends every step, and Go, with ErrClosed. Until Close, the run's results can still be read
// and saved.
func (r *Run) Finish() error {
	return r.cutIn(func() {
		r.going, r.until = false, nil
		if r.err == nil {
			r.setState(Paused, "")
		}
		r.release(ErrClosed)
	})
}

// A StructuralError is the error of a Set that would change a structural parameter.
type StructuralError struct {
	Name       string       // of the parameter
	Now, Asked record.Value // its present value, and the requested one
}

// Error says what to do instead.
func (e *StructuralError) Error() string {
	return fmt.Sprintf("%s is structural, fixed for a run (now %s): fork the run with %s=%s",
		e.Name, e.Now, e.Name, e.Asked)
}

// Set changes live and schedule parameters from the next iteration on, all or none. It returns the
// changes as the journal holds them, without parameters that had the value already. Their Iter is
// the last iteration before the change. For a structural parameter the error wraps a
// *StructuralError.
func (r *Run) Set(
	ctx context.Context, vs record.Values, who string,
) (made []record.Change, err error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if derr := r.do(ctx, func() {
		r.remember()
		if made, err = r.set(vs, who); err == nil {
			r.claim(vs)
		}
	}); derr != nil {
		return nil, derr
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return made, nil
}

func (r *Run) set(vs record.Values, who string) ([]record.Change, error) {
	vs = r.params.renamed(vs)
	names := sortedNames(vs)
	for _, name := range names {
		v, err := r.params.Check(name, vs[name])
		if err != nil {
			return nil, err
		}
		if e := r.params.find(name); e.Class == record.Structural && e.value() != v {
			return nil, &StructuralError{Name: name, Now: e.value(), Asked: v}
		}
	}
	var made []record.Change
	var changed []string
	for _, name := range names {
		e := r.params.find(name)
		v, _ := e.check(vs[name])
		if old := e.value(); old != v {
			e.store(v)
			changed = append(changed, name)
			made = append(made, r.note(record.Change{
				Kind: record.KindSet, Name: name, Old: old, New: v,
				Sources: r.sources(record.Values{name: v}), Who: who,
			}))
		}
	}
	if c, ok := r.alg.(Changer); ok && len(changed) > 0 {
		c.Changed(changed)
	}
	return made, nil
}

// Fork says how a copy of a run differs from it.
//
// The copy repeats the changes that the run received after the boundary at which the copy begins,
// at the same iterations, so that it differs by the fork alone; see [Run.Later]. It does not repeat
// changes of parameters that With names, or that somebody sets in the copy later.
type Fork struct {
	Name    string        // of the new run
	With    record.Values // parameters to change, structural ones too
	Variant string        // empty: the same; else one that shares the state
	Backend string        // empty: the same
	Seed    *uint64       // nil: the same, so that both draw the same numbers
	Devices []int         // see Config
	// changes to apply later; nil: those that the run itself has pending, see [Run.Pending]
	Later []record.Change
	Alone bool // apply no change later
	Who   string
}

// Fork returns a new run that stands where r stands now, with the changes of f, and continues
// independently. Its record holds r's journal and replays from iteration 0.
func (r *Run) Fork(ctx context.Context, f Fork) (*Run, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	var n *Run
	var err error
	derr := r.do(ctx, func() {
		if perr := guard(func() { n, err = r.fork(f) }); perr != nil {
			err = perr
		}
	})
	if derr != nil {
		return nil, derr
	}
	if err != nil {
		return nil, fmt.Errorf("fork %s as %s: %w", r.name, f.Name, err)
	}
	return n, nil
}

func (r *Run) fork(f Fork) (*Run, error) {
	state, err := r.snapshot()
	if err != nil {
		return nil, err
	}
	v, err := Find(
		r.variant.Solver, cmp.Or(f.Variant, r.variant.Name), cmp.Or(f.Backend, r.variant.Backend),
	)
	if err != nil {
		return nil, err
	}
	if err := v.goesOn(r.variant); err != nil {
		return nil, err
	}
	n := newRun(f.Name, r.inst)
	n.only = r.only
	seed := r.env.Seed
	if f.Seed != nil {
		seed = *f.Seed
	}
	devices := f.Devices
	if devices == nil && v.Backend == r.variant.Backend {
		devices = r.env.Devices
	}
	if err := n.build(plans{
		variant: v, seed: seed, preset: v.presetOf(r.header), params: f.With, devices: devices,
		base: r.params.Values(), start: r.header.Start,
	}); err != nil {
		return nil, err
	}
	if err := n.restore(state); err != nil {
		n.unload()
		return nil, err
	}
	n.checked = checkpoint{state: state, values: n.params.Values()}
	f.With = n.params.stored(f.With)
	n.header = r.header
	n.header.Run = f.Name
	n.header.Measures = longer(r.header.Measures, n.names)
	r.mu.Lock()
	n.last = r.last
	n.last.Measures = slices.Clone(r.last.Measures)
	n.hist = history{points: slices.Clone(r.hist.points)}
	n.journal = slices.Clone(r.journal)
	n.bestIter = r.bestIter
	r.mu.Unlock()
	n.pad()
	c := record.Change{
		Kind: record.KindFork, Name: f.Name, With: f.With, Seed: f.Seed, Sources: n.sources(f.With),
		Who: f.Who,
	}
	if v.Backend != r.variant.Backend {
		c.On = v.Backend
	}
	if v.Name != r.variant.Name {
		c.Variant, c.Revision = v.Name, v.Revision
	}
	if err := n.inherit(r, f, &c); err != nil {
		n.unload()
		return nil, err
	}
	n.note(c)
	n.start()
	return n, nil
}

// Close ends the run and frees its memory. Callers that wait for a step get ErrClosed.
func (r *Run) Close() {
	r.mu.Lock()
	select {
	case <-r.quit:
	default:
		close(r.quit)
	}
	r.mu.Unlock()
	r.cut() // after that, so that no iteration begins
	<-r.done
}

func (r *Run) check() error {
	select {
	case <-r.done:
		return ErrClosed
	default:
		return nil
	}
}
