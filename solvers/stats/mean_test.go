package stats_test

import (
	"math"
	"testing"

	"metalab/solvers/stats"
)

// The quantiles are those of printed tables.
func TestStudentQuantile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p       float64
		degrees int
		want    float64
	}{
		{.025, 1, 12.7062},
		{.025, 2, 4.30265},
		{.025, 3, 3.18245},
		{.025, 4, 2.77645},
		{.025, 5, 2.57058},
		{.025, 9, 2.26216},
		{.025, 29, 2.04523},
		{.025, 1000, 1.96234},
		{.005, 4, 4.60409},
		{.05, 9, 1.83311},
		{.25, 9, .702722},
		{.975, 9, -2.26216},
		// On both sides of the place where Hill's expansion gives way to that of the tails.
		{.25, 5, .726687},
		{.1, 6, 1.43976},
		{.01, 9, 2.82144},
		{.005, 10, 3.16927},
		{.0005, 29, 3.6594},
		{.0005, 3, 12.924},
		{.00005, 3, 28.000},
	} {
		if got := stats.StudentQuantile(c.p, c.degrees); math.Abs(got-c.want) > 5e-4*math.Abs(c.want) {
			t.Errorf("t of %v with %d degrees is %.5f, want %.5f", c.p, c.degrees, got, c.want)
		}
	}
}

// Where the expansion near the middle holds it has six digits; that of the tails has four there.
// The quantiles come from numerical integration of the density.
func TestStudentQuantileNearTheTails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p       float64
		degrees int
		want    float64
	}{
		{.04, 4, 2.332873},
		{.01, 5, 3.364930},
		{.0075, 6, 3.372287},
		{.0025, 7, 4.029337},
		{.00025, 10, 5.048973},
	} {
		if got := stats.StudentQuantile(c.p, c.degrees); math.Abs(got-c.want) > 1e-6*c.want {
			t.Errorf("t of %v with %d degrees is %.6f, want %.6f", c.p, c.degrees, got, c.want)
		}
	}
}

func TestMean(t *testing.T) {
	t.Parallel()
	got, err := stats.Mean([]float64{1, 2, 3, 4, 5}, .95)
	if err != nil || got.Value != 3 || math.Abs(got.High-4.9632) > .001 ||
		math.Abs(got.Low-1.0368) > .001 {
		t.Errorf("the mean is %v, error %v", got, err)
	}
	for _, x := range [][]float64{{1}, nil, {1, math.NaN()}} {
		if _, err := stats.Mean(x, .95); err == nil {
			t.Errorf("the mean of %v has no error", x)
		}
	}
	if _, err := stats.Mean([]float64{1, 2}, 2); err == nil {
		t.Error("a level of 2 has no error")
	}
}
