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
	} {
		if got := stats.StudentQuantile(c.p, c.degrees); math.Abs(got-c.want) > 5e-4*math.Abs(c.want) {
			t.Errorf("t of %v with %d degrees is %.5f, want %.5f", c.p, c.degrees, got, c.want)
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
