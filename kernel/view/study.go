package view

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Labels holds the words of a figure of an experiment, and the scale of its x axis.
type Labels struct {
	Title string
	X, Y  string // of the axes
	LogX  bool   // the x axis is logarithmic, if its values are above 0
}

// A Sample holds the values of one group, such as the gaps of a solver's runs.
type Sample struct {
	Name   string
	Values []float64 // in any order; those that are not finite are ignored, but see [Look.ECDF]
}

// sorted returns the finite values, the smallest first.
func (s Sample) sorted() []float64 {
	var v []float64
	for _, x := range s.Values {
		if finite(x) {
			v = append(v, x)
		}
	}
	slices.Sort(v)
	return v
}

// renamed returns the names of n groups: those of the legend, if it has some.
func (l Look) renamed(n int, name func(i int) string) ([]string, error) {
	out := make([]string, n)
	for i := range out {
		out[i] = name(i)
	}
	switch len(l.Legend) {
	case 0:
		return out, nil
	case n:
		return slices.Clone(l.Legend), nil
	}
	return nil, fmt.Errorf("view: legend has %d names, and the figure has %s: want %d",
		len(l.Legend), counted(n, "group"), n)
}

// told is a plotter that says its lines where no picture can be, and draws nothing.
type told []string

// Plot says the lines.
func (t told) Plot(c draw.Canvas, _ *plot.Plot) {
	if w := targetOf(c).words; w != nil {
		for _, s := range t {
			w.say("%s", s)
		}
	}
}

// quiet is a curve that says nothing: the figure has its own words.
type quiet struct{ *Curve }

// Plot draws the curve.
func (q quiet) Plot(c draw.Canvas, plt *plot.Plot) {
	if w := targetOf(c).words; w != nil {
		w.span(q.DataRange())
		return
	}
	q.Curve.Plot(c, plt)
}

// curves puts curves, their legend and their axes on a plot; the y axis is logarithmic where
// the values are above 0 and span more than a factor 30.
func (l Look) curves(p *plot.Plot, w Labels, cs []*Curve) error {
	grid(p)
	own := l
	own.Legend = nil // the curves have its names
	legend, err := own.keys(nil, cs)
	if err != nil {
		return err
	}
	for i, c := range cs {
		if slices.ContainsFunc(cs[:i], c.covers) {
			c.Dashes = []vg.Length{6, 6}
		}
		p.Add(quiet{c})
	}
	p.Add(legend)
	p.X.Label.Text, p.Y.Label.Text = w.X, w.Y
	xlo, xhi, lo, hi := extent(cs)
	l.across(p, w, xlo, xhi)
	l.up(p, lo, hi)
	return nil
}

// across sets the x axis.
func (l Look) across(p *plot.Plot, w Labels, lo, hi float64) {
	p.X.Tick.Marker = Ticks{Want: l.few(7)}
	if w.LogX && lo > 0 {
		if hi < lo*1.2 {
			lo, hi = lo/1.2, hi*1.2
		}
		p.X.Min, p.X.Max = lo, hi
		p.X.Scale, p.X.Tick.Marker = logScale{floor: lo}, logTicks{}
		return
	}
	widen(&p.X, lo, hi, 0)
}

// up sets the y axis.
func (l Look) up(p *plot.Plot, lo, hi float64) {
	want := l.few(6)
	if l.shared != nil { // the plots are narrow, and not low
		want = 5
	}
	p.Y.Tick.Marker = Ticks{Want: want}
	if lo > 0 && hi/lo > 30 {
		logAxis(p, lo, hi, 0, "")
		return
	}
	widen(&p.Y, lo, hi, 0.06)
	fromZero(&p.Y, lo)
}

// rowOfNames is about how many letters stand in a row below a plot.
const rowOfNames = 64

// below names groups at 0, 1, 2, ... on the x axis.
func (l Look) below(p *plot.Plot, names []string) {
	p.X.Min, p.X.Max = -0.5, float64(len(names))-0.5
	groupNames{names: names, width: l.few(rowOfNames)}.stand().on(p)
}

// within returns the names for a plot of a width, whose letters are as large in any.
func (g groupNames) within(w vg.Length) groupNames {
	const axis, letter = 55, 6.5 // what the y axis takes, and a letter with its share of room
	g.width = max(int((w-axis)/letter), 1)
	return g.stand()
}

// stand makes names upright that would be cut if they were level.
func (g groupNames) stand() groupNames {
	g.upright = false
	g.upright = g.crowded()
	return g
}

// on makes the names those of p.
func (g groupNames) on(p *plot.Plot) {
	s := &p.X.Tick.Label
	s.Rotation, s.XAlign, s.YAlign = 0, draw.XCenter, draw.YTop
	if g.upright {
		s.Rotation, s.XAlign, s.YAlign = math.Pi/2, draw.XRight, draw.YCenter
	}
	p.X.Tick.Marker = g
}

// groupNames are the ticks of groups, in up to three rows if the names are long. If that is not
// enough, it omits words that all names share, and writes names that are still too long upright or,
// in a terminal, cuts them.
type groupNames struct {
	names   []string
	width   int // about so many letters stand in a row
	upright bool
}

// uprightMost is how many letters of a name stand upright at most.
const uprightMost = 36

// crowded reports whether names are cut if they are written level.
func (g groupNames) crowded() bool {
	space := max(g.width/max(len(g.names), 1), 1)
	return longest(distinct(g.names)) > max(space*min(3, len(g.names))-1, 3)
}

// height is about how much room names take that stand upright.
func (g groupNames) height() vg.Length {
	return vg.Length(min(longest(distinct(g.names)), uprightMost)) * 5
}

// Ticks are the names in their places.
func (g groupNames) Ticks(float64, float64) []plot.Tick {
	names := g.names
	space := max(g.width/max(len(names), 1), 1) // of each, in one row
	if longest(names) > space*min(3, len(names))-1 {
		names = distinct(names)
	}
	rows := max(min((longest(names)+space)/space, 3, len(names)), 1)
	most := max(space*rows-1, 3)
	if g.upright {
		rows, most = 1, uprightMost
	}
	ticks := make([]plot.Tick, len(names))
	for i, n := range names {
		n = shortened(n, most)
		ticks[i] = plot.Tick{Value: float64(i), Label: strings.Repeat("\n", i%rows) + n}
	}
	return ticks
}

// shortened cuts a name to most letters. In a name of several words the last word stays whole if
// there is room, since rows differ in it, as in "mmas/sc… beta=4".
func shortened(name string, most int) string {
	r := []rune(name)
	if len(r) <= most {
		return name
	}
	tail := []rune(name[strings.LastIndexByte(name, ' ')+1:])
	if head := most - 2 - len(tail); head >= 3 && len(tail) < len(r) {
		return string(r[:head]) + "… " + string(tail)
	}
	return string(r[:most-1]) + "…"
}

// longest is how many letters the longest of names has.
func longest(names []string) (n int) {
	for _, name := range names {
		n = max(n, len([]rune(name)))
	}
	return n
}

// distinct are names without the words that all of them have, as "local_search=none"; a name that
// would be empty keeps its first word.
func distinct(names []string) []string {
	have := map[string]int{} // in how many names a word is
	for _, name := range names {
		seen := map[string]bool{}
		for _, w := range strings.Fields(name) {
			if !seen[w] {
				seen[w] = true
				have[w]++
			}
		}
	}
	out := make([]string, len(names))
	for i, name := range names {
		all := strings.Fields(name)
		var kept []string
		for _, w := range all {
			if have[w] < len(names) {
				kept = append(kept, w)
			}
		}
		if len(kept) == 0 {
			kept = all[:min(1, len(all))]
		}
		out[i] = strings.Join(kept, " ")
	}
	return out
}

// BoxPlot draws a box for each sample, see [Boxes].
func (l Look) BoxPlot(w Labels, samples ...Sample) (*plot.Plot, error) {
	return l.beside(w, samples, func(b *Boxes) plot.Plotter { return b })
}

// ViolinPlot draws a violin for each sample, see [Violins].
func (l Look) ViolinPlot(w Labels, samples ...Sample) (*plot.Plot, error) {
	return l.beside(w, samples, func(b *Boxes) plot.Plotter { return &Violins{*b} })
}

// beside draws samples side by side.
func (l Look) beside(
	w Labels, samples []Sample, as func(*Boxes) plot.Plotter,
) (*plot.Plot, error) {
	p := l.base(w.Title)
	names, err := l.renamed(len(samples), func(i int) string { return samples[i].Name })
	if err != nil {
		return nil, err
	}
	b := &Boxes{Names: names}
	any := false
	for i, s := range samples {
		v := s.sorted()
		any = any || len(v) > 0
		b.Values, b.Colors = append(b.Values, v), append(b.Colors, palette[i%len(palette)])
	}
	if !any {
		return empty(p, "no values to draw"), nil
	}
	grid(p)
	p.Add(as(b))
	_, _, lo, hi := b.DataRange()
	l.up(p, lo, hi)
	l.below(p, names)
	p.X.Label.Text, p.Y.Label.Text = w.X, w.Y
	return p, nil
}

// Violins draws samples side by side as J. L. Hintze and R. D. Nelson do in "Violin plots: a box
// plot-density trace synergism", The American Statistician 52 (1998), doi:10.2307/2685478: the
// density of the values on both sides of a thin box with the median. The density is smoothed by a
// Gaussian with the width of B. W. Silverman's rule. If there are few values, each is a dot.
type Violins struct{ Boxes }

// violinSteps is the number of places at which the density is computed.
const violinSteps = 48

// Plot draws the violins.
func (b *Violins) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	if to.words != nil {
		b.Boxes.Plot(c, plt)
		return
	}
	trX, trY := plt.Transforms(&c)
	half := min((trX(1)-trX(0))*0.4, 45)
	for i, v := range b.Values {
		if len(v) == 0 {
			continue
		}
		x, k := trX(float64(i)), b.Colors[i]
		at, wide := density(v)
		var left, right []vg.Point
		for j, y := range at {
			d := half * vg.Length(wide[j])
			left = append(left, vg.Point{X: x - d, Y: trY(y)})
			right = append(right, vg.Point{X: x + d, Y: trY(y)})
		}
		slices.Reverse(right)
		outline := append(left, right...)
		outline = append(outline, outline[0])
		if !to.cells {
			c.FillPolygon(lighter(k), outline)
		}
		c.StrokeLines(line(k, 1), outline)
		q1, q2, q3 := quantile(v, 0.25), quantile(v, 0.5), quantile(v, 0.75)
		c.StrokeLine2(line(k, 2.5), x, trY(q1), x, trY(q3))
		c.StrokeLine2(line(k, 2.2), x-half/4, trY(q2), x+half/4, trY(q2))
		if len(v) <= fewValues {
			column{x, half / 2, trY}.dots(c, to, v, v[0], v[len(v)-1])
		}
	}
}

// density returns places from the least value to the greatest and the density there, 1 at the
// most.
func density(v []float64) (at, wide []float64) {
	n := float64(len(v))
	lo, hi := v[0], v[len(v)-1]
	mean, dev := 0.0, 0.0
	for _, x := range v {
		mean += x / n
	}
	for _, x := range v {
		dev += (x - mean) * (x - mean) / max(n-1, 1)
	}
	spread := math.Sqrt(dev)
	if q := (quantile(v, 0.75) - quantile(v, 0.25)) / 1.34; q > 0 {
		spread = min(spread, q)
	}
	h := 0.9 * spread * math.Pow(n, -0.2)
	if !(h > 0) || !finite(h) {
		return []float64{lo, hi}, []float64{0.5, 0.5}
	}
	most := 0.0
	for i := range violinSteps + 1 {
		y := lo + (hi-lo)*float64(i)/violinSteps
		d := 0.0
		for _, x := range v {
			d += math.Exp(-(x - y) * (x - y) / (2 * h * h))
		}
		at, wide = append(at, y), append(wide, d)
		most = max(most, d)
	}
	for i := range wide {
		wide[i] /= most
	}
	return at, wide
}
