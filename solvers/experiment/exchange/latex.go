package exchange

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// A cell is what the units of a label on an instance came to.
type cell struct {
	gap, best []float64
	sense     record.Sense
	failed    int
}

// A place is an instance: a name, and the hash of its data.
type place struct{ name, sum string }

// A column is a label on an instance.
type column struct {
	place
	label string
}

// in is the name of the instance among others, with its hash where another has the name.
func (p place) in(all []place) string {
	if slices.ContainsFunc(all, func(o place) bool { return o.name == p.name && o != p }) {
		return fmt.Sprintf("%s (%.10s)", p.name, strings.TrimPrefix(p.sum, "name:"))
	}
	return p.name
}

// LaTeX writes a table of an experiment for a paper, with the rules of the package booktabs: a
// line for each instance, a column for each label, in it the median of the gaps in percent, or of
// the best values where a gap is not known. The least of a line is bold, where all of it have one
// objective by objectiveOf, which also tells whether it is known; nil: they have. It returns the
// number of units that are in it.
func LaTeX(
	ctx context.Context, s experiment.Store, name string, w io.Writer,
	objectiveOf func(*experiment.Unit) (objective string, known bool),
) (int, error) {
	var labels []string
	var instances []place
	cells := map[column]*cell{}
	aims, guessed := map[place]map[string]bool{}, map[place]bool{}
	budgets := map[string]bool{}
	units := 0
	for r, err := range s.Rows(ctx, name) {
		if err != nil {
			return 0, fmt.Errorf("exchange: %w", err)
		}
		if r.State != experiment.Done && r.State != experiment.Failed {
			continue
		}
		u := &r.Unit
		on := place{u.Instance.Name, u.Instance.SHA256}
		at := column{on, u.Label}
		c := cells[at]
		if c == nil {
			c = &cell{sense: u.Instance.Sense()}
			cells[at] = c
		}
		if !slices.Contains(labels, u.Label) {
			labels = append(labels, u.Label)
		}
		if !slices.Contains(instances, on) {
			instances = append(instances, on)
		}
		if b := u.Budget.String(); b != "" {
			budgets[b] = true
		}
		if r.State == experiment.Failed {
			c.failed++
			continue
		}
		units++
		if objectiveOf != nil {
			aim, known := objectiveOf(u)
			if aims[on] == nil {
				aims[on] = map[string]bool{}
			}
			aims[on][aim] = true
			guessed[on] = guessed[on] || !known
		}
		c.gap, c.best = append(c.gap, r.Result.Gap), append(c.best, r.Result.Best)
	}
	if units == 0 {
		return 0, fmt.Errorf("exchange: experiment %s has no unit that is done", name)
	}
	out := bufio.NewWriter(w)
	put := func(format string, args ...any) { fmt.Fprintf(out, format, args...) } // kept by out
	put("%% Needs \\usepackage{booktabs}.\n\\begin{tabular}{l%s}\n\\toprule\ninstance",
		strings.Repeat("r", len(labels)))
	for _, l := range labels {
		put(" & %s", escape(l))
	}
	put(" \\\\\n\\midrule\n")
	values := map[bool]bool{} // whether there are gaps, and whether there are values
	least, most := math.MaxInt, 0
	var several []string // instances whose units have several objectives
	are := "are"
	for _, i := range instances {
		gap := true
		for _, l := range labels {
			if c := cells[column{i, l}]; c != nil {
				gap = gap && !slices.ContainsFunc(c.gap, math.IsNaN)
			}
		}
		values[gap] = true
		medians, best := make([]float64, len(labels)), math.Inf(1) // costs, or gaps
		sense := record.Minimise
		for k, l := range labels {
			medians[k] = math.NaN()
			c := cells[column{i, l}]
			if c == nil {
				continue
			}
			least, most = min(least, len(c.best)), max(most, len(c.best))
			if gap {
				medians[k] = median(c.gap)
			} else {
				medians[k] = median(c.best)
			}
			if medians[k] < best {
				best = medians[k]
			}
			if !gap {
				sense = c.sense
			}
		}
		if len(aims[i]) > 1 {
			several, best = append(several, i.in(instances)), math.NaN()
			if guessed[i] {
				are = "may be"
			}
		}
		put("%s", escape(i.in(instances)))
		for _, v := range medians {
			switch text := short(sense.Value(v), gap); {
			case math.IsNaN(v):
				put(" & --")
			case !math.IsNaN(best) && text == short(sense.Value(best), gap):
				put(" & \\textbf{%s}", text)
			default:
				put(" & %s", text)
			}
		}
		put(" \\\\\n")
	}
	put("\\bottomrule\n\\end{tabular}\n%% %s\n", what(values, least, most, budgets))
	if len(several) > 0 {
		put("%% The columns of %s %s of different objectives, which do not compare: none is bold.\n",
			strings.NewReplacer("\n", " ", "\r", " ").Replace(strings.Join(several, ", ")), are)
	}
	if err := out.Flush(); err != nil {
		return units, fmt.Errorf("exchange: %w", err)
	}
	return units, nil
}

// what says in a line what the table shows.
func what(values map[bool]bool, least, most int, budgets map[string]bool) string {
	text := "Medians of the gaps in percent"
	switch {
	case values[true] && values[false]:
		text += ", of the best values where a best known one is unknown"
	case values[false]:
		text = "Medians of the best values"
	}
	text += fmt.Sprintf(" over %d", least)
	if most > least {
		text += fmt.Sprintf(" to %d", most)
	}
	text += " seeds"
	if len(budgets) == 1 {
		for b := range budgets {
			text += ", " + b + " each"
		}
	}
	return text + "."
}

// short writes a median.
func short(v float64, gap bool) string {
	if gap {
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	if a := math.Abs(v); a >= 1e5 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', 1, 64) // a median of two tours, say
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// median is that of values without NaN; NaN of none.
func median(v []float64) float64 {
	s := slices.DeleteFunc(slices.Clone(v), math.IsNaN)
	if len(s) == 0 {
		return math.NaN()
	}
	slices.Sort(s)
	n := len(s)
	return s[(n-1)/2]/2 + s[n/2]/2
}

// escape writes text so that LaTeX shows it.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '\\':
			b.WriteString(`\textbackslash{}`)
		case '~':
			b.WriteString(`\textasciitilde{}`)
		case '^':
			b.WriteString(`\textasciicircum{}`)
		case '&', '%', '$', '#', '_', '{', '}':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n', '\r':
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
