package reply

import (
	"fmt"
	"slices"
	"strings"
)

// String says whether the record replays.
func (r *ReplayReply) String() string {
	rest := ""
	if r.Cut {
		rest = "; the record was cut short there"
	}
	if r.SeedsLeft > 0 {
		was, them := "were", "them"
		if r.SeedsLeft == 1 {
			was, them = "was", "it"
		}
		rest += fmt.Sprintf("; %s of its repeats %s not made again: replay %s seeds makes %s too",
			count(r.SeedsLeft, "seed"), was, r.Path, them)
	}
	switch {
	case r.Alone != nil && r.Identical:
		return fmt.Sprintf("%s: replayed %s: the same as in the record", r.Path, r.Alone)
	case r.Alone != nil && r.Alone.SHA256 != "":
		return fmt.Sprintf("%s: differs from the record at %s; replayed %s", r.Path, r.FirstDifference,
			r.Alone)
	case r.Nothing:
		return fmt.Sprintf("%s: nothing to compare: the record has no points%s", r.Path, rest)
	case !r.Identical:
		return fmt.Sprintf("%s: differs from the record, first at %s", r.Path, r.FirstDifference)
	}
	seeds := ""
	if r.Seeds > 0 {
		seeds = "the repeats with " + count(r.Seeds, "seed")
	}
	if r.OnlySeeds {
		return fmt.Sprintf("%s: replayed %s: identical; no iteration of the run was compared, for the "+
			"record has no points%s", r.Path, seeds, rest)
	}
	if seeds != "" {
		seeds = " and " + seeds
	}
	rest = lacking(r.Lacks) + rest
	return fmt.Sprintf("%s: replayed %s%s: identical%s", r.Path, count(int(r.Iteration), "iteration"),
		seeds, rest)
}

// lacking says in how far a record is identical that lacks something; else it is empty.
func lacking(what []string) string {
	if len(what) == 0 {
		return ""
	}
	return " in what the record has; it lacks " + strings.Join(what, ", and ")
}

// String returns the source, or the name of its file.
func (r *SourceReply) String() string {
	if r.Path != "" {
		last := r.Codes[len(r.Codes)-1]
		return fmt.Sprintf("%s: code %s of %s, %d lines", r.Path, last.ID, r.Solver, last.Lines)
	}
	var b []string
	for _, c := range r.Codes {
		b = append(b, strings.TrimRight(c.Text, "\n"))
	}
	return strings.Join(b, "\n\n")
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
	case r.Nothing:
		b = append(b, fmt.Sprintf("nothing to compare: no point is in both; %s ends at %d, %s at %d",
			r.A, r.EndA, r.B, r.EndB))
	case len(r.Fixed) > 0:
		b = append(b, fmt.Sprintf("no other difference in %d iterations", r.Shared))
	case r.EndA != r.EndB:
		b = append(b, fmt.Sprintf("identical over the %d iterations that both have; %s ends "+
			"at %d, %s at %d", r.Shared, r.A, r.EndA, r.B, r.EndB))
	default:
		b = append(b, fmt.Sprintf("identical over %d iterations", r.Shared))
	}
	for i, only := range [][]uint64{r.OnlyA, r.OnlyB} {
		var seeds []string
		for _, seed := range only {
			seeds = append(seeds, fmt.Sprint(seed))
		}
		if len(seeds) > 0 {
			in := []string{r.A, r.B}
			b = append(b, fmt.Sprintf("of repeats under the same setting only %s has %s, not %s: %s",
				in[i], count(len(seeds), "seed"), in[1-i], few(seeds)))
		}
	}
	return strings.Join(b, "\n")
}

// String returns the instance in a line.
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

// String returns the instance.
func (r *InstanceReply) String() string {
	out := r.Instance.String()
	if r.Source != "" {
		out += "\n  source of the value: " + r.Source
	}
	if r.Path != "" {
		out += "\n  read from " + r.Path
	}
	if r.Fixed != "" {
		out += "\n  with " + r.Fixed
	}
	out += warned(r.Warning)
	return out
}

func (r *SolversReply) rows() [][]string {
	rows := [][]string{{"solver", "variant", "on", "presets", "what it is"}}
	for _, v := range r.Variants {
		name := v.Variant
		if v.Default {
			name += " (default)"
		}
		rows = append(rows, []string{v.Solver, name, r.on(v), strings.Join(v.Presets, ", "), v.Title})
	}
	return rows
}

// on lists the backends of a variant; one in brackets is not available here.
func (r *SolversReply) on(v Variant) string {
	var on []string
	for _, b := range v.Backends {
		if b != "cuda" {
			on = append(on, b)
		}
	}
	switch {
	case v.GPU && r.NoGPU != "":
		on = append(on, "(cuda)")
	case v.GPU:
		on = append(on, "cuda")
	}
	return strings.Join(on, ", ")
}

// footnote says what the brackets mean, where there are any.
func (r *SolversReply) footnote() string {
	for _, v := range r.Variants {
		if v.GPU && r.NoGPU != "" {
			return "(cuda): runs on a GPU too, but not here: " + Printable(r.NoGPU)
		}
	}
	return ""
}

// presets says what the presets are for; variants with the same text share a line.
func (r *SolversReply) presets() [][]string {
	rows := [][]string{{"preset", "of", "what it is for"}}
	for _, name := range r.presetNames() {
		begin := len(rows)
		for _, v := range r.Variants {
			i := slices.Index(v.Presets, name)
			if i < 0 || i >= len(v.PresetDocs) {
				continue
			}
			of, doc := v.Solver+"/"+v.Variant, v.PresetDocs[i]
			at := slices.IndexFunc(rows[begin:], func(row []string) bool { return row[2] == doc })
			if at >= 0 {
				rows[begin+at][1] += ", " + of
				continue
			}
			rows = append(rows, []string{name, of, doc})
		}
	}
	return rows
}

// presetNames are the presets of all variants, each once.
func (r *SolversReply) presetNames() []string {
	var names []string
	for _, v := range r.Variants {
		for _, p := range v.Presets {
			if !slices.Contains(names, p) {
				names = append(names, p)
			}
		}
	}
	return names
}

// names are names of papers and what they stand for.
func (r *SolversReply) names() [][]string {
	rows := [][]string{{"name", "opens", "what it is", "of"}}
	for _, n := range r.Names {
		rows = append(rows, []string{n.Name, n.Text, n.Doc, n.Paper})
	}
	return rows
}

// known says which names of papers there are.
func (r *SolversReply) known() string {
	names := make([]string, len(r.Names))
	for i, n := range r.Names {
		names[i] = n.Name
	}
	return "names of papers: " + strings.Join(names, ", ") +
		"\nsolvers NAME says what a name stands for, solvers AUTHOR what is of an author, as " +
		"solvers skinderowicz"
}

// String returns a table of variants, and for one solver those of presets and parameters.
func (r *SolversReply) String() string { return r.Fit(0) }

// mostPresets is the width below which the list of solvers does not name presets.
const mostPresets = 140

// Fit returns the table of variants; a narrow one of all solvers omits the presets.
func (r *SolversReply) Fit(cols int) string {
	rows := r.rows()
	if !r.Details && cols > 0 && cols < mostPresets {
		rows = fitted(rows, 1, "presets")
	}
	out := table(rows)
	if s := r.footnote(); s != "" {
		out += "\n" + s
	}
	if len(r.Names) > 0 && r.Asked == "" {
		out += "\n" + r.known()
	}
	if r.Details {
		out += "\n\n" + table(r.presets())
	}
	for _, v := range r.Variants {
		if len(v.Params) > 0 {
			counts := ""
			if v.Counts != "" {
				counts = "\nevaluations are " + v.Counts
			}
			out += fmt.Sprintf("\n\n%s/%s: %s%s\n%s", v.Solver, v.Variant, v.Source, counts,
				table(paramRows(v.Params, r.Full)))
		}
	}
	if len(r.Names) > 0 && r.Asked != "" { // last, where it stays on the screen
		out += "\n\n" + table(fitted(r.names(), cols, "of", "what it is"))
	}
	return out
}

// String returns a table.
func (r *AboutReply) String() string { return table(r.rows()) }

func (r *AboutReply) rows() [][]string {
	life := "ends with the front end that started it (detach lets it live on)"
	if r.Detached {
		life = "detached: ends when nothing steps and nobody is attached for a while"
	}
	session := []string{"session", r.Session}
	if r.Notebook != "" {
		session[1] += ", notebook " + r.Notebook
	}
	return [][]string{
		session,
		{"socket", r.Socket},
		{"process", fmt.Sprintf("%d, since %s", r.PID, r.Started.Local().Format("2006-01-02 15:04:05"))},
		{"life", life},
		{"build", fmt.Sprintf("%s, protocol %d", r.Build, r.Protocol)},
		{"machine", r.Machine},
		{"cuda", r.CUDA},
		{"runs", fmt.Sprint(r.Runs)},
		{"connections", fmt.Sprint(r.Clients)},
		{"attached", strings.Join(r.Attached, ", ")},
		{"memory", fixed(r.MemoryMB, 1) + " MB"},
		{"state", r.StateDir},
		{"autosaves", fmt.Sprint(r.Autosaves)},
	}
}

// String returns the sentence.
func (r *NoteReply) String() string { return r.Note }
