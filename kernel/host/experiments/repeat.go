package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"metalab/datasets"
	"metalab/kernel/host"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

func init() {
	host.HandleSeeds(func(
		ctx context.Context, h *host.Host, e *host.Run, over string,
	) (host.Seeder, error) {
		f, err := here.In(h).overOf(over)
		if err == nil {
			err = answers(ctx, f)
		}
		if err != nil {
			return nil, err
		}
		return &seeder{over: f, source: sourceOf(h)}, nil
	})
}

// A seeder runs the seeds of a repeat as units of an experiment in memory: each result enters the
// run's record as soon as it arrives, and missing ones are planned anew.
type seeder struct {
	over     experiment.Fabric
	source   func(*experiment.Unit) (string, error)
	progress experiment.Progress
}

// Far implements host.Seeder.
func (x *seeder) Far() (parts float64, seeds int, left time.Duration) { return x.progress.Far() }

// Over implements host.Seeder.
func (x *seeder) Over(say func(string)) solvers.SeedsElsewhere {
	return func(
		ctx context.Context, cfg solvers.Config, seeds []uint64, b record.Budget,
		done func(solvers.Result),
	) error {
		load := func(context.Context, string) (datasets.Instance, error) { return cfg.Instance, nil }
		units, err := seedUnits(ctx, &cfg, seeds, b, load)
		if err != nil {
			return err
		}
		const name = "repeat"
		s := &experiment.Memory{}
		if _, err := s.Add(ctx, name, experiment.Plan{}, units); err != nil {
			return err
		}
		ctx, end := context.WithCancelCause(ctx)
		defer end(nil)
		_, err = experiment.Make(ctx, s, name, experiment.Options{
			Load: load, Over: x.over, Source: x.source, Note: say, Progress: &x.progress,
			Each: func(r experiment.Row) {
				if r.Result.Error != "" {
					end(fmt.Errorf("solvers: repeat: seed %d: %s", r.Unit.Seed, r.Result.FirstLine()))
					return
				}
				trace, err := s.Trace(ctx, name, r.Unit.Number)
				if err != nil {
					end(err)
					return
				}
				done(resultOf(&r, trace))
			},
		})
		return err
	}
}

// seedUnits are the units of a run's seeds.
func seedUnits(
	ctx context.Context, cfg *solvers.Config, seeds []uint64, b record.Budget, load experiment.Loader,
) ([]experiment.Unit, error) {
	first := slices.Min(seeds)
	p := experiment.Plan{
		Settings: []experiment.Setting{{
			Name: cfg.Solver + "/" + cfg.Variant, Solver: cfg.Solver, Variant: cfg.Variant,
			Backend: cfg.Backend, Preset: cfg.Preset, Params: cfg.Params,
		}},
		Instances: []string{cmp.Or(cfg.Path, cfg.Instance.Name())}, Budget: b,
		Seeds: int(slices.Max(seeds)-first) + 1, First: first,
	}
	units, err := p.Units(ctx, load)
	return slices.DeleteFunc(units, func(u experiment.Unit) bool {
		return !slices.Contains(seeds, u.Seed)
	}), err
}

// resultOf is a row with its trace as the result of a repeat.
func resultOf(r *experiment.Row, trace []experiment.TracePoint) solvers.Result {
	var known []record.Point
	for _, p := range trace {
		known = append(known, record.Point{
			Iter: p.Iteration, Evals: p.Evaluations, Best: p.Best, Wall: p.Wall, CPU: p.CPU,
		})
	}
	x := r.Result
	return solvers.Result{
		Seed: r.Unit.Seed, Gap: x.Gap, Why: x.Why, History: solvers.Between(known),
		Point: record.Point{
			Iter: x.Iterations, Evals: x.Evaluations, Best: x.Best, Digest: x.Digest, Wall: x.Wall,
			CPU: x.CPU,
		},
	}
}
