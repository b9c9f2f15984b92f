package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/exchange"
	"metalab/solvers/record"
)

// What pages show of experiments: they plan none, make none and remove none.

// mostPageUnits is the number of units that a page gets at a time.
const mostPageUnits = 50

// experimentPage is what a page shows of an experiment.
type experimentPage struct {
	*reply.ExperimentReply
	Stamp string                 `json:"stamp"` // of the table's state
	Same  bool                   `json:"same,omitempty"`
	Files bool                   `json:"files"`           // units have records
	Draws [][2]string            `json:"draws,omitempty"` // figures, each with what it is
	Where []string               `json:"where,omitempty"` // instances
	Bad   []reply.ExperimentUnit `json:"bad,omitempty"`   // the first units that failed
}

// pageExperiments lists all experiments.
func (h *Host) pageExperiments(w http.ResponseWriter, r *http.Request, _ *grant) {
	var q struct{}
	if !readPage(w, r, &q) {
		return
	}
	rep, err := h.experiment(&call{ctx: r.Context(), host: h}, &wire.ExperimentRequest{})
	if err != nil {
		writeError(w, wireError("experiment", err))
		return
	}
	slices.Reverse(rep.List)
	slices.SortStableFunc(rep.List, func(a, b reply.ExperimentInfo) int {
		switch { // those that go on first, then the latest
		case a.Going != b.Going && a.Going, a.Going == b.Going && a.Began > b.Began:
			return -1
		case a.Going != b.Going, a.Began < b.Began:
			return 1
		}
		return 0
	})
	writeJSON(w, http.StatusOK, rep)
}

// pageExperiment tells about one: how far it is, its table, and the units that failed.
func (h *Host) pageExperiment(w http.ResponseWriter, r *http.Request, _ *grant) {
	var q struct {
		Name string `json:"name"`
		Do   string `json:"do"`   // table or best
		Seen string `json:"seen"` // the stamp of what the page has
	}
	if !readPage(w, r, &q) {
		return
	}
	p, err := h.experimentPage(r.Context(), q.Name, q.Do, q.Seen)
	if err != nil {
		writeError(w, wireError("experiment", err))
		return
	}
	writeJSON(w, http.StatusOK, p)
}

func (h *Host) experimentPage(
	ctx context.Context, name, do, seen string,
) (*experimentPage, error) {
	s, err := h.experiments()
	if err != nil {
		return nil, err
	}
	info, err := s.Info(ctx, name)
	if err != nil {
		return nil, noExperiment(name, err)
	}
	p := &experimentPage{
		ExperimentReply: &reply.ExperimentReply{Verb: "experiment", ExperimentInfo: h.infoOf(info)},
		Stamp:           stateOf(info) + do,
	}
	if p.Stamp == seen {
		p.Same = true
		return p, nil
	}
	if do == "best" {
		_, err = h.bestOf(ctx, s, p.ExperimentReply, name)
		return p, err
	}
	groups, err := experiment.Groups(s.Rows(ctx, name))
	if err != nil {
		return nil, err
	}
	if err := h.tableRows(groups, p.ExperimentReply); err != nil {
		return nil, err
	}
	for _, g := range groups {
		if !slices.Contains(p.Where, g.Instance) {
			p.Where = append(p.Where, g.Instance)
		}
	}
	p.Draws = drawable(groups)
	p.Files = slices.ContainsFunc(groups, func(g *experiment.Group) bool {
		return g.Backend != exchange.Backend
	})
	if info.Failed > 0 {
		p.Bad, _, err = h.unitsPage(ctx, s, name, experiment.Failed, 0)
	}
	return p, err
}

// stateOf names the state that the table of an experiment is in.
func stateOf(i experiment.Info) string {
	return stampOf(fmt.Sprint(i.Name, i.Began, i.Units, i.Done, i.Failed, i.Plan))
}

// drawable are the figures that there is something to draw for.
func drawable(groups []*experiment.Group) (out [][2]string) {
	var labels, places []string
	done := 0
	for _, g := range groups {
		done += len(g.Done)
		if !slices.Contains(labels, g.Label) {
			labels = append(labels, g.Label)
		}
		if !slices.Contains(places, g.Instance) {
			places = append(places, g.Instance)
		}
	}
	if done == 0 {
		return nil
	}
	names, _ := varied(groups)
	numbers := slices.ContainsFunc(names, func(n string) bool {
		_, ok := groups[0].Varied[n].Float()
		return ok
	})
	on := func(backend string) bool {
		return slices.ContainsFunc(groups, func(g *experiment.Group) bool { return g.Backend == backend })
	}
	for _, c := range wire.Charts {
		ok := true
		switch c.Name {
		case "error":
			ok = numbers
		case "heat":
			ok = len(names) >= 2
		case "parallel", "importance":
			ok = len(names) >= 1
		case "ranks":
			ok = len(labels) >= 2
		case "profile":
			ok = len(labels) >= 2 && len(places) >= 2
		case "speedup":
			ok = on("cpu") && on("cuda")
		}
		if ok {
			out = append(out, [2]string{c.Name, c.Doc})
		}
	}
	return out
}

// pageUnits lists units of an experiment, some at a time.
func (h *Host) pageUnits(w http.ResponseWriter, r *http.Request, _ *grant) {
	var q struct {
		Name  string           `json:"name"`
		State experiment.State `json:"state"` // empty: all
		From  int              `json:"from"`  // so many of these are left out
	}
	if !readPage(w, r, &q) {
		return
	}
	s, err := h.experiments()
	var rep struct {
		Of    []reply.ExperimentUnit `json:"of"`
		Total int                    `json:"total"`
	}
	if err == nil {
		rep.Of, rep.Total, err = h.unitsPage(r.Context(), s, q.Name, q.State, q.From)
	}
	if err != nil {
		writeError(w, wireError("experiment", noExperiment(q.Name, err)))
		return
	}
	writeJSON(w, http.StatusOK, rep)
}

// unitsPage are mostPageUnits units of a state, and how many there are of that state.
func (h *Host) unitsPage(
	ctx context.Context, s experiment.Store, name string, state experiment.State, from int,
) (out []reply.ExperimentUnit, total int, err error) {
	info, err := s.Info(ctx, name)
	if err != nil {
		return nil, 0, err
	}
	now := h.infoOf(info)
	out = []reply.ExperimentUnit{}
	for r, err := range s.Rows(ctx, name) {
		if err != nil {
			return nil, 0, err
		}
		if state != "" && r.State != state {
			continue
		}
		if total >= from && len(out) < mostPageUnits {
			out = append(out, unitOf(&r, now.Going || now.Elsewhere))
		}
		total++
	}
	return out, total, nil
}

// noExperiment is the error about an experiment that a page asks for.
func noExperiment(name string, err error) error {
	if errors.Is(err, experiment.ErrUnknown) {
		return wrong(fmt.Sprintf("experiment: there is no experiment %.100q any more", name))
	}
	return err
}

// experimentFigure is a picture of an experiment.
func (h *Host) experimentFigure(ctx context.Context, q *chartRequest) (*figure, error) {
	s, err := h.experiments()
	if err != nil {
		return nil, err
	}
	info, err := s.Info(ctx, q.Name)
	if err != nil {
		return nil, noExperiment(q.Name, err)
	}
	of := &chartOf{ctx: ctx, store: s, name: q.Name}
	return h.pages.figures.draw(&q.pictureRequest, fmt.Sprintf("%q %q", q.Name, q.Instance),
		stateOf(info), "", func() (*view.Sheet, error) { return chartSheet(of, q.Figure, q.Instance) })
}

// pageUnit sends the record of a unit, or all units as CSV.
func (h *Host) pageUnit(w http.ResponseWriter, r *http.Request, _ *grant) {
	var q struct {
		Name string `json:"name"`
		Unit int    `json:"unit"`
		Form string `json:"form"` // record or csv
	}
	if !readPage(w, r, &q) {
		return
	}
	var b bytes.Buffer
	s, err := h.experiments()
	switch {
	case err != nil:
	case q.Form == "record":
		var row experiment.Row
		if row, err = s.Row(r.Context(), q.Name, q.Unit); err != nil {
			break
		}
		var rec *record.Record
		if rec, err = recordOfUnit(q.Name, &row); err == nil {
			err = rec.Encode(&b)
		}
		w.Header().Set("Content-Type", "application/x-ndjson")
	case q.Form == "csv":
		_, err = exchange.CSV(r.Context(), s, q.Name, &b)
		w.Header().Set("Content-Type", "text/csv")
	default:
		err = wrong(fmt.Sprintf("experiment: form is %.20q, want record or csv", q.Form))
	}
	if err != nil {
		writeError(w, wireError("experiment", err))
		return
	}
	_, _ = w.Write(b.Bytes()) // it fails only if the page has gone
}

// recordOfUnit is the record of a unit that this program can make again.
func recordOfUnit(name string, row *experiment.Row) (*record.Record, error) {
	if row.Unit.Backend == exchange.Backend {
		return nil, wrong(fmt.Sprintf("experiment: unit %d is a run of %s, which was imported: it has "+
			"no record", row.Unit.Number, row.Unit.Solver))
	}
	return row.Record(name)
}
