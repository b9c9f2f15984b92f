package reply

import (
	"fmt"
	"strings"
)

// A Sample is a named list of values, such as the gaps of a solver over seeds.
type Sample struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// The verdicts on a claim.
const (
	Holds    = "holds"
	NotHolds = "does not hold"
	NotShown = "is not shown"
)

// A ClaimReply is a tested claim.
type ClaimReply struct {
	Verb     string        `json:"verb"`
	Sentence string        `json:"sentence"`
	Verdict  string        `json:"verdict"` // Holds, NotHolds or NotShown
	Test     string        `json:"test"`    // its name, and the origin of p
	P        Num           `json:"p"`       // the largest over the pairs
	Samples  []ClaimSample `json:"samples"`
	Pairs    []ClaimPair   `json:"pairs,omitempty"`
	Words    string        `json:"words"` // the outcome in a sentence
	// The samples are published figures, not measured here.
	Published bool `json:"published,omitempty"`
}

// A ClaimSample summarizes a sample in a few numbers.
type ClaimSample struct {
	Name   string `json:"name"`
	N      int    `json:"n"`
	Median Num    `json:"median"`
	Min    Num    `json:"min"`
	Max    Num    `json:"max"`
	Rank   Num    `json:"rank"` // its mean rank over blocks; 1 is that of the smallest values
}

// A ClaimPair compares two samples.
type ClaimPair struct {
	A      string `json:"a"`
	B      string `json:"b"`
	P      Num    `json:"p"`      // adjusted by Holm's method
	Effect Num    `json:"effect"` // the share of pairs in which A is below B
	Holds  bool   `json:"holds"`
}

// Holds reports whether the claim holds. A claim about published figures is no finding of ours, so
// Holds returns false.
func (r *ClaimReply) Holds() bool { return r.Verdict == Holds && !r.Published }

// heading is the verdict, and on which figures it is.
func (r *ClaimReply) heading() string {
	if r.Published {
		return "In the published figures, which nobody measured here, it " + r.Verdict
	}
	return r.mark() + " " + r.Verdict
}

// mark is the verdict as a sign.
func (r *ClaimReply) mark() string {
	switch r.Verdict {
	case Holds:
		return "✓"
	case NotHolds:
		return "✗"
	}
	return "?"
}

// samples are the rows of the table of samples.
func (r *ClaimReply) samples() [][]string {
	rows := [][]string{{"sample", "values", "median", "range", "mean rank"}}
	ranked := false
	for _, s := range r.Samples {
		ranked = ranked || s.Rank.Known() && s.Rank != 0
		rows = append(rows, []string{
			s.Name, fmt.Sprint(s.N), figure(s.Median), figure(s.Min) + " to " + figure(s.Max),
			figure(s.Rank),
		})
	}
	if !ranked {
		for i := range rows {
			rows[i] = rows[i][:4]
		}
	}
	return rows
}

// pairs are the rows of the table of comparisons; nil without any.
func (r *ClaimReply) pairs() [][]string {
	if len(r.Pairs) == 0 {
		return nil
	}
	rows := [][]string{{"first", "second", "first is lower", "p", ""}}
	for _, p := range r.Pairs {
		is := "no"
		if p.Holds {
			is = "as claimed"
		}
		rows = append(rows, []string{p.A, p.B, percentOf(p.Effect), pText(p.P), is})
	}
	return rows
}

func percentOf(n Num) string {
	if !n.Known() {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n))
}

// String returns the claim with its verdict, and the tables.
func (r *ClaimReply) String() string {
	out := fmt.Sprintf("%s: %s\n%s", r.heading(), Printable(r.Sentence), table(r.samples()))
	if p := r.pairs(); p != nil {
		out += "\n" + table(p)
	}
	return out + "\n" + r.Words + "; " + r.Test
}

// HTML returns the claim as a card.
func (r *ClaimReply) HTML() string {
	var b strings.Builder
	b.WriteString(`<div style="border:1px solid rgba(128,128,128,.5);border-radius:6px;` +
		`padding:.2em 1em;margin:.5em 0;max-width:48em">`)
	fmt.Fprintf(&b, "<p><b>%s</b>: %s</p>", Escape(r.heading()), Escape(r.Sentence))
	b.WriteString(htmlTable(r.samples()) + htmlTable(r.pairs()))
	b.WriteString(htmlNote(r.Words + "; " + r.Test))
	return b.String() + "</div>"
}
