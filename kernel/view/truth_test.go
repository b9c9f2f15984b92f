package view_test

import (
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"metalab/kernel/view"
	"metalab/solvers/record"
)

// A critical distance that no ranks can reach is no picture; boxes of zeros begin at zero.
func TestScalesHoldWhatIsDrawn(t *testing.T) {
	two := view.Ranking{Names: []string{"a", "b"}, Ranks: []float64{1.2, 1.8}, Distance: 1.39}
	_, err := view.Look{}.Ranks(view.Labels{}, two)
	if err == nil ||
		!strings.Contains(err.Error(), "distance is 1.39, and mean ranks of 2 differ by 1") {
		t.Errorf("ranks of two with a distance of 1.39: %v", err)
	}
	zero := 1.0
	seeds := []record.Seeded{{Seed: 1, Best: 1}, {Seed: 2, Best: 1}}
	run := view.Data{
		Name: "a", Best: &zero, Seeds: &view.Seeds{Budget: "3 iterations", Results: seeds},
	}
	p, err := view.Look{}.Box(run)
	if err != nil || p.Y.Min < -0.05*p.Y.Max {
		t.Errorf("gaps of zero stand on an axis from %v to %v (%v)", p.Y.Min, p.Y.Max, err)
	}
	for _, k := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if strings.HasPrefix(k.Label, "-") {
			t.Errorf("the axis of gaps of zero has a mark %s", k.Label)
		}
	}
}

// Of two curves that are one, both are seen.
func TestEqualCurvesAreBothSeen(t *testing.T) {
	mine := []view.Sample{{Name: "a", Values: []float64{1, 2}}, {Name: "b", Values: []float64{1, 2}}}
	alone, err := view.Look{}.ECDF(view.Labels{}, mine[:1]...)
	if err != nil {
		t.Fatal(err)
	}
	both, err := view.Look{}.ECDF(view.Labels{}, mine...)
	if err != nil {
		t.Fatal(err)
	}
	dashed := func(p *plot.Plot) int {
		svg := render(t, p, view.Sink{Graphics: view.SVG})
		return strings.Count(string(svg), "stroke-dasharray")
	}
	if dashed(alone) == dashed(both) {
		t.Error("the second of two equal curves is not dashed")
	}
	a, b := run(30), named(run(30), "b")
	a.Journal, b.Journal = nil, nil // whose marks are dashed, too
	other := named(run(30), "c")
	other.Journal = nil
	for i := range other.Points {
		other.Points[i].Best *= 1.5
	}
	two := func(runs ...view.Data) int {
		p, err := view.Look{}.Convergence(runs...)
		if err != nil {
			t.Fatal(err)
		}
		return dashed(p)
	}
	alike := named(run(30), "d") // with the same bests, and another past
	alike.Journal = nil
	for i := range alike.Points {
		alike.Points[i].Mean++
	}
	apart := two(a, other)
	for _, second := range []view.Data{b, alike} {
		if same := two(a, second); same <= apart {
			t.Errorf("a and %s with equal curves have %d dashed lines, with others %d", second.Name, same,
				apart)
		}
	}
}

// Gaps are not drawn below 0 where none is.
func TestGapsOfZero(t *testing.T) {
	best := 10.0
	d := view.Data{Name: "a", Instance: "x", Best: &best, Points: []record.Point{
		{Iter: 1, Best: 10, IterBest: 10, Mean: 10}, {Iter: 2, Best: 10, IterBest: 10, Mean: 10},
	}}
	e := d
	e.Name = "b"
	p, err := view.Look{}.Convergence(d, e)
	if err != nil {
		t.Fatal(err)
	}
	if p.Y.Min < -0.05*p.Y.Max || p.Y.Max <= 0 {
		t.Errorf("an axis of gaps of 0 goes from %v to %v", p.Y.Min, p.Y.Max)
	}
}
