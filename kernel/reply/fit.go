package reply

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Fitter is a reply with a shorter text for narrow screens.
type Fitter interface {
	// Fit returns the text for a screen of cols columns.
	Fit(cols int) string
}

// Text returns a reply as text for a screen of cols columns; 0: any width.
func Text(r Reply, cols int) string {
	if f, ok := r.(Fitter); ok && cols > 0 {
		return f.Fit(cols)
	}
	return r.String()
}

// fitted drops columns of a table, the first of those named first, until it is at most cols
// wide; 0 keeps all.
func fitted(rows [][]string, cols int, names ...string) [][]string {
	for _, name := range names {
		if cols == 0 || widest(table(rows)) <= cols {
			break
		}
		if i := slices.Index(rows[0], name); i >= 0 {
			for n := range rows {
				rows[n] = slices.Delete(slices.Clone(rows[n]), i, i+1)
			}
		}
	}
	return rows
}

// narrowed is a table that drops columns as fitted does, and a line that says which.
func narrowed(rows [][]string, cols int, names ...string) string {
	all := rows[0]
	some := fitted(slices.Clone(rows), cols, names...)
	out := table(some)
	var left []string
	for _, name := range all {
		if !slices.Contains(some[0], name) {
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		out += "\n(no room here for " + strings.Join(left, ", ") + ")"
	}
	return out
}

// blocks is a table whose columns stand below each other, each time with the first, where they are
// more than fit side by side into cols columns; 0 takes all.
func blocks(rows [][]string, cols int) string {
	part := func(from, to int) string {
		some := make([][]string, len(rows))
		for n, r := range rows {
			some[n] = append([]string{r[0]}, r[min(from, len(r)):min(to, len(r))]...)
		}
		return table(some)
	}
	n := len(rows[0])
	if cols == 0 || n < 3 || widest(table(rows)) <= cols {
		return table(rows)
	}
	var out []string
	for from := 1; from < n; {
		to := from + 1
		for to < n && widest(part(from, to+1)) <= cols {
			to++
		}
		out = append(out, part(from, to))
		from = to
	}
	return strings.Join(out, "\n\n")
}

// widest is the number of characters in the longest line of a text.
func widest(text string) int {
	most := 0
	for line := range strings.SplitSeq(text, "\n") {
		most = max(most, utf8.RuneCountInString(line))
	}
	return most
}

// paramRows returns parameters as rows; only a full table says what they do.
func paramRows(ps []Param, full bool) [][]string {
	rows := [][]string{{"name", "value", "default", "class", "range", "what it does"}}
	changed := false
	for _, p := range ps {
		mark := ""
		if p.Changed() {
			mark, changed = " *", true
		}
		rows = append(rows, []string{
			p.Name, p.Value.String() + mark, p.Default.String(), p.Class,
			p.Range, p.Doc,
		})
	}
	for i := range rows {
		if !full {
			rows[i] = rows[i][:5]
		}
		if !changed { // the values say it
			rows[i] = slices.Delete(rows[i], 2, 3)
		}
	}
	return rows
}

// String returns a table of the parameters. A star marks those without their default. It includes
// descriptions if they were requested, and for named parameters.
func (r *ParamsReply) String() string {
	switch {
	case r.Named:
		var b []string
		for _, p := range r.Params {
			b = append(b, p.About("of "+r.Run))
		}
		return strings.Join(b, "\n")
	case r.Full:
		return table(paramRows(r.Params, true))
	}
	out := table(paramRows(r.Params, false))
	if len(r.Params) > 0 {
		out += fmt.Sprintf("\nparams %s %s tells what one does, params %s full of all", r.Run,
			r.Params[0].Name, r.Run)
	}
	return out
}

// About returns the full description of a parameter; of names what it belongs to.
func (p Param) About(of string) string {
	value := p.Value.String()
	if p.Changed() {
		value += ", not the default " + p.Default.String()
	}
	unit := ""
	if p.Unit != "" {
		unit = " " + p.Unit
	}
	out := fmt.Sprintf("%s %s: %s; %s, %s%s\n  %s", p.Name, of, value, p.Class, p.Range, unit, p.Doc)
	if p.Effect != "" {
		out += "\n  a change: " + p.Effect
	}
	return out
}

// String returns a table of runs.
func (r *RunsReply) String() string { return r.Fit(0) }

// Fit returns a table of runs; a narrow one has no times.
func (r *RunsReply) Fit(cols int) string {
	rows := func(runs []Status) string {
		all := table(fitted(statusRows(runs), cols, "cpu", "backend", "time", "gap %", "state"))
		return strings.Join(append([]string{all}, troubles(runs)...), "\n")
	}
	var b strings.Builder
	if len(r.Runs) == 0 {
		fmt.Fprintf(&b, "no runs in session %s; open one: open acs pr1002 as a", r.Session)
	} else {
		b.WriteString(rows(r.Runs))
	}
	for _, o := range r.Others {
		fmt.Fprintf(&b, "\nsession %s:\n", o.Session)
		if len(o.Runs) == 0 {
			b.WriteString("no runs")
		} else {
			b.WriteString(rows(o.Runs))
		}
	}
	if len(r.Autosaves) > 0 {
		b.WriteString("\nautosaves (recover <id> opens one):\n" + autosaveTable(r.Autosaves))
	}
	return b.String()
}
