package wire

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"metalab/solvers/record"
)

// table lays out rows in columns; the first row is the heading.
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

// seconds is a time in words, as "12 ms", "3.20 s" or "4m10s".
func (n Num) seconds() string {
	v := float64(n)
	switch {
	case !n.Known():
		return "-"
	case v < 1:
		return fmt.Sprintf("%.3g ms", 1000*v)
	case v < 100:
		return fmt.Sprintf("%.2f s", v)
	}
	return time.Duration(v * float64(time.Second)).Round(time.Second).String()
}

// gapText is the gap in words; empty when it is not known.
func (s Status) gapText() string {
	if !s.Gap.Known() {
		return ""
	}
	return fmt.Sprintf(" (gap %s%%)", fixed(s.Gap, 3))
}

// Line is the status in one line.
func (s Status) Line() string { return s.Run + ": " + s.stand() }

func (s Status) stand() string {
	return fmt.Sprintf("iteration %d, best %s%s, %s, cpu %s", s.Iteration, s.Best, s.gapText(), s.WallS.seconds(), s.CPUS.seconds())
}

// head names run, solver and instance.
func (s Status) head() string {
	on := ""
	if s.Backend != "cpu" {
		on = " on " + s.Backend
	}
	return fmt.Sprintf("%s: %s/%s%s, %s", s.Run, s.Solver, s.Variant, on, s.Instance)
}

// String is the status in one line.
func (s Status) String() string { return s.Line() }

// String is the run's state.
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

// String says what was opened, with the parameters that it resolved to.
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
	return out + "\n  " + valuesText(r.Params)
}

// String says where the step ended.
func (r *StepReply) String() string {
	out := r.Line()
	if r.Why != "" {
		out += "; stopped: " + r.Why
	}
	return out
}

// String says what was changed, from which iteration on.
func (r *SetReply) String() string {
	if len(r.Changes) == 0 {
		return r.Run + ": nothing changed, it has these values already"
	}
	var b []string
	for _, c := range r.Changes {
		b = append(b, fmt.Sprintf("%s: %s %s → %s from iteration %d", r.Run, c.Name, c.Old, c.New, r.After+1))
	}
	return strings.Join(b, "\n")
}

func statusRows(runs []Status) [][]string {
	rows := [][]string{{"run", "solver", "instance", "backend", "state", "iteration", "best", "gap %", "time", "cpu"}}
	for _, s := range runs {
		rows = append(rows, []string{
			s.Run, s.Solver + "/" + s.Variant, s.Instance, s.Backend, s.State, fmt.Sprint(s.Iteration),
			s.Best.String(), fixed(s.Gap, 3), s.WallS.seconds(), s.CPUS.seconds(),
		})
	}
	return rows
}

// String is a table of runs.
func (r *RunsReply) String() string {
	var b strings.Builder
	if len(r.Runs) == 0 {
		fmt.Fprintf(&b, "no runs in session %s; open one: open acs pr1002 as a", r.Session)
	} else {
		b.WriteString(table(statusRows(r.Runs)))
	}
	for _, o := range r.Others {
		fmt.Fprintf(&b, "\nsession %s:\n", o.Session)
		if len(o.Runs) == 0 {
			b.WriteString("no runs")
		} else {
			b.WriteString(table(statusRows(o.Runs)))
		}
	}
	if len(r.Autosaves) > 0 {
		b.WriteString("\nautosaves of hosts that ended (recover <id> opens one):\n" + autosaveTable(r.Autosaves))
	}
	return b.String()
}

func autosaveTable(as []Autosave) string {
	rows := [][]string{{"id", "solver", "instance", "iteration", "best", "when"}}
	for _, a := range as {
		rows = append(rows, []string{a.ID, a.Solver + "/" + a.Variant, a.Instance, fmt.Sprint(a.Iteration), a.Best.String(), a.At.Local().Format("2006-01-02 15:04")})
	}
	return table(rows)
}

// String is the card of the run.
func (r *ShowReply) String() string {
	rows := [][]string{
		{"run", r.Run + ", " + r.State},
		{"solver", fmt.Sprintf("%s/%s (%s), revision %d, on %s", r.Solver, r.Variant, r.Title, r.Revision, r.Backend)},
		{"instance", fmt.Sprintf("%s, %s, %d", r.Instance, r.Kind, r.Size)},
		{"seed", fmt.Sprintf("%d, preset %s", r.Seed, r.Preset)},
		{"iteration", fmt.Sprint(r.Iteration)},
		{"best", r.Best.String() + r.gapText()},
	}
	if r.Optimum.Known() {
		rows = append(rows, []string{"best known", r.Optimum.String()})
	}
	rows = append(rows,
		[]string{"last", fmt.Sprintf("best %s, mean %s", r.IterBest, r.Mean)},
		[]string{"time", fmt.Sprintf("%s, cpu %s, %s iterations a second", r.WallS.seconds(), r.CPUS.seconds(), r.Rate)},
	)
	for i, m := range r.Measures {
		if i < len(r.Values) {
			rows = append(rows, []string{m, r.Values[i].String()})
		}
	}
	if c := changedText(r.Params); c != "" {
		rows = append(rows, []string{"changed", c})
	}
	rows = append(rows, []string{"parameters", valuesText(r.Params)}, []string{"journal", count(r.Changes, "change")})
	if r.Saved != "" {
		rows = append(rows, []string{"saved", fmt.Sprintf("%s at iteration %d", r.Saved, r.SavedIter)})
	}
	if r.Failure != "" {
		rows = append(rows, []string{"failed", strings.SplitN(r.Failure, "\n", 2)[0]})
	}
	if r.Autosave != "" {
		rows = append(rows, []string{"autosave", r.Autosave})
	}
	return table(rows)
}

func paramRows(ps []Param) [][]string {
	rows := [][]string{{"name", "value", "default", "class", "range", "what it does"}}
	for _, p := range ps {
		mark := ""
		if p.Changed() {
			mark = " *"
		}
		rows = append(rows, []string{p.Name, p.Value.String() + mark, p.Default.String(), p.Class, p.Range, p.Doc})
	}
	return rows
}

// String is a table of the parameters; a star marks those without their default.
func (r *ParamsReply) String() string { return table(paramRows(r.Params)) }

// String says what the best is.
func (r *BestReply) String() string {
	if r.Iteration == 0 {
		return r.Run + ": nothing was found yet"
	}
	out := fmt.Sprintf("%s: best %s%s, found in iteration %d", r.Run, r.Value, r.gapText(), r.Found)
	if s := r.Solution; s != nil {
		switch {
		case s.Perm != nil:
			out += "\n" + strings.Trim(fmt.Sprint(s.Perm), "[]")
		case s.Bits != nil:
			out += "\n" + strings.Trim(fmt.Sprint(s.Bits), "[]")
		case s.Real != nil:
			out += "\n" + strings.Trim(fmt.Sprint(s.Real), "[]")
		}
	}
	return out
}

func (r *HistoryReply) rows(most int) [][]string {
	rows := [][]string{append([]string{"iteration", "best", "iteration best", "mean", "time"}, r.Names...)}
	ps := r.Points
	step := max(1, (len(ps)+most-1)/most)
	for i := 0; i < len(ps); i++ {
		if i%step != 0 && i != len(ps)-1 {
			continue
		}
		p := ps[i]
		row := []string{fmt.Sprint(p.Iter), p.Best.String(), p.IterBest.String(), p.Mean.String(), p.WallS.seconds()}
		for _, m := range p.Measures {
			row = append(row, m.String())
		}
		rows = append(rows, row)
	}
	return rows
}

// String is a table of at most about 40 of the points, evenly taken.
func (r *HistoryReply) String() string {
	if len(r.Points) == 0 {
		return r.Run + ": no points yet"
	}
	out := table(r.rows(40))
	if len(r.Points) > 40 {
		out += fmt.Sprintf("\n(%d points; last=20 shows the last 20, export writes them all)", len(r.Points))
	}
	return out
}

// String is c in words.
func (c Change) String() string {
	out := fmt.Sprintf("%d: ", c.Iter)
	switch c.Kind {
	case record.KindSet:
		out += fmt.Sprintf("%s %s → %s", c.Name, c.Old, c.New)
	case record.KindFork:
		out += "forked as " + c.Name
		for _, n := range sortedNames(c.With) {
			out += " " + n + "=" + c.With[n].String()
		}
		if c.Seed != nil {
			out += fmt.Sprintf(" seed=%d", *c.Seed)
		}
		if c.On != "" {
			out += " on=" + c.On
		}
	case record.KindStop:
		out += "stopped: " + c.Name
	default:
		out += c.Kind + " " + c.Name
	}
	if c.Who != "" {
		out += " (" + c.Who + ")"
	}
	return out
}

// String is the journal, an entry a line.
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

// String is the picture where it is made of text, else where it went.
func (r *PlotReply) String() string {
	switch {
	case r.Path != "":
		return fmt.Sprintf("%s written to %s", r.Figure, r.Path)
	case strings.HasPrefix(r.Mime, "text/plain"):
		return strings.TrimSuffix(string(r.Data), "\n")
	}
	return fmt.Sprintf("%s of %s: %s, %d bytes", r.Figure, r.Run, r.Mime, len(r.Data))
}

// String says what was written.
func (r *FileReply) String() string {
	out := fmt.Sprintf("%s: %s, %d bytes", r.Run, r.Path, r.Bytes)
	if r.State != "" {
		out += ", and its state beside it"
	}
	return out
}

// String is d in one line.
func (d *Difference) String() string {
	s := fmt.Sprintf("iteration %d: %s", d.Iter, d.What)
	if d.Agent != nil && d.Position != nil {
		s += fmt.Sprintf(", agent %d, position %d", *d.Agent, *d.Position)
	}
	return s + fmt.Sprintf(": %s against %s", d.A, d.B)
}

// String says whether the record replays.
func (r *ReplayReply) String() string {
	if r.Identical {
		return fmt.Sprintf("%s: replayed %d iterations: identical", r.Path, r.Iteration)
	}
	return fmt.Sprintf("%s: differs from the record, first at %s", r.Path, r.FirstDifference)
}

// String says where the two part.
func (r *DiffReply) String() string {
	var b []string
	for _, f := range r.Fixed {
		b = append(b, "fixed differently: "+f)
	}
	switch {
	case r.FirstDifference != nil:
		b = append(b, "first difference at "+r.FirstDifference.String())
	case len(r.Fixed) > 0:
		b = append(b, fmt.Sprintf("no other difference in %d iterations", r.Shared))
	case r.EndA != r.EndB:
		b = append(b, fmt.Sprintf("identical over the %d iterations that both have; %s ends at %d, %s at %d", r.Shared, r.A, r.EndA, r.B, r.EndB))
	default:
		b = append(b, fmt.Sprintf("identical over %d iterations", r.Shared))
	}
	return strings.Join(b, "\n")
}

// String lists autosaves, or says what was done.
func (r *RecoverReply) String() string {
	switch {
	case r.Opened != nil:
		return r.Opened.String()
	case r.Discarded != "":
		return "dropped " + r.Discarded
	case len(r.Autosaves) == 0:
		return "no autosaves of hosts that ended"
	}
	return autosaveTable(r.Autosaves)
}

func (q Quartiles) row(name string, digits int) []string {
	return []string{name, fixed(q.Min, digits), fixed(q.Lower, digits), fixed(q.Median, digits), fixed(q.Upper, digits), fixed(q.Max, digits)}
}

func (r *RepeatReply) rows() [][]string {
	rows := [][]string{{"", "min", "quartile", "median", "quartile", "max"}}
	digits := 0
	if v := float64(r.BestQ.Min); v != float64(int64(v)) {
		digits = 6
	}
	rows = append(rows, r.BestQ.row("best", digits))
	if r.GapQ.Median.Known() {
		rows = append(rows, r.GapQ.row("gap %", 3))
	}
	return append(rows, r.CPUQ.row("cpu s", 3))
}

// String is the table of quartiles.
func (r *RepeatReply) String() string {
	return fmt.Sprintf("%s over %d seeds, %s each\n%s", r.head(), len(r.Results), r.Budget, table(r.rows()))
}

func (r *CompareReply) rows() [][]string {
	rows := [][]string{{"run", "solver", "instance", "iteration", "best", "gap %", "cpu", "seeds", "median best", "median gap %", "differs in"}}
	for _, s := range r.Sides {
		rows = append(rows, []string{
			s.Run, s.Solver + "/" + s.Variant, s.Instance, fmt.Sprint(s.Iteration), s.Best.String(), fixed(s.Gap, 3), s.CPUS.seconds(),
			fmt.Sprint(s.Seeds), s.BestQ.Median.String(), fixed(s.GapQ.Median, 3), strings.Join(s.Changed, " "),
		})
	}
	return rows
}

// String is the table of the sides, and what the tests say.
func (r *CompareReply) String() string {
	out := table(r.rows())
	for _, t := range r.Tests {
		out += "\n" + t.Words
	}
	if r.Note != "" {
		out += "\n" + r.Note
	}
	return out
}

// String is the instance in a line.
func (i Instance) String() string {
	out := i.Name
	if i.Kind != "" {
		out += fmt.Sprintf(": %s, size %d", i.Kind, i.Size)
	}
	if i.Metric != "" {
		out += ", " + i.Metric
	}
	if i.Best.Known() {
		what := "best known value"
		if i.Proven {
			what = "optimum"
		}
		out += fmt.Sprintf(", %s %s", what, i.Best)
	}
	return out
}

// String lists the names.
func (r *InstancesReply) String() string {
	if len(r.Names) == 0 {
		return "no instance of such a name"
	}
	var b strings.Builder
	col := 0
	for i, n := range r.Names {
		if i > 0 {
			if col+len(n)+2 > 100 {
				b.WriteByte('\n')
				col = 0
			} else {
				b.WriteString("  ")
				col += 2
			}
		}
		b.WriteString(n)
		col += len(n)
	}
	return b.String()
}

// String is the instance.
func (r *InstanceReply) String() string {
	out := r.Instance.String()
	if r.Source != "" {
		out += "\n  source of the value: " + r.Source
	}
	if r.Path != "" {
		out += "\n  read from " + r.Path
	}
	return out
}

func (r *SolversReply) rows() [][]string {
	rows := [][]string{{"solver", "variant", "on", "presets", "what it is"}}
	for _, v := range r.Variants {
		name := v.Variant
		if v.Default {
			name += " (default)"
		}
		rows = append(rows, []string{v.Solver, name, strings.Join(v.Backends, ", "), strings.Join(v.Presets, ", "), v.Title})
	}
	return rows
}

// String is a table of variants, and of parameters where one solver was asked for.
func (r *SolversReply) String() string {
	out := table(r.rows())
	for _, v := range r.Variants {
		if len(v.Params) > 0 {
			out += fmt.Sprintf("\n\n%s/%s: %s\n%s", v.Solver, v.Variant, v.Source, table(paramRows(v.Params)))
		}
	}
	return out
}

// String lists the devices.
func (r *DevicesReply) String() string {
	out := fmt.Sprintf("cpu: %d cores", r.Cores)
	for _, g := range r.GPUs {
		out += "\ngpu " + g
	}
	if r.Reason != "" {
		out += "\nno GPU: " + r.Reason
	}
	return out
}

// String is a table.
func (r *AboutReply) String() string {
	life := "ends with the front end that started it (detach lets it live on)"
	if r.Detached {
		life = "detached: ends when nothing steps and nobody is attached for a while"
	}
	return table([][]string{
		{"session", r.Session},
		{"socket", r.Socket},
		{"process", fmt.Sprintf("%d, since %s", r.PID, r.Started.Local().Format("2006-01-02 15:04:05"))},
		{"life", life},
		{"build", fmt.Sprintf("%s, protocol %d", r.Build, r.Protocol)},
		{"machine", r.Machine},
		{"cuda", r.CUDA},
		{"runs", fmt.Sprint(r.Runs)},
		{"connections", fmt.Sprint(r.Clients)},
		{"memory", fixed(r.MemoryMB, 1) + " MB"},
		{"state", r.StateDir},
		{"autosaves", fmt.Sprintf("%d of hosts that ended", r.Autosaves)},
	})
}

// String is the sentence.
func (r *NoteReply) String() string { return r.Note }
