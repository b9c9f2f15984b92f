package reply

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A BenchPaper compares the stored figures of a paper's table with the published ones.
type BenchPaper struct {
	Paper    string `json:"paper"`
	Table    string `json:"table"`
	Rows     int    `json:"rows"`     // that bench can measure
	Measured int    `json:"measured"` // of them
	Stale    int    `json:"stale,omitempty"`
	Least    int    `json:"least"` // the fewest seeds of a measured row
	Most     int    `json:"most"`
	Agree    int    `json:"agree"`
	Better   int    `json:"better"`
	Worse    int    `json:"worse"`
	Differ   int    `json:"differ"`           // tests
	Within   int    `json:"within,omitempty"` // differ by less than the margin
	OnEnd    int    `json:"onEnd,omitempty"`  // differ, maybe by more than the margin
	Apart    int    `json:"apart,omitempty"`  // not comparable, by our own rule
	NotShown int    `json:"notShown"`         // neither that a figure agrees nor that it differs
	// Could counts those verdicts of NoneShown, on intervals and counts without a shown difference,
	// that could well have shown one.
	Could     int      `json:"could,omitempty"`
	NoneShown int      `json:"noneShown,omitempty"`
	Results   int      `json:"results"`           // published ones that allow a verdict
	Judged    int      `json:"judged"`            // with at least 5 seeds beside them
	Open      []string `json:"open,omitempty"`    // the others
	Missing   []string `json:"missing,omitempty"` // why rows have no figures
	Times     int      `json:"times"`             // or with nothing to compare: no verdict
	By        []string `json:"by,omitempty"`
	Machines  []string `json:"machines,omitempty"`
	Dates     []string `json:"dates,omitempty"`
	Not       []string `json:"not,omitempty"` // why rows are not measured
}

// papersRule says what the page of the papers counts.
const papersRule = "Judged: of the published gaps, lengths, bests, iterations and tests those " +
	"beside which there is a figure of 5 seeds or more by today's version, on whichever machine. A " +
	"search that is the same on a CPU and a GPU, or in several tables, counts once among the " +
	"verdicts, and a mean over instances as one row. By: the least and the greatest difference that " +
	"the intervals show. Not shown: fewer than 5 seeds, seeds that all have one figure, an interval " +
	"that is too wide, or a test that finds no difference. No verdict: times, for machines differ, " +
	"and figures with none published beside. bench TABLE list prints the rows of a table, and its " +
	"rule."

// impossible says why tables are not measured of which no row can be.
func (r *BenchReply) impossible() string {
	var out []string
	for _, p := range r.Papers {
		if p.Rows == 0 {
			out = append(out, p.Table+" cannot be measured here: "+strings.Join(p.Not, "; ")+".")
		}
	}
	return strings.Join(out, " ")
}

// seeds are the numbers of seeds, as "1 to 10".
func (p *BenchPaper) seeds() string {
	if p.Least == p.Most {
		return fmt.Sprint(p.Most)
	}
	return fmt.Sprintf("%d to %d", p.Least, p.Most)
}

// differs counts what differs, as "2 better, 1 worse".
func (p *BenchPaper) differs() string {
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{
		{p.Better, "better"},
		{p.Worse, "worse"},
		{p.Within, "within"},
		{p.OnEnd, "on an end"},
		{p.Differ, "by test"},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	return strings.Join(parts, ", ")
}

// machines are the machines, each to its first comma or bracket.
func (p *BenchPaper) machines() string {
	var out []string
	seen := map[string]bool{}
	for _, m := range p.Machines {
		if at := strings.IndexAny(m, ",("); at > 0 {
			m = m[:at]
		}
		if m = strings.TrimSpace(m); !seen[m] {
			seen[m] = true
			out = append(out, m)
		}
	}
	return strings.Join(out, "; ")
}

// standing are the rows of the page, the columns' names first.
func (r *BenchReply) standing() [][]string {
	count := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	rows := [][]string{{
		"paper", "table", "measured", "n", "judged", "agrees", "differs", "by", "not shown", "no verdict",
		"earlier version", "machine", "date",
	}}
	last := ""
	for i := range r.Papers {
		p := &r.Papers[i]
		paper := p.Paper
		if paper == last {
			paper = ""
		}
		last = p.Paper
		line := []string{paper, p.Table, fmt.Sprintf("%d of %d", p.Measured, p.Rows)}
		if p.Measured == 0 {
			line = append(line, "", share(p.Judged, p.Results), "", "", "", "", "", "", "", "")
		} else {
			line = append(
				line, p.seeds(), share(p.Judged, p.Results), count(p.Agree), p.differs(),
				strings.Join(p.By, ", "), count(p.NotShown), count(p.Times), count(p.Stale),
				p.machines(), strings.Join(p.Dates, " to "),
			)
		}
		rows = append(rows, line)
	}
	return trimmed(rows, "earlier version")
}

// share is a count of all, empty where there are none.
func share(n, all int) string {
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", n, all)
}

// judged says how many of the published results of all tables are judged, and what the verdicts
// are, of which a result has several where it was measured in several ways.
func (r *BenchReply) judged() string {
	n, all := 0, 0
	agree, better, worse, differ, neither := 0, 0, 0, 0, 0
	within, end, apart, could, none := 0, 0, 0, 0, 0
	for _, p := range r.Papers {
		n, all = n+p.Judged, all+p.Results
		agree, better, worse = agree+p.Agree, better+p.Better, worse+p.Worse
		differ, neither = differ+p.Differ, neither+p.NotShown
		within, end, apart = within+p.Within, end+p.OnEnd, apart+p.Apart
		could, none = could+p.Could, none+p.NoneShown
	}
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("Of %d published results that a verdict can be had on, %d are judged "+
		"(%.0f %%). Of all verdicts %d agree, %d are better, %d worse, %d differ within the margin, %d "+
		"on an end of it and %d by a test, and %d show neither; %d are not comparable. Of %d intervals "+
		"and counts that show no difference %d could well have shown one: with these seeds a "+
		"difference as great as the margin, or half of the runs being otherwise, is found in half of "+
		"all cases or more.", all, n, math.Floor(100*float64(n)/float64(all)), agree, better, worse,
		within, end, differ, neither, apart, none, could)
}

// missing says by table why rows have no figures.
func (r *BenchReply) missing() []string {
	var out []string
	for _, p := range r.Papers {
		if p.Rows > p.Measured && len(p.Missing) > 0 {
			out = append(out, p.Table+": "+strings.Join(p.Missing, " "))
		}
	}
	return out
}

// remarks are the paragraphs under the table of the page.
func (r *BenchReply) remarks() []string {
	out := []string{r.judged()}
	if m := r.missing(); len(m) > 0 {
		out = append(out, "Rows without figures, and why:")
		out = append(out, m...)
	}
	return slices.DeleteFunc(append(out, r.impossible(), papersRule), func(s string) bool {
		return s == ""
	})
}

// papers is the page as text.
func (r *BenchReply) papers(cols int) string {
	return narrowed(r.standing(), cols, "machine", "paper", "date", "earlier version", "no verdict",
		"by", "judged") + "\n" + strings.Join(r.remarks(), "\n")
}
