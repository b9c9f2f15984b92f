package stats_test

import (
	"math"
	"slices"
	"testing"

	"metalab/solvers/stats"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if math.Abs(got-want) > tol || got != got {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestMannWhitney(t *testing.T) {
	t.Parallel()
	// All of x below all of y: of C(10,5) = 252 orders 2 are as extreme.
	p, err := stats.MannWhitney([]float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "p", p, 2.0/252, 1e-12)
	if p, err = stats.MannWhitney([]float64{3, 3, 3}, []float64{3, 3}); err != nil || p != 1 {
		t.Errorf("equal samples: %v %v", p, err)
	}
	// Whose sum of terms is a rounding above 1.
	if p, err = stats.MannWhitney([]float64{0, 4, 9}, []float64{6, 8, 2}); err != nil || p != 1 {
		t.Errorf("samples that lie in each other: %v %v", p, err)
	}
	if _, err = stats.MannWhitney(nil, []float64{1}); err == nil {
		t.Error("an empty sample is accepted")
	}
}

func TestA12(t *testing.T) {
	t.Parallel()
	near(t, "all larger", stats.A12([]float64{5, 6}, []float64{1, 2}), 1, 0)
	near(t, "same", stats.A12([]float64{1, 2}, []float64{2, 1}), 0.5, 0)
	near(t, "ties", stats.A12([]float64{1, 3}, []float64{1, 2}), 0.625, 0)
}

func TestFriedman(t *testing.T) {
	t.Parallel()
	// Four blocks, always the same order of three treatments: Q = 8, 2 degrees of
	// freedom, p = exp(-4).
	p, mean, err := stats.Friedman([][]float64{{1, 2, 3}, {10, 20, 30}, {5, 6, 7}, {0, 1, 9}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "p", p, math.Exp(-4), 1e-12)
	if !slices.Equal(mean, []float64{1, 2, 3}) {
		t.Errorf("mean ranks %v", mean)
	}
	if p, _, err = stats.Friedman([][]float64{{1, 1}, {2, 2}}); err != nil || p != 1 {
		t.Errorf("all ties: %v %v", p, err)
	}
}

func TestHolm(t *testing.T) {
	t.Parallel()
	got := stats.Holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		near(t, "adjusted p", got[i], want, 1e-12)
	}
}
