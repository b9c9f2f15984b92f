package stream

import (
	"errors"
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// costOf returns the cost of a unit's solution. On a user's problem it depends on the problem's
// parameters.
func costOf(
	u *experiment.Unit, inst datasets.Instance, r *experiment.Result,
) (float64, error) {
	if own, ok := inst.(interface {
		CostWith(s record.Solution, values record.Values) (float64, error)
	}); ok {
		return own.CostWith(r.Solution, u.Params)
	}
	return solvers.Cost(inst, r.Solution)
}

// fits returns why a result cannot be that of a unit: what can be tested without making the unit
// again.
func fits(u *experiment.Unit, inst datasets.Instance, r *experiment.Result) error {
	if r.Error != "" {
		if !math.IsNaN(r.Best) || len(r.Trace) > 0 || r.Iterations > 0 {
			return fmt.Errorf("it failed, and has a best value of %v in iteration %d", r.Best, r.Iterations)
		}
		return nil
	}
	cost, err := costOf(u, inst, r)
	switch {
	case err != nil:
		return fmt.Errorf("its solution is none: %w", err)
	case cost != r.Best:
		return fmt.Errorf("its solution costs %v, and it says %v", cost, r.Best)
	}
	b := u.Budget
	short := r.Iterations < b.Iterations && r.Why == ""
	if b.Iterations > 0 && (r.Iterations > b.Iterations || short) {
		return fmt.Errorf("it made %d iterations of %d", r.Iterations, b.Iterations)
	}
	if r.Iterations > 0 && len(r.Trace) == 0 {
		return errors.New("it has no trace")
	}
	for i, p := range r.Trace {
		if math.IsNaN(p.Best) {
			return fmt.Errorf("row %d of its trace has no number", i+1)
		}
		if i > 0 && p.Best > r.Trace[i-1].Best {
			return fmt.Errorf("row %d of its trace is worse than the one before", i+1)
		}
	}
	if n := len(r.Trace); n > 0 && (r.Trace[n-1].Best != r.Best || r.Trace[n-1].Iteration !=
		r.Iterations) {
		return fmt.Errorf("its trace ends at %v in iteration %d, and it says %v in %d",
			r.Trace[n-1].Best, r.Trace[n-1].Iteration, r.Best, r.Iterations)
	}
	return nil
}
