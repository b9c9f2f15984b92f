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

// Convergence draws the value of the best solution against iterations: of one run with the best and
// the mean of each iteration, of several runs alone. When the best known value of every run is
// known and not 0, the gap to it is drawn in percent on a logarithmic axis, on which gaps of 0 (and
// below, for a run that found better) lie at the bottom. Marks show changes of parameters. The
// common past of a fork and an earlier run appears once. For a run without iterations but with
// repeats it draws what [Band] draws; a single run has that beside its own curves.
func (l Look) Convergence(runs ...Data) (*plot.Plot, error) {
	p := l.base(titleOf(runs))
	if len(runs) == 0 {
		return empty(p, "no runs"), nil
	}
	for i := range runs {
		if err := runs[i].check(); err != nil {
			return nil, err
		}
	}
	gap := hasGap(runs)
	shown := func(d *Data, cost float64) float64 {
		if gap {
			return 100 * (cost - *d.Best) / math.Abs(*d.Best)
		}
		return d.Sense.Value(cost)
	}
	var curves []*Curve
	add := func(d *Data, from int, c *Curve, of func(record.Point) float64) {
		c.fill(d.Points[from:], l.X, func(q record.Point) float64 {
			return shown(d, of(q))
		})
		curves = append(curves, c)
	}
	best := func(q record.Point) float64 { return q.Best }
	bands := 0
	band := func(d *Data, name string, style draw.LineStyle) {
		c := d.band(l.X, style, func(cost float64) float64 { return shown(d, cost) })
		c.Name = name
		curves = append(curves, c)
		bands++
	}
	if len(runs) == 1 && len(runs[0].Points) == 0 && runs[0].repeated() {
		band(&runs[0], "median of the seeds", line(blue, 1.8))
	} else if len(runs) == 1 {
		d := &runs[0]
		if d.repeated() {
			band(d, fmt.Sprintf("median of %d seeds", len(d.Seeds.Results)), line(green, 1.2))
		}
		add(d, 0, &Curve{Name: "mean", LineStyle: line(orange, 0.8)},
			func(q record.Point) float64 { return q.Mean })
		add(d, 0, &Curve{Name: "iteration best", LineStyle: line(sky, 0.8)},
			func(q record.Point) float64 { return q.IterBest })
		add(d, 0, &Curve{Name: "best", LineStyle: line(blue, 1.8), Steps: true}, best)
	} else {
		for i := range runs {
			from, style := past(runs, i, line(palette[i%len(palette)], 1.5))
			if len(runs[i].Points) == 0 && runs[i].repeated() {
				band(&runs[i], runs[i].Name, style)
				continue
			}
			add(&runs[i], from, &Curve{Name: runs[i].Name, LineStyle: style, Steps: true, Start: from > 0},
				best)
		}
	}
	for i, c := range curves {
		if len(runs) > 1 && c.Dashes == nil && slices.ContainsFunc(curves[:i], c.covers) {
			c.Dashes = []vg.Length{6, 6}
		}
	}
	label := runs[0].objective()
	if gap {
		label = "gap (%)"
	}
	switch bands {
	case 0:
	case len(curves):
		label += ", median and quartiles"
	default:
		for i, c := range curves {
			if c.Low != nil && len(runs) > 1 {
				c.Name = fmt.Sprintf("%s: median of %d seeds", runs[i].Name, len(runs[i].Seeds.Results))
			}
		}
	}
	return p, l.compose(p, label, runs, curves, gap)
}

// hasGap reports whether the gap is known of all runs.
func hasGap(runs []Data) bool {
	for _, d := range runs {
		if d.Best == nil || !finite(*d.Best) || *d.Best == 0 {
			return false
		}
	}
	return true
}

// line is the style of a line.
func line(k color.Color, width float64) draw.LineStyle {
	return draw.LineStyle{Color: k, Width: vg.Points(width)}
}

// past returns the point from which on the curve of run i is its own: what it shares with a
// run before it, as a fork with its parent, is drawn once. A curve that is another one's
// altogether is dashed, so that both are seen.
func past(runs []Data, i int, style draw.LineStyle) (from int, _ draw.LineStyle) {
	mine := runs[i].Points
	most := 0
	for _, d := range runs[:i] {
		k := 0
		for k < min(len(mine), len(d.Points)) && sameState(mine[k], d.Points[k]) {
			k++
		}
		most = max(most, k)
	}
	switch {
	case most < 2:
	case most == len(mine):
		style.Dashes = []vg.Length{6, 6}
	default:
		return most - 1, style
	}
	if i >= len(palette) { // its colour is that of a run before it
		style.Dashes = dashes
	}
	return 0, style
}

// sameState reports whether two points are of one past.
func sameState(a, b record.Point) bool {
	return a.Iter == b.Iter && a.Digest == b.Digest && a.Best == b.Best && a.IterBest == b.IterBest &&
		a.Mean == b.Mean
}

// Measure draws a measure of the solver's own, named as in Data.Measures, against iterations. It
// omits runs without the measure.
func (l Look) Measure(name string, runs ...Data) (*plot.Plot, error) {
	p := l.base(titleOf(runs))
	var curves []*Curve
	var have []Data
	for i, d := range runs {
		at := slices.Index(d.Measures, name)
		if at < 0 {
			continue
		}
		from, style := past(runs, i, line(palette[i%len(palette)], 1.2))
		c := &Curve{Name: d.Name, LineStyle: style, Start: from > 0}
		c.fill(d.Points[from:], l.X, func(q record.Point) float64 {
			if at < len(q.Measures) {
				return q.Measures[at]
			}
			return math.NaN()
		})
		curves, have = append(curves, c), append(have, d)
	}
	if len(have) == 0 && len(runs) > 0 {
		return nil, fmt.Errorf("view: no run has a measure %q; measures are %s", name, measuresOf(runs))
	}
	return p, l.compose(p, strings.ReplaceAll(name, "_", " "), have, curves, false)
}

// Branching draws the measure "branching": the λ-branching factor, the mean
// number of edges of a city whose trail exceeds the weakest by at least λ times
// the range of the city's trails. Near 2 the search has settled on one tour.
// It is due to L. M. Gambardella and M. Dorigo, "Ant-Q: a reinforcement learning
// approach to the traveling salesman problem", Proc. ICML 1995,
// doi:10.1016/B978-1-55860-377-6.50039-6.
func (l Look) Branching(runs ...Data) (*plot.Plot, error) {
	p, err := l.Measure("branching", runs...)
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

// titleOf is the title of a figure of runs: the one they share, or their names and the instance.
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
	on := " on " + runs[0].Instance
	switch {
	case slices.ContainsFunc(runs, func(d Data) bool { return d.Instance != runs[0].Instance }):
		on = ""
		for i, d := range runs {
			if d.Instance != "" {
				names[i] += " on " + d.Instance
			}
		}
	case runs[0].Instance == "":
		on = ""
	}
	if len(names) > 4 {
		return fmt.Sprintf("%s and %d more%s", strings.Join(names[:3], ", "), len(names)-3, on)
	}
	return strings.Join(names, ", ") + on
}

// compose puts curves, marks and legend together and chooses the axes.
func (l Look) compose(p *plot.Plot, label string, runs []Data, curves []*Curve, gap bool) error {
	if err := l.X.check(runs); err != nil {
		return err
	}
	any := false
	for _, c := range curves {
		any = any || c.any()
		c.cut(l.Range)
	}
	curves = slices.DeleteFunc(curves, func(c *Curve) bool { return !c.any() })
	if len(curves) == 0 {
		why := "no iterations yet"
		if any {
			why = fmt.Sprintf("nothing from %g to %g", l.Range.From, l.Range.To)
		}
		empty(p, why)
		return nil
	}
	marks := l.marks(runs)
	grid(p)
	m := &Marks{Marks: marks, Rows: min((len(marks)+2)/2, 3)}
	legend, err := l.keys(runs, curves)
	if err != nil {
		return err
	}
	legend.lift = vg.Length(m.Rows) * row
	for _, c := range curves {
		p.Add(c)
	}
	p.Add(m, legend)

	p.X.Label.Text, p.Y.Label.Text = l.X.label(runs)+l.thinned(runs, curves), label
	p.X.Tick.Marker = Ticks{Want: l.few(7), Int: l.X.whole()}
	p.Y.Tick.Marker = Ticks{Want: l.few(6)}
	xlo, xhi, lo, hi := extent(curves)
	if !l.Range.given() {
		for _, k := range marks {
			xlo, xhi = min(xlo, k.X), max(xhi, k.X)
		}
	}
	if xlo > 0 && xlo < xhi/20 {
		xlo = 0
	}
	if l.Range.given() {
		if finite(l.Range.From) {
			xlo = l.Range.From
		}
		if finite(l.Range.To) {
			xhi = l.Range.To
		}
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
		if gap {
			fromZero(&p.Y, lo)
		}
	}
	return nil
}

// allDraws says what draws all where a figure leaves some out.
const allDraws = "; the word all draws each"

// thinned says how many of the iterations are drawn, where a curve has a value for each and
// the history keeps a part of them.
func (l Look) thinned(runs []Data, curves []*Curve) string {
	drawn, all := 0, int64(0)
	for _, c := range curves {
		if !c.Steps {
			drawn = -1
		}
	}
	if drawn == 0 {
		return "" // the best value changes only at points that the history keeps
	}
	drawn = 0
	for _, d := range runs {
		drawn += len(d.Points)
		if n := len(d.Points); n > 0 {
			all += d.Points[n-1].Iter
		}
	}
	if int64(drawn) >= all {
		return ""
	}
	text := fmt.Sprintf("; %s of %s", grouped(int64(drawn)), grouped(all))
	if l.X != "" && l.X != Iterations {
		text += " iterations"
	}
	if text += " kept"; !l.narrow {
		text += allDraws
	}
	return text
}

// keys makes the legend.
func (l Look) keys(runs []Data, curves []*Curve) (*keys, error) {
	k := &keys{rows: 1}
	if l.NoLegend {
		return k, nil
	}
	marks := letters(curves)
	width := 70
	if l.narrow {
		width = 35
	}
	count := 0
	if len(curves) > 1 || len(runs) > 1 { // of one curve the axis says it
		for i, c := range curves {
			c.Letter = marks[i]
			k.entries = append(k.entries, key{name: c.Name, curve: c})
		}
	}
	if len(runs) == 1 {
		slices.Reverse(k.entries) // the best is drawn last and named first
		switch n := len(k.entries); {
		case len(l.Legend) == 1 && n > 1: // the run's name, before those of its curves
			for i := range k.entries {
				k.entries[i].name = l.Legend[0] + ", " + k.entries[i].name
			}
		case len(l.Legend) > 0 && len(l.Legend) != n:
			return nil, fmt.Errorf("view: legend has %d names, and the figure has %d curves: want 1 or %d",
				len(l.Legend), n, n)
		default:
			for i, name := range l.Legend {
				k.entries[i].name = name
			}
		}
	}
	if l.shared != nil && l.shared.add(k.entries) {
		return &keys{rows: 1}, nil
	}
	for _, e := range k.entries {
		count += len([]rune(e.name)) + 7
	}
	k.rows = min(1+count/width, 3)
	return k, nil
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
		for _, ys := range [...][]float64{c.Y, c.Low} {
			for _, v := range ys {
				if v > 0 && v < least {
					least = v
				}
			}
		}
	}
	return finite(least), least
}
