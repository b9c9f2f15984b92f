package solvers_test

import (
	"context"
	"errors"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

// endless never ends an iteration; it gives them up.
type endless struct {
	*toy.Search
	begun chan struct{}
}

func (e *endless) Iterate(ctx context.Context, _ int64, _ *record.Point) error {
	select {
	case e.begun <- struct{}{}:
	default:
	}
	<-ctx.Done()
	return ctx.Err()
}

// Who gives a step up, pauses or closes a run does not wait for an iteration that begins after
// the one under way was given up.
func TestNoIterationBeginsBeforeAnEnd(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 1)
	solvers.Put(solvers.Variant{
		Solver: "endless", Name: "x", Backend: "cpu", Revision: 1, Default: true, Deterministic: true,
		Kinds: []datasets.Kind{datasets.KindTSP},
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			return &endless{toy.New(inst.(*datasets.TSP)), begun}, nil
		},
	})
	for range 2000 { // the two meet by chance
		r, err := solvers.Open(solvers.Config{Solver: "endless", Instance: grid(t, 20)})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- r.Step(ctx, 1) }()
		<-begun
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("step: %v", err)
		}
		if err := r.Go(); err != nil {
			t.Fatal(err)
		}
		<-begun
		if err := r.Pause(""); err != nil || r.State() != solvers.Paused {
			t.Errorf("pause: %v, the run is %s", err, r.State())
		}
		if err := r.Go(); err != nil {
			t.Fatal(err)
		}
		<-begun
		r.Close()
	}
}
