package view

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/solvers/record"
)

// A Mark is a moment that a figure highlights: a vertical line at X.
type Mark struct {
	X     float64
	Label string // empty: the line alone
	Count int    // number of changes that it stands for; below 1 counts as 1
	Color color.Color
}

// Marks draws vertical dashed lines with their labels above the data. It merges lines that lie too
// close, and omits labels without room.
type Marks struct {
	Marks []Mark // by X; not copied

	// Rows is the number of rows for labels, 0 for no labels.
	Rows int
}

// row is the height of a line of text above the data.
const row = vg.Length(12)

// changes returns the marks of a journal: what was set and forked, merged by
// iteration.
func changes(journal []record.Change, k color.Color) []Mark {
	var marks []Mark
	var words [][]string
	for _, c := range journal {
		var s string
		switch c.Kind {
		case record.KindSet:
			s = c.Name + " " + c.New.String()
			if !c.Old.IsZero() {
				s = c.Name + " " + c.Old.String() + "→" + c.New.String()
			}
		case record.KindFork:
			s = "fork " + c.Name
		default:
			continue
		}
		x := float64(c.Iter)
		if n := len(marks); n > 0 && marks[n-1].X == x {
			marks[n-1].Count++
			words[n-1] = append(words[n-1], s)
			continue
		}
		marks = append(marks, Mark{X: x, Count: 1, Color: k})
		words = append(words, []string{s})
	}
	for i, w := range words {
		more := ""
		if len(w) > 2 {
			more = fmt.Sprintf(" +%d", len(w)-1)
			w = w[:1]
		}
		marks[i].Label = strings.Join(w, ", ") + more
	}
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.X, b.X) })
	return marks
}

// marks returns the marks of several runs, each with the names of the runs before it. A mark that
// several runs share, as a fork shares the past of its parent, appears once: a double line would
// count twice.
func (l Look) marks(runs []Data) []Mark {
	marksOf := func(i int, k color.Color) []Mark {
		marks := changes(runs[i].Journal, k)
		for j := range marks {
			marks[j].X = l.X.iteration(runs[i].Points, int64(marks[j].X))
		}
		return marks
	}
	if len(runs) == 1 {
		return marksOf(0, dim)
	}
	type moment struct {
		x     float64
		label string
	}
	var marks []Mark
	var names [][]string
	at := map[moment]int{}
	for i := range runs {
		for _, m := range marksOf(i, palette[i%len(palette)]) {
			k := moment{m.X, m.Label}
			j, ok := at[k]
			if !ok {
				j = len(marks)
				at[k] = j
				marks, names = append(marks, m), append(names, nil)
			}
			names[j] = append(names[j], runs[i].Name)
		}
	}
	for j, ns := range names {
		switch {
		case len(ns) == len(runs):
			marks[j].Color = dim
		case len(ns) > 2:
			marks[j].Label = fmt.Sprintf("%d runs: %s", len(ns), marks[j].Label)
		default:
			marks[j].Label = strings.Join(ns, ", ") + ": " + marks[j].Label
		}
	}
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.X, b.X) })
	return marks
}

// GlyphBoxes reserves the rows of labels above the data.
func (m *Marks) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	if m.Rows <= 0 || len(m.Marks) == 0 {
		return nil
	}
	return above(vg.Length(m.Rows) * row)
}

// above reserves a height above the data.
func above(h vg.Length) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 0.5, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{Y: h}}}}
}

// Plot draws lines and labels.
func (m *Marks) Plot(c draw.Canvas, plt *plot.Plot) {
	t := targetOf(c)
	if t.words != nil {
		m.speak(t.words)
		return
	}
	near := max(3, 1.5*t.dot)
	for len(m.Marks) > 1 && near < c.Size().X/30 && m.lines(c, plt, near) > 30 {
		near *= 1.5
	}
	groups := m.groups(c, plt, near)
	if len(groups) == 0 {
		return
	}
	size := markSize
	style := draw.TextStyle{Font: t.font(vg.Length(size)), Handler: plt.X.Label.TextStyle.Handler}
	ends := make([]vg.Length, max(m.Rows, 0)) // how far the labels of each row reach
	for i := range ends {
		ends[i] = c.Min.X - 1000
	}
	gap := max(4, t.dot*2)
	for _, g := range groups {
		top := c.Max.Y
		width := style.Width(g.Label) * t.slack()
		x := g.x + 2
		if x+width > c.Max.X { // it stands left of its line, not on it, where there is room
			if x = g.x - 2 - width; x < c.Min.X {
				x = c.Max.X - width
			}
		}
		for r := range ends {
			if g.Label == "" || x < ends[r]+gap || x < c.Min.X-2 {
				continue
			}
			ends[r] = x + width
			top += row * vg.Length(len(ends)-1-r)
			style.Color = ink
			c.FillText(style, vg.Point{X: x, Y: top + 3}, g.Label)
			top += row * 0.7
			if t.cells {
				top = c.Max.Y // the column below a label is left to the labels
			}
			break
		}
		c.StrokeLine2(draw.LineStyle{
			Color: g.Color, Width: vg.Points(0.7), Dashes: []vg.Length{3, 2},
		}, g.x, c.Min.Y, g.x, top)
	}
}

// A group is what is drawn as one line.
type group struct {
	x     vg.Length
	Label string
	count int
	Color color.Color
}

// lines counts the lines when those nearer than near are drawn as one.
func (m *Marks) lines(c draw.Canvas, plt *plot.Plot, near vg.Length) int {
	return len(m.groups(c, plt, near))
}

// groups joins marks that lie nearer than near to the first of their group.
func (m *Marks) groups(c draw.Canvas, plt *plot.Plot, near vg.Length) []group {
	trX, _ := plt.Transforms(&c)
	var groups []group
	for _, k := range m.Marks {
		x := trX(k.X)
		if !c.ContainsX(x) {
			continue
		}
		n := len(groups)
		if n > 0 && x-groups[n-1].x < near {
			g := &groups[n-1]
			g.count += max(k.Count, 1)
			g.Label = fmt.Sprintf("%d changes", g.count)
			continue
		}
		groups = append(groups, group{x: x, Label: k.Label, count: max(k.Count, 1), Color: k.Color})
	}
	return groups
}
