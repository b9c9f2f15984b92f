package stats

import (
	"fmt"
	"math"
	"slices"
)

// A Passed is a point of a run: its cost, in iterations, evaluations or seconds, and the best value
// until then. Smaller values are better.
type Passed struct {
	Cost, Best float64
}

// A Trace lists the points of a run in order of cost. The best value never grows.
type Trace []Passed

// To returns the cost at which the run first reaches target, +Inf if it does not.
func (t Trace) To(target float64) float64 {
	for _, p := range t {
		if p.Best <= target {
			return p.Cost
		}
	}
	return math.Inf(1)
}

// At returns the best value within a cost, +Inf before the first.
func (t Trace) At(cost float64) float64 {
	best := math.Inf(1)
	for _, p := range t {
		if p.Cost > cost {
			break
		}
		best = p.Best
	}
	return best
}

// Spent returns the cost of the whole run.
func (t Trace) Spent() float64 {
	if len(t) == 0 {
		return 0
	}
	return t[len(t)-1].Cost
}

// A Reached is the result of [FixedTarget].
type Reached struct {
	Target  float64
	Costs   []float64 // of each run; +Inf if it misses the target
	Reached int       // number of runs that reach it

	// ERT is the expected running time: the total cost of all runs, each until it reaches the target
	// or ends, divided by the number of runs that reach it; +Inf if none does (N. Hansen, A. Auger, R.
	// Ros, O. Mersmann, T. Tusar, D. Brockhoff: COCO, Optim. Methods Softw. 36, 2021,
	// doi:10.1080/10556788.2020.1808977). It is the expected cost of a search that restarts until it
	// reaches the target.
	ERT float64
}

// FixedTarget returns the costs of runs until they reach a target.
func FixedTarget(runs []Trace, target float64) Reached {
	out := Reached{Target: target, Costs: make([]float64, len(runs)), ERT: math.Inf(1)}
	spent := 0.0
	for i, t := range runs {
		if out.Costs[i] = t.To(target); math.IsInf(out.Costs[i], 1) {
			spent += t.Spent()
			continue
		}
		spent += out.Costs[i]
		out.Reached++
	}
	if out.Reached > 0 {
		out.ERT = spent / float64(out.Reached)
	}
	return out
}

// FixedBudget returns the best value of each run within a cost.
func FixedBudget(runs []Trace, cost float64) []float64 {
	out := make([]float64, len(runs))
	for i, t := range runs {
		out[i] = t.At(cost)
	}
	return out
}

// A Stair is a step of a distribution: the share of values up to and including X.
type Stair struct {
	X, Share float64
}

// ECDF returns the empirical distribution of v. Infinite values count but have no step, so the
// share then stays below 1.
func ECDF(v []float64) []Stair {
	s := slices.Sorted(slices.Values(v))
	var out []Stair
	for i, x := range s {
		if math.IsInf(x, 1) || math.IsNaN(x) || i+1 < len(s) && s[i+1] == x {
			continue
		}
		out = append(out, Stair{x, float64(i+1) / float64(len(s))})
	}
	return out
}

// RunLengths returns the distribution of costs to targets, over all pairs of a run and a target.
func RunLengths(runs []Trace, targets ...float64) []Stair {
	var all []float64
	for _, target := range targets {
		all = append(all, FixedTarget(runs, target).Costs...)
	}
	return ECDF(all)
}

// Profile returns the performance profile of each solver (E. D. Dolan, J. J. More: Benchmarking
// optimization software with performance profiles, Math. Program. 91, 2002,
// doi:10.1007/s101070100263): the share of instances on which its cost is at most X times the least
// cost. costs[i][j] is the cost of solver j on instance i, at least 0, +Inf if it failed.
func Profile(costs [][]float64) ([][]Stair, error) {
	if len(costs) == 0 {
		return nil, fmt.Errorf("stats: profile of no instance")
	}
	k := len(costs[0])
	ratios := make([][]float64, k)
	for i, row := range costs {
		if len(row) != k {
			return nil, fmt.Errorf("stats: profile: instance %d has %d costs, want %d", i, len(row), k)
		}
		for j, c := range row {
			if math.IsNaN(c) || c < 0 {
				return nil, fmt.Errorf("stats: profile: cost of solver %d on instance %d is %v, want 0 "+
					"or more", j, i, c)
			}
			least := slices.Min(row)
			switch {
			case math.IsInf(c, 1):
				ratios[j] = append(ratios[j], c)
			case c == least:
				ratios[j] = append(ratios[j], 1)
			default:
				ratios[j] = append(ratios[j], c/least)
			}
		}
	}
	out := make([][]Stair, k)
	for j, r := range ratios {
		out[j] = ECDF(r)
	}
	return out, nil
}
