package host

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// back makes a run again as it stood at an earlier boundary; the run itself is left as it is.
func (h *Host) back(c *Call, e *Run, rec *record.Record, to solvers.Boundary, name string,
	note *record.Change,
) (*solvers.Run, error) {
	if err := h.guests.Missing(rec); err != nil {
		return nil, err
	}
	state, err := e.run.StateBefore(c.ctx, to)
	if err != nil {
		return nil, err
	}
	exact := state != nil // there is no iteration to repeat
	if !exact {
		if state, err = os.ReadFile(solvers.StatePath(e.keep.path)); err != nil {
			state = nil // all iterations run again
		}
	}
	h.replaying(1)
	defer h.replaying(-1)
	say := fmt.Sprintf("%s back to iteration %d", e.name, to.Iter)
	return solvers.Back(c.ctx, rec, state, e.run.Instance(), name, to, note, solvers.ReplayOptions{
		Exact:    exact,
		Progress: c.often(func(done, total int64) { c.progress(done, total, say) }),
	})
}

// lastChange returns the boundary before the last set of parameters in a run, all those of one
// iteration, and their old values. A fork stands for its parent's history, so it ends the search.
func lastChange(rec *record.Record) (to solvers.Boundary, sets []record.Change, err error) {
	name := rec.Header.Run
	last := -1
	for i, c := range rec.Journal {
		switch c.Kind {
		case record.KindFork:
			last = -1
			sets = nil
			err = fmt.Errorf("nothing was set in %s since it was forked at iteration %d", name, c.Iter)
		case record.KindSet:
			if last < 0 || rec.Journal[last].Iter != c.Iter {
				last, sets = i, nil
			}
			sets = append(sets, c)
		}
	}
	switch {
	case last >= 0:
		return solvers.Boundary{Iter: rec.Journal[last].Iter, Changes: last}, sets, nil
	case err == nil:
		err = fmt.Errorf("nothing was set in %s since it was opened", name)
	}
	return to, nil, err
}

// goesBack names a line that goes back to an iteration of a run, where there is one to go back to.
func goesBack(name string, end int64) string {
	if end < 2 {
		return ""
	}
	return fmt.Sprintf("; fork %s as %s2 at=%d goes back to an iteration", name, name, end/2)
}

var _ = handle("undo", (*Host).undo)

// undo puts a run in the place of another that is the same up to the last change and without it.
// The other one is closed, and can be recovered.
func (h *Host) undo(c *Call, q *wire.RunRequest) (*reply.UndoReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	free, err := h.reserve(c.ctx, e.name)
	if err != nil {
		return nil, err
	}
	defer free()
	if err := e.run.Pause(c.who); err != nil {
		return nil, err
	}
	rec, err := e.run.Record(c.ctx)
	if err != nil {
		return nil, err
	}
	to, sets, err := lastChange(rec)
	if err != nil {
		return nil, wrong("undo: " + err.Error() + goesBack(e.name, rec.End))
	}
	var words []string
	for _, s := range sets {
		words = append(words, fmt.Sprintf("%s %s → %s", s.Name, s.Old, s.New))
	}
	what := fmt.Sprintf("%s, and %d iterations with it", strings.Join(words, ", "), rec.End-to.Iter)
	note := &record.Change{Kind: record.KindUndo, Name: what, Who: c.who}
	r, err := h.back(c, e, rec, to, e.name, note)
	switch {
	case errors.Is(err, solvers.ErrNotDeterministic):
		return nil, fmt.Errorf("undo: %w; set %s %s=%s sets the old value from here on", err, e.name,
			sets[0].Name, sets[0].Old)
	case err != nil:
		return nil, fmt.Errorf("undo: %w", err)
	}
	if h.Lookup(e.name) != e {
		r.Close()
		return nil, &wire.Error{Code: wire.CodeClosed, Message: fmt.Sprintf(
			"undo: %s was closed meanwhile", e.name)}
	}
	closed := h.drop(e, shelve)
	n, err := h.adopt(r, e.asked)
	if err != nil {
		return nil, err
	}
	n.forked = e.forked
	rep := &reply.UndoReply{Status: n.Status("undo"), Dropped: rec.End - to.Iter}
	for _, s := range sets {
		rep.Undone = append(rep.Undone, wireChange(s))
	}
	if !e.blank() && !h.o.InMemory {
		rep.Note = closed.note(" as <name> opens what it was")
	}
	return rep, nil
}

// forkFrom forks a run: as it stands, or as it stood after an earlier iteration. left names the
// changes after that which the fork does not make again.
func (h *Host) forkFrom(c *Call, e *Run, at *int64, f solvers.Fork) (
	r *solvers.Run, left []string, err error,
) {
	if at == nil {
		r, err = e.run.Fork(c.ctx, f)
		return r, nil, err
	}
	rec, err := e.run.Record(c.ctx)
	if err != nil {
		return nil, nil, err
	}
	if *at < 0 || *at > rec.End {
		return nil, nil, wrong(fmt.Sprintf("fork: at is %d, want 0 to %d, the iterations of %s", *at,
			rec.End, e.name))
	}
	to := solvers.Before(rec, *at)
	past, err := h.back(c, e, rec, to, f.Name, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("fork: %w", err)
	}
	defer past.Close()
	if f.Later, left, err = past.Later(c.ctx, rec, to, f.With); err != nil {
		return nil, nil, err
	}
	if f.Alone {
		for _, x := range f.Later {
			left = append(left, solvers.ChangeText(x))
		}
	}
	r, err = past.Fork(c.ctx, f)
	return r, left, err
}

// defaults puts what a parameter has by the run's preset in the place of the word default, and for
// all of them that may change if all is true.
func (e *Run) defaults(vs record.Values, all bool) record.Values {
	const word = "default"
	declared := len(e.host.guests.Known(e.run.Variant().Solver)) > 0 // its code is no setting
	e.mu.Lock()
	decl := slices.Clone(e.decl)
	e.mu.Unlock()
	out := maps.Clone(vs)
	if out == nil {
		out = record.Values{}
	}
	for _, p := range decl {
		given, named := vs[p.Name]
		switch {
		case named && given.String() == word && !slices.Contains(p.Options, word),
			all && !named && p.Class != record.Structural && !(declared && p.Name == "code"):
			out[p.Name] = p.Default
		}
	}
	return out
}
