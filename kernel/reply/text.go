package reply

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"metalab/solvers/record"
)

// table formats rows in columns; the first row is the heading.
func table(rows [][]string) string {
	var w []int
	for _, r := range rows {
		for i, s := range r {
			if i == len(w) {
				w = append(w, 0)
			}
			w[i] = max(w[i], utf8.RuneCountInString(s))
		}
	}
	var b strings.Builder
	for n, r := range rows {
		if n > 0 {
			b.WriteByte('\n')
		}
		line := ""
		for i, s := range r {
			line += s + strings.Repeat(" ", w[i]-utf8.RuneCountInString(s)+2)
		}
		b.WriteString(strings.TrimRight(line, " "))
	}
	return b.String()
}

// Printable replaces control characters, so that a name cannot write to a terminal.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, s)
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func fixed(n Num, digits int) string {
	if !n.Known() {
		return "-"
	}
	return fmt.Sprintf("%.*f", digits, float64(n))
}

// gapText is the gap in words; empty when it is not known.
func (s Status) gapText() string {
	if !s.Gap.Known() {
		return ""
	}
	return fmt.Sprintf(" (gap %s%%)", fixed(s.Gap, 3))
}

// Line returns the status in one line.
func (s Status) Line() string { return s.Run + ": " + s.stand() }

func (s Status) stand() string {
	if s.Readying() {
		return s.reached() + s.troubled()
	}
	return fmt.Sprintf("%s, %s, cpu %s%s", s.reached(), s.WallS.seconds(), s.CPUS.seconds(),
		s.troubled())
}

// Reached returns Line without times, which differ at each repetition.
func (s Status) Reached() string { return s.Run + ": " + s.reached() + s.troubled() }

// reached returns how far the run is, without its times.
func (s Status) reached() string {
	if s.Readying() {
		return fmt.Sprintf("makes %s ready (lists, first solutions), then iteration 1", s.Instance)
	}
	return fmt.Sprintf("iteration %d, best %s%s%s", s.Iteration, s.Best, s.gapText(), s.Spins)
}

// Readying reports whether the first iteration is in progress. Before it a solver prepares data of
// the instance, which takes long if the instance is large.
func (s Status) Readying() bool {
	return s.Iteration == 0 && (s.State == "stepping" || s.State == "running")
}

// troubled returns what is wrong with the run, for the end of its line.
func (s Status) troubled() string {
	if s.Trouble == "" {
		return ""
	}
	return "; " + s.Trouble
}

// head names run, solver and instance.
func (s Status) head() string {
	on := ""
	if s.Backend != "cpu" {
		on = " on " + s.where()
	}
	return fmt.Sprintf("%s: %s/%s%s, %s", s.Run, s.Solver, s.Variant, on, s.Instance)
}

// String returns the status in one line.
func (s Status) String() string { return s.Line() }

// String returns the run's state.
func (r *RunReply) String() string {
	out := r.Run + ": " + r.State + ", " + r.stand()
	if r.Note != "" {
		out += " (" + r.Note + ")"
	}
	return out
}

// changedText lists parameters that do not have their default.
func changedText(ps []Param) string {
	var b []string
	for _, p := range ps {
		if p.Changed() {
			b = append(b, p.Name+"="+p.Value.String())
		}
	}
	return strings.Join(b, " ")
}

func valuesText(ps []Param) string {
	var b []string
	for _, p := range ps {
		if p.Class != string(record.Schedule) {
			b = append(b, p.Name+"="+p.Value.String())
		}
	}
	return strings.Join(b, " ")
}

// String describes the opened run, with its resolved parameters.
func (r *OpenReply) String() string {
	what := "opened"
	switch {
	case r.Attached:
		what = "is open already"
	case r.Parent != "":
		what = "forked from " + r.Parent
	}
	out := fmt.Sprintf("%s (%d), seed %d, preset %s; %s", r.head(), r.Size, r.Seed, r.Preset, what)
	if r.Iteration > 0 {
		out += fmt.Sprintf(" at iteration %d, best %s%s", r.Iteration, r.Best, r.gapText())
	}
	if r.Named != "" {
		out += "\n  " + r.Named
	}
	out += "\n  " + valuesText(r.Params)
	for _, w := range r.laterWords() {
		out += "\n  " + w
	}
	if r.Advice != "" {
		out += "\n  " + r.Advice
	}
	out += warned(r.Warning)
	if r.Declared != "" {
		out += "\n  " + r.Declared
	}
	if r.Unused != "" {
		out += "\n  " + r.Unused
	}
	if r.Before != nil {
		out += fmt.Sprintf("\n  saved before: %s; recover %s goes on with it", r.Before, r.Run)
	}
	return out
}

// laterWords says which later changes of its parent a fork makes, and which not.
func (r *OpenReply) laterWords() (out []string) {
	if len(r.Later) > 0 {
		out = append(out, fmt.Sprintf("it will be set as %s was: %s (nochanges leaves that out)",
			r.Parent, setsText(r.Later)))
	}
	if len(r.Left) > 0 {
		out = append(out, fmt.Sprintf("not made again of what was changed later in %s: %s", r.Parent,
			few(r.Left)))
	}
	return out
}

// setsText lists changes to come.
func setsText(cs []Change) string {
	out := make([]string, len(cs))
	for i, c := range cs {
		out[i] = fmt.Sprintf("%s=%s after iteration %d", c.Name, c.New, c.Iter)
	}
	return few(out)
}

// few is a list of which the first three are named.
func few(list []string) string {
	const most = 3
	if n := len(list) - most; n > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), n)
	}
	return strings.Join(list, ", ")
}

// String says where the step ended, and how long it took.
func (r *StepReply) String() string { return r.Run + ": " + r.outcome() }

// outcome returns where the step ended, with the iterations and times of the step and not those of
// the whole run.
func (r *StepReply) outcome() string {
	out := r.reached() + "; "
	switch r.Made {
	case 0:
		out += "no iteration was made"
	default:
		out += fmt.Sprintf("%s in %s, cpu %s", count(int(r.Made), "iteration"), r.StepWallS.seconds(),
			r.StepCPUS.seconds())
	}
	if r.Why != "" && r.Why != r.Trouble {
		out += "; stopped: " + r.Why
	}
	return out + r.troubled()
}

// String lists the changes, and the iteration from which they apply.
func (r *SetReply) String() string {
	if len(r.Changes) == 0 && len(r.Left) == 0 {
		return r.Run + ": nothing changed, it has these values already"
	}
	var b []string
	for _, c := range r.Changes {
		b = append(b, fmt.Sprintf("%s: %s %s → %s from iteration %d", r.Run, c.Name, c.Old, c.New,
			r.After+1))
	}
	if r.Note != "" {
		b = append(b, r.Note)
	}
	if len(r.Left) > 0 {
		b = append(b, "it would have been set as in the run that this was forked from, and is not: "+
			setsText(r.Left))
	}
	return strings.Join(b, "\n")
}

// Doing returns the run's state or, if it only repeats seeds, their progress.
func (s *Status) Doing() string {
	if s.Repeat == nil || s.State != "paused" {
		return s.State
	}
	return fmt.Sprintf("repeat %d/%d", int(s.Repeat.Done), s.Repeat.Seeds)
}

func statusRows(runs []Status) [][]string {
	rows := [][]string{{
		"run", "solver", "instance", "backend", "state", "iteration", "best", "gap %",
		"time", "cpu",
	}}
	for _, s := range runs {
		rows = append(rows, []string{
			s.Run, s.Solver + "/" + s.Variant, s.Instance, s.where(), s.Doing(), fmt.Sprint(s.Iteration),
			s.Best.String(), fixed(s.Gap, 3), s.WallS.seconds(), s.CPUS.seconds(),
		})
	}
	return trimmed(rows, "backend")
}

// trimmed drops the named columns if they say nothing: if every row has the same text there, which
// is empty, a dash, the cpu or a single seed.
func trimmed(rows [][]string, names ...string) [][]string {
	for _, name := range names {
		i := slices.Index(rows[0], name)
		if i < 0 ||
			slices.ContainsFunc(rows[1:],
				func(r []string) bool { return !slices.Contains([]string{"", "-", "cpu", "1"}, r[i]) }) {
			continue
		}
		for n := range rows {
			rows[n] = slices.Delete(rows[n], i, i+1)
		}
	}
	return rows
}

// troubles are lines about the runs that are in trouble.
func troubles(runs []Status) (lines []string) {
	for _, s := range runs {
		if s.Trouble != "" {
			lines = append(lines, s.Run+": "+s.Trouble)
		}
	}
	return lines
}

// String returns the card of the run.
func (r *ShowReply) String() string { return table(r.rows()) }

// rows are the lines of the card.
func (r *ShowReply) rows() [][]string {
	rows := [][]string{
		{"run", r.Run + ", " + r.State},
		{"solver", fmt.Sprintf("%s/%s (%s), revision %d, on %s", r.Solver, r.Variant, r.Title, r.Revision,
			r.where())},
		{"instance", fmt.Sprintf("%s, %s, %d", r.Instance, r.Kind, r.Size)},
		{"seed", fmt.Sprintf("%d, preset %s", r.Seed, r.Preset)},
		{"iteration", fmt.Sprint(r.Iteration)},
	}
	if r.Iteration > 0 {
		rows = append(rows, []string{"best", r.Best.String() + r.gapText()})
	}
	if r.Trouble != "" {
		rows = append(rows, []string{"trouble", r.Trouble})
	}
	if r.Optimum.Known() {
		rows = append(rows, []string{"best known", r.Optimum.String()})
	}
	if r.Iteration > 0 {
		rows = append(rows,
			[]string{"last", fmt.Sprintf("best %s, mean %s", r.IterBest, r.Mean)},
			[]string{"time", fmt.Sprintf("%s, cpu %s, %s iterations a second", r.WallS.seconds(),
				r.CPUS.seconds(), r.rate())})
		if r.Evals > 0 {
			rows = append(rows, []string{evaluations, r.evals()})
		}
	}
	for i, m := range r.Measures {
		if i < len(r.Values) && (m != evaluations || r.Evals == 0) {
			rows = append(rows, []string{m, r.Values[i].String()})
		}
	}
	if c := changedText(r.Params); c != "" {
		rows = append(rows, []string{"changed", c})
	}
	rows = append(rows, []string{"parameters", valuesText(r.Params)},
		[]string{"journal", count(r.Changes, "change")})
	if r.Saved != "" {
		rows = append(rows,
			[]string{
				"saved",
				fmt.Sprintf("%s at iteration %d", r.Saved[strings.LastIndexByte(r.Saved, '/')+1:],
					r.SavedIter),
			})
	}
	for _, s := range r.Repeats {
		rows = append(rows, []string{"repeats", s})
	}
	if r.Repeat != nil {
		rows = append(rows, []string{"repeating", r.Repeat.String()})
	}
	if r.Failure != "" {
		rows = append(rows, []string{"failed", strings.SplitN(r.Failure, "\n", 2)[0]})
	}
	if r.Autosave != "" {
		rows = append(rows, []string{"autosave", r.Autosave})
	}
	return rows
}

// String describes the best solution.
func (r *BestReply) String() string {
	if r.Iteration == 0 {
		return r.Run + ": nothing was found yet"
	}
	out := fmt.Sprintf("%s: best %s%s, found in iteration %d", r.Run, r.Value, r.gapText(), r.Found)
	if s := r.Solution; s != nil {
		switch {
		case s.Perm != nil:
			out += "\ncounted from 1, as route and files do (Go and -json count from 0):\n" + fromOne(s.Perm)
		case s.Bits != nil:
			out += "\n" + strings.Trim(fmt.Sprint(s.Bits), "[]")
		case s.Real != nil:
			out += "\n" + strings.Trim(fmt.Sprint(s.Real), "[]")
		}
	}
	return out
}

func (r *HistoryReply) rows(most int) [][]string {
	rows := [][]string{append([]string{"iteration", "best", "iteration best", "mean", "time"},
		r.Names...)}
	ps := r.Points
	step := max(1, (len(ps)+most-1)/most)
	for i := 0; i < len(ps); i++ {
		if i%step != 0 && i != len(ps)-1 {
			continue
		}
		p := ps[i]
		row := []string{
			fmt.Sprint(p.Iter), p.Best.String(), p.IterBest.String(), p.Mean.String(),
			p.WallS.seconds(),
		}
		for _, m := range p.Measures {
			row = append(row, m.String())
		}
		rows = append(rows, row)
	}
	return rows
}

// String returns a table of at most about 40 of the points, evenly spaced.
func (r *HistoryReply) String() string {
	if len(r.Points) == 0 {
		return r.Run + ": no points yet"
	}
	out := table(r.rows(40))
	if len(r.Points) > 40 {
		out += fmt.Sprintf("\n(%d points; last=20 shows the last 20, export writes them all)",
			len(r.Points))
	}
	return out
}

// String describes the change.
func (c Change) String() string {
	out := fmt.Sprintf("%d: ", c.Iter)
	switch c.Kind {
	case record.KindSet:
		out += fmt.Sprintf("%s %s → %s from iteration %d", c.Name, c.Old, c.New, c.Iter+1)
	case record.KindFork:
		out += "forked as " + c.Name
		for _, n := range sortedNames(c.With) {
			out += " " + n + "=" + c.With[n].String()
		}
		if c.Seed != nil {
			out += fmt.Sprintf(" seed=%d", *c.Seed)
		}
		if c.Variant != "" {
			out += " variant=" + c.Variant
		}
		if c.On != "" {
			out += " on=" + c.On
		}
	case record.KindStop:
		out += "stopped: " + c.Name
	case record.KindUndo:
		out += "undone: " + c.Name
	default:
		out += c.Kind + " " + c.Name
	}
	if c.Who != "" {
		out += " (" + c.Who + ")"
	}
	return out
}

// String returns the journal, an entry per line.
func (r *JournalReply) String() string {
	if len(r.Changes) == 0 {
		return r.Run + ": nothing was done to it"
	}
	var b []string
	for _, c := range r.Changes {
		b = append(b, Printable(c.String()))
	}
	return strings.Join(b, "\n")
}

// String returns d in one line.
func (d *Difference) String() string {
	s := fmt.Sprintf("iteration %d: %s", d.Iter, d.What)
	if d.Seed != nil {
		s = fmt.Sprintf("the repeat with seed %d, %s", *d.Seed, s)
	}
	if d.Agent != nil {
		s += fmt.Sprintf(", agent %d", *d.Agent)
	}
	if d.Position != nil {
		s += fmt.Sprintf(", position %d", *d.Position)
	}
	return s + fmt.Sprintf(": %s against %s", d.A, d.B)
}
