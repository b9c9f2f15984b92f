package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"metalab/datasets"
	"metalab/kernel/maker"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Absolute checks that a path is absolute: the host has another working directory than the client.
func Absolute(verb, path string) error {
	if !filepath.IsAbs(path) {
		return wrong(fmt.Sprintf("%s: path is %q, want an absolute one", verb, path))
	}
	return nil
}

// recordFile is the file of a record that is named: the one with .run behind the name where there
// is none of the name itself, for save adds that too.
func recordFile(path string) string {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat(path + wire.RecordExt); err == nil {
			return path + wire.RecordExt
		}
	}
	return path
}

var _ = handle("save", (*Host).save)

func (h *Host) save(c *Call, q *wire.FileRequest) (*reply.FileReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	if err := recordPath("save", q.Path); err != nil {
		return nil, err
	}
	if err := h.unchanged(q.Path, q.Force); err != nil {
		return nil, err
	}
	at, of := e.run.Last().Iter, e.run.Seeds()
	err = e.run.SaveWith(c.ctx, q.Path, solvers.SaveOptions{NoState: q.NoState, Force: q.Force})
	if err != nil {
		return nil, err
	}
	h.wroteRecord(q.Path, e.name)
	e.mu.Lock()
	e.saved, e.savedAt, e.savedOf = q.Path, at, of
	e.tag, _ = tagOf(q.Path)
	e.mu.Unlock()
	rep := &reply.FileReply{Status: e.Status("save"), Path: q.Path}
	if st, err := os.Stat(q.Path); err == nil {
		rep.Bytes = st.Size()
	}
	// A run that failed has no state.
	if st, err := os.Stat(solvers.StatePath(q.Path)); err == nil {
		rep.State, rep.StateBytes = solvers.StatePath(q.Path), st.Size()
	}
	return rep, nil
}

// wrote completes the error of a record that another revision made: the line that replays it names
// the record's file and the repository that this program was built in.
func wrote(err error, path string) error {
	var other *solvers.RevisionError
	if errors.As(err, &other) {
		other.Repository, other.File = maker.Repository(), path
	}
	return err
}

var _ = handle("load", (*Host).load)

func (h *Host) load(c *Call, q *wire.LoadRequest) (*reply.OpenReply, error) {
	if err := Absolute("load", q.Path); err != nil {
		return nil, err
	}
	q.Path = recordFile(q.Path)
	rec, err := record.ReadFile(q.Path)
	if err != nil {
		return nil, err
	}
	state, err := os.ReadFile(solvers.StatePath(q.Path))
	if err != nil {
		state = nil // it is computed again from the start
	}
	as := q.As
	if as == "" && checkRun(rec.Header.Run) == nil && h.Lookup(rec.Header.Run) == nil {
		as = rec.Header.Run
	}
	from := origin{verb: "load", name: q.Path, code: q.Code}
	e, err := h.revive(c, rec, state, as, nil, &from)
	if err != nil {
		return nil, wrote(err, q.Path)
	}
	if err := e.moveTo(c, "load", q.On); err != nil {
		h.drop(e, dropIt)
		return nil, err
	}
	e.mu.Lock()
	e.saved, e.savedAt, e.savedOf = q.Path, e.run.Last().Iter, e.run.Seeds()
	e.tag, _ = tagOf(q.Path)
	e.mu.Unlock()
	rep := Opened("load", e)
	rep.Declared = from.note
	h.unused(c, rec, e, rep)
	if !rec.Whole {
		cut := fmt.Sprintf("%s was cut short: its end line is missing, and it holds iterations up to %d",
			q.Path, rec.End)
		if rep.Warning != "" {
			cut += "\n" + rep.Warning
		}
		rep.Warning = cut
	}
	return rep, nil
}

var _ = handle("replay", (*Host).replay)

func (h *Host) replay(c *Call, q *wire.ReplayRequest) (*reply.ReplayReply, error) {
	if err := Absolute("replay", q.Path); err != nil {
		return nil, err
	}
	q.Path = recordFile(q.Path)
	rec, err := record.ReadFile(q.Path)
	if err != nil {
		return nil, err
	}
	if _, err := h.ready(c, "replay", q.Path, q.Code, rec); err != nil {
		return nil, err
	}
	inst, err := h.InstanceOf(c, rec.Header.Instance)
	if err != nil {
		return nil, err
	}
	if q.Best {
		return h.replayBest(c, q, rec, inst)
	}
	place := q.On
	q.On, _ = wire.CutOn(place)
	_, devices, err := PlaceOf("replay", place, 0)
	if err != nil {
		return nil, err
	}
	hd, on := rec.Header, or(q.On, rec.Header.Backend)
	if _, err := solvers.Find(hd.Solver, hd.Variant, on); err != nil {
		return nil, fmt.Errorf("replay: %w%s", err, WhyNot("replay", hd.Solver, hd.Variant, on))
	}
	h.replaying(1)
	defer h.replaying(-1)
	var lacks []string
	d, err := solvers.Replay(c.ctx, rec, inst, solvers.ReplayOptions{
		Backend: q.On, Repeats: q.Seeds, Devices: devices,
		Lacks: func(what []string) { lacks = what },
		Progress: c.often(func(done, total int64) {
			c.progress(done, total, "replay "+filepath.Base(q.Path))
		}),
	})
	nothing := errors.Is(err, solvers.ErrNothing)
	if err != nil && !nothing {
		return nil, wrote(err, q.Path)
	}
	rep := &reply.ReplayReply{
		Status: RecordStatus("replay", rec, inst), Path: q.Path, Identical: d == nil && !nothing,
		FirstDifference: wireDifference(d), Nothing: nothing,
		Cut: !rec.Whole, Lacks: lacks, OnlySeeds: d == nil && !nothing && len(rec.Points) == 0,
	}
	if q.Seeds {
		rep.Seeds = rec.Seeds()
	} else {
		rep.SeedsLeft = rec.Seeds()
	}
	if q.On != "" {
		rep.Backend = q.On
	}
	return rep, nil
}

// RecordStatus is a record as the status of a run.
func RecordStatus(verb string, rec *record.Record, inst datasets.Instance) reply.Status {
	hd := rec.Header
	s := reply.Status{
		Verb: verb, Run: hd.Run, Solver: hd.Solver, Variant: hd.Variant, Instance: hd.Instance.Name,
		Backend: hd.Backend,
		State:   "record", Iteration: rec.End, Best: nan, Optimum: nan, Gap: nan, WallS: nan, CPUS: nan,
	}
	for _, c := range rec.Journal {
		if c.Kind == record.KindFork {
			s.Backend, s.Variant = or(c.On, s.Backend), or(c.Variant, s.Variant)
		}
	}
	var best *float64
	sense := solvers.SenseOf(inst)
	if b, ok := inst.BestKnown(); ok {
		best = &b.Value
		s.Optimum = value(sense, b.Value)
	}
	if n := len(rec.Points); n > 0 {
		p := rec.Points[n-1]
		s.Best, s.Gap, s.WallS, s.CPUS = value(sense, p.Best), reply.Num(solvers.Gap(p.Best, best)),
			reply.Num(p.Wall), reply.Num(p.CPU)
		s.Spins = spinsOf(inst, p.Best)
	}
	return s
}

var _ = handle("diff", (*Host).diff)

func (h *Host) diff(c *Call, q *wire.DiffRequest) (*reply.DiffReply, error) {
	a, err := h.RecordOf(c, q.A)
	if err != nil {
		return nil, err
	}
	b, err := h.RecordOf(c, q.B)
	if err != nil {
		return nil, err
	}
	for i, rec := range []*record.Record{a, b} {
		if _, err := h.ready(c, "diff", []string{q.A, q.B}[i], q.Code, rec); err != nil {
			return nil, err
		}
	}
	inst, err := h.InstanceOf(c, a.Header.Instance)
	if err != nil {
		return nil, err
	}
	h.replaying(1)
	defer h.replaying(-1)
	d, err := solvers.Diff(c.ctx, a, b, inst)
	if err != nil {
		return nil, err
	}
	return &reply.DiffReply{
		Verb: "diff", A: q.A, B: q.B, Identical: d.Identical(), FirstDifference: wireDifference(d.First),
		Nothing: d.Nothing, Fixed: d.Header, Shared: d.Shared, EndA: a.End, EndB: b.End,
		OnlyA: d.OnlyA, OnlyB: d.OnlyB,
	}, nil
}

// RecordText returns the record of an open run as a file has it.
func (h *Host) RecordText(ctx context.Context, name string) ([]byte, error) {
	e, err := h.Find(name)
	if err != nil {
		return nil, err
	}
	rec, err := e.run.Record(ctx)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = rec.Encode(&b)
	return b.Bytes(), err
}

// RecordOf returns the record of an open run, or of a file.
func (h *Host) RecordOf(c *Call, name string) (*record.Record, error) {
	if e := h.Lookup(name); e != nil {
		return e.run.Record(c.ctx)
	}
	if !filepath.IsAbs(name) {
		_, err := h.Find(name)
		return nil, err
	}
	return record.ReadFile(recordFile(name))
}
