package host

import (
	"context"
	"fmt"
	"time"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/solvers"
	"metalab/solvers/record"
)

// UseSeedWorkers lets other processes make the seeds of repeats, in which [Host.MakeSeed] does;
// nil: this one. It may be called at any time.
func (h *Host) UseSeedWorkers(w *solvers.SeedWorkers) { h.seeders.Store(w) }

// besides finds the workers for a repeat that names none; nil: this process makes it. Problems
// whose code is in a cell, and GPUs, are this process's.
func (e *Run) besides(p *solvers.Repeats) Seeder {
	w := e.host.seeders.Load()
	if w == nil || p.Seeds < 2 || p.Changes || e.run.Variant().Backend != "cpu" ||
		e.run.Instance().Kind() == datasets.KindOwn {
		return nil
	}
	return &workersSeeder{w, p.Gauge}
}

// workersSeeder has workers make the seeds of a repeat.
type workersSeeder struct {
	workers *solvers.SeedWorkers
	gauge   *solvers.Gauge
}

// Over implements Seeder.
func (x *workersSeeder) Over(func(string)) solvers.SeedsElsewhere { return x.workers.Over(x.gauge) }

// Far implements Seeder.
func (x *workersSeeder) Far() (parts float64, seeds int, left time.Duration) {
	return x.gauge.Far()
}

// MakeSeed makes a seed that the host of another process gives away, from its record; see
// [solvers.MakeSeed].
func (h *Host) MakeSeed(
	ctx context.Context, rec *record.Record, part func(float64),
) (x record.Seeded, err error) {
	if len(rec.Repeats) != 1 {
		return x, fmt.Errorf("the record of a seed has %d series, want 1: %w", len(rec.Repeats),
			record.ErrFormat)
	}
	inst, err := h.InstanceOf(&Call{ctx: ctx, host: h}, rec.Header.Instance)
	if err != nil {
		return x, err
	}
	if inst.SHA256() != rec.Header.Instance.SHA256 {
		return x, fmt.Errorf("instance %s is other data here than where the repeat was asked for",
			rec.Header.Instance.Name)
	}
	stop, err := stopOf(rec.Repeats[0].Budget, record.Point{}, inst)
	if err != nil {
		return x, err
	}
	return solvers.MakeSeed(ctx, rec, inst, stop, part)
}

// stopOf returns the stop rule for the limits of a budget other than iterations.
func stopOf(b record.Budget, last record.Point, inst datasets.Instance) (solvers.Stop, error) {
	_, stop, _, err := budget(b.Iterations, reply.Num(b.Wall), reply.Num(b.CPU), b.Until, last, inst)
	return stop, err
}
