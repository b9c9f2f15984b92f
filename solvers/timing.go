package solvers

import (
	"context"
	"fmt"
	"time"

	"metalab/solvers/wave"
)

// A Span is the time that a part of an iteration took on a device. Spans are never compared, and no
// record holds them.
type Span struct {
	Name string // such as "walk"; "iteration" is the whole
	Time time.Duration
}

// A Timer is an Algorithm that iterates on a device with a timer. Measuring changes no result, but
// costs some microseconds an iteration.
type Timer interface {
	// Time starts or stops measuring, from the next iteration on. It returns false if nothing can be
	// measured, as on the CPU.
	Time(on bool) bool

	// Spans returns the latest measurements, nil before the first. Every second iteration is measured
	// only as a whole, so the spans hold the parts of one iteration and the total of another.
	Spans() []Span
}

// A Wave reports how the tuner of package wave found a launch configuration.
type Wave struct {
	What   string       // the launch, such as "walk of 1002 ants"
	Trials []wave.Trial // the trials so far, in order
	Config wave.Config  // the configuration in use, whoever chose it
	Tuned  bool         // the tuner has finished its trials and chosen
}

// A Waver is an Algorithm whose schedule a tuner finds by measuring time. That changes no result.
type Waver interface {
	// Waves returns the tuner's tables, nil if nothing is tuned.
	Waves() []Wave
}

// An UntunedReporter is a Waver that can say why nothing is tuned at present; empty: no reason.
type UntunedReporter interface{ Untuned() string }

// Time starts or stops measuring the parts of iterations on the run's device.
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

// Spans returns the latest measurements, see Timer; none before the first call of Time.
func (r *Run) Spans(ctx context.Context) (spans []Span, err error) {
	err = r.View(ctx, func(a Algorithm) {
		if t, ok := a.(Timer); ok {
			spans = t.Spans()
		}
	})
	return spans, err
}

// Waves returns the trials and choices of the tuner of the run's schedule; none if nothing is
// tuned.
func (r *Run) Waves(ctx context.Context) (waves []Wave, err error) {
	err = r.View(ctx, func(a Algorithm) {
		if w, ok := a.(Waver); ok {
			waves = w.Waves()
		}
	})
	return waves, err
}
