package stats

import (
	"fmt"
	"math"
	"slices"

	"metalab/solvers/arith"
)

// bootstrapPurpose keeps the draws of [Bootstrap] apart from those of searches with the same seed.
const bootstrapPurpose = 0xB5

// A Resampling says how [Bootstrap] draws.
type Resampling struct {
	Seed  uint64
	Draws int     // 0: 10,000
	Level float64 // of the interval; 0: 0.95
}

// Bootstrap estimates any function f of samples, with an interval: the bias-corrected and
// accelerated bootstrap (B. Efron: Better bootstrap confidence intervals, J. Amer. Statist. Assoc.
// 82, 1987, doi:10.1080/01621459.1987.10478410). It draws from each sample separately, with
// replacement. f must change nothing, and must accept samples with one value less. If all draws
// give the same value, or f of fewer values does, the interval is that of percentiles alone.
//
// Resample b of sample j uses the stream with iteration b and agent j, so the same seed gives the
// same interval.
func Bootstrap(
	f func(samples ...[]float64) float64, r Resampling, samples ...[]float64,
) (Estimate, error) {
	if r.Draws == 0 {
		r.Draws = 10_000
	}
	if r.Level == 0 {
		r.Level = 0.95
	}
	out := Estimate{Level: r.Level}
	if err := checkLevel(r.Level); err != nil {
		return out, err
	}
	if r.Draws < 1 || len(samples) == 0 {
		return out, fmt.Errorf("stats: bootstrap of %d samples by %d draws, want at least 1 of each",
			len(samples), r.Draws)
	}
	for j, s := range samples {
		if len(s) < 2 {
			return out, fmt.Errorf("stats: bootstrap: sample %d has %d values, want at least 2",
				j, len(s))
		}
	}
	out.Value = f(samples...)
	drawn := make([]float64, r.Draws)
	again := make([][]float64, len(samples))
	for b := range drawn {
		for j, s := range samples {
			stream := arith.NewStream(r.Seed, uint64(b), uint32(j), bootstrapPurpose)
			again[j] = again[j][:0]
			for range s {
				again[j] = append(again[j], s[stream.IntN(len(s))])
			}
		}
		drawn[b] = f(again...)
	}
	if math.IsNaN(out.Value) || slices.ContainsFunc(drawn, math.IsNaN) {
		return out, fmt.Errorf("stats: bootstrap: the statistic of a sample is not a number")
	}
	slices.Sort(drawn)
	tail := (1 - r.Level) / 2
	z, bias, bend := -normalQuantile(tail), bias(drawn, out.Value), acceleration(f, samples)
	if math.IsInf(bias, 0) || math.IsNaN(bend) {
		bias, bend = 0, 0
	}
	at := func(z float64) float64 {
		n := bias + z
		return math.Erfc(-(bias+n/(1-bend*n))/math.Sqrt2) / 2
	}
	out.Low, out.High = quantile(drawn, at(z)), quantile(drawn, at(-z))
	return out, nil
}

// bias is how far the middle of the drawn values, which are sorted, lies from the estimate, in
// standard deviations of a normal distribution.
func bias(drawn []float64, value float64) float64 {
	less, _ := slices.BinarySearch(drawn, value)
	same := 0
	for _, v := range drawn[less:] {
		if v != value {
			break
		}
		same++
	}
	return -normalQuantile((float64(less) + float64(same)/2) / float64(len(drawn)))
}

// acceleration is how the standard error of f changes with its value, by leaving out each value.
func acceleration(f func(samples ...[]float64) float64, samples [][]float64) float64 {
	var cubes, squares float64
	without := slices.Clone(samples)
	for j, s := range samples {
		values, mean := make([]float64, len(s)), 0.0
		for i := range s {
			without[j] = slices.Delete(slices.Clone(s), i, i+1)
			values[i] = f(without...)
			mean += values[i]
		}
		without[j] = s
		n := float64(len(s))
		mean /= n
		var c, q float64
		for _, v := range values {
			u := (n - 1) * (mean - v)
			c, q = c+u*u*u, q+u*u
		}
		cubes, squares = cubes+c/(n*n*n), squares+q/(n*n)
	}
	return cubes / 6 / math.Pow(squares, 1.5)
}

// quantile is that of sorted values, by linear interpolation.
func quantile(v []float64, p float64) float64 {
	at := p * float64(len(v)-1)
	i := min(int(at), len(v)-1)
	if next := min(i+1, len(v)-1); v[next] != v[i] {
		return v[i] + (at-float64(i))*(v[next]-v[i])
	}
	return v[i]
}
