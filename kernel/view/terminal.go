package view

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/kernel/view/cells"
)

// mostCells bounds the size of a picture of cells, each way.
const mostCells = 2000

// gridOf returns the cells that a picture for s takes.
func gridOf(s Sink) (cols, rows int, err error) {
	cols, rows = s.Cols, s.Rows
	if cols == 0 {
		cols = 80
	}
	if rows == 0 {
		rows = 24
	}
	if cols < 1 || rows < 1 || cols > mostCells || rows > mostCells {
		return 0, 0, fmt.Errorf("view: a picture of %d by %d cells, want 1 to %d each way", cols,
			rows, mostCells)
	}
	return cols, rows, nil
}

// renderCells draws the sheet in cells.
func (f *Sheet) renderCells(w io.Writer, s Sink) error {
	cols, rows, err := gridOf(s)
	if err != nil {
		return err
	}
	across, down := f.cellGrid(cols)
	c := cells.New(cols, grown(s, rows, down))
	c.Plain, c.ASCII = s.Depth == cells.None, s.ASCII
	f.drawCells(c, across, down)
	return c.Encode(w, cells.Depth(s.Depth))
}

// lowest is the number of rows of cells that a plot gets where a sheet may grow.
const lowest = 16

// grown is the number of rows that a picture with so many rows of plots takes.
func grown(s Sink, rows, down int) int {
	if !s.Grow || down < 2 {
		return rows
	}
	return min(down*max(rows/down, min(rows, lowest)), mostCells)
}

// drawCells draws p into cols by rows cells of c from column x and row y on, with everything
// that takes room in a terminal made for cells: one font, short ticks, and the label of the
// y axis level above it.
func drawCells(c *cells.Canvas, p *plot.Plot, x, y, cols, rows int) {
	q := *p
	q.BackgroundColor = color.Transparent
	set := func(s *text.Style) { s.Font = cells.Font() }
	set(&q.Title.TextStyle)
	set(&q.Legend.TextStyle)
	q.Legend.ThumbnailWidth = 3 * cells.Width
	for _, a := range []*plot.Axis{&q.X, &q.Y} {
		set(&a.Label.TextStyle)
		set(&a.Tick.Label)
		a.Label.Padding = 0
		if a.Tick.Length > 0 {
			a.Tick.Length = cells.Dot
		}
		if a.Padding > 0 {
			a.Padding = cells.Dot
		}
	}
	q.Title.Padding = 0
	_, height := c.Size()
	area := draw.Canvas{Canvas: c, Rectangle: vg.Rectangle{
		Min: vg.Point{X: vg.Length(x) * cells.Width, Y: height - vg.Length(y+rows)*cells.Height},
		Max: vg.Point{X: vg.Length(x+cols) * cells.Width, Y: height - vg.Length(y)*cells.Height},
	}}
	fit(&q, area.Size().X)
	if g, ok := q.X.Tick.Marker.(groupNames); ok { // what is left of the numbers of the y axis
		groupNames{names: g.names, width: max(cols-9, 1)}.on(&q)
	}
	label := q.Y.Label.Text
	q.Y.Label.Text = ""
	if label != "" && rows > 6 {
		title, last := 0, 0
		for l := range strings.Lines(q.Title.Text) {
			last = len([]rune(strings.TrimSpace(l)))
			title++
		}
		line := max(title-1, 0)
		if title > 0 && (cols-last)/2 < len([]rune(label))+2 {
			line = title
		}
		if line == title {
			q.Title.Padding = cells.Height
			if title == 0 {
				area = draw.Crop(area, 0, 0, 0, -cells.Height)
			}
		}
		q.Draw(area)
		c.Text(x, y+line, label, q.Y.Label.TextStyle.Color)
		return
	}
	q.Draw(area)
}

// printable replaces control characters by question marks.
func printable(r rune) rune {
	if r < 0x20 || r >= 0x7f && r < 0xa0 {
		return '?'
	}
	return r
}

// bars are the eight heights of a sparkline.
var bars = [8]rune{'▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

// Sparkline draws values in one row of width cells: the mean of each cell's share, from the
// smallest of these to the largest. Shares without a finite value are blank; equal values give a
// low line. The result has width cells, or as many as there are values, if these are fewer.
func Sparkline(values []float64, width int) string {
	n := min(len(values), width)
	if n <= 0 {
		return ""
	}
	means := make([]float64, n)
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range means {
		sum, count := 0.0, 0
		for _, v := range values[i*len(values)/n : (i+1)*len(values)/n] {
			if finite(v) {
				count++
				sum += (v - sum) / float64(count)
			}
		}
		means[i] = math.NaN()
		if count > 0 && finite(sum) {
			means[i] = sum
			lo, hi = min(lo, sum), max(hi, sum)
		}
	}
	out := make([]rune, n)
	for i, v := range means {
		switch {
		case math.IsNaN(v):
			out[i] = ' '
		case hi > lo:
			out[i] = bars[min(int((v/2-lo/2)/(hi/2-lo/2)*8), 7)]
		default:
			out[i] = bars[0]
		}
	}
	return string(out)
}
