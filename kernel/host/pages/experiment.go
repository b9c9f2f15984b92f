package pages

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	"metalab/kernel/host"
	"metalab/kernel/host/experiments"
	"metalab/kernel/host/serve"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/solvers/experiment"
)

// Pages read experiments: they plan, run and remove none.

// pageExperiments lists all experiments.
func (h *pages) pageExperiments(w http.ResponseWriter, r *http.Request, _ *grant) {
	var q struct{}
	if !readPage(w, r, &q) {
		return
	}
	rep, err := experiments.Of(h.Host).List(r.Context())
	if err != nil {
		serve.WriteError(w, host.WireError("experiment", err))
		return
	}
	serve.WriteJSON(w, http.StatusOK, rep)
}

// pageExperiment tells about one: how far it is, its table, and the units that failed.
func (h *pages) pageExperiment(w http.ResponseWriter, r *http.Request, _ *grant) {
	var q struct {
		Name string `json:"name"`
		Do   string `json:"do"`   // table or best
		Seen string `json:"seen"` // the stamp of what the page has
	}
	if !readPage(w, r, &q) {
		return
	}
	p, err := experiments.Of(h.Host).Page(r.Context(), q.Name, q.Do, q.Seen)
	if err != nil {
		serve.WriteError(w, host.WireError("experiment", err))
		return
	}
	serve.WriteJSON(w, http.StatusOK, p)
}

// pageUnits lists units of an experiment, some at a time.
func (h *pages) pageUnits(w http.ResponseWriter, r *http.Request, _ *grant) {
	var q struct {
		Name  string           `json:"name"`
		State experiment.State `json:"state"` // empty: all
		From  int              `json:"from"`  // so many of these are left out
	}
	if !readPage(w, r, &q) {
		return
	}
	var rep struct {
		Of    []reply.ExperimentUnit `json:"of"`
		Total int                    `json:"total"`
	}
	var err error
	rep.Of, rep.Total, err = experiments.Of(h.Host).Units(r.Context(), q.Name, q.State, q.From)
	if err != nil {
		serve.WriteError(w, host.WireError("experiment", err))
		return
	}
	serve.WriteJSON(w, http.StatusOK, rep)
}

// experimentFigure is a picture of an experiment.
func (h *pages) experimentFigure(ctx context.Context, q *chartRequest) (*figure, error) {
	all := experiments.Of(h.Host)
	state, err := all.State(ctx, q.Name)
	if err != nil {
		return nil, err
	}
	return h.figures.draw(&q.pictureRequest, fmt.Sprintf("%q %q", q.Name, q.Instance), state, "",
		func() (*view.Sheet, error) {
			s, err := all.Chart(ctx, q.Name, q.Figure, q.Instance)
			if err == nil && len(s.Plots) == 1 {
				s.Plots[0].Title.Text = "" // the page says what it is, with room for it
			}
			return s, err
		})
}

// pageUnit sends the record of a unit, or all units as CSV.
func (h *pages) pageUnit(w http.ResponseWriter, r *http.Request, _ *grant) {
	var q struct {
		Name string `json:"name"`
		Unit int    `json:"unit"`
		Form string `json:"form"` // record or csv
	}
	if !readPage(w, r, &q) {
		return
	}
	var b bytes.Buffer
	var err error
	switch all := experiments.Of(h.Host); q.Form {
	case "record":
		err = all.Record(r.Context(), q.Name, q.Unit, &b)
		w.Header().Set("Content-Type", "application/x-ndjson")
	case "csv":
		err = all.CSV(r.Context(), q.Name, &b)
		w.Header().Set("Content-Type", "text/csv")
	default:
		err = wrong(fmt.Sprintf("experiment: form is %.20q, want record or csv", q.Form))
	}
	if err != nil {
		serve.WriteError(w, host.WireError("experiment", err))
		return
	}
	_, _ = w.Write(b.Bytes()) // it fails only if the page has gone
}
