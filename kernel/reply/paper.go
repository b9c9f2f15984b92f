package reply

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A PaperReply is a table of a paper, with published and measured values.
type PaperReply struct {
	Verb    string      `json:"verb"`
	Table   BenchTable  `json:"table"`
	DOI     string      `json:"doi,omitempty"`
	Columns []string    `json:"columns"`
	Rows    []PaperRow  `json:"rows"`
	Means   []BenchMean `json:"means,omitempty"`
	Left    int         `json:"left,omitempty"` // omitted rows, which have neither figure
	Made    []string    `json:"made,omitempty"` // where and how it was measured

	unknown func(*UnknownError)
}

// A PaperRow is a row of the table.
type PaperRow struct {
	Label    string      `json:"label"`
	Instance string      `json:"instance,omitempty"` // if the row stands for several
	Cells    []PaperCell `json:"cells"`              // one per column
}

// A PaperCell holds the published and the measured value of one figure.
type PaperCell struct {
	Published Num    `json:"published"`
	Measured  Num    `json:"measured"` // the median
	Min       Num    `json:"min"`
	Max       Num    `json:"max"`
	Values    []Num  `json:"values,omitempty"` // by seed
	N         int    `json:"n,omitempty"`      // seeds; for a test, those of each tested row
	Unit      string `json:"unit,omitempty"`
	Verdict   string `json:"verdict,omitempty"`
	Mark      string `json:"mark,omitempty"`     // the paper's mark, for a test: better, worse, none
	Stale     bool   `json:"stale,omitempty"`    // of an earlier version of the algorithm
	Revision  int    `json:"revision,omitempty"` // of the stale value, and
	Now       int    `json:"now,omitempty"`      // the present one
	Not       string `json:"not,omitempty"`      // why it is not measured
	GPU       string `json:"gpu,omitempty"`      // that measured it, such as "H100"
}

// name is what the row is called.
func (r *PaperRow) name() string {
	if r.Instance == "" {
		return r.Label
	}
	return r.Label + ", " + r.Instance
}

// Labels returns the names of the rows.
func (r *PaperReply) Labels() []string {
	var out []string
	for i := range r.Rows {
		out = append(out, r.Rows[i].name())
	}
	return out
}

// An UnknownError is the error for a column or a row that a table does not have.
type UnknownError struct {
	Table, What, Name string   // What is "column" or "row"
	There             []string // the existing names
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("the %s is %q; %s has %s", e.What, e.Name, e.Table,
		strings.Join(quoted(e.There), ", "))
}

func quoted(names []string) (out []string) {
	for _, n := range names {
		out = append(out, strconv.Quote(n))
	}
	return out
}

// OnUnknown sets the function that handles a name that the table does not have. Without it such
// figures are NaN, and such values none.
func (r *PaperReply) OnUnknown(f func(*UnknownError)) { r.unknown = f }

// look checks the name of a column or a row.
func (r *PaperReply) look(what, name string, there []string) {
	if r.unknown != nil && !slices.Contains(there, name) {
		r.unknown(&UnknownError{r.Table.Name, what, name, there})
	}
}

// Published returns the published figures of a column, one per row, NaN if there is none.
func (r *PaperReply) Published(column string) []float64 {
	return r.column(column, func(c *PaperCell) Num { return c.Published })
}

// Measured returns the medians of a column, one per row, NaN if there is none, or if it belongs to
// an earlier version of the algorithm, which says nothing about the present one.
func (r *PaperReply) Measured(column string) []float64 {
	return r.column(column, func(c *PaperCell) Num {
		if c.Stale {
			return Num(math.NaN())
		}
		return c.Measured
	})
}

func (r *PaperReply) column(name string, of func(c *PaperCell) Num) []float64 {
	r.look("column", name, r.Columns)
	var out []float64
	for i := range r.Rows {
		v := math.NaN()
		if c := r.cell(&r.Rows[i], name); c != nil {
			v = float64(of(c))
		}
		out = append(out, v)
	}
	return out
}

// Values returns the measured figures of a cell, one per seed; none if there is no measurement, or
// only one of an earlier version of the algorithm.
func (r *PaperReply) Values(row, column string) []float64 {
	r.look("row", row, r.Labels())
	r.look("column", column, r.Columns)
	var out []float64
	for i := range r.Rows {
		if c := r.cell(&r.Rows[i], column); c != nil && r.Rows[i].name() == row &&
			!c.Stale {
			for _, v := range c.Values {
				out = append(out, float64(v))
			}
		}
	}
	return out
}

// cell returns nil where there is no column of that name.
func (r *PaperReply) cell(row *PaperRow, column string) *PaperCell {
	for k, name := range r.Columns {
		if name == column && k < len(row.Cells) {
			return &row.Cells[k]
		}
	}
	return nil
}

// has tells whether a column has a published figure, and a measured one.
func (r *PaperReply) has(column int) (published, measured bool) {
	for i := range r.Rows {
		if column < len(r.Rows[i].Cells) {
			c := &r.Rows[i].Cells[column]
			published = published || c.Published.Known()
			measured = measured || len(c.Values) > 0
		}
	}
	return published, measured
}

// String returns the table as text; a measured figure follows the published one.
func (r *PaperReply) String() string { return r.Fit(0) }

// Fit returns the table for a screen; a narrow one has its parts below each other.
func (r *PaperReply) Fit(cols int) string {
	head := []string{""}
	for k, name := range r.Columns {
		switch p, m := r.has(k); {
		case p && m:
			head = append(head, name, "measured")
		case p:
			head = append(head, name+", published")
		case m:
			head = append(head, name+", measured")
		}
	}
	rows := [][]string{head}
	for i := range r.Rows {
		line := []string{r.Rows[i].name()}
		for k := range r.Columns {
			p, m := r.has(k)
			if k >= len(r.Rows[i].Cells) {
				continue
			}
			c := &r.Rows[i].Cells[k]
			if p {
				line = append(line, published(c.Published))
			}
			if m {
				line = append(line, strings.TrimSpace(c.measured()+" "+c.mark()))
			}
		}
		rows = append(rows, line)
	}
	return strings.Join(append([]string{r.Table.Name + ": " + r.Table.Title, blocks(rows, cols)},
		r.below()...), "\n")
}

// published is a figure as it was printed.
func published(n Num) string {
	if !n.Known() {
		return ""
	}
	return n.String()
}

// measured is the measured figure; a dash without one.
func (c *PaperCell) measured() string {
	if len(c.Values) > 0 && !c.Measured.Known() {
		return "not reached"
	}
	return figure(c.Measured)
}

// mark is what follows a measured figure: its verdict, and whether it is stale.
func (c *PaperCell) mark() string {
	mark := c.Verdict
	if mark == "" && c.N > 0 {
		mark = fmt.Sprintf("n=%d", c.N)
	}
	if c.Stale {
		return strings.TrimSpace(mark + " " + revised(c.Revision, c.Now))
	}
	return mark
}

// measurable tells whether a cell of the table is one that bench measures.
func (r *PaperReply) measurable() bool {
	for i := range r.Rows {
		for _, c := range r.Rows[i].Cells {
			if c.Not == "" && (c.Published.Known() || len(c.Values) > 0) {
				return true
			}
		}
	}
	return false
}

// below are the lines under the table.
func (r *PaperReply) below() []string {
	var out []string
	for _, m := range r.Means {
		out = append(out, m.line())
	}
	if r.Left > 0 {
		out = append(out, fmt.Sprintf("left out: %d rows with neither figure", r.Left))
	}
	out = append(out, r.Table.Reasons...)
	if len(r.Made) == 0 && r.measurable() {
		out = append(out, "measured: nothing yet; bench "+r.Table.Name+" measures it")
	}
	for _, m := range r.Made {
		out = append(out, "measured (medians): "+m)
	}
	return append(out, "published: "+r.Table.Source)
}

// Tables of papers have many columns, so these are narrow; sentences above and below a table are no
// wider than is easily read, however wide the table is.
const (
	paperStyle     = "padding:.2em .45em;border:0;border-bottom:1px solid rgba(128,128,128,.3)"
	paperHeadStyle = "padding:.2em .45em;border:0;border-bottom:2px solid rgba(128,128,128,.5)"
	proseStart     = `<div style="max-width:52em">`
)

// HTML returns the table, with published and measured figures under each column's name.
func (r *PaperReply) HTML() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<div>%s<p><b>%s</b></p></div>", proseStart, Escape(r.Table.Title))
	b.WriteString(`<div style="overflow-x:auto"><table class="metalab" style="` + tableStyle + `">`)
	first, second := `<tr><th style="`+paperHeadStyle+`"></th>`, `<tr><th style="`+paperStyle+`"></th>`
	for k, name := range r.Columns {
		p, m := r.has(k)
		span := 0
		for _, is := range []struct {
			there bool
			word  string
		}{{p, "published"}, {m, "measured"}} {
			if is.there {
				span++
				second += `<th style="` + paperStyle + ";text-align:right;font-weight:normal;" + quietStyle +
					`">` + is.word + "</th>"
			}
		}
		if span > 0 {
			first += fmt.Sprintf(`<th colspan="%d" style="%s;text-align:center">%s</th>`, span,
				paperHeadStyle, Escape(name))
		}
	}
	b.WriteString(first + "</tr>" + second + "</tr>")
	for i := range r.Rows {
		row := &r.Rows[i]
		b.WriteString(`<tr><td style="` + paperStyle + `;text-align:left;white-space:nowrap">` +
			Escape(row.name()) + "</td>")
		for k := range row.Cells {
			if k < len(r.Columns) {
				p, m := r.has(k)
				b.WriteString(row.Cells[k].html(p, m))
			}
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table></div>" + proseStart)
	for _, line := range r.below()[:len(r.below())-1] {
		b.WriteString(htmlNote(line))
	}
	source := Escape(r.Table.Source)
	if r.DOI != "" {
		source += ` <a href="https://doi.org/` + Escape(r.DOI) + `">doi.org</a>`
	}
	b.WriteString(`<p style="` + quietStyle + `">published: ` + source + "</p>")
	if len(r.Table.Notes) > 0 || r.Table.Rule != "" {
		b.WriteString("<details><summary>how rows are made, and what differs</summary>")
		for _, n := range append(r.Table.Notes[:len(r.Table.Notes):len(r.Table.Notes)], r.Table.Rule) {
			b.WriteString(htmlNote(n))
		}
		b.WriteString("</details>")
	}
	return b.String() + "</div></div>"
}

// html is the cell's one or two cells of HTML.
func (c *PaperCell) html(p, m bool) string {
	out, style := "", `<td style="`+paperStyle+`;text-align:right"`
	if p {
		out += style + ">" + Escape(published(c.Published)) + "</td>"
	}
	if !m {
		return out
	}
	told, value := "", ""
	switch n := len(c.Values); {
	case n > 1:
		told = fmt.Sprintf("%d seeds: %s to %s %s", n, figure(c.Min), figure(c.Max), c.Unit)
	case n == 0 && c.Not != "":
		told = "not measured: " + c.Not
	}
	if len(c.Values) > 0 {
		value = "<b>" + c.measured() + "</b>"
	}
	if s := c.mark(); s != "" {
		value += ` <small style="` + quietStyle + `">` + Escape(s) + "</small>"
	}
	return out + style + ` title="` + Escape(told) + `">` + value + "</td>"
}
