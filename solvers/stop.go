package solvers

import (
	"fmt"
	"math"
	"time"

	"metalab/datasets"
	"metalab/solvers/record"
)

// A Stop is a rule that ends a step early. It receives the point at which the step begins, and
// returns a function. That function receives every later point and returns why to stop, or "".
// Rules that read a clock stop at a boundary that another machine would not choose; the record
// counts iterations all the same.
//
// A rule runs within its run, between two iterations. It reads the point: a call of the run that
// waits for the iteration, as Pause, Close, Step, Set and Best do, waits for ever, or until its
// context ends.
type Stop func(start record.Point) func(p *record.Point) string

// begin begins a rule; one that is nil, or begins with nil, never stops.
func (s Stop) begin(start record.Point) func(*record.Point) string {
	if s != nil {
		if f := s(start); f != nil {
			return f
		}
	}
	return func(*record.Point) string { return "" }
}

// ForWall stops after d of time spent iterating.
func ForWall(d time.Duration) Stop {
	return func(start record.Point) func(*record.Point) string {
		end := start.Wall + d.Seconds()
		return func(p *record.Point) string {
			p.Spent = max(p.Spent, 1-(end-p.Wall)/d.Seconds())
			if p.Wall >= end {
				return "after " + d.String()
			}
			return ""
		}
	}
}

// ForCPU stops after d of CPU time. It reads the clock about every millisecond.
func ForCPU(d time.Duration) Stop {
	return func(start record.Point) func(*record.Point) string {
		end := start.CPU + d.Seconds()
		return func(p *record.Point) string {
			p.Spent = max(p.Spent, 1-(end-p.CPU)/d.Seconds())
			if p.CPU >= end {
				return "after " + d.String() + " of CPU time"
			}
			return ""
		}
	}
}

// ForEvaluations stops after n more evaluations, at the end of the iteration with the last of them.
// For a solver that counts none, it stops after the first iteration; see Counter.
func ForEvaluations(n int64) Stop {
	return func(start record.Point) func(*record.Point) string {
		end := start.Evals + n
		return func(p *record.Point) string {
			switch {
			case p.Evals == 0:
				return "the solver counts no evaluations"
			case p.Evals >= end:
				return fmt.Sprintf("after %d evaluations", p.Evals-start.Evals)
			}
			return ""
		}
	}
}

// NoImprovement stops after n iterations in a row without a better best. It counts from the last
// improvement, whichever step found that, so several short steps stop where one long step does.
func NoImprovement(n int64) Stop {
	return func(record.Point) func(*record.Point) string {
		return func(p *record.Point) string {
			if p.Since >= n {
				return fmt.Sprintf("%d iterations without a better best", n)
			}
			return ""
		}
	}
}

// WithinGap stops when the best is at most percent above the instance's best known value. If none
// is known, it stops after the first iteration.
func WithinGap(inst datasets.Instance, percent float64) Stop {
	var best *float64
	if !absent(inst) {
		if b, ok := inst.BestKnown(); ok {
			best = &b.Value
		}
	}
	return func(record.Point) func(*record.Point) string {
		return func(p *record.Point) string {
			switch gap := Gap(p.Best, best); {
			case best == nil:
				return "no best value is known, so there is no gap"
			case gap <= percent:
				return fmt.Sprintf("gap %.4g%%", gap)
			}
			return ""
		}
	}
}

// AtIteration stops after iteration i.
func AtIteration(i int64) Stop {
	return func(record.Point) func(*record.Point) string {
		return func(p *record.Point) string {
			if p.Iter >= i {
				return fmt.Sprintf("at iteration %d", i)
			}
			return ""
		}
	}
}

// Iterations stops after n more iterations.
func Iterations(n int64) Stop {
	return func(start record.Point) func(*record.Point) string {
		end := start.Iter + n
		return func(p *record.Point) string {
			if p.Iter >= end {
				return fmt.Sprintf("after %d iterations", n)
			}
			return ""
		}
	}
}

// Any stops when the first of the rules does. A nil rule never does.
func Any(rules ...Stop) Stop {
	return func(start record.Point) func(*record.Point) string {
		fs := make([]func(*record.Point) string, len(rules))
		for i, r := range rules {
			fs[i] = r.begin(start)
		}
		return func(p *record.Point) string {
			for _, f := range fs {
				if why := f(p); why != "" {
					return why
				}
			}
			return ""
		}
	}
}

// Gap returns how far a value lies above the best known one, in percent; NaN if none is known. If
// the best known value is 0, Gap returns 0 for a value of 0, else +Inf.
func Gap(value float64, best *float64) float64 {
	switch {
	case best == nil:
		return math.NaN()
	case *best == 0 && value == 0:
		return 0
	case *best == 0:
		return math.Inf(1)
	}
	return 100 * (value - *best) / math.Abs(*best)
}
