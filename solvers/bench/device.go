package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"metalab/solvers"
)

// mostTuning is the largest number of iterations for the tuner of a schedule before the measurement
// of a device's spans.
const mostTuning = 200

// timed makes one run of a row that measures a device's spans. It returns the figure, and the wall
// seconds of all iterations.
func (r *Row) timed(
	ctx context.Context, cfg solvers.Config, seed uint64,
) (value, seconds float64, err error) {
	cfg.Seed = seed
	run, err := solvers.Open(cfg)
	if err != nil {
		return 0, 0, err
	}
	defer run.Close()
	// at once, so that a backend without a clock fails before any work
	if err := run.Time(ctx, true); err != nil {
		return 0, 0, err
	}
	if err := tune(ctx, run); err != nil {
		return 0, 0, err
	}
	names := strings.FieldsFunc(r.Span, func(c rune) bool { return c == '/' || c == '-' })
	spans := make([][]float64, len(names))
	// A device measures parts and whole in turn, so two iterations give a figure of each.
	for range 2 * r.Stop.Iterations {
		if err := run.Step(ctx, 1); err != nil {
			return 0, 0, err
		}
		took, err := run.Spans(ctx)
		if err != nil {
			return 0, 0, err
		}
		for i, name := range names {
			for _, s := range took {
				if s.Name == name {
					spans[i] = append(spans[i], float64(s.Time)/float64(time.Millisecond))
				}
			}
		}
	}
	var medians []float64
	for i, name := range names {
		if len(spans[i]) == 0 {
			return 0, 0, fmt.Errorf(
				"bench: %s/%s on %s measures no span %q", cfg.Solver, cfg.Variant, cfg.Backend, name,
			)
		}
		medians = append(medians, Median(spans[i]))
	}
	switch value = medians[0]; {
	case strings.Contains(r.Span, "/"):
		value /= medians[1]
	case strings.Contains(r.Span, "-"):
		value -= medians[1]
	}
	if r.PerSize {
		ants, _ := run.Header().Params["ants"].Float()
		value *= float64(cfg.Instance.Size()) / ants
	}
	return value, run.Last().Wall, nil
}

// tune steps a run until its schedule is tuned, where anything is.
func tune(ctx context.Context, run *solvers.Run) error {
	for range mostTuning {
		if err := run.Step(ctx, 1); err != nil {
			return err
		}
		waves, err := run.Waves(ctx)
		if err != nil {
			return err
		}
		trying := false
		for _, w := range waves {
			trying = trying || len(w.Trials) > 0 && !w.Tuned
		}
		if !trying {
			return nil
		}
	}
	return nil
}
