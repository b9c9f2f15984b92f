package reply

import (
	"fmt"
	"math"
	"strings"
)

// A Shape is a finding in the rows of a paper's table, with the number of rows in which it holds.
type Shape struct {
	Table     string `json:"table"` // such as "mmas-5"
	Says      string `json:"says"`  // about a row, such as "BT is slower than LC"
	Published Count  `json:"published"`
	Measured  Count  `json:"measured"`
}

// A Count is a number of rows out of a total.
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

// Verdict says whether the measured rows have the shape: mostly means three quarters of them or
// more, no means a quarter or fewer.
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

// Shape counts the rows in which a condition on the figures of columns holds, as published and as
// measured. It ignores rows that lack a requested figure, or have one that is of an earlier version
// of the algorithm or not comparable. Figures of other programs are not measured, so the published
// ones serve for both. For a test that the paper marks without a p-value, the published figure is 0
// if it finds a difference and 1 if it finds none.
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

// Judges reports whether the measured figure belongs to the present algorithm and is comparable
// with the paper's.
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

// Shapes shows as a table: the findings of a paper's tables, as published and as measured here.
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

// String returns the table as text.
func (l Shapes) String() string { return table(l.rows()) + "\n" + l.summary() }

// HTML returns the table for a page.
func (l Shapes) HTML() string { return htmlTable(l.rows()) + htmlNote(l.summary()) }
