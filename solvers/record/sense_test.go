package record_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"metalab/solvers/record"
)

// A value is made a cost and back, better ones have smaller costs, and 0 stays 0.
func TestSense(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := record.Sense(rapid.Bool().Draw(rt, "maximise"))
		a, b := rapid.Float64().Draw(rt, "a"), rapid.Float64().Draw(rt, "b")
		if s.Value(s.Cost(a)) != a || (s == record.Minimise) != (s.Cost(a) < s.Cost(b)) && a < b {
			rt.Fatalf("sense %v: %v and %v cost %v and %v", s, a, b, s.Cost(a), s.Cost(b))
		}
	})
	if v := record.Maximise.Value(0); v != 0 || math.Signbit(v) {
		t.Errorf("a cost of 0 is %v", v)
	}
	p := record.Maximise.Point(record.Point{Iter: 3, Best: -5, IterBest: -4, Mean: -3.5, Wall: 2})
	if p.Best != 5 || p.IterBest != 4 || p.Mean != 3.5 || p.Iter != 3 || p.Wall != 2 {
		t.Errorf("%+v", p)
	}
}
