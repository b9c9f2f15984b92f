package reply

import (
	"fmt"
	"strings"
)

// mostSeeds is the number of seeds that a table shows.
const mostSeeds = 20

// row are the quartiles in words; text is how each is written.
func (q Quartiles) row(name string, text func(Num) string) []string {
	return []string{name, text(q.Min), text(q.Lower), text(q.Median), text(q.Upper), text(q.Max)}
}

// one reports whether all values are the same.
func (q Quartiles) one() bool { return q.Min == q.Max }

func percent(n Num) string { return fixed(n, 3) }

// Head returns the number of seeds and their setting.
func (s Series) Head() string {
	out := fmt.Sprintf("%s, %s each", count(len(s.Results), "seed"), s.Budget)
	if len(s.Changed) > 0 {
		out += ", with " + strings.Join(s.Changed, " ")
	}
	return out
}

// Words returns the series in a line.
func (s Series) Words() string {
	out := s.Head()
	if s.BestQ.Median.Known() {
		out += ": median " + s.BestQ.Median.String()
	}
	if s.GapQ.Median.Known() {
		out += " (gap " + percent(s.GapQ.Median) + "%)"
	}
	return out
}

// seedRows is a row a seed, of at most some.
func (s Series) seedRows() [][]string {
	rows := [][]string{{"seed", "best", "gap %", "iterations", "time", "cpu", "ended by"}}
	for _, x := range s.Results[:min(len(s.Results), mostSeeds)] {
		rows = append(rows, []string{
			fmt.Sprint(x.Seed), x.Best.String(), percent(x.Gap), fmt.Sprint(x.Iteration), x.WallS.seconds(),
			x.CPUS.seconds(), x.Why,
		})
	}
	return trimmed(rows, "gap %", "ended by")
}

// more says how many seeds a table leaves out.
func (s Series) more() string {
	if n := len(s.Results); n > mostSeeds {
		return fmt.Sprintf("the first %d of %d seeds; export with seeds writes all", mostSeeds, n)
	}
	return ""
}

// quartileRows is a row a quantity.
func (s Series) quartileRows() [][]string {
	rows := [][]string{
		{"", "min", "quartile", "median", "quartile", "max"},
		s.BestQ.row("best", Num.String),
	}
	if s.GapQ.Median.Known() {
		rows = append(rows, s.GapQ.row("gap %", percent))
	}
	if !s.IterQ.one() {
		rows = append(rows, s.IterQ.row("iterations", Num.String))
	}
	return append(rows, s.WallQ.row("time", Num.seconds), s.CPUQ.row("cpu", Num.seconds))
}

// text are both tables.
func (s Series) text() string {
	out := table(s.seedRows())
	if m := s.more(); m != "" {
		out += "\n(" + m + ")"
	}
	if len(s.Results) > 1 {
		out += "\n\n" + table(s.quartileRows())
	}
	return out
}

// notes say which results there were before, at the prompt or in a cell.
func (r *RepeatReply) notes(cell bool) (out []string) {
	do := func(words string) string {
		if cell {
			return fmt.Sprintf("lab.Do(%q)", words)
		}
		return words
	}
	switch {
	case r.Had == 0:
	case r.Fresh:
		out = append(out, fmt.Sprintf("%d of them were made before, and now again", r.Had))
	case r.Had == r.Wanted:
		out = append(out,
			fmt.Sprintf("all of them were made before, with the same parameters; to make them anew: %s",
				do(fmt.Sprintf("repeat %s %d fresh", r.Run, r.Wanted))))
	default:
		out = append(out,
			fmt.Sprintf("%d of them were made before, with the same parameters; %d were missing", r.Had,
				r.Wanted-r.Had))
	}
	if len(r.Unmade) > 0 {
		out = append(out, fmt.Sprintf("%s was changed (%s), and these seeds have its present parameters "+
			"from iteration 1 on; to have them make its changes: %s", r.Run, setsText(r.Unmade),
			do(fmt.Sprintf("repeat %s %d changes", r.Run, r.Wanted))))
	}
	if r.Apart > 0 {
		out = append(out,
			fmt.Sprintf("%s of other parameters or budgets are kept apart; to list them: %s",
				count(r.Apart, "seed"), do("seeds "+r.Run)))
	}
	return out
}

// behind says that the repeat runs in the background, at the prompt or in a cell.
func (r *RepeatReply) behind(cell bool) string {
	look, end := "runs", "pause "+r.Run
	if cell {
		look, end = "lab.Runs()", fmt.Sprintf("lab.Get(%q).Pause()", r.Run)
	}
	return fmt.Sprintf("%s, %s each, in the background: %s shows how far, %s ends it",
		count(r.Wanted, "seed"), r.Budget, look, end)
}

// String returns a table of the seeds and one of quartiles, or says that the repeat continues.
func (r *RepeatReply) String() string {
	if r.Background {
		return r.Status.head() + ": " + r.behind(false)
	}
	out := r.Status.head() + ": " + r.Series.Head() + "\n" + r.Series.text()
	for _, n := range r.notes(false) {
		out += "\n" + n
	}
	return out
}

// HTML returns the reply for a page.
func (r *RepeatReply) HTML() string {
	if r.Background {
		return htmlLine(r.Run, r.behind(true))
	}
	out := htmlLine("", r.Status.head()+": "+r.Series.Head()) + r.Series.html()
	for _, n := range r.notes(true) {
		out += htmlNote(n)
	}
	return out
}

// html are both tables.
func (s Series) html() string {
	out := ""
	if len(s.Results) > 1 {
		out = htmlTable(s.quartileRows())
	}
	out += htmlTable(s.seedRows())
	if m := s.more(); m != "" {
		out += htmlNote(m)
	}
	return out
}

// String lists the seeds, series by series.
func (r *SeedsReply) String() string {
	if len(r.Series) == 0 {
		return r.Run + ": it was not repeated; type: repeat " + r.Run + " 10"
	}
	var out []string
	for i := range r.Series {
		s := r.Series[i]
		out = append(out, r.Run+": "+s.Head()+"\n"+s.text())
	}
	return strings.Join(out, "\n\n")
}

// Kept says in a line how many seeds the series with the latest result has.
func (r *SeedsReply) Kept() string {
	if len(r.Series) == 0 {
		return "no seed of " + r.Run + " was finished"
	}
	s := r.Series[r.Latest]
	are := "are"
	if len(s.Results) == 1 {
		are = "is"
	}
	return fmt.Sprintf("%s of %s %s kept, %s each: repeat goes on with the others",
		count(len(s.Results), "seed"), r.Run, are, s.Budget)
}

// HTML returns the reply for a page.
func (r *SeedsReply) HTML() string {
	if len(r.Series) == 0 {
		return htmlLine(r.Run, "it was not repeated")
	}
	out := ""
	for i := range r.Series {
		out += htmlLine(r.Run, r.Series[i].Head()) + r.Series[i].html()
	}
	return out
}

func (r *CompareReply) rows() [][]string {
	rows := [][]string{{
		"run", "solver", "instance", "seeds", "iterations", "best", "gap %", "time",
		"cpu", "differs in",
	}}
	for i := range r.Sides {
		s := &r.Sides[i]
		rows = append(rows, []string{
			s.Run, s.Solver + "/" + s.Variant, s.Instance, fmt.Sprint(s.Seeds), s.Iterations().String(),
			s.Value().String(), percent(s.Off()),
			s.Wall().seconds(), s.CPU().seconds(), strings.Join(s.Changed, " "),
		})
	}
	return trimmed(rows, "seeds", "gap %", "differs in")
}

// medians says what the values of repeated sides are; empty where none was repeated.
func (r *CompareReply) medians() string {
	n := 0
	for i := range r.Sides {
		if r.Sides[i].Repeated() {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case len(r.Sides):
		return "medians over the seeds of each"
	}
	return "medians over the seeds where a run was repeated"
}

// String returns the table of the sides, and the results of the tests.
func (r *CompareReply) String() string {
	out := table(r.rows())
	if m := r.medians(); m != "" {
		out += "\n(" + m + ")"
	}
	if r.Overall != "" {
		out += "\n" + r.Overall
	}
	for _, t := range r.Tests {
		out += "\n" + t.Words
	}
	for _, s := range r.Assumed {
		out += "\n" + s
	}
	for i := range r.Costs {
		out += "\nwarning: " + r.Costs[i].Words + "; to compare at equal cost: " + r.Costs[i].remedy()
	}
	if r.Note != "" {
		out += "\n" + r.Note
	}
	return out
}

// HTML returns the table of the sides, the best of them in bold, and of the tests.
func (r *CompareReply) HTML() string {
	text := r.rows()
	rows := make([][]htmlCell, len(text))
	lead := r.leader()
	for i, row := range text {
		for j, s := range row {
			best := i > 0 && i-1 == lead && (text[0][j] == "run" || text[0][j] == "best")
			rows[i] = append(rows[i], htmlCell{text: s, bold: best})
		}
	}
	out := htmlCells(rows)
	if m := r.medians(); m != "" {
		out += htmlNote(m)
	}
	if r.Overall != "" {
		out += htmlNote(r.Overall)
	}
	if len(r.Tests) > 0 {
		tests := [][]string{{"against", "test", "p", "A12", "in words"}}
		for _, t := range r.Tests {
			tests = append(tests, []string{
				t.A + ", " + t.B, t.Name, pText(t.P),
				fixed(t.Effect, 2), t.Words,
			})
		}
		out += htmlTable(tests)
	}
	for _, s := range r.Assumed {
		out += htmlNote(s)
	}
	for i := range r.Costs {
		out += htmlNote("warning: " + r.Costs[i].Words)
	}
	note, _, _ := strings.Cut(r.Note, "; type: ") // what is typed at the prompt
	return out + htmlNote(note)
}

// pText is a p-value in few digits.
func pText(p Num) string {
	if p.Known() && p < 0.0001 {
		return "< 0.0001"
	}
	return fixed(p, 4)
}

// leader is the side with the smallest median where there are seeds, else the smallest best;
// -1 when several share it or the sides are of different instances.
func (r *CompareReply) leader() int {
	lead, shared := -1, false
	for i := range r.Sides {
		s := &r.Sides[i]
		switch {
		case s.Instance != r.Sides[0].Instance || s.Seeds != r.Sides[0].Seeds || !s.Value().Known():
			return -1
		case lead < 0 || s.Value() < r.Sides[lead].Value():
			lead, shared = i, false
		case s.Value() == r.Sides[lead].Value():
			shared = true
		}
	}
	if shared {
		return -1
	}
	return lead
}
