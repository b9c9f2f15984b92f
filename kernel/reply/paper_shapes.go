package reply

import (
	"fmt"
	"math"
	"strings"
)

// A Shape is what a table of a paper shows in its rows, and in how many of them it is so.
type Shape struct {
	Table     string `json:"table"` // as "mmas-5"
	Says      string `json:"says"`  // of a row, as "BT is slower than LC"
	Published Count  `json:"published"`
	Measured  Count  `json:"measured"`
}

// A Count is so many of so many rows.
type Count struct {
	So int `json:"so"`
	Of int `json:"of"`
}

func (c Count) String() string {
	if c.Of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", c.So, c.Of)
}

// Verdict says whether the measured rows have the shape: mostly is three quarters of them or more,
// no a quarter or fewer.
func (s *Shape) Verdict() string {
	switch m := s.Measured; {
	case m.Of == 0:
		return "not measured"
	case m.So == m.Of:
		return "yes"
	case 4*m.So >= 3*m.Of:
		return "mostly"
	case 4*m.So <= m.Of:
		return "no"
	}
	return "in part"
}

// Shape counts the rows in which a condition holds on the figures of columns, as published and as
// measured. Rows that lack a figure that the condition asks for do not count, nor those where it is
// of an earlier version of the algorithm or not comparable. Figures of other programs, which are
// not measured, are the published ones beside both. Of a test that the paper marks without a
// p-value the published figure is 0 where it finds a difference and 1 where it finds none.
//
//	t := lab.Paper("mmas-4", "GPU")
//	lab.Show(reply.Shapes{
//		t.Shape("BT is slower than LC", func(v func(string) float64) bool {
//			return v("RWM-BT") > v("RWM-LC")
//		}),
//	})
func (r *PaperReply) Shape(says string, holds func(v func(column string) float64) bool) Shape {
	s := Shape{Table: r.Table.Name, Says: says}
	for i := range r.Rows {
		for _, count := range []*Count{&s.Published, &s.Measured} {
			whole := true
			so := holds(func(column string) float64 {
				c := r.cell(&r.Rows[i], column)
				if c == nil {
					whole = false
					return math.NaN()
				}
				v := float64(c.Measured)
				if count == &s.Published || c.Not != "" {
					v = printed(c)
				}
				whole = whole && !math.IsNaN(v) && (count == &s.Published || c.Judges())
				return v
			})
			if !whole {
				continue
			}
			count.Of++
			if so {
				count.So++
			}
		}
	}
	return s
}

// incomparable begins the verdict of figures that do not compare, with the reason behind it.
const incomparable = "not comparable"

// Judges reports whether the measured figure is of today's algorithm and compares with the paper's.
func (c *PaperCell) Judges() bool {
	return !c.Stale && !strings.HasPrefix(c.Verdict, incomparable)
}

// printed is the published figure; of a test that the paper marks only, whether it finds nothing.
func printed(c *PaperCell) float64 {
	switch c.Mark {
	case "":
		return float64(c.Published)
	case "none":
		return 1
	}
	return 0
}

// Shapes are shown as a table: what the tables of a paper show, as published and as measured here.
type Shapes []Shape

func (l Shapes) rows() [][]string {
	rows := [][]string{{"table", "what it shows", "published", "measured", "holds"}}
	for _, s := range l {
		rows = append(rows, []string{
			s.Table, s.Says, s.Published.String(), s.Measured.String(), s.Verdict(),
		})
	}
	return rows
}

// summary counts the lines by what was measured here; those that were not measured are no word on
// whether the paper's claim holds.
func (l Shapes) summary() string {
	by := map[string]int{}
	for i := range l {
		by[l[i].Verdict()]++
	}
	tested := len(l) - by["not measured"]
	out := fmt.Sprintf("of what was measured here %d of %d lines hold", by["yes"], tested)
	for _, v := range []string{"mostly", "in part", "no"} {
		if by[v] > 0 {
			out += fmt.Sprintf(", %d %s", by[v], v)
		}
	}
	if n := by["not measured"]; n > 0 {
		out += fmt.Sprintf("; published only, and not counted: %d", n)
	}
	return out
}

// String is the table as text.
func (l Shapes) String() string { return table(l.rows()) + "\n" + l.summary() }

// HTML is the table.
func (l Shapes) HTML() string { return htmlTable(l.rows()) + htmlNote(l.summary()) }
