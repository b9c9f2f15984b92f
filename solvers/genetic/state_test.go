package genetic_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// A state that is too large is not autosaved, and the record makes the run again.
func TestLargeState(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Uniform(31, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		most int64
		left bool
	}{{(4*31 + 16) * 12, false}, {(4*31 + 16) * 13, true}} {
		r, err := solvers.Open(solvers.Config{
			Name: "large", Solver: "ga", Variant: "tournament", Instance: inst, Seed: 1,
			Params: record.Of("population", 12),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		path := filepath.Join(t.TempDir(), "a.run")
		follow, err := solvers.Autosave(r, path, solvers.AutosaveOptions{LargestState: c.most})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Step(t.Context(), 3); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := follow(ctx); err != nil {
			t.Fatal(err)
		}
		_, err = os.Stat(solvers.StatePath(path))
		if left := !errors.Is(err, os.ErrNotExist); left != c.left {
			t.Errorf("up to %d bytes: a state was written: %v, want %v", c.most, left, c.left)
		}
		again, err := solvers.Load(t.Context(), path, inst, "")
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		if a, b := r.Last(), again.Last(); a.Digest != b.Digest || b.Iter != 3 {
			t.Errorf("loaded: %+v, want %+v", b, a)
		}
	}
}

// The size of a state is known before it is written, so that a large one is not copied as it grows.
func TestStateIsWrittenInPlace(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Uniform(200, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Name: "place", Solver: "ga", Variant: "tournament", Instance: inst, Seed: 1,
		Params: record.Of("population", 120),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	state, err := r.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if more := cap(state) - len(state); more > 4<<10 {
		t.Errorf("a state of %d bytes has room for %d more", len(state), more)
	}
}
