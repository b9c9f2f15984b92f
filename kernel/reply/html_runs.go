package reply

import (
	"fmt"
	"strings"

	"metalab/solvers/record"
)

// HTML returns the status in a line.
func (s Status) HTML() string { return htmlLine(s.Run, s.stand()) }

// HTML returns the run's state in a line.
func (r *RunReply) HTML() string {
	note := ""
	if r.Note != "" {
		note = " (" + r.Note + ")"
	}
	return htmlLine(r.Run, r.State+", "+r.stand()+note)
}

// HTML describes the opened run, with its resolved parameters.
func (r *OpenReply) HTML() string {
	head, _, _ := strings.Cut(r.String(), "\n")
	out := htmlLine("", head)
	if r.Named != "" {
		out += htmlNote(r.Named)
	}
	out += "<p>" + valuesHTML(r.Params) + "</p>"
	if r.Advice != "" {
		out += htmlNote(r.Advice)
	}
	out += htmlWarned(r.Warning)
	if r.Declared != "" {
		out += htmlNote(r.Declared)
	}
	if r.Unused != "" {
		out += htmlNote(r.Unused)
	}
	return out
}

// HTML says where the step ended.
func (r *StepReply) HTML() string {
	return htmlLine(r.Run, r.outcome())
}

// HTML returns a table of the changes.
func (r *SetReply) HTML() string {
	if len(r.Changes) == 0 {
		return htmlLine(r.Run, "nothing changed, it has these values already")
	}
	rows := [][]htmlCell{{
		{text: "run"},
		{text: "parameter"},
		{text: "from"},
		{text: "to"},
		{text: "from iteration on"},
	}}
	for _, c := range r.Changes {
		rows = append(rows, []htmlCell{
			{text: r.Run},
			{text: c.Name},
			{text: c.Old.String()},
			{text: c.New.String(), bold: true},
			{text: fmt.Sprint(r.After + 1)},
		})
	}
	if r.Note != "" {
		return htmlCells(rows) + htmlNote(r.Note)
	}
	return htmlCells(rows)
}

// HTML returns a table of the runs, and if requested those of other sessions and the autosaves.
func (r *RunsReply) HTML() string {
	out := htmlNote("no runs in session " + r.Session +
		"; open one: lab.Open(\"a\", \"acs\", lab.Load(\"pr1002\"))")
	if len(r.Runs) > 0 {
		out = runsHTML(r.Runs)
	}
	for _, o := range r.Others {
		out += "<p>session <b>" + Escape(o.Session) + "</b></p>"
		if len(o.Runs) == 0 {
			out += htmlNote("no runs")
		} else {
			out += runsHTML(o.Runs)
		}
	}
	if len(r.Autosaves) > 0 {
		out += "<p>autosaves</p>" + autosavesHTML(r.Autosaves)
	}
	return out
}

// runsHTML is a table of runs, and what is wrong with some of them.
func runsHTML(runs []Status) string {
	out := htmlTable(statusRows(runs))
	for _, line := range troubles(runs) {
		out += "<p>" + htmlTrouble(Escape(line)) + "</p>"
	}
	return out
}

// HTML returns the card of the run, with the parameters that do not have their default in bold.
func (r *ShowReply) HTML() string { return r.Card(nil, nil) }

// Card returns the card of the run with a small curve of its history, and marks at the changes of
// its journal. Without points there is no curve.
func (r *ShowReply) Card(history []Point, journal []Change) string {
	var rows [][2]string
	for _, row := range r.rows() {
		text := Escape(row[1])
		switch row[0] {
		case "run", "changed": // in the heading; in bold among the parameters
			continue
		case "best":
			text = "<b>" + Escape(r.Best.String()) + "</b>" + Escape(r.gapText())
		case "trouble":
			text = htmlTrouble(text)
		case "parameters":
			text = valuesHTML(r.Params)
		}
		rows = append(rows, [2]string{row[0], text})
	}
	var sets []int64
	for _, c := range journal {
		if c.Kind == record.KindSet {
			sets = append(sets, c.Iter)
		}
	}
	curve := Curve(history, sets, r.Optimum, "the best of "+r.Run)
	if r.Iteration > 0 && !r.Best.Known() { // it is not what it says
		curve = ""
	}
	return htmlCard("run <b>"+Escape(r.Run)+"</b>, "+Escape(r.State), rows, curve)
}

// valuesHTML lists the parameters that bear on results, changed ones in bold with their
// default behind them.
func valuesHTML(ps []Param) string {
	var out []string
	for _, p := range ps {
		text := Escape(p.Name + "=" + p.Value.String())
		switch {
		case p.Changed():
			text = "<b>" + text + "</b> (default " + Escape(p.Default.String()) + ")"
		case p.Class == string(record.Schedule):
			continue
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// HTML returns a table of the parameters; those without their default are in bold.
func (r *ParamsReply) HTML() string { return paramsHTML(r.Params) }

func paramsHTML(ps []Param) string {
	text := paramRows(ps, true)
	rows := make([][]htmlCell, len(text))
	for i, row := range text {
		for j, s := range row {
			c := htmlCell{text: s}
			if i > 0 && j <= 1 && ps[i-1].Changed() {
				c = htmlCell{text: strings.TrimSuffix(s, " *"), bold: true}
			}
			rows[i] = append(rows[i], c)
		}
	}
	return htmlCells(rows)
}

// HTML describes the best solution.
func (r *BestReply) HTML() string {
	if r.Iteration == 0 {
		return htmlLine(r.Run, "nothing was found yet")
	}
	out := fmt.Sprintf("<p><b>%s</b>: best <b>%s</b>%s, found in iteration %d</p>", Escape(r.Run),
		Escape(r.Value.String()), Escape(r.gapText()), r.Found)
	if _, solution, ok := strings.Cut(r.String(), "\n"); ok {
		out += `<pre class="metalab" style="white-space:pre-wrap;max-height:12em;overflow:auto">` +
			Escape(solution) + "</pre>"
	}
	return out
}

// mostPoints is the number of points that a table shows.
const mostPoints = 40

// HTML returns a table of at most about 40 of the points, evenly spaced.
func (r *HistoryReply) HTML() string {
	if len(r.Points) == 0 {
		return htmlLine(r.Run, "no points yet")
	}
	out := htmlTable(r.rows(mostPoints))
	if len(r.Points) > mostPoints {
		out += htmlNote(fmt.Sprintf("%d points in all; Export writes them", len(r.Points)))
	}
	return out
}

// HTML returns a table of the entries.
func (r *JournalReply) HTML() string {
	if len(r.Changes) == 0 {
		return htmlLine(r.Run, "nothing was done to it")
	}
	rows := [][]htmlCell{{{text: "after iteration"}, {text: "what"}, {text: "who"}}}
	for _, c := range r.Changes {
		who := c.Who
		c.Who = ""
		_, what, _ := strings.Cut(c.String(), ": ")
		cell := htmlCell{text: Printable(what)}
		if c.Kind == record.KindSet {
			cell.html = Escape(c.Name+" "+c.Old.String()) + " → <b>" + Escape(c.New.String()) + "</b>"
		}
		rows = append(rows, []htmlCell{{text: fmt.Sprint(c.Iter)}, cell, {text: Printable(who)}})
	}
	return htmlCells(rows)
}
