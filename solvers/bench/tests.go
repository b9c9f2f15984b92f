package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"metalab/solvers/stats"
)

// test fills in figures that depend on other rows: tests, ratios, and the least of seeds.
func test(t Table, out []Outcome) {
	for i := range out {
		o := &out[i]
		if o.Row.Measure == Ratio && o.Row.Not == "" {
			o.divide(out)
			continue
		}
		if o.Row.Measure == Least && o.Row.Not == "" {
			o.least(out)
			continue
		}
		if o.Row.Measure != PValue && o.Row.Measure != Statistic || o.Row.Not != "" {
			continue
		}
		want, short := 0, math.MaxInt
		for _, r := range t.Rows {
			if o.Row.tests(&r) {
				want++
			}
		}
		var sets [][]float64
		for _, other := range out {
			if o.Row.tests(&other.Row) && len(other.Values) > 0 && !other.stale() {
				sets = append(sets, other.Values)
				short = min(short, len(other.Values))
			}
		}
		if len(sets) < want || want < 2 || short < 2 {
			o.Err = fmt.Errorf("the test takes two seeds or more of each of the %d rows of %s", want,
				o.Row.Label)
			continue
		}
		o.N = short
		if want == 2 {
			o.pValue(stats.MannWhitney(sets[0], sets[1]))
			first, _ := stats.MeanDeviation(sets[0])
			second, _ := stats.MeanDeviation(sets[1])
			o.Way = second - first
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

// tests tells whether a test is of a row.
func (r *Row) tests(of *Row) bool {
	return r.Label == of.Label && of.Solver != "" &&
		(r.Of == [2]string{} || slices.Contains(r.Of[:], of.Column))
}

// pValue is the figure of a test.
func (o *Outcome) pValue(t stats.Test, err error) {
	if o.Err = err; err == nil {
		o.Values, o.Seeds = []float64{t.P}, []int{1}
		if o.Row.Measure == Statistic {
			o.Values[0] = t.Statistic
		}
	}
}

// divide makes the figure of a ratio.
func (o *Outcome) divide(out []Outcome) {
	var of [2]float64
	for i, column := range o.Row.Of {
		var values []float64
		if table, there, other := strings.Cut(column, ":"); other {
			values = keptOf(table, there, o.Row.Instance)
		} else if at := slices.IndexFunc(out, func(p Outcome) bool {
			return p.Row.Label == o.Row.Label && p.Row.Instance == o.Row.Instance &&
				p.Row.Column == column && len(p.Values) > 0 && !p.stale()
		}); at >= 0 {
			values = out[at].Values
		}
		if len(values) == 0 {
			o.Err = fmt.Errorf("the ratio takes a figure of %s, %s", o.Row.Label, column)
			return
		}
		of[i] = Median(values)
	}
	o.Values, o.Seeds = []float64{of[0] / of[1]}, []int{1}
}

// keptOf are the kept figures of an instance in a column of another table, those of its first row.
func keptOf(table, column, instance string) []float64 {
	t, err := Find(table)
	if err != nil {
		return nil // a test finds that
	}
	m := MeasuredOf(table)
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.Column != column || r.Instance != instance {
			continue
		}
		for k := range m.Rows {
			if m.Rows[k].matches(r) && m.Rows[k].Revision == r.Revision() {
				return m.Rows[k].Values
			}
		}
	}
	return nil
}

// least makes the figure of the best seed, of as many as there are.
func (o *Outcome) least(out []Outcome) {
	at := slices.IndexFunc(out, func(p Outcome) bool {
		return o.Row.takes(&p.Row) && len(p.Values) > 0 && !p.stale()
	})
	if at < 0 {
		o.Err = fmt.Errorf("the least of seeds takes figures of %s, %s", o.Row.What, o.Row.Of[0])
		return
	}
	o.Of, o.Base = out[at].Values, out[at].Number
	o.Values, o.Seeds, o.N = []float64{slices.Min(o.Of)}, []int{1}, len(o.Of)
}

// takes tells whether the least of seeds is of a row.
func (r *Row) takes(of *Row) bool {
	return of.runs() && of.Instance == r.Instance &&
		(of.Label == r.Label && of.Column == r.Of[0] || of.Column == r.Column && of.Label == r.Of[0])
}

// derived reports whether the row's figure depends on those of others.
func (r *Row) derived() bool {
	switch r.Measure {
	case PValue, Statistic, Ratio, Least:
		return true
	default:
		return false
	}
}

// runs tells whether the row is measured, and not made of others.
func (r *Row) runs() bool { return r.Not == "" && !r.derived() }
