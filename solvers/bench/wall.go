package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"metalab/datasets"
	"metalab/solvers"
)

// fromFile makes a run of a row whose stop counts seconds of the wall from the instance's file on:
// what reading it took, opening the run, and iterating, on all cores and the device.
func (r *Row) fromFile(
	ctx context.Context, cfg solvers.Config, seed uint64,
) (value, seconds float64, err error) {
	begin := time.Now()
	spent := func() float64 { return r.reading + time.Since(begin).Seconds() }
	cfg.Seed = seed
	run, err := solvers.Open(cfg)
	if err != nil {
		return 0, 0, err
	}
	defer run.Close()
	if r.Before > 0 {
		if err := run.Step(ctx, r.Before); err != nil {
			return 0, 0, err
		}
	}
	begun := run.Last()
	if n := r.Stop.Iterations - r.Before; r.Stop.Iterations == 0 || n > 0 {
		if r.Stop.Iterations == 0 {
			n = -1
		}
		left := time.Duration((r.Stop.Wall - spent()) * float64(time.Second))
		_, err = run.StepUntil(ctx, n, solvers.ForWall(max(left, time.Millisecond)))
		if err != nil {
			return 0, 0, err
		}
	}
	best, err := run.Best(ctx) // computed anew
	if err != nil {
		return 0, 0, err
	}
	seconds = spent()
	end := run.Last()
	switch r.Measure {
	case Gap:
		b, ok := cfg.Instance.(interface {
			BestKnown() (datasets.BestKnown, bool)
		}).BestKnown()
		if !ok {
			return 0, 0, fmt.Errorf("bench: %s has no best known value", cfg.Instance.Name())
		}
		return solvers.Gap(best.Value, &b.Value), seconds, nil
	case Best:
		return best.Value, seconds, nil
	case Seconds:
		return seconds, seconds, nil
	case PerSecond:
		return float64(end.Evals-begun.Evals) / (end.Wall - begun.Wall), seconds, nil
	case Memory:
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.Sys-m.HeapReleased) / 1e6, seconds, nil
	}
	return 0, 0, fmt.Errorf("bench: a stop by the wall from the file on has no measure %s", r.Measure)
}
