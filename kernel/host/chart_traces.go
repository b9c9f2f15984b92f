package host

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"

	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
	"metalab/solvers/stats"
)

// spent is what a budget is used up in: the words of an axis, and how much a point has used.
func spent(b record.Budget) (label string, of func(p *experiment.TracePoint) float64) {
	switch {
	case b.Iterations > 0:
		return "iteration", func(p *experiment.TracePoint) float64 { return float64(p.Iteration) }
	case b.Evaluations > 0:
		return "evaluations", func(p *experiment.TracePoint) float64 { return float64(p.Evaluations) }
	case b.CPU > 0 && b.Wall == 0:
		return "cpu (s)", func(p *experiment.TracePoint) float64 { return p.CPU }
	}
	return "time (s)", func(p *experiment.TracePoint) float64 { return p.Wall }
}

// traces are the traces of the units of a group that are done, against what their budget is used
// up in.
func (c *chartOf) traces(g *experiment.Group) (out []stats.Trace, label string, err error) {
	for i := range g.Done {
		u := &g.Done[i].Unit
		words, of := spent(u.Budget)
		label = words
		points, err := c.store.Trace(c.ctx, c.name, u.Number)
		if err != nil {
			return nil, "", err
		}
		var t stats.Trace
		for j := range points {
			p := &points[j]
			t = append(t, stats.Passed{Cost: of(p), Best: p.Best})
		}
		if len(t) > 0 {
			out = append(out, t)
		}
	}
	return out, label, nil
}

// medianChart draws the best so far.
func medianChart(c *chartOf) (*plot.Plot, error) {
	gaps := inGaps(c.groups)
	var out []view.Series
	for _, g := range c.groups {
		traces, label, err := c.traces(g)
		if err != nil {
			return nil, err
		}
		c.Labels.X = or(label, c.Labels.X)
		s := view.Series{Name: g.Label}
		for _, t := range traces {
			var curve view.Trace
			most := math.Inf(-1)
			for _, p := range t {
				most = max(most, p.Cost) // clocks may stand still
				y := p.Best
				if gaps {
					y = 100 * (y - g.Optimum) / math.Abs(g.Optimum)
				}
				curve.X, curve.Y = append(curve.X, most), append(curve.Y, y)
			}
			s.Runs = append(s.Runs, curve)
		}
		out = append(out, s)
	}
	c.LogX = true
	return c.look.Medians(c.Labels, out...)
}

// ecdfChart draws when runs reach the median of all results.
func ecdfChart(c *chartOf) (*plot.Plot, error) {
	var all []float64
	for _, g := range c.groups {
		all = append(all, g.Best()...)
	}
	if len(all) == 0 {
		return c.look.ECDF(c.Labels)
	}
	target := median(all)
	c.Title += fmt.Sprintf(": %v reached", target)
	c.Labels.Y, c.LogX = "", true
	var out []view.Sample
	for _, g := range c.groups {
		traces, label, err := c.traces(g)
		if err != nil {
			return nil, err
		}
		c.Labels.X = or(label, c.Labels.X)
		costs := stats.FixedTarget(traces, float64(target)).Costs
		out = append(out, view.Sample{Name: g.Label, Values: costs})
	}
	return c.look.ECDF(c.Labels, out...)
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
