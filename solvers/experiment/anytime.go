package experiment

import (
	"math"
	"slices"
)

// An Effort is the measure of a trace's horizontal axis.
type Effort func(TracePoint) float64

// The efforts.
var (
	ByIteration   Effort = func(p TracePoint) float64 { return float64(p.Iteration) }
	ByEvaluations Effort = func(p TracePoint) float64 { return float64(p.Evaluations) }
	ByWall        Effort = func(p TracePoint) float64 { return p.Wall }
	ByCPU         Effort = func(p TracePoint) float64 { return p.CPU }
)

// BestAt returns the best value of a trace within an effort, NaN before its first point.
func BestAt(trace []TracePoint, by Effort, effort float64) float64 {
	best := math.NaN()
	for _, p := range trace {
		if by(p) > effort {
			break
		}
		best = p.Best
	}
	return best
}

// Efforts returns n values of effort in equal ratios, from the latest first point of the traces to
// the earliest last one: the range in which all traces compare. It returns nil if there is no such
// range.
func Efforts(traces [][]TracePoint, by Effort, n int) []float64 {
	lo, hi := 0.0, math.Inf(1)
	for _, t := range traces {
		if len(t) > 0 {
			lo, hi = max(lo, by(t[0])), min(hi, by(t[len(t)-1]))
		}
	}
	if !(lo > 0) || math.IsInf(hi, 1) || hi < lo || n < 2 {
		return nil
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = lo * math.Pow(hi/lo, float64(i)/float64(n-1))
	}
	out[n-1] = hi
	return slices.Compact(out)
}
