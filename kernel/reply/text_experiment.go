package reply

import (
	"fmt"
	"strings"
	"time"
)

// mostUnits is the number of units that a table shows.
const mostUnits = 40

// far is how far an experiment is, in words.
func (i *ExperimentInfo) far() string {
	out := fmt.Sprintf("%d of %s done", i.Done, count(i.Units, "unit"))
	if i.Failed > 0 {
		out += fmt.Sprintf(", %d failed", i.Failed)
	}
	switch {
	case i.Going && i.LeftS > 0:
		out += ", goes on for about " + i.LeftS.seconds()
	case i.Going:
		out += ", goes on"
	case i.Elsewhere:
		out += fmt.Sprintf(", %d left, which another session makes", i.Left())
	case i.Left() > 0:
		out += fmt.Sprintf(", %d left: experiment %s go makes them", i.Left(), i.Name)
	}
	return out
}

// BeganLayout is the layout of ExperimentInfo.Began.
const BeganLayout = "2006-01-02 15:04"

// Unfinished names an experiment that began after since and has units left that nobody runs, and
// counts further ones; it is empty if there is none.
func (r *ExperimentReply) Unfinished(since time.Time) string {
	first, more := (*ExperimentInfo)(nil), 0
	for n := range r.List {
		i := &r.List[n]
		at, err := time.ParseInLocation(BeganLayout, i.Began, time.Local)
		switch {
		case err != nil || at.Before(since) || i.Left() == 0 || i.Going || i.Elsewhere:
		case first == nil:
			first = i
		default:
			more++
		}
	}
	if first == nil {
		return ""
	}
	out := fmt.Sprintf("experiment %s: %d of %s left", first.Name, first.Left(),
		count(first.Units, "unit"))
	if more > 0 {
		out += fmt.Sprintf(" (and %d more such experiments)", more)
	}
	return fmt.Sprintf("%s; experiment %s go goes on, experiment lists", out, first.Name)
}

// state is how it stands, in a word or two.
func (i *ExperimentInfo) state() string {
	switch {
	case i.Units == 0 && !i.Going:
		return "no units yet"
	case i.Going || i.Elsewhere:
		return "goes on"
	case i.Left() > 0:
		return fmt.Sprintf("%d left", i.Left())
	}
	return "ended"
}

// rows is the table, with a heading.
func (r *ExperimentReply) rows() [][]string {
	if len(r.Rows[0].Times) > 0 {
		return r.withinRows()
	}
	out := [][]string{{
		"instance", "", "seeds", "mean", "median", "best", "gap %", "median %", "time", "cpu", "p", "A12",
		"device", "left", "failed",
	}}
	devices := map[string]bool{}
	for i := range r.Rows {
		devices[r.Rows[i].Device] = true
	}
	delete(devices, "")
	for i := range r.Rows {
		out = append(out, r.Rows[i].cells(len(devices) > 1))
	}
	return trimmed(zeroless(out), "gap %", "median %", "p", "A12", "device", "left", "failed")
}

// withinRows is the table of what there is within equal times, with a row of times above those of
// each instance.
func (r *ExperimentReply) withinRows() [][]string {
	out := [][]string{{"instance", "", "seeds"}}
	for range r.Rows[0].Times {
		out[0] = append(out[0], "within")
	}
	out[0] = append(out[0], "device")
	for i := range r.Rows {
		x := &r.Rows[i]
		if i == 0 || r.Rows[i-1].Instance != x.Instance {
			times := []string{x.Instance, "", ""}
			for _, t := range x.Times {
				times = append(times, t.seconds())
			}
			out = append(out, append(times, ""))
		}
		row := []string{x.Instance, x.Label, fmt.Sprint(x.Seeds)}
		for _, v := range x.Within {
			row = append(row, percent(v))
		}
		out = append(out, append(row, x.Device))
	}
	return out
}

// zeroless writes nothing for what is 0 in the last two columns.
func zeroless(rows [][]string) [][]string {
	for _, r := range rows {
		for i := len(r) - 2; i < len(r); i++ {
			if r[i] == "0" {
				r[i] = ""
			}
		}
	}
	return rows
}

// cells are those of the row; with its device where there are several.
func (x *ExperimentRow) cells(several bool) []string {
	device := ""
	if several {
		device = x.Device
	}
	return []string{
		x.Instance, x.Label, fmt.Sprint(x.Seeds), x.Mean.String(), x.Median.String(), x.Best.String(),
		percent(x.GapMean), percent(x.GapM), x.WallS.seconds(), x.CPUS.seconds(), pText(x.P),
		fixed(x.Effect, 2), device, fmt.Sprint(x.Left), fmt.Sprint(x.Failed),
	}
}

// unitRows is the table of units, with a heading.
func (r *ExperimentReply) unitRows() [][]string {
	out := [][]string{{
		"unit", "instance", "", "seed", "state", "best", "gap %", "iterations", "time", "cpu", "device",
		"why",
	}}
	for _, u := range r.Of[:min(len(r.Of), mostUnits)] {
		why := u.Why
		if u.Error != "" {
			why, _, _ = strings.Cut(u.Error, "\n")
		}
		out = append(out, []string{
			fmt.Sprint(u.Number), u.Instance, u.Label, fmt.Sprint(u.Seed), u.State, u.Best.String(),
			percent(u.Gap), fmt.Sprint(u.Iteration), u.WallS.seconds(), u.CPUS.seconds(), u.Device,
			why,
		})
	}
	return trimmed(out, "gap %", "device", "why")
}

// listRows is the table of all experiments, with a heading.
func (r *ExperimentReply) listRows() [][]string {
	out := [][]string{{"experiment", "units", "done", "failed", "state", "began", "what"}}
	for i := range r.List {
		x := &r.List[i]
		out = append(out, []string{
			x.Name, fmt.Sprint(x.Units), fmt.Sprint(x.Done), fmt.Sprint(x.Failed), x.state(), x.Began,
			x.Plan,
		})
	}
	return out
}

// notes are the sentences below a table.
func (r *ExperimentReply) notes() (out []string) {
	if len(r.Of) > mostUnits {
		out = append(out, fmt.Sprintf("the first %d of %d units; the view results of %s has all",
			mostUnits, len(r.Of), r.Path))
	}
	if r.View != nil {
		out = append(out, r.View.words())
	}
	if r.Test != "" {
		out = append(out, r.Test)
	}
	out = append(out, r.Report...)
	if r.Recovered != nil {
		out = append(out, r.Recovered.lines()...)
	}
	if len(r.Lines) > 0 {
		out = append(out, "it is made of these lines:")
		for _, l := range r.Lines {
			out = append(out, "  "+l)
		}
	}
	if r.Note != "" {
		out = append(out, r.Note)
	}
	return out
}

// head is the first line about one experiment.
func (r *ExperimentReply) head() string {
	out := r.Name + ": " + r.Plan + "; " + r.far()
	if r.Added > 0 && r.Added < r.Units {
		out += fmt.Sprintf("; adds %s to %s (%d in all)", count(r.Added, "unit"), r.Name, r.Units)
	}
	if r.Made > 0 {
		out += fmt.Sprintf("; %d now", r.Made)
	}
	return out
}

// table is the table in question, with its heading; nil: there is none.
func (r *ExperimentReply) table() [][]string {
	switch {
	case r.ExperimentInfo == nil && len(r.List) > 0:
		return r.listRows()
	case r.View != nil:
		return r.View.table()
	case len(r.Of) > 0:
		return r.unitRows()
	case len(r.Rows) > 0:
		return r.rows()
	}
	return nil
}

// first is the line above the table.
func (r *ExperimentReply) first() string {
	switch {
	case r.Recovered != nil:
		return r.Recovered.head(r.Path)
	case r.Opened != nil:
		o := r.Opened
		return fmt.Sprintf("unit %d is run %s: %s; %s", r.Unit, o.Run, o.stand(), r.Replayed)
	case r.ExperimentInfo != nil:
		return r.head()
	case len(r.List) > 0:
		return "experiments in " + r.Path
	case r.Note == "":
		return "there are no experiments; help experiment says how to make one"
	}
	return ""
}

// String returns the reply as text.
func (r *ExperimentReply) String() string { return r.Fit(0) }

// Fit returns the reply as text; a narrow one has fewer columns.
func (r *ExperimentReply) Fit(cols int) string {
	var out []string
	if s := r.first(); s != "" {
		out = append(out, s)
	}
	if t := r.table(); t != nil {
		less := []string{
			"cpu", "iterations", "A12", "mean", "time", "gap %", "best", "device", "began",
		}
		switch {
		case r.View != nil:
			less = r.View.less()
		case r.By == "cpu": // the columns in question stay
			less = []string{"iterations", "time", "gap %", "best", "device"}
		case r.By == "wall":
			less = []string{"iterations", "cpu", "gap %", "best", "device"}
		}
		out = append(out, table(fitted(t, cols, less...)))
	}
	return strings.Join(append(out, r.notes()...), "\n")
}

// HTML returns the reply for a page.
func (r *ExperimentReply) HTML() string {
	out := htmlLine("", r.first())
	if t := r.table(); t != nil {
		out += htmlTable(t)
	}
	for _, n := range r.notes() {
		out += htmlNote(n)
	}
	return out
}
