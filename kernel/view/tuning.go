package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Trials holds the configurations that a tuning tried, with their results.
type Trials struct {
	Params   []Dimension
	Result   []float64 // of each trial; NaN: none
	Name     string    // the name of the result, such as "gap (%)"
	Maximise bool      // higher is better, else lower
}

// A Dimension holds the values of one parameter over the trials.
type Dimension struct {
	Name   string
	Values []float64 // of each trial; NaN if the parameter did not apply
	Labels []string  // the meanings of the values 0, 1, 2, ...; nil: they are numbers
	Log    bool      // drawn on a logarithmic scale
}

// check returns an error where the trials contradict themselves.
func (t *Trials) check() error {
	for _, d := range t.Params {
		if len(d.Values) != len(t.Result) {
			return fmt.Errorf("view: %q has values of %d trials, and there are %d results, want as many",
				d.Name, len(d.Values), len(t.Result))
		}
		for i, v := range d.Values {
			if d.Labels != nil && !math.IsNaN(v) && (v != math.Trunc(v) || v < 0 ||
				v >= float64(len(d.Labels))) {
				return fmt.Errorf("view: %q of trial %d is %v, want a whole number from 0 to %d", d.Name, i+1,
					v, len(d.Labels)-1)
			}
			if d.Log && v <= 0 {
				return fmt.Errorf("view: %q of trial %d is %v, want above 0 on a logarithmic scale", d.Name,
					i+1, v)
			}
		}
	}
	return nil
}

// Parallel draws trials as A. Inselberg's parallel coordinates: an axis for each parameter and one
// for the result, and a line for each trial. The best tenth is blue, the best one thick. Cells have
// no room for so many lines: there it draws only some of the others, and none without colours.
func (l Look) Parallel(w Labels, t Trials) (*plot.Plot, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	p := l.base(w.Title)
	b := &parallel{t: t}
	for i, v := range t.Result {
		if finite(v) {
			b.order = append(b.order, i)
		}
	}
	if len(b.order) == 0 {
		return empty(p, "no trials to draw"), nil
	}
	slices.SortStableFunc(b.order, func(i, j int) int {
		if t.Maximise {
			i, j = j, i
		}
		return cmp.Compare(t.Result[i], t.Result[j])
	})
	b.axes = append(slices.Clone(t.Params), Dimension{Name: t.Name, Values: t.Result})
	var names []string
	for i := range b.axes {
		d := &b.axes[i]
		names = append(names, d.Name)
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, k := range b.order {
			if v := d.Values[k]; finite(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		b.lo, b.hi = append(b.lo, lo), append(b.hi, hi)
	}
	p.Add(b)
	l.below(p, names)
	p.X.Label.Text = w.X
	if w.Title != "" {
		w.Title += ", "
	}
	of := counted(len(b.order), "trial")
	best := fmt.Sprintf("%sthe best of %s in red", w.Title, of)
	if n := b.best(); n > 1 {
		best = fmt.Sprintf("%sthe best %d of %s in blue and red", w.Title, n, of)
	}
	p.Title.Text = l.base(best).Title.Text
	p.X.Min, p.X.Max = -0.3, float64(len(names))-0.7
	p.Y.Min, p.Y.Max = 0, 1
	p.HideY()
	p.X.LineStyle.Width, p.X.Tick.LineStyle.Width, p.X.Tick.Length = 0, 0, 0
	return p, nil
}

// A parallel draws trials.
type parallel struct {
	t      Trials
	axes   []Dimension
	lo, hi []float64 // of each axis
	order  []int     // the trials, the best first
}

// best is the number of trials that stand out: a tenth.
func (b *parallel) best() int { return (len(b.order) + 9) / 10 }

// GlyphBoxes reserves a row above and a row below the axes.
func (b *parallel) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{
		{X: 0.5, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{Y: row}}},
		{X: 0.5, Y: 0, Rectangle: vg.Rectangle{Min: vg.Point{Y: -row}}},
	}
}

// place is where a value stands on axis i, from 0 to 1; NaN where there is none.
func (b *parallel) place(i int, v float64) float64 {
	lo, hi := b.lo[i], b.hi[i]
	if b.axes[i].Log {
		v, lo, hi = math.Log(v), math.Log(lo), math.Log(hi)
	}
	switch {
	case !finite(v):
		return math.NaN()
	case lo == hi:
		return 0.5
	}
	return (v - lo) / (hi - lo)
}

// value writes a value of axis i.
func (b *parallel) value(i int, v float64) string {
	if d := b.axes[i]; d.Labels != nil && finite(v) {
		return d.Labels[int(v)]
	}
	return brief(v)
}

// Plot draws the axes and the trials, the best last.
func (b *parallel) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	if to.words != nil {
		b.speak(to.words)
		return
	}
	trX, trY := plt.Transforms(&c)
	style := draw.TextStyle{
		Font: to.font(markSize), Color: ink, Handler: plt.X.Label.TextStyle.Handler, XAlign: draw.XCenter,
	}
	best := b.best()
	others := len(b.order) - best // drawn of those that are not among the best
	switch {
	case to.plain:
		others = 0
	case to.cells:
		others = min(others, 20)
	}
	for at := len(b.order) - 1; at >= 0; at-- {
		s := line(dim, 0.4)
		if to.cells {
			s.Color = mix(ink, 0.4)
		}
		if rest := len(b.order) - best; at >= best && (at-best+1)*others/rest == (at-best)*others/rest {
			continue
		}
		switch {
		case at == 0:
			s = line(vermilion, 2)
		case at < best:
			s = line(blue, 0.9)
		}
		var pts []vg.Point
		flush := func() {
			if len(pts) > 1 {
				c.StrokeLines(s, pts)
			}
			pts = nil
		}
		for i, d := range b.axes {
			y := b.place(i, d.Values[b.order[at]])
			if math.IsNaN(y) {
				flush()
				continue
			}
			pts = append(pts, vg.Point{X: trX(float64(i)), Y: trY(y)})
		}
		flush()
	}
	for i, d := range b.axes {
		x := trX(float64(i))
		c.StrokeLine2(line(ink, 0.8), x, c.Min.Y, x, c.Max.Y)
		if b.lo[i] > b.hi[i] {
			continue
		}
		if n := len(d.Labels); n > 2 && b.hi[i]-b.lo[i] > 1 {
			for v := b.lo[i] + 1; v < b.hi[i]; v++ {
				c.FillText(style, vg.Point{X: x, Y: trY(b.place(i, v))}, b.value(i, v))
			}
		}
		c.FillText(style, vg.Point{X: x, Y: c.Max.Y + 3}, b.value(i, b.hi[i]))
		if b.lo[i] < b.hi[i] {
			c.FillText(style, vg.Point{X: x, Y: c.Min.Y - row + 3}, b.value(i, b.lo[i]))
		}
	}
}

// speak says what the best trial was, and which values the best tenth has.
func (b *parallel) speak(s *wordCanvas) {
	best := b.order[:b.best()]
	for i := range b.axes {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, k := range best {
			if v := b.axes[i].Values[k]; finite(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		if lo > hi {
			continue
		}
		text := fmt.Sprintf("%s: %s to %s", b.axes[i].Name, b.value(i, b.lo[i]), b.value(i, b.hi[i]))
		if v := b.axes[i].Values[b.order[0]]; finite(v) {
			text += ", of the best " + b.value(i, v)
		}
		if len(best) > 1 {
			text += fmt.Sprintf(", of the best %d %s to %s", len(best), b.value(i, lo), b.value(i, hi))
		}
		s.say("%s", text)
	}
}

// A Share is the importance of a parameter, or another part of a whole.
type Share struct {
	Name  string
	Value float64 // 0 to 1
}

// Importance draws shares as bars, the largest on top.
func (l Look) Importance(w Labels, shares ...Share) (*plot.Plot, error) {
	for _, s := range shares {
		if !(s.Value >= 0 && s.Value <= 1) {
			return nil, fmt.Errorf("view: the share of %q is %v, want 0 to 1", s.Name, s.Value)
		}
	}
	p := l.base(w.Title)
	if len(shares) == 0 {
		return empty(p, "no parameters to draw"), nil
	}
	b := shareBars(slices.Clone(shares))
	slices.SortStableFunc(b, func(x, y Share) int {
		if x.Value < y.Value {
			return -1
		} else if x.Value > y.Value {
			return 1
		}
		return 0
	})
	ticks := make([]plot.Tick, len(b))
	for i, s := range b {
		ticks[i] = plot.Tick{Value: float64(i), Label: s.Name}
	}
	p.Add(b)
	p.X.Label.Text, p.Y.Label.Text = w.X, w.Y
	if w.X == "" {
		p.X.Label.Text = "importance (%)"
	}
	p.X.Min, p.X.Max = 0, min(max(b[len(b)-1].Value*115, 1), 100)
	p.Y.Min, p.Y.Max = -0.6, float64(len(b))-0.4
	p.Y.Tick.Marker = plot.ConstantTicks(ticks)
	p.Y.Tick.LineStyle.Width, p.Y.Tick.Length = 0, 0
	p.X.Tick.Marker = Ticks{Want: l.few(6)}
	return p, nil
}

// shareBars draws shares, the smallest first.
type shareBars []Share

// Plot draws the bars with their values.
func (b shareBars) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	trX, trY := plt.Transforms(&c)
	half := min((trY(1)-trY(0))*0.35, 12)
	style := draw.TextStyle{
		Font: to.font(markSize), Color: ink, Handler: plt.X.Label.TextStyle.Handler, YAlign: draw.YCenter,
	}
	for i, s := range slices.Backward(b) {
		if to.words != nil {
			to.words.say("%s: %.3g %%", s.Name, 100*s.Value)
			continue
		}
		y, x := trY(float64(i)), trX(100*s.Value)
		if to.cells { // a bar is one row of cells, at least
			y = vg.Length(math.Floor(float64(y/row)))*row + row/2
			half = max(vg.Length(math.Floor(float64(2*half/row)))*row/2, row/2)
		}
		c.FillPolygon(blue, []vg.Point{
			{X: c.Min.X, Y: y - half},
			{X: x, Y: y - half},
			{X: x, Y: y + half},
			{X: c.Min.X, Y: y + half},
		})
		text := fmt.Sprintf("%.3g", 100*s.Value)
		if w := style.Width(text) * to.slack(); x+4+w <= c.Max.X+4 {
			c.FillText(style, vg.Point{X: x + 4, Y: y}, text)
		}
	}
}
