package reply

import (
	"cmp"
	"fmt"
	"html"
	"strings"
)

// A BenchTable is a table that can be measured.
type BenchTable struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Source string `json:"source"`
	Rows   int    `json:"rows"`
	Date   string `json:"date,omitempty"` // when it was measured; printed unchanged

	Paper string   `json:"paper,omitempty"` // whose table it is; empty: it is our own
	Notes []string `json:"notes,omitempty"` // how rows are made, and what cannot be
}

// heading is the table's name and title, and its notes a line each.
func (t *BenchTable) heading() string {
	return strings.Join(append([]string{t.Name + ": " + t.Title}, t.Notes...), "\n")
}

// BenchFigures are figures that were measured once and are kept.
type BenchFigures struct {
	Name    string     `json:"name"`
	Title   string     `json:"title"`
	About   string     `json:"about"` // the folder of the package that they are of
	Machine string     `json:"machine"`
	Date    string     `json:"date"`
	Command string     `json:"command"` // that measures them again
	Unit    string     `json:"unit,omitempty"`
	Notes   []string   `json:"notes,omitempty"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// A BenchRow is a figure of a table that was measured.
type BenchRow struct {
	Number   int    `json:"number"` // in the table, from 1
	What     string `json:"what"`
	Solver   string `json:"solver,omitempty"`
	Instance string `json:"instance,omitempty"`
	Unit     string `json:"unit"`
	Values   []Num  `json:"values"` // by seed
	Median   Num    `json:"median"`
	Min      Num    `json:"min"`
	Max      Num    `json:"max"`
	CPUS     Num    `json:"cpu_s"`      // median of the runs
	Peer     string `json:"peer"`       // its name
	Figure   Num    `json:"figure"`     // the peer's, measured elsewhere
	Where    string `json:"where"`      // and where
	Beside   []Num  `json:"beside"`     // the peer's now, by seed
	BesideM  Num    `json:"beside_med"` // their median
	Reach    Num    `json:"reach"`      // the figure to reach
	Met      bool   `json:"met"`
	Error    string `json:"error,omitempty"`
}

// BenchReply lists the tables, or is one that was measured now, or figures that are kept.
type BenchReply struct {
	Verb    string         `json:"verb"`
	Tables  []BenchTable   `json:"tables,omitempty"`
	Table   *BenchTable    `json:"table,omitempty"`
	Machine string         `json:"machine,omitempty"` // the processor, and its cores
	Go      string         `json:"go,omitempty"`
	Date    string         `json:"date,omitempty"`
	Rows    []BenchRow     `json:"rows,omitempty"`
	Listed  bool           `json:"listed,omitempty"` // the rows were not measured
	Kept    []BenchFigures `json:"kept,omitempty"`
}

// figure returns a number with as many digits as its size needs.
func figure(n Num) string {
	switch v := float64(n); {
	case !n.Known():
		return "-"
	case v >= 1000 || v <= -1000:
		return fmt.Sprintf("%.0f", v)
	case v >= 10 || v <= -10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.3f", float64(n))
}

func (r *BenchReply) rows() [][]string {
	if r.Table == nil {
		rows := [][]string{{"table", "rows", "measured", "what it is"}}
		for _, t := range r.Tables {
			rows = append(rows, []string{t.Name, fmt.Sprint(t.Rows), cmp.Or(t.Date, "when asked"), t.Title})
		}
		return rows
	}
	rows := [][]string{{
		"", "what", "solver", "instance", "median", "range", "seeds", "cpu s", "peer",
		r.figures(), "beside", "to reach", "",
	}}
	for _, b := range r.Rows {
		verdict := ""
		if b.Reach.Known() && b.Error == "" {
			if verdict = "missed"; b.Met {
				verdict = "reached"
			}
		}
		if b.Error != "" {
			verdict += " (" + Printable(b.Error) + ")"
		}
		spread := ""
		if len(b.Values) > 1 {
			spread = figure(b.Min) + " to " + figure(b.Max)
		}
		rows = append(rows, []string{
			fmt.Sprint(b.Number), b.What, b.Solver, b.Instance, figure(b.Median) + " " + b.Unit, spread,
			fmt.Sprint(len(b.Values)), figure(b.CPUS),
			r.peer(&b), figure(b.Figure), figure(b.BesideM), figure(b.Reach), strings.TrimSpace(verdict),
		})
	}
	return trimmed(rows, "solver", "instance", "range", "peer", r.figures(), "beside", "to reach")
}

// figures is the name of the column of the peers' figures.
func (r *BenchReply) figures() string {
	if r.Table.Paper != "" {
		return "published"
	}
	return "its figure"
}

// peer names the source of the figure beside a row; empty in the table of a paper, the source of
// all.
func (r *BenchReply) peer(b *BenchRow) string {
	if r.Table.Paper != "" {
		return ""
	}
	return b.Peer
}

// table is the figures with their columns' names.
func (f *BenchFigures) table() [][]string { return append([][]string{f.Columns}, f.Rows...) }

// about are the lines that go before the figures.
func (f *BenchFigures) about() string {
	s := fmt.Sprintf("%s: %s\n%s; %s; %s; by: %s", f.Name, f.Title, f.About, f.Machine,
		f.Date, f.Command)
	if f.Unit != "" {
		s += "\nunit: " + f.Unit
	}
	return s
}

// String is a table of the tables, or of the figures.
func (r *BenchReply) String() string {
	if r.Listed && len(r.Rows) > 0 {
		rows := [][]string{{"", "what", "solver", "instance", "in", "peer", r.figures(), "to reach"}}
		for _, b := range r.Rows {
			rows = append(rows, []string{
				fmt.Sprint(b.Number), b.What, b.Solver, b.Instance, b.Unit, r.peer(&b), figure(b.Figure),
				figure(b.Reach),
			})
		}
		rows = trimmed(rows, "solver", "instance", "peer", r.figures(), "to reach")
		return fmt.Sprintf("%s\n%s\nnothing was measured; bench %s row=%d measures one row",
			r.Table.heading(), table(rows), r.Table.Name, r.Rows[0].Number)
	}
	if len(r.Kept) > 0 {
		var out []string
		for _, f := range r.Kept {
			out = append(out, strings.Join(append([]string{f.about(), table(f.table())}, f.Notes...), "\n"))
		}
		return strings.Join(out, "\n\n")
	}
	if r.Table == nil {
		return table(r.rows())
	}
	out := fmt.Sprintf("%s\n%s; %s; %s; medians over seeds 1 on\n%s", r.Table.heading(), r.Machine,
		r.Go, r.Date, table(r.rows()))
	var seen []string
	for _, b := range r.Rows {
		if b.Where == "" || !b.Figure.Known() || r.Table.Paper != "" {
			continue
		}
		line := b.Peer + ": " + b.Where
		if !strings.Contains(strings.Join(seen, "\n")+"\n", line+"\n") {
			seen = append(seen, line)
		}
	}
	for _, s := range seen {
		out += "\nfigure of " + s
	}
	for _, line := range r.means() {
		out += "\n" + line
	}
	return out + "\nfigures: " + r.Table.Source
}

// manyRows is the number of rows with the same name from which their mean is shown.
const manyRows = 5

// means are sentences on the rows that have one name, one instance each.
func (r *BenchReply) means() []string {
	var names, out []string
	sum, count, zero, last := map[string]float64{}, map[string]int{}, map[string]int{},
		map[string]BenchRow{}
	for _, b := range r.Rows {
		if !b.Median.Known() {
			continue
		}
		if count[b.What] == 0 {
			names = append(names, b.What)
		}
		sum[b.What] += float64(b.Median)
		count[b.What]++
		last[b.What] = b
		if b.Median == 0 {
			zero[b.What]++
		}
	}
	for _, n := range names {
		if count[n] >= manyRows {
			b := last[n]
			aim := "to reach " + figure(b.Reach)
			if r.Table.Paper != "" {
				aim = "published " + figure(b.Figure)
			}
			out = append(out, fmt.Sprintf("%s: mean of the %d medians %.3f %s, %s; %d are 0", n,
				count[n], sum[n]/float64(count[n]), b.Unit, aim, zero[n]))
		}
	}
	return out
}

// HTML is the reply for a page.
func (r *BenchReply) HTML() string {
	if len(r.Kept) == 0 && r.Table == nil {
		return htmlTable(r.rows())
	}
	if len(r.Kept) == 0 {
		head := strings.ReplaceAll(html.EscapeString(r.Table.heading()), "\n", "<br>")
		return "<p>" + head + "</p>" + htmlTable(r.rows())
	}
	var out strings.Builder
	for _, f := range r.Kept {
		out.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(f.about()), "\n", "<br>") + "</p>" +
			htmlTable(f.table()))
		for _, n := range f.Notes {
			out.WriteString("<p>" + html.EscapeString(n) + "</p>")
		}
	}
	return out.String()
}
