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
	for _, c := range []struct {
		name string
		x, y []float64
		p    float64
	}{
		{"apart", []float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 2.0 / 252},
		{"equal", []float64{3, 3, 3}, []float64{3, 3}, 1},
		{"within each other", []float64{0, 4, 9}, []float64{6, 8, 2}, 1},
		// Of 10 ways one is as far above the mean, and none as far below: ties make U lopsided.
		{"apart with ties", []float64{2, 3}, []float64{1, 1, 1}, 0.1},
		{"never reached", []float64{1, 2, 3}, []float64{math.Inf(1), math.Inf(1), 9}, 0.1},
	} {
		r, err := stats.MannWhitney(c.x, c.y)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.name, r.P, c.p, 1e-12)
	}
	if _, err := stats.MannWhitney(nil, []float64{1}); err == nil {
		t.Error("an empty sample is accepted")
	}
	if _, err := stats.MannWhitney([]float64{1, math.NaN()}, []float64{1}); err == nil {
		t.Error("a value that is not a number is accepted")
	}
}

func TestA12(t *testing.T) {
	t.Parallel()
	near(t, "all larger", stats.A12([]float64{5, 6}, []float64{1, 2}), 1, 0)
	near(t, "same", stats.A12([]float64{1, 2}, []float64{2, 1}), 0.5, 0)
	near(t, "ties", stats.A12([]float64{1, 3}, []float64{1, 2}), 0.625, 0)
}

// The variance of Cliff's interval is never below (1 - d^2)/(nm - 1). For these samples the
// unbiased estimate is .0278, where that is .0611. The intervals are the formula's, by hand.
func TestCliffsDeltaLeastVariance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x, y           []float64
		want, low, top float64
	}{
		{[]float64{1, 2}, []float64{2, 3, 4}, -5. / 6, -.984930, .042401},
		{[]float64{2, 3, 4}, []float64{1, 2}, 5. / 6, -.042401, .984930},
	} {
		e, err := stats.CliffsDelta(c.x, c.y, .95)
		if err != nil || math.Abs(e.Value-c.want) > 1e-9 || math.Abs(e.Low-c.low) > 1e-5 ||
			math.Abs(e.High-c.top) > 1e-5 {
			t.Errorf("delta of %v and %v: %+v, %v; want %.6f in %.6f to %.6f", c.x, c.y, e, err, c.want,
				c.low, c.top)
		}
	}
}

func TestCliffsDeltaApart(t *testing.T) {
	t.Parallel()
	e, err := stats.CliffsDelta([]float64{4, 5, 6, 7}, []float64{1, 2, 3}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "delta", e.Value, 1, 0)
	near(t, "high", e.High, 1, 0)
	near(t, "low", e.Low, (3-3.8414588207)/(3+3.8414588207), 1e-9)
	if _, err := stats.CliffsDelta([]float64{4}, []float64{1, 2, 3}, 0.95); err == nil {
		t.Error("one value has a variance")
	}
}

func TestFriedman(t *testing.T) {
	t.Parallel()
	// Four blocks, always the same order of three treatments: of 6^4 orders 6 are as far.
	r, err := stats.Friedman([][]float64{{1, 2, 3}, {10, 20, 30}, {5, 6, 7}, {0, 1, 9}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "chi-square", r.Chi.Statistic, 8, 1e-12)
	near(t, "p", r.Chi.P, 1.0/216, 1e-12)
	near(t, "p of F", r.F.P, 0, 0)
	if !slices.Equal(r.Ranks, []float64{1, 2, 3}) {
		t.Errorf("mean ranks %v", r.Ranks)
	}
	if r, err = stats.Friedman([][]float64{{1, 1}, {2, 2}}); err != nil || r.Chi.P != 1 {
		t.Errorf("all ties: %v %v", r, err)
	}
	if _, err = stats.Friedman([][]float64{{1, 1}, {2, 2, 3}}); err == nil {
		t.Error("blocks of different sizes are accepted")
	}
}

// J. Demsar: Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006:
// ranks of four variants of a classifier over 14 data sets, and differences of two.
func TestDemsar(t *testing.T) {
	t.Parallel()
	r, err := stats.Friedman([][]float64{
		{4, 3, 2, 1},
		{1, 2, 3, 4},
		{4, 1, 2, 3},
		{4, 1, 3, 2},
		{4, 2, 3, 1},
		{1, 2.5, 4, 2.5},
		{3, 2, 4, 1},
		{2.5, 2.5, 4, 1},
		{4, 3, 2, 1},
		{2.5, 2.5, 2.5, 2.5},
		{4, 2.5, 1, 2.5},
		{3, 2, 4, 1},
		{4, 1, 2, 3},
		{3, 1, 4, 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{3.143, 2.000, 2.893, 1.964} {
		near(t, "mean rank", r.Ranks[i], want, 5e-4)
	}
	chi := r.Chi.Statistic * r.Ties // the paper's has no correction for ties
	near(t, "chi-square", chi, 9.28, 5e-3)
	near(t, "F", 13*chi/(14*3-chi), 3.69, 5e-3)
	near(t, "CD at 0.05", stats.CriticalDifference(0.05, 4, 14), 1.25, 5e-3)
	near(t, "CD at 0.10", stats.CriticalDifference(0.10, 4, 14), 1.12, 5e-3)
	// The last digit of the table is off by one at 3 and at 7 treatments.
	for i, want := range []float64{1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164} {
		near(t, "q at 0.05", stats.RangeQuantile(0.05, i+2)/math.Sqrt2, want, 1e-3)
	}
	for i, want := range []float64{1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920} {
		near(t, "q at 0.10", stats.RangeQuantile(0.10, i+2)/math.Sqrt2, want, 1e-3)
	}
	// R- is 12 there, with half of the ranks of the two differences of 0, which are 1.5 each.
	d := []float64{
		5, -8, 17, 33, 6, -5, 7, 0, 63, 0, 22, 47, 9, 21,
	}
	w, err := stats.Wilcoxon(make([]float64, len(d)), d, stats.Pratt)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "R-", w.Statistic+1.5, 12, 0)
}

// M. Hollander, D. A. Wolfe: Nonparametric statistical methods, 1973, pages 29, 69, 116 and 140.
func TestHollanderWolfe(t *testing.T) {
	t.Parallel()
	w, err := stats.Wilcoxon(
		[]float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30},
		[]float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}, stats.DropZeros,
	)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "signed ranks of depression", w.Statistic, 40, 0)
	near(t, "its one-sided p", w.P/2, 0.020, 5e-4)
	u, err := stats.MannWhitney(
		[]float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
		[]float64{1.15, 0.88, 0.90, 0.74, 1.21},
	)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "U of permeability", u.Statistic, 35, 0)
	near(t, "its one-sided p", u.P/2, 0.1272, 5e-5)
	h, err := stats.KruskalWallis(
		[]float64{2.9, 3.0, 2.5, 2.6, 3.2}, []float64{3.8, 2.7, 4.0, 2.4},
		[]float64{2.8, 3.4, 3.7, 2.2, 2.0},
	)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "H of mucociliary efficiency", h.Statistic, 0.771, 5e-4)
	f, err := stats.Friedman([][]float64{
		{5.40, 5.50, 5.55},
		{5.85, 5.70, 5.75},
		{5.20, 5.60, 5.50},
		{5.55, 5.50, 5.40},
		{5.90, 5.85, 5.70},
		{5.45, 5.55, 5.60},
		{5.40, 5.40, 5.35},
		{5.45, 5.50, 5.35},
		{5.25, 5.15, 5.00},
		{5.85, 5.80, 5.70},
		{5.25, 5.20, 5.10},
		{5.65, 5.55, 5.45},
		{5.60, 5.35, 5.45},
		{5.05, 5.00, 4.95},
		{5.50, 5.50, 5.40},
		{5.45, 5.55, 5.50},
		{5.55, 5.55, 5.35},
		{5.45, 5.50, 5.55},
		{5.50, 5.45, 5.25},
		{5.65, 5.60, 5.40},
		{5.70, 5.65, 5.55},
		{6.30, 6.30, 6.25},
	})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "chi-square of rounding first base", f.Chi.Statistic, 11.1, 0.05)
	if !f.Chi.Exact || math.Abs(f.Chi.P-0.0038) > 2e-3 {
		t.Errorf("p of rounding first base is %v", f.Chi)
	}
}

func TestAgainst(t *testing.T) {
	t.Parallel()
	r := stats.Ranked{Ranks: []float64{1, 2, 3}, Blocks: 4}
	p, err := stats.Against(r, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "control", p[0], 1, 0)
	// The difference of mean ranks over sqrt(3 4 / 24) is sqrt 2 and sqrt 8.
	near(t, "second", p[1], math.Erfc(1), 1e-15)
	near(t, "third", p[2], math.Erfc(2), 1e-15)
	if _, err := stats.Against(r, 3); err == nil {
		t.Error("a control that is none is accepted")
	}
	all := stats.Nemenyi(r)
	near(t, "Nemenyi", all[0][2], stats.Range(4, 3), 1e-12)
	if all[0][2] != all[2][0] || all[1][1] != 1 {
		t.Errorf("Nemenyi %v", all)
	}
}
