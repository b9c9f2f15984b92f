package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// DefaultSeed is the seed of runs that name none: fixed, so that a line typed twice gives
// one result.
const DefaultSeed = 1

var _ = handle("open", (*Host).open)

func (h *Host) open(c *Call, q *wire.OpenRequest) (*reply.OpenReply, error) {
	if err := misplaced(q); err != nil {
		return nil, err
	}
	place := q.On
	q.On, _ = wire.CutOn(place)
	if s, v, ok := strings.Cut(q.Solver, "/"); ok {
		if q.Variant != "" && q.Variant != v {
			return nil, wrong(fmt.Sprintf("open: solver %s names another variant than variant=%s", q.Solver,
				q.Variant))
		}
		q.Solver, q.Variant = s, v
	}
	about, err := Unname(q)
	if err != nil {
		return nil, err
	}
	v, err := solvers.Find(q.Solver, q.Variant, q.On)
	if err != nil {
		return nil, fmt.Errorf("open: %w%s%s", err, NearSolver(q.Solver, q.Variant),
			WhyNot("open", q.Solver, q.Variant, q.On))
	}
	if err := NoDevice("open", v.Backend, q.Device); err != nil {
		return nil, err
	}
	_, devices, err := PlaceOf("open", place, q.Device)
	if err != nil {
		return nil, err
	}
	name, free, err := h.name(c.ctx, q.As)
	if err != nil {
		return nil, err
	}
	defer free()
	old := h.Lookup(name)
	if old != nil && !q.Fresh {
		return h.attach(c, old, q, devices, about)
	}
	inst, err := h.load1(c, q.Instance)
	if err != nil {
		return nil, err
	}
	v, why, err := chosen(q, inst)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	start, err := readStart(q.Start, inst)
	if err != nil {
		return nil, err
	}
	r, err := solvers.Open(solvers.Config{
		Name: name, Start: start, Solver: v.Solver, Variant: v.Name, Backend: v.Backend, Instance: inst,
		Path: pathOf(q.Instance),
		Seed: seedOf(q), Preset: q.Preset, Params: q.Params, Devices: devices,
	})
	if err != nil {
		return nil, elsewhere(err, name, v, inst)
	}
	if old != nil {
		h.drop(old, shelve) // only now: if the open fails, the old run stays
	}
	e, err := h.adopt(r, q)
	if err != nil {
		return nil, err
	}
	if q.Over != "" {
		if err := e.place(c.ctx, q.Over); err != nil {
			h.drop(e, dropIt)
			return nil, err
		}
	}
	rep := Opened("open", e)
	rep.Before, rep.Named, rep.Advice = h.before(name), or(about, why), advice(r)
	for _, said := range []string{spread(r, devices), idle(e, q.Params)} {
		if said != "" {
			rep.Advice = strings.TrimPrefix(rep.Advice+"; "+said, "; ")
		}
	}
	return rep, nil
}

// attach is open for an existing run with the name, if the request does not ask for another; about
// is the meaning of its name for a solver.
func (h *Host) attach(
	c *Call, old *Run, q *wire.OpenRequest, devices []int, about string,
) (*reply.OpenReply, error) {
	v, why, err := chosen(q, old.run.Instance())
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	diff, err := h.differs(c.ctx, old, v, q)
	if err != nil {
		return nil, err
	}
	name := old.name
	if now := old.run.Devices(); devices != nil && now != nil && !slices.Equal(now, devices) {
		diff = append(diff, fmt.Sprintf("devices is %s, not %s, and set %s devices=%s moves it",
			solvers.DevicesText(now), solvers.DevicesText(devices), name,
			solvers.DevicesText(devices)))
	}
	if len(diff) > 0 {
		return nil, &wire.Error{Code: wire.CodeDiffers, Message: fmt.Sprintf(
			"open: run %s is open with other arguments: %s; fresh=true closes it and starts anew, or "+
				"take another name", name, strings.Join(diff, ", "))}
	}
	rep := Opened("open", old)
	rep.Attached, rep.Named = true, or(about, why)
	return rep, nil
}

// chosen is the variant that a request opens on an instance, and why where that is not the default.
func chosen(q *wire.OpenRequest, inst datasets.Instance) (solvers.Variant, string, error) {
	return solvers.Choose(solvers.Config{
		Solver: q.Solver, Variant: q.Variant, Backend: q.On, Preset: q.Preset, Params: q.Params,
		Instance: inst,
	})
}

// advice returns the advice of a run's variant about other variants on its instance, if the values
// are the variant's own and not a paper's.
func advice(r *solvers.Run) string {
	if p := r.Header().Preset; r.Variant().Advice == nil || p != "default" && p != "best" {
		return ""
	}
	return r.Variant().Advice(r.Instance(), r.Header().Params)
}

func seedOf(q *wire.OpenRequest) uint64 {
	if q.Seed == nil {
		return DefaultSeed
	}
	return *q.Seed
}

// pathOf returns the instance's name if it is a path, and nothing for a published name.
func pathOf(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return ""
}

func or(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

// differs lists in what a request differs from an open run of its name.
func (h *Host) differs(ctx context.Context, e *Run, v solvers.Variant,
	q *wire.OpenRequest,
) ([]string, error) {
	var out []string
	add := func(what string, is, asked any) {
		if is != asked {
			out = append(out, fmt.Sprintf("%s is %v, not %v", what, is, asked))
		}
	}
	hd, have := e.run.Header(), e.run.Variant()
	add("solver", have.Solver, v.Solver)
	if have.Solver == v.Solver {
		add("variant", have.Name, v.Name)
	}
	add("backend", have.Backend, v.Backend)
	add("seed", e.run.Seed(), seedOf(q))
	add("preset", hd.Preset, or(q.Preset, "default"))
	same := e.asked != nil && e.asked.Instance == q.Instance && pathOf(q.Instance) == ""
	if !same && hd.Instance.Name != q.Instance {
		inst, err := h.load1(&Call{ctx: ctx, host: h}, q.Instance)
		if err != nil {
			return nil, err
		}
		if inst.SHA256() != e.run.Instance().SHA256() {
			out = append(out, fmt.Sprintf("instance is %s, not %s", hd.Instance.Name, q.Instance))
		}
	}
	start, err := readStart(q.Start, e.run.Instance())
	if err != nil {
		return nil, err
	}
	if d := startDiffers(hd.Start, start); d != "" {
		out = append(out, d)
	}
	var asked record.Values
	if e.asked != nil {
		asked = e.asked.Params
	}
	names := map[string]bool{}
	for n := range q.Params {
		names[n] = true
	}
	for n := range asked {
		names[n] = true
	}
	for _, n := range sortedKeys(names) {
		is, now := hd.Params[n], q.Params[n]
		switch {
		case is.IsZero() && (have.Solver != v.Solver || have.Name != v.Name):
			// a parameter of the other solver
		case is.IsZero():
			out = append(out, fmt.Sprintf("%s is no parameter of %s/%s", n, have.Solver, have.Name))
		case now.IsZero():
			out = append(out, fmt.Sprintf("%s was given as %s", n, is))
		case is != now && is.String() != now.String():
			out = append(out, fmt.Sprintf("%s was given as %s, not %s", n, is, now))
		}
	}
	return out, nil
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Opened returns the reply for an open run.
func Opened(verb string, e *Run) *reply.OpenReply {
	return &reply.OpenReply{
		Status: e.Status(verb), Seed: e.run.Seed(), Preset: e.run.Header().Preset,
		Revision: e.run.Variant().Revision,
		Size:     e.run.Instance().Size(), Params: e.Params(),
		Warning: datasets.NotesText(e.run.Instance()),
	}
}

var _ = handle("fork", (*Host).fork)

func (h *Host) fork(c *Call, q *wire.ForkRequest) (*reply.OpenReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	name, free, err := h.name(c.ctx, q.As)
	if err != nil {
		return nil, err
	}
	defer free()
	old := h.Lookup(name)
	if old != nil && !q.Fresh {
		if old.forked == nil || !sameFork(*old.forked, *q) {
			return nil, &wire.Error{Code: wire.CodeDiffers, Message: fmt.Sprintf(
				"fork: run %s is open already and is no such fork of %s; fresh=true closes it and forks "+
					"anew, or take another name", name, e.name)}
		}
		rep := Opened("fork", old)
		rep.Attached, rep.Parent = true, e.name
		return rep, nil
	}
	if old == e {
		return nil, wrong(fmt.Sprintf("fork: %s cannot take the place of itself; take another name",
			name))
	}
	with := e.defaults(q.Params, false)
	if len(with) == 0 {
		with = nil
	}
	v := e.run.Variant()
	variant := or(q.Variant, v.Name)
	on, _ := wire.CutOn(q.On)
	to, err := solvers.Find(v.Solver, variant, or(on, v.Backend))
	if err != nil {
		return nil, fmt.Errorf("fork: %w%s", err, WhyNot("fork", v.Solver, variant, on))
	}
	if err := NoDevice("fork", or(on, v.Backend), q.Device); err != nil {
		return nil, err
	}
	_, devices, err := PlaceOf("fork", q.On, q.Device)
	if err != nil {
		return nil, err
	}
	f := solvers.Fork{
		Name: name, With: with, Variant: q.Variant, Backend: on, Seed: q.Seed,
		Devices: devices, Alone: q.NoChanges, Who: c.who,
	}
	r, left, err := h.forkFrom(c, e, q.At, f)
	if err != nil {
		return nil, elsewhere(err, name, to, e.run.Instance())
	}
	if old != nil {
		h.drop(old, shelve)
	}
	n, err := h.adopt(r, nil)
	if err != nil {
		return nil, err
	}
	n.forked = q
	rep := Opened("fork", n)
	rep.Parent, rep.Left, rep.Advice = e.name, left, idle(n, with)
	rep.Later = wireChanges(r.Pending())
	return rep, nil
}

// sameFork reports whether two requests ask for the same, so that a cell may be run again.
func sameFork(a, b wire.ForkRequest) bool {
	seeds := a.Seed == b.Seed || (a.Seed != nil && b.Seed != nil && *a.Seed == *b.Seed)
	at := a.At == b.At || (a.At != nil && b.At != nil && *a.At == *b.At)
	return seeds && at && a.Run == b.Run && a.On == b.On && a.Variant == b.Variant &&
		a.Device == b.Device && a.NoChanges == b.NoChanges &&
		maps.Equal(a.Params, b.Params)
}

var _ = handle("close", (*Host).closeRun)

func (h *Host) closeRun(c *Call, q *wire.CloseRequest) (*reply.RunReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	// no other run of this name is opened until the files of this one are in place
	free, err := h.reserve(c.ctx, e.name)
	if err != nil {
		return nil, err
	}
	defer free()
	if err := e.keepable(c.ctx); err != nil && !q.Force {
		return nil, wrong(fmt.Sprintf("close: %s could not be recovered: %v; save %s to a file, or "+
			"drop what is not on the disk: close %s force", e.name, err, e.name, e.name))
	}
	closed := h.drop(e, shelve)
	s := e.Status("close")
	s.State = string(solvers.Closed)
	rep := &reply.RunReply{Status: s}
	if !e.untouched() && !h.o.InMemory {
		rep.Note = closed.note(" opens it again")
	}
	return rep, nil
}

// keepable brings the autosave up to date and says why it cannot; nil where there is nothing to
// keep, and where that takes too long to tell.
func (e *Run) keepable(ctx context.Context) error {
	h := e.host
	if e.untouched() || h.o.InMemory || h.store.nowhere || e.lost() || e.onFile() {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, leavePatience)
	defer stop()
	err := e.keep.flush(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// load1 returns an instance by published name or absolute path: the one in memory where there is
// one. A file that has changed is read again.
func (h *Host) load1(c *Call, name string) (datasets.Instance, error) {
	if in, ok := h.declaredHere(name); ok {
		return in, nil
	}
	var mod time.Time
	if st, err := os.Stat(name); err == nil && filepath.IsAbs(name) {
		mod = st.ModTime()
	}
	h.insts.mu.Lock()
	h.insts.clock++
	if l := h.insts.loaded[name]; l != nil && l.mod.Equal(mod) {
		l.used = h.insts.clock
		h.insts.mu.Unlock()
		return l.inst, nil
	}
	h.insts.mu.Unlock()
	note := "loading " + name
	inst, err := datasets.LoadContext(c.ctx, name,
		datasets.Log(func(s string) { note = s; c.progress(0, 0, s) }),
		datasets.Progress(func(done, total int64) { c.progress(done, total, note) }))
	if err != nil && strings.HasSuffix(name, ".run") {
		return nil, fmt.Errorf("%w%s", err, wire.RecordHint)
	}
	if err != nil && isFileName(name) && !strings.Contains(name, "/") {
		return nil, fmt.Errorf("there is no file %s in this folder, and %w", name, err)
	}
	if err != nil {
		return nil, h.besideDeclared(err, name)
	}
	h.insts.mu.Lock()
	defer h.insts.mu.Unlock()
	if len(h.insts.loaded) >= maxInstances {
		oldest := ""
		for n, l := range h.insts.loaded {
			if oldest == "" || l.used < h.insts.loaded[oldest].used {
				oldest = n
			}
		}
		delete(h.insts.loaded, oldest)
	}
	h.insts.loaded[name] = &loadedInstance{inst, mod, h.insts.clock}
	return inst, nil
}

// InstanceOf returns the instance of a record. Records of files have the path; if the file is gone
// or holds other data, InstanceOf tries the published name.
func (h *Host) InstanceOf(c *Call, ref record.InstanceRef) (datasets.Instance, error) {
	for _, e := range h.entries() {
		if e.run.Instance().SHA256() == ref.SHA256 {
			return e.run.Instance(), nil
		}
	}
	if ref.Kind == string(datasets.KindOwn) {
		return h.guests.ProblemOf(ref)
	}
	if ref.Path == "" {
		inst, err := h.load1(c, ref.Name)
		if t, ok := inst.(*datasets.TSP); ok && err == nil && t.Unfixed().SHA256() == ref.SHA256 {
			return t.Unfixed(), nil
		}
		return inst, err
	}
	inst, err := h.load1(c, ref.Path)
	if t, ok := inst.(*datasets.TSP); ok && err == nil && t.Unfixed().SHA256() == ref.SHA256 {
		return t.Unfixed(), nil // of a record from when fixed edges were not kept
	}
	switch {
	case err == nil && inst.SHA256() == ref.SHA256:
		return inst, nil
	case err == nil:
		err = fmt.Errorf("%s holds other data than when the record was made (SHA-256 %.12s…, not %.12s…)",
			ref.Path, inst.SHA256(), ref.SHA256)
	}
	if slices.Contains(datasets.Names(), ref.Name) { // a copy of a published one
		if inst, nerr := h.load1(c, ref.Name); nerr == nil && inst.SHA256() == ref.SHA256 {
			return inst, nil
		}
	}
	return nil, fmt.Errorf("instance %s of the record: %w; put the file back as it was", ref.Name, err)
}
