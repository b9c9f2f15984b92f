package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// A chartOf is what a figure is drawn from.
type chartOf struct {
	look view.Look
	view.Labels
	ctx    context.Context
	store  experiment.Store
	name   string              // of the experiment
	groups []*experiment.Group // of one instance, or of all
}

// charts draw figures, by the names of wire.Charts.
var charts = map[string]struct {
	draw func(*chartOf) (*plot.Plot, error)
	all  bool // one figure of all instances, else one of each
}{
	"box": {draw: func(c *chartOf) (*plot.Plot, error) {
		of := samplesOf(&c.Labels, c.groups)
		return c.look.BoxPlot(c.Labels, of...)
	}},
	"violin": {draw: func(c *chartOf) (*plot.Plot, error) {
		of := samplesOf(&c.Labels, c.groups)
		return c.look.ViolinPlot(c.Labels, of...)
	}},
	"error":  {draw: errorChart},
	"median": {draw: medianChart},
	"ecdf":   {draw: ecdfChart},
	"heat":   {draw: heatChart},
	"parallel": {draw: func(c *chartOf) (*plot.Plot, error) {
		return parallelChart(c.look, c.Labels, c.groups)
	}},
	"importance": {draw: func(c *chartOf) (*plot.Plot, error) {
		return importanceChart(c.look, c.Labels, c.groups)
	}},
	"ranks":   {draw: ranksChart, all: true},
	"profile": {draw: profileChart, all: true},
	"speedup": {draw: speedupChart, all: true},
}

var _ = handle("chart", (*Host).chart)

// chart draws a figure of an experiment: a plot for each instance.
func (h *Host) chart(c *call, q *wire.ChartRequest) (*reply.PlotReply, error) {
	s, err := h.experiments()
	if err != nil {
		return nil, err
	}
	figure := or(q.Figure, "box")
	how, ok := charts[figure]
	if !ok {
		var names []string
		for _, c := range wire.Charts {
			names = append(names, c.Name)
		}
		return nil, wrong(fmt.Sprintf("chart: figure is %q, want one of %s", figure,
			strings.Join(names, ", ")))
	}
	groups, err := experiment.Groups(s.Rows(c.ctx, q.Name))
	if errors.Is(err, experiment.ErrUnknown) {
		return nil, wrong(fmt.Sprintf("chart: there is no experiment %s; experiment lists all", q.Name))
	}
	if err != nil {
		return nil, err
	}
	var places []string
	for _, g := range groups {
		if !slices.Contains(places, g.Instance) {
			places = append(places, g.Instance)
		}
	}
	if q.Instance != "" {
		if !slices.Contains(places, q.Instance) {
			return nil, wrong(fmt.Sprintf("chart: instance is %q, want one of %s", q.Instance,
				strings.Join(places, ", ")))
		}
		places = []string{q.Instance}
	}
	groups = slices.DeleteFunc(groups, func(g *experiment.Group) bool {
		return !slices.Contains(places, g.Instance)
	})
	if how.all && len(places) > 1 {
		places = []string{""}
	}
	sheet := &view.Sheet{}
	for _, place := range places {
		var gs []*experiment.Group
		for _, g := range groups {
			if place == "" || g.Instance == place {
				gs = append(gs, g)
			}
		}
		w := view.Labels{Title: q.Name, Y: "best"}
		if place != "" {
			w.Title += " on " + place
		}
		if inGaps(gs) {
			w.Y = "gap %"
		}
		p, err := how.draw(&chartOf{Labels: w, ctx: c.ctx, store: s, name: q.Name, groups: gs})
		if err != nil {
			return nil, wrong("chart: " + strings.TrimPrefix(err.Error(), "view: "))
		}
		sheet.Plots = append(sheet.Plots, p)
	}
	return sent(sheet, figure, q)
}

// sent draws a sheet into a reply or a file.
func sent(sheet *view.Sheet, figure string, q *wire.ChartRequest) (*reply.PlotReply, error) {
	sink := view.Sink{Graphics: view.SVG}
	if q.Sink != nil {
		sink = sinkOf(*q.Sink)
	}
	if q.To != "" {
		if err := absolute("chart", q.To); err != nil {
			return nil, err
		}
		g, err := view.Format(q.To)
		if err != nil {
			return nil, err
		}
		sink.Graphics = g
	}
	var b bytes.Buffer
	if err := sheet.Render(&b, sink); err != nil {
		return nil, wrong("chart: " + err.Error())
	}
	rep := &reply.PlotReply{
		Status: reply.Status{Verb: "chart"}, Runs: []string{q.Name}, Figure: figure,
		Mime: mimeOf(sink.Graphics),
	}
	if q.To == "" {
		rep.Data = b.Bytes()
		var err error
		if q.Sink != nil && q.Sink.PNG && sink.Graphics == view.SVG {
			rep.PNG, err = smallPNG(sheet, sink)
		}
		return rep, err
	}
	rep.Path = q.To
	if err := record.Atomic(q.To, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	}); err != nil {
		return nil, fmt.Errorf("chart: %w", err)
	}
	return rep, nil
}

// inGaps reports whether the values of groups are drawn as gaps: where a best value is known.
func inGaps(gs []*experiment.Group) bool {
	return !slices.ContainsFunc(gs, func(g *experiment.Group) bool { return math.IsNaN(g.Optimum) })
}

// valuesOf are the gaps or the best values of a group.
func valuesOf(g *experiment.Group, gaps bool) []float64 {
	if gaps {
		return g.Gaps()
	}
	return g.Best()
}

// samplesOf are the values of groups. Where these differ in one parameter only, it names the x
// axis.
func samplesOf(w *view.Labels, gs []*experiment.Group) (out []view.Sample) {
	gaps := inGaps(gs)
	name, _, _ := strings.Cut(gs[0].Label, "=")
	for _, g := range gs {
		out = append(out, view.Sample{Name: g.Label, Values: valuesOf(g, gaps)})
		if n, v, ok := strings.Cut(g.Label, "="); !ok || n != name || strings.Contains(v, " ") {
			name = ""
		}
	}
	if name == "" || strings.Contains(name, " ") {
		return out
	}
	w.X = name
	for i := range out {
		_, out[i].Name, _ = strings.Cut(out[i].Name, "=")
	}
	return out
}

// errorChart draws values against the first varied parameter that is a number, with a curve for
// each choice of all else.
func errorChart(c *chartOf) (*plot.Plot, error) {
	gs, w := c.groups, c.Labels
	along := ""
	for _, n := range sortedKeys(gs[0].Varied) {
		several := slices.ContainsFunc(gs, func(g *experiment.Group) bool {
			return g.Varied[n] != gs[0].Varied[n]
		})
		if _, ok := gs[0].Varied[n].Float(); ok && several {
			along = n
			break
		}
	}
	if along == "" {
		return nil, errors.New("error needs a varied parameter whose values are numbers")
	}
	gaps := inGaps(gs)
	w.X = along
	var out []view.Response
	for _, g := range gs {
		x, ok := g.Varied[along].Float()
		if !ok {
			continue
		}
		text := along + "=" + g.Varied[along].String()
		name := strings.Join(slices.DeleteFunc(strings.Fields(g.Label), func(s string) bool {
			return s == text
		}), " ")
		put(&out, name, x, valuesOf(g, gaps))
	}
	for i := range out {
		if out[i].Name == "" {
			out[i].Name = w.Y
		}
	}
	return c.look.Response(w, out...)
}
