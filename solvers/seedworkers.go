package solvers

import (
	"context"
	"fmt"

	"metalab/datasets"
	"metalab/solvers/record"
)

// SeedWorkers runs the seeds of a repeat in other processes with the same program, such as the
// workers of a page. Results are the same as in this process, except for times.
type SeedWorkers struct {
	Count int // the number of seeds that run at a time

	// Make runs the seed of a record and returns its result; see MakeSeed. It reports the spent
	// fraction of the budget, 0 to 1, to part.
	Make func(ctx context.Context, rec *record.Record, part func(float64)) (record.Seeded, error)
}

// Over returns a SeedsElsewhere that distributes seeds to the workers and reports progress to g.
// Each worker gets the run as a record without iterations, with the seed and an empty series with
// the parameters and the budget.
func (w *SeedWorkers) Over(g *Gauge) SeedsElsewhere {
	return func(
		ctx context.Context, cfg Config, seeds []uint64, b record.Budget, done func(Result),
	) error {
		v, err := Find(cfg.Solver, cfg.Variant, cfg.Backend)
		if err != nil {
			return err
		}
		h := record.NewHeader()
		h.Run, h.Solver, h.Variant, h.Revision = cfg.Name, v.Solver, v.Name, v.Revision
		h.Backend, h.Preset, h.Params, h.Start = v.Backend, cfg.Preset, cfg.Params, cfg.Start
		h.Instance = RefOf(cfg.Instance, cfg.Path)
		s := record.Series{Params: cfg.Params, Backend: cfg.Backend, Budget: b}
		one := func(ctx context.Context, i int) (Result, error) {
			if err := ctx.Err(); err != nil {
				return Result{}, err
			}
			rec := &record.Record{Header: h, Repeats: []record.Series{s}, Whole: true}
			rec.Header.Seed = seeds[i]
			x, err := w.Make(ctx, rec, func(part float64) { g.see(i, part) })
			if err == nil && x.Seed != seeds[i] {
				err = fmt.Errorf("what came of it is of seed %d", x.Seed)
			}
			return resultOf(&x), err
		}
		_, err = sideBySide(ctx, seeds, w.Count, g, one, done)
		return err
	}
}

// resultOf is the result of which a record has what came of a seed. Its history is the curve.
func resultOf(x *record.Seeded) Result {
	r := Result{
		Seed: x.Seed, Why: x.Why, Point: record.Point{
			Iter: x.Iter, Best: x.Best, Digest: x.Digest, Wall: x.Wall, CPU: x.CPU,
		},
	}
	for i, at := range x.Curve.Iter {
		r.History = append(r.History, record.Point{
			Iter: at, Best: x.Curve.Best[i], Wall: x.Curve.Wall[i], CPU: x.Curve.CPU[i],
		})
	}
	return r
}

// MakeSeed runs the seed of a record that a repeat sends to another process. stop stands for the
// limits of its budget other than iterations; nil: there are none.
func MakeSeed(
	ctx context.Context, rec *record.Record, inst datasets.Instance, stop Stop, part func(float64),
) (x record.Seeded, err error) {
	h := rec.Header
	if len(rec.Repeats) != 1 || rec.End != 0 {
		return x, fmt.Errorf("the record of a seed has %d series and %d iterations, want 1 and 0: %w",
			len(rec.Repeats), rec.End, record.ErrFormat)
	}
	v, err := Find(h.Solver, h.Variant, h.Backend)
	if err != nil {
		return x, err
	}
	if v.Revision != h.Revision {
		return x, &RevisionError{
			Solver: h.Solver, Variant: h.Variant, Record: h.Revision, Program: v.Revision, Header: h,
		}
	}
	b := rec.Repeats[0].Budget
	used := PartOf(b)
	telling := func(start record.Point) func(*record.Point) string {
		rule := func(*record.Point) string { return "" }
		if stop != nil {
			rule = stop(start)
		}
		return func(p *record.Point) string {
			part(used(p))
			return rule(p)
		}
	}
	if b.Iterations <= 0 && stop == nil {
		return x, errNoBudget
	}
	res, _, err := once(ctx, Config{
		Start: h.Start, Name: h.Run, Solver: h.Solver, Variant: h.Variant, Backend: h.Backend,
		Instance: inst, Path: h.Instance.Path, Preset: h.Preset, Params: h.Params,
	}, h.Seed, Budget{Iterations: int(b.Iterations), Stop: telling}, 0)
	if err != nil {
		return x, err
	}
	return seeded(res), nil
}
