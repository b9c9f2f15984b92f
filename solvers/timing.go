package solvers

import (
	"context"
	"fmt"
	"time"

	"metalab/solvers/wave"
)

// A Span is how long a part of an iteration took on a device. Spans are never compared and
// stand in no record.
type Span struct {
	Name string // as "walk"; "iteration" is all of it
	Time time.Duration
}

// A Timer is an Algorithm whose iterations are made on a device that can time them.
// Measuring changes no result, but costs some microseconds an iteration.
type Timer interface {
	// Time begins or ends measuring, from the next iteration on. It returns false where
	// nothing can be measured, as on the cpu.
	Time(on bool) bool

	// Spans are the latest measurements: the parts of an iteration, and, as every second one
	// is measured as a whole only, the whole of another one; nil before the first.
	Spans() []Span
}

// A Wave says how the tuner of package wave found out how something is launched.
type Wave struct {
	What   string       // what is launched, as "walk of 1002 ants"
	Trials []wave.Trial // the table so far, in the order of the trials
	Config wave.Config  // what is launched now, whoever chose it
	Tuned  bool         // whether the tuner has chosen it: all trials are made
}

// A Waver is an Algorithm whose schedule a tuner finds by the clock, which changes no result.
type Waver interface {
	// Waves are the tuner's tables, nil where nothing is tuned.
	Waves() []Wave
}

// An Untuner is a Waver that can say why nothing of it is tuned at present; empty: no reason.
type Untuner interface{ Untuned() string }

// Time begins or ends measuring how long the parts of iterations take on the run's device.
func (r *Run) Time(ctx context.Context, on bool) error {
	can := false
	if err := r.View(ctx, func(a Algorithm) {
		if t, ok := a.(Timer); ok {
			can, r.timed = t.Time(on), on
		}
	}); err != nil {
		return err
	}
	if !can {
		return fmt.Errorf(
			"solvers: %s: no device times %s/%s on %s", r.name, r.variant.Solver, r.variant.Name,
			r.variant.Backend,
		)
	}
	return nil
}

// Spans returns the latest measurements, see Timer; none before Time.
func (r *Run) Spans(ctx context.Context) (spans []Span, err error) {
	err = r.View(ctx, func(a Algorithm) {
		if t, ok := a.(Timer); ok {
			spans = t.Spans()
		}
	})
	return spans, err
}

// Waves returns what the tuner of the run's schedule has tried and chosen; none where
// nothing is tuned.
func (r *Run) Waves(ctx context.Context) (waves []Wave, err error) {
	err = r.View(ctx, func(a Algorithm) {
		if w, ok := a.(Waver); ok {
			waves = w.Waves()
		}
	})
	return waves, err
}
