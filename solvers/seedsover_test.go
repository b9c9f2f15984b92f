package solvers_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// improvedOnly are the points of a history that a trace has: the first, each with a new best, and
// the last.
func improvedOnly(history []record.Point, last record.Point) []record.Point {
	var out []record.Point
	for _, p := range history {
		if p.Iter < last.Iter && (p.Improved || p.Iter == 1) {
			out = append(out, p)
		}
	}
	return append(out, last)
}

// Seeds that are made elsewhere stand in the record as those that are made here, but for their
// times: whatever the number of iterations, on both sides of each doubling of a curve's pattern.
func TestSeedsElsewhere(t *testing.T) {
	inst, err := datasets.Uniform(40, 1)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 70), rapid.IntRange(120, 140), rapid.IntRange(250, 600)).
			Draw(t, "iterations")
		first := rapid.Uint64Range(1, 1000).Draw(t, "seed")
		open := func() *solvers.Run {
			r, err := solvers.Open(solvers.Config{Solver: "toy", Instance: inst, Seed: first})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		here, there := open(), open()
		defer here.Close()
		defer there.Close()
		q := solvers.Repeats{Seeds: 3, Budget: record.Budget{Iterations: int64(n)}}
		want, _, err := here.Repeat(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		q.Over = func(
			ctx context.Context, cfg solvers.Config, seeds []uint64, b record.Budget,
			done func(solvers.Result),
		) error {
			_, err := solvers.Repeat(ctx, cfg, seeds, solvers.Budget{Iterations: int(b.Iterations)},
				func(x solvers.Result) {
					x.History = solvers.Between(improvedOnly(x.History, x.Point))
					done(x)
				})
			return err
		}
		got, _, err := there.Repeat(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Seeds {
			a, b := want.Seeds[i], got.Seeds[i]
			if a.Seed != b.Seed || a.Best != b.Best || a.Digest != b.Digest || a.Iter != b.Iter ||
				!slices.Equal(a.Curve.Iter, b.Curve.Iter) || !slices.Equal(a.Curve.Best, b.Curve.Best) {
				t.Fatalf("elsewhere:\n%+v\nhere:\n%+v", b, a)
			}
			if !slices.IsSorted(b.Curve.Wall) || len(b.Curve.Wall) != len(b.Curve.Iter) {
				t.Fatalf("times of a curve: %v", b.Curve.Wall)
			}
		}
	})
}
