package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/solvers/experiment"
	"metalab/solvers/stats"
)

// traces are the traces of the units of a chart.
func (c *chartOf) traces() (*traced, error) {
	t, err := tracedOf(c.ctx, c.store, c.name, c.groups, c.by)
	if err != nil {
		return nil, err
	}
	c.Labels.X, c.LogX = t.axis, true
	return t, nil
}

// medianChart draws the best so far.
func medianChart(c *chartOf) (*plot.Plot, error) {
	t, err := c.traces()
	if err != nil {
		return nil, err
	}
	gaps := inGaps(c.groups)
	var out []view.Series
	for _, g := range c.groups {
		s := view.Series{Name: g.Label}
		for _, r := range t.runs[g] {
			var curve view.Trace
			for _, p := range r {
				y := g.Sense.Value(p.Best)
				if gaps {
					y = t.gap(g.Instance, p.Best)
				}
				curve.X, curve.Y = append(curve.X, p.Cost), append(curve.Y, y)
			}
			s.Runs = append(s.Runs, curve)
		}
		out = append(out, s)
	}
	return c.look.Medians(c.Labels, out...)
}

// ecdfChart draws when runs reach targets, or else the median of all results.
func ecdfChart(c *chartOf) (*plot.Plot, error) {
	at, err := numbersOf("at", c.at, 0)
	if err != nil {
		return nil, err
	}
	var all []float64
	for _, g := range c.groups {
		all = append(all, g.Best()...)
	}
	if len(all) == 0 {
		return c.look.ECDF(c.Labels)
	}
	t, err := c.traces()
	if err != nil {
		return nil, err
	}
	targets := []float64{float64(median(all))}
	c.Labels.Y = ""
	if len(at) == 0 {
		c.Title += fmt.Sprintf(": %v reached", reply.Num(c.groups[0].Sense.Value(targets[0])))
	} else {
		targets = nil
		var words []string
		for _, gap := range at {
			targets = append(targets, t.target(c.groups[0].Instance, gap))
			words = append(words, reply.Num(gap).String())
		}
		c.Title += fmt.Sprintf(": %s %% reached", strings.Join(words, ", "))
		if len(at) > 1 {
			c.Labels.Y = "share of runs and targets"
		}
	}
	var out []view.Sample
	for _, g := range c.groups {
		s := view.Sample{Name: g.Label}
		for _, target := range targets {
			s.Values = append(s.Values, stats.FixedTarget(t.runs[g], target).Costs...)
		}
		out = append(out, s)
	}
	return c.look.ECDF(c.Labels, out...)
}

// ertChart draws expected running times against targets.
func ertChart(c *chartOf) (*plot.Plot, error) {
	at, err := numbersOf("at", c.at, 0)
	if err != nil {
		return nil, err
	}
	t, err := c.traces()
	if err != nil {
		return nil, err
	}
	if len(at) == 0 {
		at = t.between()
	}
	if len(at) == 0 { // all runs have their best from the first point on
		at = t.reached()
	}
	c.Labels.X, c.Labels.Y = "gap %", "ERT, "+t.axis
	c.LogX = len(at) > 0 && at[0] > 0
	var out []view.Response
	for _, g := range c.groups {
		for _, gap := range at {
			ert := stats.FixedTarget(t.runs[g], t.target(g.Instance, gap)).ERT
			if !math.IsInf(ert, 1) {
				put(&out, g.Label, gap, []float64{ert})
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("ert: no run has come within %v %%; name targets that some have reached, "+
			"as at=1,2,5", reply.Num(slices.Max(append(at, usual[len(usual)-1]))))
	}
	return c.look.Response(c.Labels, out...)
}

// speedupChart draws what the times on the cpu are of those on cuda.
func speedupChart(c *chartOf) (*plot.Plot, error) {
	cpu := map[[2]string]reply.Num{} // median time, by label and instance
	wall := func(r *experiment.Result) float64 { return r.Wall }
	for _, g := range c.groups {
		if g.Backend == "cpu" {
			cpu[[2]string{g.Label, g.Instance}] = median(g.Values(wall))
		}
	}
	var out []view.Response
	for _, g := range c.groups {
		name := strings.Replace(g.Label, " on "+g.Backend, "", 1)
		base := float64(cpu[[2]string{name, g.Instance}])
		if g.Backend != "cuda" || !(base > 0) || len(g.Done) == 0 {
			continue
		}
		var ratios []float64
		for _, v := range g.Values(wall) {
			if v > 0 {
				ratios = append(ratios, base/v)
			}
		}
		put(&out, name, float64(g.Done[0].Unit.Instance.Size), ratios)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("speedup needs units of the same solver on the cpu and on cuda, as of " +
			"on=cpu,cuda")
	}
	c.Labels.X, c.Labels.Y = "size of the instance", "speed-up"
	return c.look.Speedup(c.Labels, out...)
}
