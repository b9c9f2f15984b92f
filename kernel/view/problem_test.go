package view_test

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/plot"

	"metalab/kernel/view"
	"metalab/solvers/record"
)

// problems are data for the figures of problems.
func problems() view.Data {
	const n = 24
	a := &view.Assignment{N: n, BeforeCost: 5400, AfterCost: 4210}
	for i := range n {
		for j := range n {
			flow := float64(max(0, 12-i-j/3))
			a.Before = append(a.Before, flow*math.Abs(float64(i-j)))
			a.After = append(a.After, flow*math.Abs(float64((i*5)%n-(j*5)%n))/3)
		}
	}
	m := &view.Multiset{First: -3, Step: 2}
	for i := range 12 {
		m.Want = append(m.Want, max(0, (12-i)*i/6-2))
		m.Have = append(m.Have, max(0, (12-i)*i/6-2+i%3-1))
	}
	s := &view.Slice{At: 0.3, Value: -1, Radius: 0.25}
	for i := range 401 {
		x := float64(i)/200 - 1
		s.X, s.Y = append(s.X, x), append(s.Y, math.Sin(9*x)+math.Sin(40*x)/3)
	}
	for i := range 40 {
		x := 0.3 + 0.25*wave(i, 5)
		s.NearX, s.NearY = append(s.NearX, x), append(s.NearY, math.Sin(9*x)+0.4*wave(i, 9))
	}
	v := &view.Moves{Name: "swap", All: 435}
	for i := range 435 {
		v.Deltas = append(v.Deltas, math.Round(400*wave(i, 3)+300*wave(i, 7)+250))
	}
	return view.Data{
		Name: "a", Title: "a: tabu on nug30", Objective: "cost",
		Problem: &view.Problem{Assignment: a, Multiset: m, Slice: s, Moves: v, Drawing: gantt()},
	}
}

var problemFigures = []string{"assignment", "multiset", "slice", "neighbourhood", "solution"}

// gantt is a drawing with shapes of every kind.
func gantt() *record.Drawing {
	d := &record.Drawing{Title: "makespan 31", X: "time", Y: "machine"}
	for i := range 9 {
		for m := range 3 {
			x := float64(3*i + 2*m)
			d.Bar(x, float64(m), x+2.5, float64(m)+0.8, i+1)
		}
	}
	d.Line([]float64{0, 31, 31}, []float64{3, 3, 0}, 0)
	d.Dots([]float64{31, 28.5}, []float64{3, 3}, 2)
	d.Text(15, 3.2, "idle")
	return d
}

func TestGoldenProblems(t *testing.T) {
	t.Parallel()
	for _, name := range problemFigures {
		p, err := drawOne(name, problems())
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+".svg",
			render(t, p, view.Sink{Graphics: view.SVG, Size: view.Size{W: 360, H: 240}}), sameNumbers)
		p, err = drawOne(name, problems())
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+".txt", render(t, p, view.Sink{Graphics: view.Cells, Cols: 80, Rows: 24}),
			bytes.Equal)
	}
}

// Without their data the figures say so, and data that contradict themselves are errors.
func TestProblemsWithoutData(t *testing.T) {
	t.Parallel()
	for _, name := range problemFigures {
		for _, d := range []view.Data{{Name: "a"}, {Name: "a", Problem: &view.Problem{}}} {
			p, err := drawOne(name, d)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := render(t, p, view.Sink{Graphics: view.Cells, Cols: 60, Rows: 12}); !bytes.Contains(got,
				[]byte("to draw")) {
				t.Errorf("%s without data:\n%s", name, got)
			}
		}
	}
	for _, d := range []view.Problem{
		{Assignment: &view.Assignment{N: 2, Before: make([]float64, 4)}},
		{Multiset: &view.Multiset{Step: 2, Want: []int{1}, Have: []int{1, 2}}},
		{Slice: &view.Slice{X: []float64{1, 2}, Y: []float64{1}}},
	} {
		failed := 0
		for _, draw := range []func(view.Data) (*plot.Plot, error){
			view.AssignmentFields,
			view.MultisetBars, view.FunctionSlice,
		} {
			if _, err := draw(view.Data{Problem: &d}); err != nil {
				failed++
			}
		}
		if failed != 1 {
			t.Errorf("%d figures refuse %+v", failed, d)
		}
	}
	// Nothing but equal moves, and none.
	for _, m := range []view.Moves{{}, {Deltas: []float64{0, 0}}, {Deltas: []float64{math.NaN()}}} {
		p, err := view.NeighbourhoodBars(view.Data{Problem: &view.Problem{Moves: &m}})
		if err != nil {
			t.Error(err)
			continue
		}
		render(t, p, view.Sink{Graphics: view.SVG})
	}
}

// drawOne makes the figure of one plot.
func drawOne(kind string, runs ...view.Data) (*plot.Plot, error) {
	s, err := view.Draw(kind, view.Look{}, runs...)
	if err != nil {
		return nil, err
	}
	return s.Plots[0], nil
}
