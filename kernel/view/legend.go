package view

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// keys is a legend in rows above the data, where it hides nothing.
type keys struct {
	entries []key
	rows    int
	lift    vg.Length // what else is above the data
}

type key struct {
	name  string
	curve *Curve
}

// GlyphBoxes reserves the rows.
func (k *keys) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	if len(k.entries) == 0 {
		return nil
	}
	return above(k.lift + vg.Length(k.rows)*row + 2)
}

// Plot writes the entries from the left, in as many rows as were reserved; the
// last entry tells how many did not fit.
func (k *keys) Plot(c draw.Canvas, plt *plot.Plot) {
	t := targetOf(c)
	style := draw.TextStyle{Font: t.font(tickSize), Color: ink, Handler: plt.X.Label.TextStyle.Handler}
	const gap = thumbGap
	x, r := c.Min.X, 0
	for i, e := range k.entries {
		w := thumb + gap + style.Width(e.name)*t.slack() + 2*gap
		reserve := vg.Length(0)
		if r == k.rows-1 && i < len(k.entries)-1 {
			reserve = style.Width("+999 more")
		}
		if x > c.Min.X && x+w-2*gap+reserve > c.Max.X {
			if r == k.rows-1 {
				c.FillText(style, vg.Point{X: x, Y: k.base(c, r)}, fmt.Sprintf("+%d more", len(k.entries)-i))
				return
			}
			x, r = c.Min.X, r+1
		}
		y := k.base(c, r)
		mid := y + 3
		e.curve.thumbnail(&c, t, x, x+thumb, mid)
		c.FillText(style, vg.Point{X: x + thumb + gap, Y: y}, e.name)
		x += w
	}
}

// base is the baseline of row r, counted from the top.
func (k *keys) base(c draw.Canvas, r int) vg.Length {
	return c.Max.Y + k.lift + vg.Length(k.rows-1-r)*row + 4
}

// A Legend is the legend of all plots of a sheet, which stands once above them. It has a row more
// wherever an entry would not fit: none is left out.
type Legend struct{ entries []key }

// add takes the entries of a plot, and reports whether it did: a name that stands for another line
// in another plot needs a legend in each.
func (k *Legend) add(entries []key) bool {
	var more []key
	for _, e := range entries {
		i := slices.IndexFunc(k.entries, func(o key) bool { return o.name == e.name })
		switch {
		case i < 0:
			more = append(more, e)
		case k.entries[i].curve.Color != e.curve.Color:
			return false
		}
	}
	k.entries = append(k.entries, more...)
	return true
}

// thumb is the width of a line in a legend, and thumbGap the room behind it.
const thumb, thumbGap = vg.Length(18), vg.Length(6)

// legendStyle is how names in legends are written.
func legendStyle(t target) draw.TextStyle {
	s := base("").Legend.TextStyle
	s.Font = t.font(tickSize)
	return s
}

// layout calls put with each entry, its row, its place from the left and its text in a width, and
// returns the number of rows. Columns have one width.
func (k *Legend) layout(
	t target, width vg.Length, put func(e key, row int, x vg.Length, name string),
) int {
	if k == nil || len(k.entries) == 0 {
		return 0
	}
	style := legendStyle(t)
	column := vg.Length(0)
	most := width - thumb - thumbGap
	names := make([]string, len(k.entries))
	for i, e := range k.entries {
		names[i] = e.name
	}
	for _, n := range names {
		if style.Width(n)*t.slack() > most {
			names = distinct(names)
			break
		}
	}
	for _, n := range names {
		column = max(column, min(style.Width(n)*t.slack(), most)+thumb+3*thumbGap)
	}
	across := min(max(int((width+2*thumbGap)/column), 1), len(k.entries))
	rows := (len(k.entries) + across - 1) / across
	for i, e := range k.entries {
		if put == nil {
			break
		}
		name := names[i]
		for n := len([]rune(name)); n > 1 && style.Width(name)*t.slack() > most; n-- {
			name = shortened(names[i], n)
		}
		put(e, i/across, vg.Length(i%across)*column, name)
	}
	return rows
}

// height is the height of the legend over plots of a width.
func (k *Legend) height(t target, width vg.Length) vg.Length {
	if n := k.layout(t, width, nil); n > 0 {
		return vg.Length(n)*row + 4
	}
	return 0
}

// draw writes the legend at the top of c, and returns what is left of c.
func (k *Legend) draw(c draw.Canvas) draw.Canvas {
	t := targetOf(c)
	style := legendStyle(t)
	k.layout(t, c.Size().X, func(e key, r int, x vg.Length, name string) {
		y := c.Max.Y - row*vg.Length(r+1) + 2
		if t.cells {
			y = c.Max.Y - row*vg.Length(r+1)
		}
		x += c.Min.X
		line := *e.curve
		line.Dashes = nil // in some plots it lies on another
		end := x + thumb
		if t.cells {
			end -= t.dot // a blank cell stands before the name
		}
		line.thumbnail(&c, t, x, end, y+3)
		c.FillText(style, vg.Point{X: x + thumb + thumbGap, Y: y}, name)
	})
	return draw.Crop(c, 0, 0, 0, -k.height(t, c.Size().X))
}
