package reply

import (
	"fmt"
	"html"
	"strings"
)

// A BenchTable describes a table of figures that bench can measure.
type BenchTable struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Source string `json:"source"`
	Rows   int    `json:"rows"`
	// Verdicts counts the verdicts on stored figures, such as "3 agree, 1 better".
	Verdicts string `json:"verdicts,omitempty"`
	Date     string `json:"date,omitempty"` // when it was measured; printed unchanged

	Paper string   `json:"paper,omitempty"` // of whose table; empty: our own
	Notes []string `json:"notes,omitempty"` // how rows are measured, and which cannot be

	Rule    string   `json:"rule,omitempty"`    // how verdicts are decided
	Reasons []string `json:"reasons,omitempty"` // why rows do not agree
}

// heading is the table's name and title, and its notes a line each.
func (t *BenchTable) heading() string {
	lines := append([]string{t.Name + ": " + t.Title}, t.Notes...)
	if t.Rule != "" {
		lines = append(lines, t.Rule)
	}
	return strings.Join(lines, "\n")
}

// A BenchMean is the mean over rows for which a paper gives one mean over instances.
type BenchMean struct {
	Group     string `json:"group"`
	Rows      int    `json:"rows"` // measured rows
	Of        int    `json:"of"`
	Value     Num    `json:"value"` // the mean of the means of instances
	Low       Num    `json:"low"`   // its interval
	High      Num    `json:"high"`
	Least     int    `json:"least"` // the fewest seeds of an instance
	Most      int    `json:"most"`  // and the most
	Unit      string `json:"unit"`
	Published Num    `json:"published"`
	From      Num    `json:"from"`              // for ratios: the least of the instances; else null
	To        Num    `json:"to"`                // and the greatest
	Verdict   string `json:"verdict,omitempty"` // empty if too many rows are missing
}

// line tells of the mean in a sentence.
func (m *BenchMean) line() string {
	s := fmt.Sprintf("%s: mean of %d instances %.3f %s", m.Group, m.Rows, m.Value, m.Unit)
	if m.Low.Known() && m.High.Known() {
		s += fmt.Sprintf(" (%.3f to %.3f)", m.Low, m.High)
	}
	switch {
	case m.To > 0:
		s += fmt.Sprintf(", least %.3f and greatest %.3f", m.From, m.To)
	case m.Least < m.Most:
		s += fmt.Sprintf(" of %d to %d seeds", m.Least, m.Most)
	default:
		s += fmt.Sprintf(" of %d seeds", m.Most)
	}
	if m.Published.Known() {
		s += fmt.Sprintf(", published %s", figure(m.Published))
	}
	if m.Rows < m.Of && m.Published.Known() {
		s += fmt.Sprintf(" for all %d", m.Of)
	}
	if m.Verdict == "" {
		return s
	}
	return s + ": " + m.Verdict
}

// A BenchFigures holds stored figures of an earlier measurement.
type BenchFigures struct {
	Name    string     `json:"name"`
	Title   string     `json:"title"`
	About   string     `json:"about"` // the folder of the package that they describe
	Machine string     `json:"machine"`
	Date    string     `json:"date"`
	Command string     `json:"command"` // that repeats the measurement
	Unit    string     `json:"unit,omitempty"`
	Notes   []string   `json:"notes,omitempty"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// A BenchRow is a measured figure of a table.
type BenchRow struct {
	Number   int    `json:"number"` // in the table, from 1
	What     string `json:"what"`
	Solver   string `json:"solver,omitempty"`
	Instance string `json:"instance,omitempty"`
	Unit     string `json:"unit"`
	Settings string `json:"settings,omitempty"` // solver, parameters, stop and measure in words
	Revision int    `json:"revision,omitempty"` // of the measured variant
	Seeds    []int  `json:"seeds"`              // of the values
	Values   []Num  `json:"values"`             // by seed
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
	// Verdict compares the figures with the published one, and gives the number of seeds.
	Verdict string `json:"verdict,omitempty"`
	Stale   bool   `json:"stale,omitempty"` // stored, and of an old revision
	Now     int    `json:"now,omitempty"`   // the present revision, if stale
	Error   string `json:"error,omitempty"`
}

// A BenchReply lists the tables, or holds one new measurement, or stored figures.
type BenchReply struct {
	Verb    string         `json:"verb"`
	Tables  []BenchTable   `json:"tables,omitempty"`
	Table   *BenchTable    `json:"table,omitempty"`
	Machine string         `json:"machine,omitempty"` // the processor, and its cores
	Go      string         `json:"go,omitempty"`
	Date    string         `json:"date,omitempty"`
	Rows    []BenchRow     `json:"rows,omitempty"`
	Listed  bool           `json:"listed,omitempty"` // no new measurement
	Means   []BenchMean    `json:"means,omitempty"`
	Made    []string       `json:"made,omitempty"` // where and how the stored figures were measured
	Kept    []BenchFigures `json:"kept,omitempty"`
	Papers  []BenchPaper   `json:"papers,omitempty"` // the state of papers' tables
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
			title := t.Title
			if t.Verdicts != "" {
				title += " (" + t.Verdicts + ")"
			}
			rows = append(rows, []string{t.Name, fmt.Sprint(t.Rows), t.Date, title})
		}
		return trimmed(rows, "measured")
	}
	rows := [][]string{{
		"", "what", "solver", "instance", "median", "range", "seeds", "cpu s", "peer",
		r.figures(), "beside", "to reach", "",
	}}
	for _, b := range r.Rows {
		verdict := b.Verdict
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

// String returns a table of the tables, or of the figures.
func (r *BenchReply) String() string { return r.Fit(0) }

// Fit returns the table for a screen of cols columns; a narrow one has fewer columns.
func (r *BenchReply) Fit(cols int) string {
	if r.Listed && len(r.Rows) > 0 {
		out := r.Table.heading() + "\n" +
			narrowed(r.listed(), cols, r.lesser("range", "in", "seeds")...)
		for _, line := range r.below() {
			out += "\n" + line
		}
		return fmt.Sprintf("%s\nnothing was measured now; bench %s row=%d measures one row", out,
			r.Table.Name, r.Rows[0].Number)
	}
	if len(r.Papers) > 0 {
		return r.papers(cols)
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
	out := fmt.Sprintf("%s\n%s; %s; %s; medians over seeds %d on\n%s", r.Table.heading(), r.Machine,
		r.Go, r.Date, r.first(),
		narrowed(r.rows(), cols, r.lesser("range", "cpu s", "peer", "seeds")...))
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
	for _, line := range r.below() {
		out += "\n" + line
	}
	return out + "\nfigures: " + r.Table.Source
}

// lesser are the columns that a narrow screen does without, the first of them first: also solver
// and instance, where what a row is called tells it from all others.
func (r *BenchReply) lesser(names ...string) []string {
	seen := map[string]bool{}
	for _, b := range r.Rows {
		if seen[b.What] {
			return names
		}
		seen[b.What] = true
	}
	return append([]string{"solver", "instance"}, names...)
}

// first is the least seed of the rows, 1 without any.
func (r *BenchReply) first() int {
	least := 0
	for _, b := range r.Rows {
		if len(b.Seeds) > 0 && (least == 0 || b.Seeds[0] < least) {
			least = b.Seeds[0]
		}
	}
	return max(least, 1)
}

// revised says which revision figures of an earlier version are of, and which is today's.
func revised(was, now int) string { return fmt.Sprintf("(revision %d, now %d)", was, now) }

// listed returns the rows with stored figures, with the columns' names first.
func (r *BenchReply) listed() [][]string {
	rows := [][]string{{
		"", "what", "solver", "instance", "in", "peer", r.figures(), "to reach", "measured", "range",
		"seeds", "",
	}}
	for _, b := range r.Rows {
		line := []string{
			fmt.Sprint(b.Number), b.What, b.Solver, b.Instance, b.Unit, r.peer(&b), figure(b.Figure),
			figure(b.Reach), "-", "", "", b.Verdict,
		}
		if n := len(b.Values); n > 0 {
			line[8], line[10] = figure(b.Median), fmt.Sprint(n)
			if !b.Median.Known() {
				line[8] = "not reached"
			}
			if n > 1 {
				line[9] = figure(b.Min) + " to " + figure(b.Max)
			}
			if b.Stale {
				line[11] = strings.TrimSpace(line[11] + " " + revised(b.Revision, b.Now))
			}
		}
		rows = append(rows, line)
	}
	return trimmed(rows, "solver", "instance", "peer", r.figures(), "to reach", "measured", "range",
		"seeds")
}

// below are the lines under a table: means over instances, reasons, and the origin of kept figures.
func (r *BenchReply) below() []string {
	var out []string
	for _, m := range r.Means {
		out = append(out, m.line())
	}
	if len(r.Means) == 0 && !r.Listed {
		out = r.means()
	}
	out = append(out, r.Table.Reasons...)
	for _, m := range r.Made {
		out = append(out, "measured: "+m)
	}
	return out
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

// HTML returns the reply for a page.
func (r *BenchReply) HTML() string {
	if len(r.Papers) > 0 {
		b := htmlTable(r.standing())
		for _, s := range r.remarks() {
			b += paragraph(s)
		}
		return b
	}
	if len(r.Kept) == 0 && r.Table == nil {
		return htmlTable(r.rows())
	}
	if len(r.Kept) == 0 {
		rows := r.rows()
		if r.Listed {
			rows = r.listed()
		}
		out := paragraph(r.Table.heading()) + htmlTable(rows)
		if below := r.below(); len(below) > 0 {
			out += paragraph(strings.Join(below, "\n"))
		}
		return out
	}
	var out strings.Builder
	for _, f := range r.Kept {
		out.WriteString(paragraph(f.about()) + htmlTable(f.table()))
		for _, n := range f.Notes {
			out.WriteString("<p>" + html.EscapeString(n) + "</p>")
		}
	}
	return out.String()
}

// paragraph is a text of several lines for a page.
func paragraph(text string) string {
	return "<p>" + strings.ReplaceAll(html.EscapeString(text), "\n", "<br>") + "</p>"
}
