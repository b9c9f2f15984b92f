package stats_test

import (
	"math"
	"reflect"
	"testing"

	"metalab/solvers/stats"
)

func TestTargetsAndBudgets(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	runs := []stats.Trace{
		{{Cost: 1, Best: 9}, {Cost: 4, Best: 5}, {Cost: 10, Best: 5}},
		{{Cost: 2, Best: 8}, {Cost: 7, Best: 3}, {Cost: 10, Best: 3}},
		{},
	}
	r := stats.FixedTarget(runs, 5)
	if !reflect.DeepEqual(r.Costs, []float64{4, 7, inf}) || r.Reached != 2 || r.ERT != 5.5 {
		t.Errorf("target 5: %+v", r)
	}
	if r = stats.FixedTarget(runs, 4); r.ERT != 17 {
		t.Errorf("target 4: %+v, want the 10 of the run that failed and 7", r)
	}
	if r = stats.FixedTarget(runs, 1); r.ERT != inf {
		t.Errorf("target 1: %+v", r)
	}
	if got := stats.FixedBudget(runs, 4); !reflect.DeepEqual(got, []float64{5, 8, inf}) {
		t.Errorf("budget 4: %v", got)
	}
	want := []stats.Stair{{X: 4, Share: 1.0 / 6}, {X: 7, Share: 0.5}}
	if got := stats.RunLengths(runs, 5, 3); !reflect.DeepEqual(got, want) {
		t.Errorf("run lengths %v, want %v", got, want)
	}
}

func TestProfile(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	got, err := stats.Profile([][]float64{{1, 2}, {3, 3}, {6, 2}, {0, 5}, {inf, 4}})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]stats.Stair{
		{{X: 1, Share: 0.6}, {X: 3, Share: 0.8}},
		{{X: 1, Share: 0.6}, {X: 2, Share: 0.8}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("profile %v, want %v", got, want)
	}
	if _, err := stats.Profile([][]float64{{1, -2}}); err == nil {
		t.Error("a cost below 0 is accepted")
	}
}
