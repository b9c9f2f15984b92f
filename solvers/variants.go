package solvers

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"metalab/solvers/record"
)

// goesOn tells why a fork cannot go on with v from a state of w, another variant of the solver;
// nil: it can.
func (v Variant) goesOn(w Variant) error {
	if v.Name == w.Name || v.Family != "" && v.Family == w.Family {
		return nil
	}
	why := cmp.Or(v.Apart, w.Apart, "a state of one says nothing to the other")
	return fmt.Errorf("%s/%s and %s/%s do not share their state (%s): open a new run",
		v.Solver, v.Name, w.Solver, w.Name, why)
}

// reads tells whether v can go on from a state of that variant and revision.
func (v Variant) reads(solver, name string, revision int) (known, same bool) {
	if solver != v.Solver {
		return false, false
	}
	w := v
	if name != v.Name {
		var err error
		if w, err = Find(solver, name, ""); err != nil || v.goesOn(w) != nil {
			return false, false
		}
	}
	return true, w.Revision == revision
}

// longer are the names of the measures of a run whose variant changed: those of variants that share
// their state begin alike.
func longer(a, b []string) []string {
	if len(a) < len(b) {
		return b
	}
	return a
}

// pad makes all points as long as the header's measures: what a variant does not measure is no
// number.
func (r *Run) pad() {
	r.names = r.header.Measures
	want := len(r.names)
	for _, p := range append(pointers(r.hist.points), &r.last, &r.point) {
		if lack := want - len(p.Measures); lack > 0 {
			p.Measures = append(slices.Clone(p.Measures), slices.Repeat([]float64{math.NaN()}, lack)...)
		}
	}
}

func pointers(points []record.Point) []*record.Point {
	out := make([]*record.Point, len(points))
	for i := range points {
		out[i] = &points[i]
	}
	return out
}
