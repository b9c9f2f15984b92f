package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// FunctionSlice draws a function along one coordinate through the best point, with lines at the
// ends of the ball of its neighbours and a dash for each neighbour.
func FunctionSlice(d Data) (*plot.Plot, error) {
	p := base(d.title())
	if d.Problem == nil || d.Problem.Slice == nil || len(d.Problem.Slice.X) == 0 {
		return empty(p, "no function to draw"), nil
	}
	s := d.Problem.Slice
	if len(s.X) != len(s.Y) || len(s.NearX) != len(s.NearY) {
		return nil, fmt.Errorf("view: a slice of %d places and %d values, %d neighbours and %d values",
			len(s.X), len(s.Y), len(s.NearX), len(s.NearY))
	}
	grid(p)
	curve := &Curve{X: s.X, Y: s.Y, LineStyle: draw.LineStyle{Color: blue, Width: vg.Points(0.6)}}
	near := &Curve{LineStyle: draw.LineStyle{Color: vermilion, Width: vg.Points(2)}}
	order := make([]int, len(s.NearX))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.NearX[a], s.NearX[b]) })
	for _, i := range order { // a gap after each: dashes, not a line
		near.X = append(near.X, s.NearX[i], s.NearX[i])
		near.Y = append(near.Y, s.NearY[i], math.NaN())
	}
	p.Add(curve, near)
	xlo, xhi, lo, hi := curve.DataRange()
	if nx0, nx1, n0, n1 := near.DataRange(); nx0 <= nx1 {
		lo, hi = min(lo, n0), max(hi, n1)
	}
	p.Add(&Marks{Rows: 1, Marks: []Mark{
		{X: s.At - s.Radius, Color: dim},
		{X: s.At, Label: "best", Color: ink},
		{X: s.At + s.Radius, Color: dim},
	}})
	widen(&p.X, xlo, xhi, 0.02)
	widen(&p.Y, lo, hi, 0.04)
	p.Legend.Top = true
	p.Legend.Add("through the best", curve)
	if len(near.X) > 0 {
		p.Legend.Add("neighbours", near)
	}
	p.X.Label.Text, p.Y.Label.Text = "first coordinate", d.objective()
	return p, nil
}

// NeighbourhoodBars draws the histogram of the changes of the value by the moves of a
// neighbourhood.
func NeighbourhoodBars(d Data) (*plot.Plot, error) {
	p := base(d.title())
	if d.Problem == nil || d.Problem.Moves == nil {
		return empty(p, "no neighbourhood to draw"), nil
	}
	m := d.Problem.Moves
	bars := NewBars(m.Deltas)
	if len(bars.Counts) == 0 {
		return empty(p, "the neighbourhood is empty"), nil
	}
	grid(p)
	p.Add(bars)
	xlo, xhi, _, top := bars.DataRange()
	better := 0
	for _, v := range m.Deltas {
		if v < 0 {
			better++
		}
	}
	p.Add(&Marks{Rows: 1, Marks: []Mark{{X: 0, Label: "no change", Color: ink}}})
	widen(&p.X, min(xlo, 0), max(xhi, 0), 0.02)
	p.Y.Min, p.Y.Max, p.Y.Padding = 0, top*1.05, 0
	p.X.Label.Text = fmt.Sprintf("change of the %s by a move; %.3g %% are better", d.objective(),
		100*float64(better)/float64(len(m.Deltas)))
	p.Y.Label.Text = fmt.Sprintf("moves of %s", m.Name)
	if int64(len(m.Deltas)) < m.All {
		p.Y.Label.Text = fmt.Sprintf("%d of %d moves of %s", len(m.Deltas), m.All, m.Name)
	}
	p.Y.Tick.Marker = Ticks{Want: 5, Int: true}
	return p, nil
}

// wideSize is the size of two square matrices side by side with captions.
func wideSize(Data) Size { return Size{W: 480, H: 270} }

// problemKinds are the figures of problems.
func problemKinds() []Kind {
	return []Kind{
		{Name: "assignment", Size: wideSize, Draw: one(AssignmentFields)},
		{Name: "multiset", Size: usual, Draw: one(MultisetBars)},
		{Name: "slice", Size: usual, Draw: one(FunctionSlice)},
		{Name: "neighbourhood", Size: usual, Draw: one(NeighbourhoodBars)},
		{Name: "solution", Size: usual, Draw: one(Drawn)},
	}
}
