package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Size names the size of a difference by [A12], as Vargha and Delaney do: no, a small, a medium or
// a large one.
func Size(a12 float64) string {
	switch d := math.Abs(a12 - 0.5); {
	case d < 0.06:
		return "no"
	case d < 0.14:
		return "a small"
	case d < 0.21:
		return "a medium"
	}
	return "a large"
}

// say writes the words of a report.
func (r *Report) say(paired bool) {
	for i := range r.Pairs {
		p := &r.Pairs[i]
		if p.P < r.Alpha && (r.Overall == nil || r.Overall.P < r.Alpha) {
			p.Better = p.A
			if p.lead < 0 {
				p.Better = p.B
			}
		}
		p.Words = r.pairWords(p, paired)
	}
	r.Verdict = r.verdict(paired)
	r.Assumed = r.assumed(paired)
}

// groupWords says how many values there are.
func (r *Report) groupWords(paired bool) string {
	if paired {
		return fmt.Sprintf("%d groups over the same %d instances", len(r.Groups),
			len(r.Groups[0].Values))
	}
	least, most := math.MaxInt, 0
	for _, g := range r.Groups {
		least, most = min(least, len(g.Values)), max(most, len(g.Values))
	}
	of := fmt.Sprintf("%d", least)
	if most > least {
		of += fmt.Sprintf(" to %d", most)
	}
	return fmt.Sprintf("%d independent groups of %s values", len(r.Groups), of)
}

// verdict is the first sentence: what was tested, by what, and whether anything differs.
func (r *Report) verdict(paired bool) string {
	if r.Overall == nil {
		t := r.Pairs[0].Test
		return fmt.Sprintf("%s were compared by the %s test (%s = %.6g, p = %.3g, %s).",
			r.groupWords(paired), t.Name, t.Symbol, t.Statistic, t.P, t.How())
	}
	out := fmt.Sprintf("%s were compared by the %s test (%s = %.6g, p = %.3g, %s): ",
		r.groupWords(paired), r.Overall.Name, r.Overall.Symbol, r.Overall.Statistic, r.Overall.P,
		r.Overall.How())
	if r.Overall.P >= r.Alpha {
		return out + fmt.Sprintf("no significant difference at %v.", r.Alpha)
	}
	out += fmt.Sprintf("they differ at %v.", r.Alpha)
	if r.Ranked != nil {
		var ranks []string
		for i, g := range r.Groups {
			ranks = append(ranks, fmt.Sprintf("%s %.4g", g.Name, r.Ranked.Ranks[i]))
		}
		out += " Mean ranks: " + strings.Join(ranks, ", ") + "."
	}
	if r.CD > 0 {
		out += fmt.Sprintf(" Critical difference: %.4g.", r.CD)
	}
	return out
}

// pairWords says how two groups differ.
func (r *Report) pairWords(p *Pair, paired bool) string {
	verdict := fmt.Sprintf("no significant difference at %v", r.Alpha)
	if p.Better != "" {
		verdict = p.Better + " is better"
	}
	of := "pairs"
	if paired {
		of = "instances"
	}
	adjusted := ""
	if r.Adjust != "" {
		adjusted = ", adjusted by " + r.Adjust
	}
	smaller, larger := "smaller", "larger"
	if r.maximise { // a smaller cost is a larger value
		smaller, larger = larger, smaller
	}
	out := fmt.Sprintf("%s against %s: %s (%s p = %.3g%s). %s has the %s value in %.0f%% of %s, "+
		"%s effect", p.A, p.B, verdict, p.Test.Name, p.P, adjusted, p.A, smaller, 100*p.Less, of,
		Size(p.Less))
	if !math.IsNaN(p.Shift.Value) {
		word, by := larger, p.Shift
		if by.Value < 0 {
			word, by.Value, by.Low, by.High = smaller, -by.Value, 0-by.High, 0-by.Low
		}
		out += fmt.Sprintf("; values of %s are %s by %v", p.B, word, by)
	}
	return out + "."
}

// assumed are the assumptions and limits.
func (r *Report) assumed(paired bool) (out []string) {
	if paired {
		out = append(out, "Assumed: instances are independent of each other.")
		if len(r.Groups) == 2 {
			out[0] = "Assumed: instances are independent of each other, and differences lie " +
				"symmetrically about their median."
		}
	} else {
		out = append(out, "Assumed: all values are independent, as those of different seeds.")
	}
	if tied, of := r.tied(paired); tied > 0 {
		out = append(out, fmt.Sprintf("Ties: %s; the p-values account for them.", of))
	}
	if least := r.least(paired); least >= r.Alpha {
		out = append(out, fmt.Sprintf("Too few values: no outcome could have p below %.3g; take more "+
			"seeds or instances.", least))
	}
	return out
}

// tied counts the values that are equal to others, within an instance if paired, and says so.
func (r *Report) tied(paired bool) (n int, words string) {
	var sets [][]float64
	for _, g := range r.Groups {
		for i, v := range g.Values {
			if !paired {
				i = 0
			}
			if i == len(sets) {
				sets = append(sets, nil)
			}
			sets[i] = append(sets[i], v)
		}
	}
	all := 0
	for _, v := range sets {
		slices.Sort(v)
		before := n
		for i, x := range v {
			all++
			if i > 0 && v[i-1] == x || i+1 < len(v) && v[i+1] == x {
				n++
			}
		}
		if paired {
			n = before + min(1, n-before) // instances
		}
	}
	if paired {
		return n, fmt.Sprintf("%d of %d instances have equal values", n, len(sets))
	}
	return n, fmt.Sprintf("%d of %d values are equal to others", n, all)
}

// least is the least p-value that groups of these sizes can have in the test of two; 0 with more.
func (r *Report) least(paired bool) float64 {
	if len(r.Groups) > 2 {
		return 0
	}
	n, m := len(r.Groups[0].Values), len(r.Groups[1].Values)
	if paired {
		return min(1, 2/math.Pow(2, float64(n)))
	}
	return min(1, 2/arrangements([]int{n, m}))
}
