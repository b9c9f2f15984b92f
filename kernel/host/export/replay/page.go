package replay

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"metalab/datasets"
	"metalab/kernel/browser"
	"metalab/kernel/browser/bundle"
	"metalab/kernel/guest"
	"metalab/kernel/host"
	"metalab/kernel/host/experiments"
	"metalab/kernel/host/export"
	"metalab/kernel/internal/share"
	"metalab/kernel/maker"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

func init() { export.Pages(exportPage) }

// exportPage writes a page in which a browser makes the run of a record again: that of an open run
// or of a file.
func exportPage(h *host.Host, c *host.Call, q *wire.ExportRequest) (*reply.FileReply, error) {
	switch {
	case len(q.Runs) > 1:
		return nil, host.Wrong("export: a page has one run: export each")
	case q.All || q.Seeds:
		return nil, host.Wrong("export: a page has neither all nor seeds: those are of .csv")
	}
	if name := q.Runs[0]; h.Lookup(name) == nil {
		if ok, err := experiments.Of(h).Has(c.Context(), name); err != nil || ok {
			if err != nil {
				return nil, err
			}
			return exportStudy(h, c, q)
		}
	}
	rec, err := h.RecordOf(c, q.Runs[0])
	var no *wire.Error
	if errors.As(err, &no) && no.Code == wire.CodeRun {
		return nil, &wire.Error{
			Code: no.Code, Message: no.Message + fmt.Sprintf("; nor is there an experiment %q", q.Runs[0]),
		}
	}
	if err != nil {
		return nil, err
	}
	if rec.End == 0 {
		return nil, host.Wrong(fmt.Sprintf("export: %s has made no iterations yet, and a page makes "+
			"them again", rec.Header.Run))
	}
	name := rec.Header.Solver
	if len(guest.Codes(rec)) > 0 || len(h.Guests().Known(name)) > 0 {
		sort := "solver"
		if rec.Header.Instance.Kind == string(datasets.KindOwn) {
			name, sort = rec.Header.Instance.Name, "problem"
		}
		return nil, host.Wrong(fmt.Sprintf("export: %s is of %s, a %s of somebody's own: a page has no "+
			"compiler; save %s keeps its source too", rec.Header.Run, name, sort, rec.Header.Run))
	}
	file := &host.File{
		Verb: "export", Path: q.Path, Holds: host.OfRecord("page", rec), Force: q.Force,
	}
	if err := h.May(file); err != nil { // before the engine is compiled
		return nil, err
	}
	inst, err := h.InstanceOf(c, rec.Header.Instance)
	if err != nil {
		return nil, err
	}
	if err := replayable(rec, q.Engine != ""); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	page := bundle.Page{
		Record: rec, Instance: inst, Inline: q.Inline, Words: wordsOf(q),
	}
	if err := page.Words.Check(); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	if v, err := solvers.Find(rec.Header.Solver, rec.Header.Variant, "cpu"); err == nil {
		page.Algorithm, page.Source = v.Title, v.Source
	}
	if page.Engine, err = engine(h, c, q.Engine); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	if page.Figures, err = figuresOf(rec, inst); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	rep := &reply.FileReply{
		Status: host.RecordStatus("export", rec, inst), Path: q.Path, Inline: q.Inline,
	}
	if !q.Inline { // first: a page without it is of no use
		rep.EngineBytes = page.Engine.Size
		if rep.Engine, err = page.Engine.CopyTo(filepath.Dir(q.Path)); err != nil {
			return nil, err
		}
	}
	rep.Bytes, err = h.Write(file, page.Write)
	return rep, err
}

// replayable returns an error where a page cannot make the record's run again. An engine that is
// named may be the one of the revision that this program has not.
func replayable(rec *record.Record, named bool) error {
	if err := solvers.Replayable(rec, ""); errors.Is(err, solvers.ErrNotDeterministic) {
		return err
	}
	var other *solvers.RevisionError
	if err := browser.Replayable(rec); err != nil && !(named && errors.As(err, &other)) {
		if errors.As(err, &other) {
			return fmt.Errorf("%w; or engine=FILE with the engine that an export of that "+
				"metalab wrote", err)
		}
		return err
	}
	return nil
}

// wordsOf is what the request says on the page.
func wordsOf(q *wire.ExportRequest) bundle.Words {
	return bundle.Words{Title: q.Title, Text: q.Text, Link: q.Link}
}

// engine is the engine of pages: the file that is named, or that of metalab's sources.
func engine(h *host.Host, c *host.Call, path string) (*bundle.Engine, error) {
	if path != "" {
		if err := host.Absolute("export", path); err != nil {
			return nil, err
		}
		return bundle.Open(path)
	}
	if file := share.Engine(); file != "" && os.Getenv(share.EnvSource) == "" {
		e, err := bundle.Open(file)
		if err == nil { // it lies beside the program of its release
			e.Made = record.Made().String()
		}
		return e, err
	}
	const hint = "; engine=FILE names an engine that was written elsewhere"
	root, err := guest.SourceRoot()
	if err != nil {
		return nil, fmt.Errorf("the engine of a page is compiled from %w%s", err, hint)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = h.Options().StateDir
	}
	defer h.Busy()()
	e, err := bundle.Build(c.Context(), root, filepath.Join(cache, "metalab", "engines"), c.Progress)
	if errors.Is(err, bundle.ErrNoGo) {
		err = fmt.Errorf("%w%s", err, hint)
	}
	if err == nil {
		e.Made = maker.Of(root, time.Now()).String()
	}
	return e, err
}

// figuresOf are the figures of a record that a page shows.
func figuresOf(rec *record.Record, inst datasets.Instance) ([]bundle.Figure, error) {
	hd := rec.Header
	variant := hd.Variant
	for _, c := range rec.Journal {
		variant = cmp.Or(c.Variant, variant)
	}
	d := view.Data{
		Name: hd.Run, Objective: host.Objective(inst), Kind: string(inst.Kind()),
		Instance: hd.Instance.Name, Measures: hd.Measures, Journal: rec.Journal,
		Best: hd.Instance.Best, Points: rec.Points, Tour: rec.Best.Solution.Perm,
		Title: fmt.Sprintf("%s: %s/%s on %s, iteration %d", hd.Run, hd.Solver, variant,
			hd.Instance.Name, rec.End),
	}
	names := []string{"best"}
	if t, ok := inst.(*datasets.TSP); ok && t.ShowX != nil && d.Tour != nil {
		d.X, d.Y, d.Names, d.Km = t.ShowX, t.ShowY, t.Names, t.ShowKm
		names = append(names, "tour")
	}
	var out []bundle.Figure
	for _, name := range names {
		sheet, err := view.Draw(name, view.Look{}, d)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := sheet.Render(&b, view.Sink{Graphics: view.SVG}); err != nil {
			return nil, err
		}
		out = append(out, bundle.Figure{Name: name, SVG: b.Bytes()})
	}
	return out, nil
}
