package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"metalab/datasets"
	"metalab/kernel/browser"
	"metalab/kernel/browser/bundle"
	"metalab/kernel/guest"
	"metalab/kernel/host"
	"metalab/kernel/host/experiments"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

func init() { experiments.Pages(exportStudy) }

// exportStudy writes an experiment as a page on which a browser makes units again.
func exportStudy(
	h *host.Host, c *host.Call, q *wire.ExportRequest,
) (*reply.FileReply, error) {
	name, x := q.Runs[0], experiments.Of(h)
	if err := host.Absolute("export", q.Path); err != nil {
		return nil, err
	}
	sheet, err := x.Sheet(c.Context(), name)
	if err != nil {
		return nil, err
	}
	if sheet.Table.Done == 0 {
		return nil, host.Wrong(fmt.Sprintf("export: no unit of experiment %s has a result yet; "+
			"experiment %s go makes them", name, name))
	}
	file := &host.File{
		Verb: "export", Path: q.Path, Holds: host.OfExperiment("page", name), Force: q.Force,
	}
	if err := h.May(file); err != nil { // before the engine is compiled
		return nil, err
	}
	page := bundle.Study{
		Name: name, Plan: sheet.Table.Plan, Table: sheet.Table.HTML(), Report: sheet.Report,
		Sources: sources(sheet), Inline: q.Inline, Words: wordsOf(q),
	}
	if err := page.Words.Check(); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	u := unitsOf{h: h, c: c, name: name, engine: q.Engine != ""}
	for i := range sheet.Rows {
		page.Units = append(page.Units, u.unit(&sheet.Rows[i], sheet.Units[i]))
	}
	again := page.Again()
	if again > 0 {
		if page.Engine, err = engine(h, c, q.Engine); err != nil {
			return nil, fmt.Errorf("export: %w", err)
		}
	}
	if err := charts(c.Context(), x, name, sheet, &page); err != nil {
		return nil, err
	}
	if err := over(c.Context(), x, name, sheet, &page); err != nil {
		return nil, err
	}
	nan := reply.Num(math.NaN())
	rep := &reply.FileReply{
		Status: reply.Status{
			Verb: "export", Run: name, Best: nan, Optimum: nan, Gap: nan, WallS: nan, CPUS: nan,
		},
		Path: q.Path, Inline: q.Inline && again > 0, Units: len(page.Units), Replay: again,
	}
	if again > 0 && !q.Inline {
		rep.EngineBytes = page.Engine.Size
		if rep.Engine, err = page.Engine.CopyTo(filepath.Dir(q.Path)); err != nil {
			return nil, err
		}
	}
	rep.Bytes, err = h.Write(file, page.Write)
	return rep, err
}

// unitsOf finds the data for replaying units. It loads instances once.
type unitsOf struct {
	h      *host.Host
	c      *host.Call
	name   string
	engine bool // one is named, which may have another revision than this program
	loaded map[string]loaded
}

type loaded struct {
	inst datasets.Instance
	err  error
}

// unit returns a row of a page: with its record, or with the reason why it cannot be replayed.
func (o *unitsOf) unit(row *experiment.Row, shown reply.ExperimentUnit) bundle.Unit {
	u := bundle.Unit{ExperimentUnit: shown}
	switch {
	case shown.Error != "":
		u.Why = "it has failed: " + shown.Error
		return u
	case row.State != experiment.Done:
		u.Why = "it has no result yet"
		return u
	case row.Result.Iterations == 0:
		u.Why = "it made no iterations"
		return u
	}
	rec, err := experiments.RecordOfUnit(o.name, row)
	if err != nil {
		u.Why = host.FirstLine(err.Error())
		return u
	}
	ref := rec.Header.Instance
	if ref.Kind == string(datasets.KindOwn) {
		u.Why = ref.Name + " is a problem of somebody's own: a page has no compiler"
		return u
	}
	if len(guest.Codes(rec)) > 0 || len(o.h.Guests().Known(rec.Header.Solver)) > 0 {
		u.Why = rec.Header.Solver + " is a solver of somebody's own: a page has no compiler"
		return u
	}
	var other *solvers.RevisionError
	if err := browser.Replayable(rec); err != nil && !(o.engine && errors.As(err, &other)) {
		u.Why = host.FirstLine(err.Error())
		return u
	}
	inst, err := o.instance(ref)
	if err == nil {
		_, err = browser.Pack(inst)
	}
	if err != nil {
		u.Why = host.FirstLine(err.Error())
		return u
	}
	rec.Header.Instance.Path = "" // of this machine; the page has the instance
	u.Record, u.Instance = rec, inst
	return u
}

// instance is the instance of units, which must be what it was.
func (o *unitsOf) instance(ref record.InstanceRef) (datasets.Instance, error) {
	if l, ok := o.loaded[ref.SHA256]; ok {
		return l.inst, l.err
	}
	inst, err := o.h.InstanceOf(o.c, ref)
	if err == nil && inst.SHA256() != ref.SHA256 {
		err = fmt.Errorf("instance %s holds other data than when the unit was made", ref.Name)
	}
	if o.loaded == nil {
		o.loaded = map[string]loaded{}
	}
	o.loaded[ref.SHA256] = loaded{inst, err}
	return inst, err
}

// mostDrawn is the number of instances of which a page has charts of their own.
const mostDrawn = 8

// charts draws what there is to draw: boxes and shares of each instance, ranks over all.
func charts(
	ctx context.Context, x experiments.Shown, name string, s *experiments.Sheet, p *bundle.Study,
) error {
	put := func(figure, place string) error {
		said := figure
		if place != "" {
			said += " on " + place
		}
		sheet, err := x.Chart(ctx, name, figure, place)
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			p.Undrawn = append(p.Undrawn, said+" is not drawn: "+host.FirstLine(err.Error()))
			return nil
		}
		var b bytes.Buffer
		if err := sheet.Render(&b, view.Sink{Graphics: view.SVG}); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		p.Figures = append(p.Figures, bundle.Figure{Name: said, SVG: b.Bytes()})
		return nil
	}
	for i, place := range s.Where {
		if i == mostDrawn {
			p.Undrawn = append(p.Undrawn, fmt.Sprintf("Charts are of the first %d of %d instances.",
				mostDrawn, len(s.Where)))
			break
		}
		for _, figure := range []string{"box", "ecdf"} {
			if !slices.Contains(s.Figures, figure) {
				continue
			}
			if err := put(figure, place); err != nil {
				return err
			}
		}
	}
	if len(s.Where) > 1 && slices.Contains(s.Figures, "ranks") {
		return put("ranks", "")
	}
	return nil
}

// sources describes the programs, machines and data of the units.
func sources(s *experiments.Sheet) (out []string) {
	add := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for i := range s.Rows {
		u := &s.Rows[i].Unit
		add(fmt.Sprintf("Instance %s (%s, size %d), SHA-256 %s.", u.Instance.Name, u.Instance.Kind,
			u.Instance.Size, u.Instance.SHA256))
	}
	for i := range s.Rows {
		u := &s.Rows[i].Unit
		by := fmt.Sprintf("Revision %d of %s/%s on %s", u.Revision, u.Solver, u.Variant, u.Backend)
		if u.Preset != "" {
			by += ", preset " + u.Preset
		}
		add(by + ".")
	}
	for i := range s.Rows {
		if m := s.Rows[i].Result.Machine; m != "" {
			add("Made on " + m + ".")
		}
	}
	return out
}
