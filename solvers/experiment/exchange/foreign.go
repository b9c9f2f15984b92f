package exchange

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// Backend is the backend of units that other programs made.
const Backend = "imported"

// most is the number of runs that are read at most.
const most = experiment.MaxUnits

// A Foreign is a run of another program, as it was read.
type Foreign struct {
	Solver   string // the program
	Variant  string
	Label    string // in tables; empty: solver, or solver/variant
	Instance string
	Seed     uint64
	Optimum  float64 // NaN: as the experiment knows it
	Maximise bool    // its file says that greater values are better
	Result   experiment.Result
}

// label is what the rows of the run are called.
func (f *Foreign) label() string {
	switch {
	case f.Label != "":
		return f.Label
	case f.Variant != "":
		return f.Solver + "/" + f.Variant
	}
	return f.Solver
}

// A Finder returns what is known of an instance by name.
type Finder func(ctx context.Context, name string) (record.InstanceRef, error)

// Add puts runs of other programs into an experiment, which is made where there is none, as units
// that are done. Their budget is that of the experiment's plan; what they took is in their results.
// Instances that the experiment has are its own; others are looked for by find, which may be nil,
// and are taken by name alone where they are not found. Runs that the experiment has already stay
// as they are. It returns how many are new.
func Add(
	ctx context.Context, s experiment.Store, name string, runs []Foreign, find Finder,
) (added int, err error) {
	if len(runs) == 0 {
		return 0, errors.New("exchange: there are no runs to add")
	}
	refs := map[string]record.InstanceRef{}
	var plan experiment.Plan
	info, err := s.Info(ctx, name)
	switch {
	case err == nil:
		plan = info.Plan
		for r, err := range s.Rows(ctx, name) {
			if err != nil {
				return 0, fmt.Errorf("exchange: %w", err)
			}
			if ref := r.Unit.Instance; refs[ref.Name].SHA256 == "" {
				refs[ref.Name] = ref
			}
		}
	case !errors.Is(err, experiment.ErrUnknown):
		return 0, fmt.Errorf("exchange: %w", err)
	}
	units := make([]experiment.Unit, len(runs))
	results := map[experiment.Key]experiment.Result{}
	for i := range runs {
		f := &runs[i]
		ref, ok := refs[f.Instance]
		if !ok {
			ref = record.InstanceRef{Name: f.Instance, Maximise: f.Maximise}
			if find != nil {
				switch found, err := find(ctx, f.Instance); {
				case err == nil:
					ref = found
				case ctx.Err() != nil:
					return 0, fmt.Errorf("exchange: %w", ctx.Err())
				}
			}
			refs[f.Instance] = ref
		}
		if f.Maximise && !ref.Maximise {
			return 0, fmt.Errorf("exchange: run %d maximises %s, which is minimised here", i+1, f.Instance)
		}
		u := experiment.Unit{
			Label: f.label(), Solver: f.Solver, Variant: f.Variant, Backend: Backend,
			Params: record.Values{}, Instance: ref, Seed: f.Seed, Preset: "default",
			Budget: plan.Budget,
		}
		if ref.SHA256 == "" {
			u.Instance.SHA256 = "name:" + ref.Name // keys of different instances differ
		}
		if u.Key, err = u.MakeKey(); err != nil {
			return 0, fmt.Errorf("exchange: %w", err)
		}
		if _, twice := results[u.Key]; twice {
			return 0, fmt.Errorf("exchange: run %d, %s on %s with seed %d, is there twice", i+1, f.label(),
				f.Instance, f.Seed)
		}
		results[u.Key] = complete(f, ref)
		units[i] = u
	}
	if added, err = s.Add(ctx, name, plan, units); err != nil {
		return 0, fmt.Errorf("exchange: %w", err)
	}
	return added, finish(ctx, s, name, results)
}

// complete turns values of the objective into costs, and fills in what follows from the instance.
func complete(f *Foreign, ref record.InstanceRef) experiment.Result {
	r, sense := f.Result, ref.Sense()
	r.Best, r.Optimum, r.Gap = sense.Cost(r.Best), sense.Cost(f.Optimum), math.NaN()
	r.Trace = slices.Clone(r.Trace)
	for i := range r.Trace {
		r.Trace[i].Best = sense.Cost(r.Trace[i].Best)
	}
	if math.IsNaN(r.Optimum) && ref.Best != nil {
		r.Optimum = *ref.Best
	}
	if r.Optimum != 0 && finite(r.Optimum) && finite(r.Best) {
		r.Gap = 100 * (r.Best - r.Optimum) / math.Abs(r.Optimum)
	}
	if r.Ended.IsZero() {
		r.Ended = time.Now()
	}
	return r
}

// finish stores the results of units that wait for them.
func finish(
	ctx context.Context, s experiment.Store, name string, results map[experiment.Key]experiment.Result,
) (err error) {
	q, err := s.Queue(ctx, name, false)
	if err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	defer func() {
		if e := q.Close(); err == nil && e != nil {
			err = fmt.Errorf("exchange: %w", e)
		}
	}()
	for {
		u, ok, err := q.Take(ctx, Backend)
		if err != nil || !ok {
			return err
		}
		r, known := results[u.Key]
		if !known {
			r = experiment.Result{
				Best: math.NaN(), Gap: math.NaN(), Optimum: math.NaN(), Ended: time.Now(),
				Error: "its import was interrupted: import it again",
			}
		}
		if err := q.Finish(ctx, u, r); err != nil {
			return fmt.Errorf("exchange: %w", err)
		}
	}
}
