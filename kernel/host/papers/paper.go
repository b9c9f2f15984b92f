package papers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metalab/kernel/internal/glance"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/bench"
)

// paper answers with a table of a paper, a column for each of its columns.
func paper(q *wire.PaperRequest) (*reply.PaperReply, error) {
	t, err := bench.Find(q.Table)
	if err != nil {
		return nil, wrong(err.Error())
	}
	if t.Paper == "" {
		return nil, wrong(fmt.Sprintf("paper: table is %q, which is of no paper; want one of: %s",
			q.Table, strings.Join(paperTables(), " ")))
	}
	out, err := bench.Recall(t, q.Row)
	if err != nil {
		return nil, wrong(err.Error())
	}
	rep := &reply.PaperReply{Verb: "paper", Table: benchTable(t)}
	if out, rep.Columns, err = only(out, q.Table, q.Columns); err != nil {
		return nil, err
	}
	if _, doi, ok := strings.Cut(t.Source, "doi:"); ok {
		rep.DOI = strings.TrimRight(strings.TrimSpace(doi), ".")
	}
	several := map[[2]string]int{} // rows of one line and column
	for i := range out {
		r := &out[i].Row
		if !slices.Contains(rep.Columns, r.Column) {
			rep.Columns = append(rep.Columns, r.Column)
		}
		several[[2]string{r.Label, r.Column}]++
	}
	rows := map[string]int{}
	seen := map[[2]string]int{}
	for i := range out {
		r := &out[i].Row
		at := [2]string{r.Label, r.Column}
		key := fmt.Sprintf("%s\x00%d", r.Label, seen[at])
		seen[at]++
		n, ok := rows[key]
		if !ok {
			n = len(rep.Rows)
			rows[key] = n
			row := reply.PaperRow{Label: r.Label}
			for range rep.Columns {
				row.Cells = append(row.Cells, reply.PaperCell{
					Published: nan, Measured: nan, Min: nan, Max: nan,
				})
			}
			rep.Rows = append(rep.Rows, row)
		}
		if several[at] > 1 {
			rep.Rows[n].Instance = cmp.Or(rep.Rows[n].Instance, r.Instance)
		}
		rep.Rows[n].Cells[slices.Index(rep.Columns, r.Column)] = paperCell(t, &out[i])
	}
	all := len(rep.Rows)
	rep.Rows = slices.DeleteFunc(rep.Rows, func(r reply.PaperRow) bool {
		return !slices.ContainsFunc(r.Cells, func(c reply.PaperCell) bool {
			return c.Published.Known() || len(c.Values) > 0
		})
	})
	rep.Left = all - len(rep.Rows)
	rep.Means = benchMeans(t, out)
	rep.Made = benchMade(t, out)
	return rep, nil
}

// shows answers with what the tables of a paper show.
func shows(q *wire.GlanceRequest) (*reply.GlanceReply, error) {
	rep, err := glance.Of(q.Paper, func(table, rows string) (*reply.PaperReply, error) {
		return paper(&wire.PaperRequest{Table: table, Row: rows})
	})
	if err != nil {
		return nil, wrong("glance: " + err.Error())
	}
	rep.Verb = "glance"
	return rep, nil
}

// only keeps what is in the columns that are named, with | between them, and returns their names;
// all, and none, for "".
func only(
	out []bench.Outcome, table, columns string,
) (of []bench.Outcome, names []string, err error) {
	if columns == "" {
		return out, nil, nil
	}
	var all []string
	for i := range out {
		if c := out[i].Row.Column; !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	for c := range strings.SplitSeq(columns, "|") {
		c = strings.TrimSpace(c)
		if !slices.Contains(all, c) || slices.Contains(names, c) {
			return nil, nil, wrong(fmt.Sprintf("paper: column is %q, want of %s each once, with | between: "+
				"%s", c, table, strings.Join(all, " | ")))
		}
		names = append(names, c)
	}
	return slices.DeleteFunc(out, func(o bench.Outcome) bool {
		return !slices.Contains(names, o.Row.Column)
	}), names, nil
}

// paperTables are the names of the tables of papers.
func paperTables() []string {
	var out []string
	for _, t := range bench.Tables() {
		if t.Paper != "" {
			out = append(out, t.Name)
		}
	}
	return out
}

// paperCell is a row of a table as a cell. The published mean of a group is no figure of one of its
// rows.
func paperCell(t bench.Table, o *bench.Outcome) reply.PaperCell {
	b := benchRow(t, o)
	c := reply.PaperCell{
		Published: b.Figure, Measured: b.Median, Min: b.Min, Max: b.Max, Values: b.Values,
		Unit: b.Unit, Verdict: b.Verdict, Stale: b.Stale, Not: o.Row.Not,
		Mark: o.Row.Peer.Mark,
	}
	if c.Stale {
		c.Revision, c.Now = b.Revision, b.Now
	}
	switch {
	case len(o.Values) == 0 || o.Row.Measure == bench.Ratio: // of medians
	case o.N > 0:
		c.N = o.N
	default:
		c.N = len(o.Values)
	}
	if made := bench.MeasuredOf(t.Name).Made; o.Row.Backend == "cuda" && o.Made > 0 {
		c.GPU = made[o.Made-1].GPU()
	}
	if o.Row.Group != "" {
		c.Published = nan
	}
	return c
}
