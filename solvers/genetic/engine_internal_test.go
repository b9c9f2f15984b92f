package genetic

import (
	"context"
	"errors"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// Genetic search whose tours an engine has keeps the laws, and does what it does without one.
func TestTournamentOnAnEngine(t *testing.T) {
	t.Parallel()
	const backend = "local"
	solvers.Register(TournamentOn(backend, NewCPU))
	t.Cleanup(func() { solvers.Remove("ga", "tournament", backend) })
	inst, err := datasets.Uniform(31, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, params := range map[string]record.Values{
		"paper": record.Of(
			"population", 16, "groups", 2, "pairing", "half", "origin", "same", "mutants", "all",
			"mutation", 0.3, "move", "random", "moves", 2, "elite", "improved", "exchange_period", 2,
		),
		"best": record.Of("population", 18, "groups", 3, "exchange_period", 2, "moves", 5),
		"nn":   record.Of("population", 12, "start", "nn", "elite", "copied", "crossover", "scx"),
		"2opt": record.Of("population", 12, "start", "2opt", "crossover", "bcscx"),
	} {
		t.Run(name, func(t *testing.T) {
			conform.Check(t, conform.Case{
				Solver: "ga", Variant: "tournament", Backend: backend, Instance: inst, Seed: 3,
				Params: params, Trials: 6, Presets: []string{"best"},
				Ranges: map[string][2]float64{
					"population": {4, 30}, "groups": {1, 5}, "moves": {1, 9}, "workers": {0, 4},
					"minima": {1, 2}, "minima_generations": {1, 3}, "exchange_period": {0, 4},
				},
			})
		})
	}
}

// Local minima that searches on an engine make side by side, or in several turns, are those that
// are made one after the other.
func TestMinimaOnAnEngine(t *testing.T) {
	const backend = "minima"
	solvers.Register(TournamentOn(backend, NewCPU))
	t.Cleanup(func() { solvers.Remove("ga", "tournament", backend) })
	defer func(n int) { sideBySide = n }(sideBySide)
	for _, n := range []int{3, 41} {
		inst, err := datasets.Uniform(n, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, origin := range []string{"same", "drawn"} {
			made := func(backend string) record.Point {
				r, err := solvers.Open(solvers.Config{
					Name: "m", Solver: "ga", Variant: "tournament", Backend: backend, Instance: inst, Seed: 5,
					Params: record.Of(
						"population", 11, "start", "minima", "minima", 5, "minima_generations", 4, "origin", origin,
					),
				})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				if err := r.Step(t.Context(), 3); err != nil {
					t.Fatal(err)
				}
				return r.Last()
			}
			want := made("cpu")
			for _, sideBySide = range []int{0, 4 * n * 2 * minimaTours * 3, 1 << 30} {
				got := made(backend)
				if got.Digest != want.Digest || got.Best != want.Best || got.Evals != want.Evals {
					t.Errorf("%d cities, origin=%s, %d bytes: %+v, want %+v", n, origin, sideBySide, got, want)
				}
			}
		}
	}
}

// losing is an engine whose copies fail.
type losing struct {
	Engine
	fail error
}

func (e *losing) Tour(row int32, tour []int32) error {
	return errors.Join(e.fail, e.Engine.Tour(row, tour))
}

func (e *losing) Reproduce(ctx context.Context, j Job, births []Birth, out []Made) error {
	return errors.Join(e.fail, e.Engine.Reproduce(ctx, j, births, out))
}

// A state that is lost with a device is not taken for another: the run fails, and is not forked.
func TestLostEngine(t *testing.T) {
	t.Parallel()
	lost := errors.New("the device is lost")
	inst, err := datasets.Uniform(31, 1)
	if err != nil {
		t.Fatal(err)
	}
	var e *losing
	solvers.Register(TournamentOn("losing", func(p *Problem) (Engine, error) {
		made, err := NewCPU(p)
		e = &losing{Engine: made}
		return e, err
	}))
	t.Cleanup(func() { solvers.Remove("ga", "tournament", "losing") })
	r, err := solvers.Open(solvers.Config{
		Name: "lost", Solver: "ga", Variant: "tournament", Backend: "losing", Instance: inst, Seed: 1,
		Params: record.Of("population", 8),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	e.fail = lost
	if _, err := r.Fork(t.Context(), solvers.Fork{Name: "again", Backend: "cpu"}); err == nil {
		t.Error("a lost state was restored")
	}
	if err := r.Step(t.Context(), 1); !errors.Is(err, lost) {
		t.Errorf("the next iteration: %v, want %v", err, lost)
	}
}
