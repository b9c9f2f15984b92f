package view

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colours of Okabe and Ito, without black and yellow. Runs take them in turn.
var palette = [...]color.NRGBA{
	{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, // blue
	{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, // vermilion
	{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, // bluish green
	{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, // reddish purple
	{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}, // orange
	{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}, // sky blue
}

// Roles of colours.
var (
	blue      = palette[0]
	vermilion = palette[1]
	green     = palette[2]
	orange    = palette[4]
	sky       = palette[5]

	ink   = color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 0xff} // text and axes
	dim   = color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 0x99} // marks of changes
	faint = color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 0x20} // the grid
)

// Sizes of fonts in points.
const (
	titleSize = 11
	labelSize = 10
	tickSize  = 9
	markSize  = 8
)

// sans is the font of figures.
func sans(size font.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// base returns an empty plot in the house's style.
func base(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font = sans(titleSize)
	p.Title.TextStyle.Color = ink
	p.Title.Padding = vg.Points(4)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color = ink
		a.Width = vg.Points(0.6)
		a.Padding = vg.Points(3)
		a.Label.TextStyle.Font = sans(labelSize)
		a.Label.TextStyle.Color = ink
		a.Label.Padding = vg.Points(3)
		a.Tick.Label.Font = sans(tickSize)
		a.Tick.Label.Color = ink
		a.Tick.LineStyle.Color = ink
		a.Tick.LineStyle.Width = vg.Points(0.6)
		a.Tick.Length = vg.Points(4)
	}
	p.X.Tick.Marker = Ticks{Want: 7}
	p.Y.Tick.Marker = Ticks{Want: 6}
	p.Legend.TextStyle.Font = sans(tickSize)
	p.Legend.TextStyle.Color = ink
	return p
}

// lighter is k for areas, through which the grid is seen.
func lighter(k color.Color) color.Color {
	c := color.NRGBAModel.Convert(k).(color.NRGBA)
	c.A /= 5
	return c
}

// dashes tell a line from another of its colour.
var dashes = []vg.Length{3, 3}

// grid adds faint lines at the ticks.
func grid(p *plot.Plot) {
	g := plotter.NewGrid()
	g.Horizontal = draw.LineStyle{Color: faint, Width: vg.Points(0.5)}
	g.Vertical = g.Horizontal
	p.Add(g)
}

// bare hides the axes of p, as maps want it.
func bare(p *plot.Plot) {
	p.HideAxes()
	p.X.Padding, p.Y.Padding = 0, 0
}

// notice is a plotter that writes a sentence in the middle of an empty figure.
type notice string

// Plot writes the sentence.
func (n notice) Plot(c draw.Canvas, plt *plot.Plot) {
	if t := targetOf(c); t.words != nil {
		t.words.say("%s", string(n))
		return
	}
	s := plt.X.Label.TextStyle
	s.Color, s.Rotation = ink, 0
	s.XAlign, s.YAlign = draw.XCenter, draw.YCenter
	c.FillText(s, c.Center(), string(n))
}

// empty makes p, which has nothing to show, say why.
func empty(p *plot.Plot, why string) *plot.Plot {
	bare(p)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.Add(notice(why))
	return p
}

// widen sets the range of an axis so that values from lo to hi lie a little
// inside it, also when they are one value. Ranges that float64 cannot span are cut.
func widen(a *plot.Axis, lo, hi, margin float64) {
	const most = 1e300
	lo, hi = max(lo, -most), min(hi, most)
	if !(lo < hi) {
		d := max(math.Abs(lo)*0.01, 0.5)
		lo, hi = lo-d, hi+d
	}
	d := (hi - lo) * margin
	a.Min, a.Max = lo-d, hi+d
}

// fromZero leaves out what lies below 0 of an axis of values that do not: gaps of 0, as one.
func fromZero(a *plot.Axis, lo float64) {
	if lo == 0 {
		a.Min = -0.02 * a.Max // the line at 0 is whole
	}
}
