package experiments

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
)

// A chartOf is what a figure is drawn from.
type chartOf struct {
	look view.Look
	view.Labels
	ctx    context.Context
	store  experiment.Store
	name   string              // of the experiment
	at, by string              // targets, and what runs are measured in
	groups []*experiment.Group // of one instance, or of all
	size   view.Size           // that suits the plot; empty: the usual one
}

// charts draw figures, by the names of wire.Charts.
var charts = map[string]struct {
	draw    func(*chartOf) (*plot.Plot, error)
	all     bool // one figure of all instances, else one of each
	between bool // it compares results of rows with each other, so these have one objective
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
	"ecdf":   {draw: ecdfChart, between: true},
	"ert":    {draw: ertChart, between: true},
	"heat":   {draw: heatChart},
	"parallel": {draw: func(c *chartOf) (*plot.Plot, error) {
		return parallelChart(c.look, c.Labels, c.groups)
	}, between: true},
	"importance": {draw: func(c *chartOf) (*plot.Plot, error) {
		return importanceChart(c.look, c.Labels, c.groups)
	}, between: true},
	"ranks":   {draw: ranksChart, all: true, between: true},
	"profile": {draw: profileChart, all: true, between: true},
	"speedup": {draw: speedupChart, all: true},
}

var _ = host.HandleIn(here, "chart", (*room).chart)

// chart draws a figure of an experiment: a plot for each instance.
func (h *room) chart(c *host.Call, q *wire.ChartRequest) (*reply.PlotReply, error) {
	s, err := h.experiments()
	if err != nil {
		return nil, err
	}
	d, err := host.DrawingOf("chart", q.Sink, q.To, q.Force)
	if err != nil {
		return nil, err
	}
	figure := or(q.Figure, "box")
	sheet, err := h.chartSheet(&chartOf{
		ctx: c.Context(), store: s, name: q.Name, at: q.At, by: q.By,
	}, figure, q.Instance)
	if err != nil {
		return nil, err
	}
	rep := &reply.PlotReply{
		Status: reply.Status{Verb: "chart"}, Runs: []string{q.Name}, Figure: figure,
	}
	return rep, d.Put(h.Host, rep, sheet, host.OfExperiment("figure", q.Name))
}

// chartSheet draws a figure of an experiment on one of its instances, or on all.
func (h *room) chartSheet(of *chartOf, figure, instance string) (*view.Sheet, error) {
	how, ok := charts[figure]
	if !ok {
		return nil, unknownChoice("chart: figure", figure, wire.Charts)
	}
	groups, err := h.grouped(of.ctx, of.store, of.name)
	if errors.Is(err, experiment.ErrUnknown) {
		return nil, wrong(fmt.Sprintf("chart: there is no experiment %s%s; experiment lists all", of.name,
			nearExperiment(of.ctx, of.store, of.name)))
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
	if instance != "" {
		if !slices.Contains(places, instance) {
			return nil, wrong(fmt.Sprintf("chart: instance is %q, want one of %s", instance,
				strings.Join(places, ", ")))
		}
		places = []string{instance}
	}
	groups = slices.DeleteFunc(groups, func(g *experiment.Group) bool {
		return !slices.Contains(places, g.Instance)
	})
	if how.all && len(places) > 1 {
		places = []string{""}
	}
	sheet := &view.Sheet{}
	for _, place := range places {
		c := *of
		c.look = c.look.In(sheet, len(places))
		for _, g := range groups {
			if place == "" || g.Instance == place {
				c.groups = append(c.groups, g)
			}
		}
		c.Labels = view.Labels{Title: c.name, Y: "best"}
		if place != "" {
			c.Title += " on " + place
		}
		if inGaps(c.groups) {
			c.Labels.Y = "gap %"
		}
		why := otherObjective(c.groups)
		switch {
		case why != "" && how.between:
			return nil, wrong("chart: " + figure + ": " + why)
		case why != "" && figure != "speedup": // that one is of times
			c.Title += ", several objectives"
		}
		p, err := how.draw(&c)
		if err != nil {
			return nil, wrong("chart: " + strings.TrimPrefix(err.Error(), "view: "))
		}
		sheet.Plots = append(sheet.Plots, p)
		if c.size != (view.Size{}) {
			sheet.Sizes = append(sheet.Sizes, c.size)
		}
	}
	return sheet, nil
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
	return g.Sense.Values(g.Best())
}

// samplesOf returns the values of groups. If these differ in only one parameter, it names the x
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
