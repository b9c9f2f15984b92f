package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"metalab/solvers/stats"
)

// The verdicts on a figure beside the published one.
const (
	Agrees = "agrees"
	Better = "better"
	Worse  = "worse"
	// Differs is of a test whose p-value is on the other side of 0.05.
	Differs = "differs"
)

const (
	// rangeSeeds is the number of seeds from which the range of their figures counts.
	rangeSeeds = 5
	// significance is the p-value below which a test tells a difference.
	significance = .05
)

// Rule says in a sentence or two how the verdicts of a table come about; "" if it has none.
func Rule(t Table) string {
	if t.Tolerance == 0 {
		return ""
	}
	rule := fmt.Sprintf("A row agrees if the published figure is within the range of our seeds, "+
		"%d or more, or if our median differs from it by at most %g %% of it; else ours is better "+
		"or worse.", rangeSeeds, t.Tolerance)
	if slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Group != "" }) {
		rule += " Published means over instances are compared likewise with the mean of our " +
			"medians, and with the range of our means by seed, where nine tenths of the instances " +
			"were measured."
	}
	if slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Measure == PValue }) {
		rule += fmt.Sprintf(" A test agrees if both p-values are below %g or both are not.",
			significance)
	}
	return rule
}

// verdict compares n values with what is published.
func verdict(higher bool, tolerance, published, median, lo, hi float64, n int) string {
	switch {
	case n >= rangeSeeds && lo <= published && published <= hi,
		math.Abs(median-published) <= tolerance/100*math.Abs(published):
		return Agrees
	case (median > published) == higher:
		return Better
	}
	return Worse
}

// quality tells whether a measure is of results and not of the time that they took, which says
// nothing where machines differ.
func (m Measure) quality() bool {
	switch m {
	case Gap, Best, Iterations, Found:
		return true
	default:
		return false
	}
}

// Verdict is Agrees, Better or Worse by the table's rule, see Rule. It is empty where nothing is
// published or measured, where the figure is a time, and where it is a mean over instances, of
// which see Means.
func (o *Outcome) Verdict(t Table) string {
	r := &o.Row
	if t.Tolerance == 0 || !r.Peer.Known || len(o.Values) == 0 || r.Group != "" {
		return ""
	}
	published := r.Peer.Figure
	if r.Measure == PValue {
		if (o.Values[0] < significance) == (published < significance) {
			return Agrees
		}
		return Differs
	}
	if !r.Measure.quality() {
		return ""
	}
	return verdict(r.Measure.Higher(), t.Tolerance, published, Median(o.Values),
		slices.Min(o.Values), slices.Max(o.Values), len(o.Values))
}

// A Mean is what the rows of one group have together.
type Mean struct {
	Group     string
	Rows, Of  int     // that were measured, of all
	Value     float64 // the mean of their medians
	Min, Max  float64 // of the means by seed, where Seeds is above 0
	Seeds     int     // that all the rows have
	Unit      string
	Published float64
	Verdict   string // empty if more than a tenth of the rows are missing
}

// Means are the means of a table's groups over what was measured, in the table's order.
func Means(t Table, out []Outcome) []Mean {
	var list []Mean
	for _, first := range t.Rows {
		at := func(m Mean) bool { return m.Group == first.Group }
		if first.Group == "" || !first.Peer.Known || slices.ContainsFunc(list, at) {
			continue
		}
		m := Mean{Group: first.Group, Unit: first.unit(), Published: first.Peer.Figure}
		for _, r := range t.Rows {
			if r.Group == m.Group && r.runs() {
				m.Of++
			}
		}
		sums, rows := map[int]float64{}, map[int]int{}
		for _, o := range out {
			if o.Row.Group != m.Group || len(o.Values) == 0 {
				continue
			}
			m.Rows++
			m.Value += Median(o.Values)
			for k, seed := range o.Seeds {
				sums[seed] += o.Values[k]
				rows[seed]++
			}
		}
		if m.Rows == 0 {
			continue
		}
		m.Value /= float64(m.Rows)
		m.Min, m.Max = math.Inf(1), math.Inf(-1)
		for seed, n := range rows {
			if n == m.Rows {
				m.Seeds++
				mean := sums[seed] / float64(n)
				m.Min, m.Max = min(m.Min, mean), max(m.Max, mean)
			}
		}
		if 10*m.Rows >= 9*m.Of && t.Tolerance > 0 {
			m.Verdict = verdict(first.Measure.Higher(), t.Tolerance, m.Published, m.Value, m.Min, m.Max,
				m.Seeds)
		}
		list = append(list, m)
	}
	return list
}

// test fills the tests of rows in.
func test(t Table, out []Outcome) {
	for i := range out {
		o := &out[i]
		if o.Row.Measure != PValue || o.Row.Not != "" {
			continue
		}
		want, short := 0, math.MaxInt
		for _, r := range t.Rows {
			if r.Label == o.Row.Label && r.Solver != "" {
				want++
			}
		}
		var sets [][]float64
		for _, other := range out {
			if other.Row.Label == o.Row.Label && len(other.Values) > 0 && other.Row.Solver != "" {
				sets = append(sets, other.Values)
				short = min(short, len(other.Values))
			}
		}
		if len(sets) < want || want < 2 || short < 2 {
			o.Err = fmt.Errorf("the test takes two seeds or more of each of the %d rows of %s", want,
				o.Row.Label)
			continue
		}
		if want == 2 {
			o.pValue(stats.MannWhitney(sets[0], sets[1]))
			continue
		}
		blocks := make([][]float64, short)
		for k := range blocks {
			for _, s := range sets {
				blocks[k] = append(blocks[k], s[k])
			}
		}
		r, err := stats.Friedman(blocks)
		o.pValue(r.Chi, err)
	}
}

// pValue is the figure of a test.
func (o *Outcome) pValue(t stats.Test, err error) {
	if o.Err = err; err == nil {
		o.Values, o.Seeds = []float64{t.P}, []int{1}
	}
}

// runs tells whether the row is measured, and no test of others.
func (r *Row) runs() bool { return r.Not == "" && r.Measure != PValue }

// Verdicts counts the verdicts on the figures of a table that are kept, as "3 agree, 1 better"; ""
// if there are none.
func Verdicts(t Table) string {
	if t.Tolerance == 0 || len(MeasuredOf(t.Name).Rows) == 0 {
		return ""
	}
	out, err := Recall(t, "")
	if err != nil {
		return ""
	}
	count := map[string]int{}
	for i := range out {
		count[out[i].Verdict(t)]++
	}
	for _, m := range Means(t, out) {
		count[m.Verdict]++
	}
	var parts []string
	for _, v := range []struct{ is, words string }{
		{Agrees, "agree"}, {Better, "better"}, {Worse, "worse"}, {Differs, "differ"},
	} {
		if n := count[v.is]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v.words))
		}
	}
	return strings.Join(parts, ", ")
}
