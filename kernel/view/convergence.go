package view

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/solvers/record"
)

// Convergence draws the value of the best solution against iterations: of one run
// with the best and the mean of each iteration, of several runs alone. When the
// best known value of every run is known and not 0, the gap to it is drawn in
// percent on a logarithmic axis, on which gaps of 0 (and below, for a run that
// found better) lie at the bottom. Changes of parameters are marked.
func Convergence(runs ...Data) (*plot.Plot, error) {
	p := base(titleOf(runs))
	if len(runs) == 0 {
		return empty(p, "no runs"), nil
	}
	for i := range runs {
		if err := runs[i].check(); err != nil {
			return nil, err
		}
	}
	gap := true
	for _, d := range runs {
		gap = gap && d.Best != nil && finite(*d.Best) && *d.Best != 0
	}
	var curves []*Curve
	var names []string
	add := func(d *Data, name string, k color.Color, w vg.Length, steps bool, of func(record.Point) float64) {
		c := &Curve{Steps: steps, LineStyle: draw.LineStyle{Color: k, Width: w}}
		for _, q := range d.Points {
			v := of(q)
			if gap {
				v = 100 * (v - *d.Best) / math.Abs(*d.Best)
			}
			c.X, c.Y = append(c.X, float64(q.Iter)), append(c.Y, v)
		}
		if _, _, lo, hi := c.DataRange(); lo <= hi {
			curves, names = append(curves, c), append(names, name)
		}
	}
	best := func(q record.Point) float64 { return q.Best }
	if len(runs) == 1 {
		d := &runs[0]
		add(d, "mean", orange, 0.8, false, func(q record.Point) float64 { return q.Mean })
		add(d, "iteration best", sky, 0.8, false, func(q record.Point) float64 { return q.IterBest })
		add(d, "best", blue, 1.8, true, best)
	} else {
		for i := range runs {
			add(&runs[i], runs[i].Name, palette[i%len(palette)], 1.5, true, best)
		}
	}
	if len(curves) == 0 {
		return empty(p, "no iterations yet"), nil
	}
	p.Y.Label.Text = runs[0].objective()
	if gap {
		p.Y.Label.Text = "gap (%)"
	}
	compose(p, runs, curves, names, gap)
	return p, nil
}

// Measure draws a measure of the solver's own, named as in Data.Measures, against
// iterations. Runs that do not have it are left out.
func Measure(name string, runs ...Data) (*plot.Plot, error) {
	p := base(titleOf(runs))
	var curves []*Curve
	var names []string
	var have []Data
	for i, d := range runs {
		at := slices.Index(d.Measures, name)
		if at < 0 {
			continue
		}
		c := &Curve{LineStyle: draw.LineStyle{Color: palette[i%len(palette)], Width: vg.Points(1.2)}}
		for _, q := range d.Points {
			if at < len(q.Measures) {
				c.X, c.Y = append(c.X, float64(q.Iter)), append(c.Y, q.Measures[at])
			}
		}
		have = append(have, d)
		if _, _, lo, hi := c.DataRange(); lo <= hi {
			curves, names = append(curves, c), append(names, d.Name)
		}
	}
	if len(have) == 0 && len(runs) > 0 {
		return nil, fmt.Errorf("view: no run has a measure %q; measures are %s", name, measuresOf(runs))
	}
	if len(curves) == 0 {
		return empty(p, "no iterations yet"), nil
	}
	if len(curves) == 1 {
		names[0] = "" // the axis says it
	}
	p.Y.Label.Text = strings.ReplaceAll(name, "_", " ")
	compose(p, have, curves, names, false)
	return p, nil
}

// Branching draws the measure "branching": the λ-branching factor, the mean
// number of edges of a city whose trail exceeds the weakest by at least λ times
// the range of the city's trails. Near 2 the search has settled on one tour.
// It is due to L. M. Gambardella and M. Dorigo, "Ant-Q: a reinforcement learning
// approach to the traveling salesman problem", Proc. ICML 1995,
// doi:10.1016/B978-1-55860-377-6.50039-6.
func Branching(runs ...Data) (*plot.Plot, error) {
	p, err := Measure("branching", runs...)
	if err == nil && p.Y.Label.Text != "" {
		p.Y.Label.Text = "λ-branching factor"
	}
	return p, err
}

// measuresOf lists the measures of the runs, each once.
func measuresOf(runs []Data) string {
	var all []string
	for _, d := range runs {
		for _, m := range d.Measures {
			if !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}

// titleOf is the title of a figure of runs: the one they share, or their names.
func titleOf(runs []Data) string {
	if len(runs) == 0 {
		return ""
	}
	title, names := runs[0].title(), []string{}
	for _, d := range runs {
		if d.title() != title {
			title = ""
		}
		names = append(names, d.Name)
	}
	if title != "" {
		return title
	}
	if len(names) > 4 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}

// compose puts curves, marks and legend together and chooses the axes.
func compose(p *plot.Plot, runs []Data, curves []*Curve, names []string, gap bool) {
	marks := together(runs)
	grid(p)
	m := &Marks{Marks: marks, Rows: min((len(marks)+2)/2, 3)}
	legend := &keys{lift: vg.Length(m.Rows) * row}
	letters := 0
	for i, c := range curves {
		p.Add(c)
		if names[i] != "" {
			legend.entries = append(legend.entries, key{name: names[i], line: c.LineStyle})
			letters += len([]rune(names[i])) + 7
		}
	}
	if len(runs) == 1 {
		slices.Reverse(legend.entries) // the best is drawn last and named first
	}
	legend.rows = min(1+letters/70, 3)
	p.Add(m, legend)

	p.X.Label.Text = "iteration"
	p.X.Tick.Marker = Ticks{Want: 7, Int: true}
	xlo, xhi, lo, hi := extent(curves)
	for _, k := range marks {
		xlo, xhi = min(xlo, k.X), max(xhi, k.X)
	}
	if xlo > 0 && xlo < xhi/20 {
		xlo = 0
	}
	widen(&p.X, xlo, xhi, 0)
	if xlo == xhi {
		p.X.Min, p.X.Max = xlo-1, xhi+1
	}
	positive, least := positives(curves)
	switch {
	case gap && positive:
		floor, zero := 0.0, ""
		bottom := least
		if lo <= 0 {
			floor, zero = least/4, "0"
			if lo < 0 {
				zero = "≤0"
			}
			bottom = floor
		}
		logAxis(p, bottom, hi, floor, zero)
	case lo > 0 && hi/lo > 30:
		logAxis(p, lo, hi, 0, "")
	default:
		widen(&p.Y, lo, hi, 0.04)
	}
}

// logAxis makes the y axis of p logarithmic from lo to hi, both above 0. Values
// at or below floor, if that is above 0, are drawn at floor, which is labelled zero.
func logAxis(p *plot.Plot, lo, hi, floor float64, zero string) {
	if hi < lo*1.2 {
		lo, hi = lo/1.2, max(lo, hi)*1.2
	}
	p.Y.Min, p.Y.Max = lo/1.08, hi*1.08
	least := p.Y.Min
	if floor > 0 {
		p.Y.Min, least = floor, floor
	}
	p.Y.Scale = logScale{floor: max(least, math.SmallestNonzeroFloat64)}
	p.Y.Tick.Marker = logTicks{floor: floor, zero: zero}
}

// extent is the range of all curves.
func extent(curves []*Curve) (xlo, xhi, lo, hi float64) {
	xlo, xhi, lo, hi = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, c := range curves {
		a, b, d, e := c.DataRange()
		xlo, xhi, lo, hi = min(xlo, a), max(xhi, b), min(lo, d), max(hi, e)
	}
	return xlo, xhi, lo, hi
}

// positives reports whether a value is above 0, and the least that is.
func positives(curves []*Curve) (has bool, least float64) {
	least = math.Inf(1)
	for _, c := range curves {
		for _, v := range c.Y {
			if v > 0 && v < least {
				least = v
			}
		}
	}
	return finite(least), least
}
