package view

import (
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/kernel/view/cells"
)

// A Sheet is a picture of one plot, or of several beside each other in rows.
type Sheet struct {
	Title   string // above several plots
	Plots   []*plot.Plot
	Sizes   []Size // of the plots in files and notebooks; missing ones are the default
	Columns int    // plots in a row; 0: chosen

	legend *Legend // above the plots; see Look.In
}

// widest is the width of a row of several plots, in points: that of a notebook's cell.
const widest = vg.Length(600)

// heading is the height of the title over several plots.
const heading = vg.Length(22)

// columns is the number of plots in a row, of n.
func (f *Sheet) columns(n int) int {
	c := f.Columns
	if c <= 0 {
		c = n
		if n > 3 {
			c = min(int(math.Ceil(math.Sqrt(float64(n)))), 3)
		}
	}
	return max(min(c, n), 1)
}

// share makes the title that all of several plots have that of the sheet.
func (f *Sheet) share() {
	if len(f.Plots) < 2 || f.Title != "" || f.Plots[0].Title.Text == "" {
		return
	}
	title := f.Plots[0].Title.Text
	for _, p := range f.Plots {
		if p.Title.Text != title {
			return
		}
	}
	f.Title = title
	for _, p := range f.Plots {
		p.Title.Text = ""
	}
}

// Size returns a size for the sheet in files and notebooks.
func (f *Sheet) Size() Size {
	n := len(f.Plots)
	var tile Size
	for _, z := range f.Sizes {
		tile.W, tile.H = max(tile.W, z.W), max(tile.H, z.H)
	}
	w, h, _ := lengths(tile)
	cols := f.columns(max(n, 1))
	rows := (n + cols - 1) / cols
	if most := widest / vg.Length(cols); cols > 1 && w > most {
		w, h = most, h*most/w
		switch {
		case slices.Contains(f.Sizes, usual(Data{})):
			h = max(h, 216) // curves below their legend, whose letters stay as large
		case len(f.Sizes) == 0:
			h = max(h, 168)
		}
	}
	names := vg.Length(0) // that stand upright below a plot
	for _, p := range f.Plots {
		if g, ok := p.X.Tick.Marker.(groupNames); ok {
			if g = g.within(w - 2*margin); g.upright {
				names = max(names, g.height())
			}
		}
	}
	keys := f.legend.height(target{}, w*vg.Length(cols)-2*margin)
	if n < 2 && names+keys == 0 {
		return tile
	}
	h += names
	w, h = min(w*vg.Length(cols), largest), min(h*vg.Length(rows)+keys, largest)
	if f.Title != "" && n > 1 {
		h += heading
	}
	return Size{W: float64(w), H: float64(h)}
}

// Render draws the sheet for the sink to and writes the result to w; see [Render].
func (f *Sheet) Render(w io.Writer, to Sink) error {
	if len(f.Plots) == 0 {
		f = &Sheet{Plots: []*plot.Plot{empty(base(f.Title), "no runs")}}
	}
	if to.Size == (Size{}) {
		to.Size = f.Size()
	}
	return f.render(w, to)
}

// margin is the room around a plot.
const margin = vg.Length(6)

// headed returns the title above the plots, and whether it is that of a single one, whose legend
// stands below it.
func (f *Sheet) headed() (title string, single bool) {
	if len(f.Plots) > 1 {
		return f.Title, false
	}
	if f.legend == nil || len(f.legend.entries) == 0 || len(f.Plots) == 0 {
		return "", false
	}
	title = f.Plots[0].Title.Text
	return title, title != ""
}

// onto draws the sheet on c, on whose ground nothing is painted, with a margin.
func (f *Sheet) onto(c vg.CanvasSizer, dark bool) {
	if dark {
		c = themed{c}
	}
	area := draw.New(c)
	title, single := f.headed()
	if title != "" {
		style := base("").Title.TextStyle
		style.XAlign, style.YAlign = draw.XCenter, draw.YTop
		area.FillText(style, vg.Point{X: area.Center().X, Y: area.Max.Y - 6},
			cut(style, title, area.Size().X/targetOf(c).slack()))
		area = draw.Crop(area, 0, 0, 0, -heading)
	}
	if f.legend != nil && area.Size().Y > 60 {
		area = draw.Crop(f.legend.draw(draw.Crop(area, margin, -margin, 0, 0)), -margin, margin, 0, 0)
	}
	cols := f.columns(len(f.Plots))
	rows := (len(f.Plots) + cols - 1) / cols
	w, h := area.Size().X/vg.Length(cols), area.Size().Y/vg.Length(rows)
	for i, p := range f.Plots {
		x, y := area.Min.X+vg.Length(i%cols)*w, area.Max.Y-vg.Length(i/cols+1)*h
		tile := draw.Canvas{Canvas: area.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y},
			Max: vg.Point{X: x + w, Y: y + h},
		}}
		if w > 60 && h > 60 {
			tile = draw.Crop(tile, margin, -margin, margin, -margin)
		}
		q := *p
		q.BackgroundColor = nil
		if single {
			q.Title.Text = ""
		}
		if g, ok := q.X.Tick.Marker.(groupNames); ok {
			g.within(tile.Size().X).on(&q)
		}
		fit(&q, tile.Size().X/targetOf(c).slack())
		q.Draw(tile)
	}
}

// narrowest is the number of columns of cells that a plot beside others has at least.
const narrowest = 36

// cellGrid is how many plots stand side by side in so many columns of cells, and in how many
// rows.
func (f *Sheet) cellGrid(cols int) (across, down int) {
	across = f.columns(len(f.Plots))
	if f.Columns == 0 {
		across = max(min(across, cols/narrowest), 1)
	}
	return across, (len(f.Plots) + across - 1) / across
}

// drawCells draws the sheet into cells.
func (f *Sheet) drawCells(c *cells.Canvas, across, down int) {
	cols, rows := c.Cells()
	top := 0
	text, single := f.headed()
	if text != "" {
		title := []rune(text)
		title = title[:min(len(title), cols)]
		c.Text((cols-len(title))/2, 0, string(title), ink)
		top = 1
	}
	if f.legend != nil && len(f.legend.entries) > 0 {
		area := draw.New(c)
		area.Max.Y -= vg.Length(top) * cells.Height
		f.legend.draw(area)
		top += f.legend.layout(targetOf(c), area.Size().X, nil)
	}
	for i, p := range f.Plots {
		if single {
			q := *p
			q.Title.Text = ""
			p = &q
		}
		x0, x1 := i%across*cols/across, (i%across+1)*cols/across
		y0, y1 := top+i/across*(rows-top)/down, top+(i/across+1)*(rows-top)/down
		if across > 1 && x1 < cols {
			x1-- // a blank column between
		}
		drawCells(c, p, x0, y0, x1-x0, y1-y0)
	}
}
