package view

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// MultisetBars draws the counts of values as bars, and the wanted counts as a line in steps; values
// below 0, which are never wanted, have bars of another colour.
func MultisetBars(d Data) (*plot.Plot, error) {
	p := base(d.title())
	if d.Problem == nil || d.Problem.Multiset == nil || len(d.Problem.Multiset.Have) == 0 {
		return empty(p, "no multiset to draw"), nil
	}
	m := d.Problem.Multiset
	if len(m.Want) != len(m.Have) || !(m.Step > 0) {
		return nil, fmt.Errorf("view: a multiset of %d values where %d are wanted, %v apart", len(m.Have),
			len(m.Want), m.Step)
	}
	grid(p)
	good := &Bars{Fill: sky}
	bad := &Bars{Fill: vermilion}
	want := &Curve{Steps: true, LineStyle: draw.LineStyle{Color: ink, Width: vg.Points(1.2)}}
	top := 1
	for i, n := range m.Have {
		x := m.First + (float64(i)-0.5)*m.Step
		b := good
		if m.First+float64(i)*m.Step < 0 {
			b = bad
		}
		b.Edges = append(b.Edges, x)
		b.Counts = append(b.Counts, n)
		want.X, want.Y = append(want.X, x), append(want.Y, float64(m.Want[i]))
		top = max(top, n, m.Want[i])
	}
	last := m.First + (float64(len(m.Have))-0.5)*m.Step
	want.X, want.Y = append(want.X, last), append(want.Y, 0)
	for _, b := range []*Bars{bad, good} {
		if len(b.Counts) == 0 {
			continue
		}
		b.Edges = append(b.Edges, b.Edges[len(b.Edges)-1]+m.Step)
		p.Add(b)
	}
	p.Add(want)
	p.Legend.Top = true
	p.Legend.Add("wanted", want)
	widen(&p.X, m.First-m.Step, last, 0.02)
	p.Y.Min, p.Y.Max, p.Y.Padding = 0, float64(top)*1.12, 0
	p.X.Label.Text, p.Y.Label.Text = "product", "rows"
	p.Y.Tick.Marker = Ticks{Want: 5, Int: true}
	return p, nil
}
