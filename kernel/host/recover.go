package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"metalab/kernel/host/internal/lock"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

var _ = handle("recover", (*Host).recover)

// recover lists autosaves, opens one, or drops some.
func (h *Host) recover(c *Call, q *wire.RecoverRequest) (*reply.RecoverReply, error) {
	rep := &reply.RecoverReply{Verb: "recover", Autosaves: []reply.Autosave{}}
	if q.ID == "" {
		return rep, h.recoverAll(q, h.store.autosaves(), rep)
	}
	if q.Sure || q.Solver != "" || q.Older != 0 {
		return nil, wrong("recover: sure, solver and older are of recover without an id")
	}
	if q.Discard && (q.As != "" || q.Code || q.Differs) {
		return nil, wrong("recover: as, code and differs are of recover without discard: leave them " +
			"out, or discard")
	}
	a, ok := h.store.find(q.ID)
	if !ok {
		return nil, wrong(fmt.Sprintf("recover: there is no autosave %q; recover alone lists them, "+
			"recover discard is about all of them", q.ID))
	}
	if a.dir != h.store.dir { // no other host may open or drop it meanwhile
		held, err := hold(a.dir)
		if err != nil {
			return nil, err
		}
		defer lock.Free(held)
	}
	if q.Discard {
		rep.Discarded = a.ID
		if err := solvers.Discard(a.Path); err != nil {
			return nil, err
		}
		removeEmptyDead(a.dir, h.store.dir)
		return rep, nil
	}
	return rep, h.reviveSaved(c, a, q, rep)
}

// find returns the autosave with an id; else the latest of a session, by session/run, or of a
// run, those of the own notebook first, and those that can be opened.
func (s *store) find(id string) (saved, bool) {
	all := s.all(true)
	if i := slices.IndexFunc(all, func(a saved) bool { return a.ID == id }); i >= 0 {
		return all[i], true
	}
	named := func(a saved) bool { return a.Session+"/"+a.Run == id || a.Run == id }
	i := slices.IndexFunc(all, func(a saved) bool { return named(a) && a.Solver != "" })
	if i < 0 {
		i = slices.IndexFunc(all, named)
	}
	if i < 0 {
		return saved{}, false
	}
	return all[i], true
}

// reviveSaved opens the run of an autosave, as far as that can be read.
func (h *Host) reviveSaved(
	c *Call, a saved, q *wire.RecoverRequest, rep *reply.RecoverReply,
) error {
	as := q.As
	rec, damage, err := record.ReadPart(a.Path)
	if err != nil {
		return err
	}
	if rec == nil {
		return &wire.Error{Code: wire.CodeFile, Message: fmt.Sprintf(
			"recover: nothing of %s can be opened: %s: %s; recover %s discard drops it",
			a.ID, a.Path, damageText(damage), a.ID)}
	}
	// A run of this name without iterations is closed: the user who opened it wanted the saved one.
	name := or(as, a.Run)
	var idle *Run
	if e := h.Lookup(name); e != nil && as == "" && e.blank() &&
		e.run.State() == solvers.Paused && e.repeatStand() == nil {
		idle = e
	}
	state, err := os.ReadFile(solvers.StatePath(a.Path))
	if err != nil {
		state = nil // the run starts again from the first iteration
	}
	from := origin{verb: "recover", name: a.ID, code: q.Code}
	e, err := h.revive(c, rec, state, name, idle, &from)
	if err != nil {
		return err
	}
	e.mu.Lock()
	e.recovered = true
	e.mu.Unlock()
	rep.Opened = Opened("recover", e)
	rep.Opened.Declared = from.note
	h.unused(c, rec, e, rep.Opened)
	if damage != nil {
		// The file stays: its owner may be able to repair it.
		rep.Damage = fmt.Sprintf("%s is damaged (%s): what stands there up to iteration %d was "+
			"opened; the file is kept until: recover %s discard", a.ID, damageText(damage), rec.End, a.ID)
		return nil
	}
	if err := e.keep.takeOver(a.Path); err != nil {
		h.Logf("the autosave %s stays beside that of the recovered run: %v", a.ID, err)
	}
	return nil
}

// An origin is the source of a record.
type origin struct {
	verb string // that asks for it
	name string // of the file, or of the autosave
	code bool   // the source in it may be compiled and run
	note string // what of it was
}

// revive opens the run of a record in the host, in place of idle if that is not nil.
func (h *Host) revive(
	c *Call, rec *record.Record, state []byte, as string, idle *Run, from *origin,
) (*Run, error) {
	name, free, err := h.name(c.ctx, as)
	if err != nil {
		return nil, err
	}
	defer free()
	if e := h.Lookup(name); e != nil && e != idle {
		return nil, &wire.Error{Code: wire.CodeDiffers, Message: fmt.Sprintf(
			"%s: a run %s is open already; give another name, as in: as %s2", from.verb, name, name)}
	}
	from.note, err = h.ready(c, from.verb, from.name, from.code, rec)
	if err != nil {
		return nil, err
	}
	inst, err := h.InstanceOf(c, rec.Header.Instance)
	if err != nil {
		return nil, err
	}
	r, err := solvers.Revive(c.ctx, rec, state, inst, name)
	if err != nil {
		return nil, err
	}
	if idle != nil {
		h.drop(idle, dropIt)
	}
	return h.adopt(r, nil)
}

// recoverAll lists the autosaves that the request selects, or drops them. It drops them only if the
// request is marked as sure, because that cannot be undone.
func (h *Host) recoverAll(
	q *wire.RecoverRequest, all []reply.Autosave, rep *reply.RecoverReply,
) error {
	if q.As != "" || q.Sure && !q.Discard {
		return wrong("recover: which autosave? as in: recover s1/a as a; sure is of recover discard")
	}
	solver, variant, _ := strings.Cut(q.Solver, "/")
	limit := time.Duration(float64(q.Older) * float64(time.Second))
	for _, a := range all {
		of := (solver == "" || a.Solver == solver) && (variant == "" || a.Variant == variant)
		if of && (limit == 0 || time.Since(a.At) >= limit) {
			rep.Autosaves = append(rep.Autosaves, a)
		}
	}
	switch {
	case !q.Discard || len(rep.Autosaves) == 0:
	case !q.Sure:
		rep.Sure = "recover discard"
		if q.Solver != "" {
			rep.Sure += " solver=" + q.Solver
		}
		if q.Older != 0 {
			rep.Sure += " older=" + q.Older.String()
		}
		rep.Sure += " sure"
	default:
		for _, a := range rep.Autosaves {
			if err := solvers.Discard(a.Path); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			removeEmptyDead(filepath.Dir(a.Path), h.store.dir)
			rep.Dropped++
		}
	}
	return nil
}

// savedHint says of a run that is not open that it was saved, and how to go on with it; empty
// where it was not.
func (h *Host) savedHint(name string) string {
	if wire.CheckSession(name) != nil {
		return ""
	}
	a, ok := h.store.find(name)
	if !ok || a.Run != name || a.Solver == "" {
		return ""
	}
	return fmt.Sprintf("%s: recover %s", a.Autosave, name)
}

// before returns the autosave of this notebook for a run of this name; nil if there is none, or if
// the session is not a notebook's: then the same name may mean another run each time.
func (h *Host) before(name string) *reply.Autosave {
	if h.store.notebook == "" {
		return nil
	}
	a, ok := h.store.find(name)
	if !ok || a.Run != name || a.Notebook != h.store.notebook || a.Closed || a.Iteration == 0 {
		return nil
	}
	return &a.Autosave
}
