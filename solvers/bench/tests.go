package bench

import (
	"fmt"
	"math"
	"slices"

	"metalab/solvers/stats"
)

// test fills the tests of rows and their ratios in.
func test(t Table, out []Outcome) {
	for i := range out {
		o := &out[i]
		if o.Row.Measure == Ratio && o.Row.Not == "" {
			o.divide(out)
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
		at := slices.IndexFunc(out, func(p Outcome) bool {
			return p.Row.Label == o.Row.Label && p.Row.Instance == o.Row.Instance &&
				p.Row.Column == column && len(p.Values) > 0
		})
		if at < 0 {
			o.Err = fmt.Errorf("the ratio takes a figure of %s, %s", o.Row.Label, column)
			return
		}
		of[i] = Median(out[at].Values)
	}
	o.Values, o.Seeds = []float64{of[0] / of[1]}, []int{1}
}

// runs tells whether the row is measured, and no test or ratio of others.
func (r *Row) runs() bool {
	return r.Not == "" && r.Measure != PValue && r.Measure != Statistic && r.Measure != Ratio
}
