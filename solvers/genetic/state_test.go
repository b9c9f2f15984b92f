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
	}{{4 * 31 * 12, false}, {4 * 31 * 13, true}} {
		r, err := solvers.Open(solvers.Config{
			Name: "large", Solver: "ga", Variant: "rivals", Instance: inst, Seed: 1,
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
