package view

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Boxes draws samples side by side as J. W. Tukey does in "Exploratory Data Analysis" (1977): a box
// from quartile to quartile with a line at the median, whiskers to the farthest value within one
// and a half heights of the box, and dots beyond. If there are few values, each is a dot.
type Boxes struct {
	Names  []string
	Values [][]float64 // of each name, sorted; not copied
	Colors []color.Color
}

// fewValues is the number of values of a sample up to which each is a dot.
const fewValues = 40

// Box draws the best values of the seeds of each run that was repeated.
func (l Look) Box(runs ...Data) (*plot.Plot, error) {
	b := &Boxes{}
	gap := hasGap(runs)
	title, equal := "", true // whether all seeds went as far
	for i, d := range runs {
		if !d.repeated() {
			continue
		}
		var v []float64
		for _, s := range d.Seeds.Results {
			x := d.Sense.Value(s.Best)
			if gap {
				x = 100 * (s.Best - *d.Best) / math.Abs(*d.Best)
			}
			if finite(x) {
				v = append(v, x)
			}
		}
		if len(v) == 0 {
			continue
		}
		slices.Sort(v)
		if len(b.Names) == 0 {
			title = "best of each seed, " + d.Seeds.Budget
		}
		equal = equal && title == "best of each seed, "+d.Seeds.Budget
		b.Names = append(b.Names, d.Name+": "+d.Seeds.words())
		b.Values, b.Colors = append(b.Values, v), append(b.Colors, palette[i%len(palette)])
	}
	if len(b.Values) == 0 {
		return empty(l.base(titleOf(runs)), noSeeds(runs)), nil
	}
	if !equal {
		title = "best of each seed"
	}
	for i, n := range b.Names {
		if equal {
			b.Names[i], _, _ = strings.Cut(n, ", ")
		}
	}
	p := l.base(title)
	grid(p)
	p.Add(b)
	_, _, lo, hi := b.DataRange()
	widen(&p.Y, lo, hi, 0.08)
	fromZero(&p.Y, lo)
	p.X.Min, p.X.Max = -0.5, float64(len(b.Values))-0.5
	p.X.Tick.Marker = plot.ConstantTicks(b.ticks())
	p.Y.Tick.Marker = Ticks{Want: l.few(6)}
	p.Y.Label.Text = runs[0].objective()
	if gap {
		p.Y.Label.Text = "gap (%)"
	}
	return p, nil
}

// ticks are the names in their places.
func (b *Boxes) ticks() []plot.Tick {
	out := make([]plot.Tick, len(b.Names))
	for i, n := range b.Names {
		out[i] = plot.Tick{Value: float64(i), Label: n}
	}
	return out
}

// DataRange returns the range of the boxes and of the values.
func (b *Boxes) DataRange() (xmin, xmax, ymin, ymax float64) {
	ymin, ymax = math.Inf(1), math.Inf(-1)
	for _, v := range b.Values {
		if len(v) > 0 {
			ymin, ymax = min(ymin, v[0]), max(ymax, v[len(v)-1])
		}
	}
	return -0.5, float64(len(b.Values)) - 0.5, ymin, ymax
}

// Plot draws the boxes.
func (b *Boxes) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	trX, trY := plt.Transforms(&c)
	half := min((trX(1)-trX(0))*0.3, 30)
	if to.words != nil {
		_, _, lo, hi := b.DataRange()
		to.words.span(math.Inf(1), math.Inf(-1), lo, hi)
	}
	for i, v := range b.Values {
		if len(v) == 0 {
			continue
		}
		q1, q2, q3 := quantile(v, 0.25), quantile(v, 0.5), quantile(v, 0.75)
		if to.words != nil {
			to.words.say("%s: least %s, quartiles %s and %s, median %s, most %s",
				b.Names[i], Number(v[0]), Number(q1), Number(q3), Number(q2), Number(v[len(v)-1]))
			continue
		}
		lo, hi := whiskers(v, q1, q3)
		k := b.Colors[i]
		x := trX(float64(i))
		left, right := x-half, x+half
		box := []vg.Point{
			{X: left, Y: trY(q1)},
			{X: right, Y: trY(q1)},
			{X: right, Y: trY(q3)},
			{X: left, Y: trY(q3)},
			{X: left, Y: trY(q1)},
		}
		thin := line(k, 1)
		if !to.cells {
			c.FillPolygon(lighter(k), box[:4])
		}
		c.StrokeLines(thin, box)
		c.StrokeLine2(line(k, 2.2), left, trY(q2), right, trY(q2))
		for _, w := range [...][2]float64{{q1, lo}, {q3, hi}} {
			if w[0] != w[1] {
				c.StrokeLine2(thin, x, trY(w[0]), x, trY(w[1]))
				c.StrokeLine2(thin, x-half/2, trY(w[1]), x+half/2, trY(w[1]))
			}
		}
		column{x, half, trY}.dots(c, to, v, lo, hi)
	}
}

// whiskers is how far they reach.
func whiskers(v []float64, q1, q3 float64) (lo, hi float64) {
	lo, hi = q1, q3
	for _, y := range v {
		if y >= q1-1.5*(q3-q1) {
			lo = min(lo, y)
			break
		}
	}
	for _, y := range slices.Backward(v) {
		if y <= q3+1.5*(q3-q1) {
			hi = max(hi, y)
			break
		}
	}
	return lo, hi
}

// A column is where the values of one box stand: the middle of it, half its width, and heights.
type column struct {
	x, half vg.Length
	y       func(float64) vg.Length
}

// dots draws the values, if they are few, else those beyond the whiskers. Beside each other
// they stand by a fixed pattern, so that a picture drawn again is the same.
func (at column) dots(c draw.Canvas, to target, v []float64, lo, hi float64) {
	style := draw.GlyphStyle{Color: ink, Radius: vg.Points(1.6), Shape: draw.CircleGlyph{}}
	for i, y := range v {
		beyond := y < lo || y > hi
		if !beyond && (len(v) > fewValues || to.cells) {
			continue
		}
		p := vg.Point{X: at.x, Y: at.y(y)}
		if !beyond {
			p.X += at.half * vg.Length(math.Mod(float64(i)*0.618, 1)-0.5)
		}
		c.DrawGlyph(style, p)
	}
}
