package view

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"metalab/solvers/record"
)

// A Look holds the options of figures. Its zero value suits most uses.
type Look struct {
	X        Axis     // the axis of curves; empty: iterations
	Range    Range    // the visible part of that axis; zero: all
	Title    string   // empty: the figure's own
	NoTitle  bool     // no title
	Legend   []string // the names in the legend, in order; empty: those of the runs
	NoLegend bool     // no legend
	Columns  int      // number of plots beside each other; 0: chosen
	All      bool     // draw every edge and every trail, without thinning

	narrow bool    // plots stand beside each other
	shared *Legend // of the sheet; nil: each plot has its own
}

// In returns the look of each of n plots of the sheet s, whose curves have one legend.
func (l Look) In(s *Sheet, n int) Look {
	l.narrow = s.columns(n) > 1
	if s.legend == nil {
		s.legend = &Legend{}
	}
	l.shared = s.legend
	return l
}

// base returns an empty plot with the title.
func (l Look) base(title string) *plot.Plot {
	switch {
	case l.NoTitle:
		title = ""
	case l.Title != "":
		title = l.Title
	}
	return base(title)
}

// few is how many ticks an axis has, of so many in a wide plot.
func (l Look) few(n int) int {
	if l.narrow {
		return (n + 1) / 2
	}
	return n
}

// An Axis is the horizontal axis of curves.
type Axis string

// The axes of curves.
const (
	Iterations  Axis = "iteration"   // iterations made
	Time        Axis = "time"        // seconds of iterating by the clock
	CPU         Axis = "cpu"         // CPU seconds of the same
	Evaluations Axis = "evaluations" // evaluations in the solver's own unit, such as tours built
)

// Axes lists all axes.
var Axes = []Axis{Iterations, Time, CPU, Evaluations}

// at is the place of a point on the axis.
func (a Axis) at(p record.Point) float64 {
	switch a {
	case Time:
		return p.Wall
	case CPU:
		return p.CPU
	case Evaluations:
		return float64(p.Evals)
	}
	return float64(p.Iter)
}

// iteration is the place on the axis at which iteration i was done.
func (a Axis) iteration(points []record.Point, i int64) float64 {
	if a == "" || a == Iterations {
		return float64(i)
	}
	n, _ := slices.BinarySearchFunc(points, i+1,
		func(p record.Point, i int64) int { return cmp.Compare(p.Iter, i) })
	if n == 0 {
		return 0
	}
	return a.at(points[n-1])
}

// label is the label of the axis for runs.
func (a Axis) label(runs []Data) string {
	switch a {
	case Evaluations:
		if len(runs) > 0 && runs[0].Counts != "" {
			return "evaluations (" + runs[0].Counts + ")"
		}
		return "evaluations"
	case Time:
		return "time (s)"
	case CPU:
		return "CPU time (s)"
	}
	return "iteration"
}

// check returns an error where the runs have no such axis in common.
func (a Axis) check(runs []Data) error {
	if a != Evaluations {
		return nil
	}
	const instead = "; x=cpu tells what was spent"
	for _, d := range runs {
		uncounted := func(p record.Point) bool { return p.Iter > 0 && p.Evals == 0 }
		switch {
		case d.Counts == "":
			return fmt.Errorf("view: x=evaluations: the solver of %s does not count evaluations%s",
				d.Name, instead)
		case slices.ContainsFunc(d.Points, uncounted):
			return fmt.Errorf("view: x=evaluations: %s was begun before evaluations were counted%s",
				d.Name, instead)
		case d.Counts != runs[0].Counts:
			return fmt.Errorf("view: x=evaluations: those of %s are %s and those of %s are %s, which have "+
				"no axis in common%s",
				runs[0].Name, runs[0].Counts, d.Name, d.Counts, instead)
		}
	}
	return nil
}

// whole reports whether all values of the axis are integers.
func (a Axis) whole() bool { return a == "" || a == Iterations || a == Evaluations }

// A Range is a part of an axis, its ends included; an open end is infinite. The zero Range is
// the whole axis.
type Range struct{ From, To float64 }

// given reports whether r is less than the whole axis.
func (r Range) given() bool { return r != Range{} }

// ParseRange parses "100..500", "100.." and "..500".
func ParseRange(s string) (Range, error) {
	wrong := fmt.Errorf("range is %q, want from..to in units of the x axis, as 100..500, "+
		"100.. or ..500", s)
	from, to, ok := strings.Cut(s, "..")
	if !ok || from == "" && to == "" {
		return Range{}, wrong
	}
	r := Range{math.Inf(-1), math.Inf(1)}
	for _, end := range [...]struct {
		text string
		v    *float64
	}{{from, &r.From}, {to, &r.To}} {
		if end.text == "" {
			continue
		}
		v, err := strconv.ParseFloat(end.text, 64)
		if err != nil || !finite(v) {
			return Range{}, wrong
		}
		*end.v = v
	}
	if !(r.From < r.To) {
		return Range{}, fmt.Errorf("range is %q, want the smaller end first", s)
	}
	return r, nil
}

// ParseAxis parses the name of an axis; empty is that of iterations.
func ParseAxis(s string) (Axis, error) {
	if s == "" || slices.Contains(Axes, Axis(s)) {
		return Axis(s), nil
	}
	var names []string
	for _, a := range Axes {
		names = append(names, string(a))
	}
	return "", fmt.Errorf("x is %q, want %s", s, orList(names))
}

// ParseSize parses a width and a height, such as "400x300". Numbers without a unit are points, 72
// per inch; units are pt, in, cm and mm, as in "8.5cmx6cm".
func ParseSize(s string) (Size, error) {
	w, h, ok := strings.Cut(s, "x")
	size := Size{}
	if ok {
		var errs [2]error
		size.W, errs[0] = length(w)
		size.H, errs[1] = length(h)
		ok = errors.Join(errs[:]...) == nil
	}
	if !ok {
		return size, fmt.Errorf("size is %q, want width x height in points of 1/72 inch, or with a "+
			"unit of pt, in, cm or mm, as 400x300 or 8.5cmx6cm", s)
	}
	if _, _, err := lengths(size); err != nil || size.W == 0 || size.H == 0 {
		return size, fmt.Errorf("size is %q, want 8 to %v points each way", s, float64(largest))
	}
	return size, nil
}

// length reads a length.
func length(s string) (float64, error) {
	unit := vg.Length(1)
	for _, u := range [...]struct {
		name string
		size vg.Length
	}{{"pt", 1}, {"in", vg.Inch}, {"cm", vg.Centimeter}, {"mm", vg.Millimeter}} {
		if rest, ok := strings.CutSuffix(s, u.name); ok {
			s, unit = rest, u.size
			break
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && !(v > 0) {
		err = fmt.Errorf("%q is not above 0", s)
	}
	return float64(vg.Length(v) * unit), err
}

// orList joins words for a sentence, as "a, b or c".
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// grouped writes n with commas between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
