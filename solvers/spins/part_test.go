package spins_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/moves"
	"metalab/solvers/record"
)

// graph draws an instance of few vertices.
func graph(t *rapid.T) datasets.Instance {
	seed := rapid.IntRange(1, 1000).Draw(t, "graph")
	name := fmt.Sprintf(rapid.SampledFrom([]string{
		"gset-like-60-20-%d", "gset-like-30-20-%d-pm", "glass-4x5-%d", "torus-6x5-%d",
	}).Draw(t, "family"), seed)
	inst, _, err := datasets.Generate(name)
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

// recorded makes a run with changes and forks between its iterations, and returns its record.
func recorded(t *rapid.T, inst datasets.Instance) *record.Record {
	ctx := context.Background()
	cfg := solvers.Config{
		Solver: "anneal", Variant: rapid.SampledFrom([]string{"spins", "population"}).Draw(t, "variant"),
		Instance: inst, Seed: rapid.Uint64().Draw(t, "seed"),
		Params: record.Of("walks", rapid.IntRange(1, 300).Draw(t, "walks"),
			"sweeps", rapid.IntRange(1, 2).Draw(t, "sweeps"), "cooling", 0.8, "temperature", 2),
	}
	if cfg.Variant == "population" {
		cfg.Params["island"] = record.Num(float64(rapid.IntRange(1, 140).Draw(t, "island")))
	}
	if rapid.Bool().Draw(t, "given") {
		cfg.Start = &record.Start{Solution: record.Solution{Bits: make([]int8, inst.Size())}}
	}
	r, err := solvers.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { r.Close() }()
	for range rapid.IntRange(1, 5).Draw(t, "stretches") {
		if err := r.Step(ctx, rapid.IntRange(1, 6).Draw(t, "iterations")); err != nil {
			t.Fatal(err)
		}
		with := rapid.SampledFrom([]record.Values{
			record.Of("temperature", 0.3), record.Of("temperature", 3, "sweeps", 3),
			record.Of("cooling", 0.6), record.Of("schedule", "geometric"), record.Of("reheat", 0.5),
			record.Of("workers", 2), nil,
		}).Draw(t, "change")
		if rapid.IntRange(0, 3).Draw(t, "fork") == 0 {
			seed := rapid.Uint64().Draw(t, "seed of the fork")
			n, err := r.Fork(ctx, solvers.Fork{Name: "f", With: with, Seed: &seed})
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			r = n
		} else if _, err := r.Set(ctx, with, "test"); with != nil && err != nil {
			t.Fatal(err)
		}
	}
	rec, err := r.Record(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// The part of the walk that found the best gives the best of the whole run, whatever the graph, the
// walks, the islands, the seed and the changes; and a record that says something else is found out.
func TestBestAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		inst := graph(t)
		rec := recorded(t, inst)
		of, end := *rec, rec.Best
		got, err := solvers.ReplayBest(context.Background(), rec, inst, solvers.ReplayOptions{})
		if end.Iter == 0 || end.Agent == nil {
			if !errors.Is(err, solvers.ErrWhole) {
				t.Fatalf("%v, and the start is the best", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if got.Difference != nil {
			t.Fatalf("%v alone: %v", got.Part, got.Difference)
		}
		p, agent := got.Part, *end.Agent
		if p.First > agent || agent > p.Last || p.Last >= p.Of || got.Iterations != end.Iter ||
			got.Best.Value != end.Value || !slices.Equal(got.Best.Solution.Bits, end.Solution.Bits) {
			t.Fatalf("%+v of walk %d", got, agent)
		}
		fault := rapid.SampledFrom([]string{"bit", "value", "iteration", "walk"}).Draw(t, "fault")
		of.Best.Solution = end.Solution.Clone()
		switch fault {
		case "bit":
			of.Best.Solution.Bits[rapid.IntRange(0, inst.Size()-1).Draw(t, "bit")] ^= 1
		case "value":
			of.Best.Value--
		case "iteration":
			if of.Best.Iter++; of.Best.Iter > of.End {
				return
			}
		case "walk":
			other := (agent + rapid.IntRange(1, max(p.Of-1, 1)).Draw(t, "other")) % p.Of
			if other == agent {
				return
			}
			of.Best.Agent = &other
		}
		got, err = solvers.ReplayBest(context.Background(), &of, inst, solvers.ReplayOptions{})
		if err == nil && fault == "walk" && got.Part != p && got.Difference == nil {
			return // which found the same later in the order of the walks
		}
		if err != nil || got.Difference == nil {
			t.Fatalf("a false %s: %+v, %v", fault, got, err)
		}
	})
}

// The best is known by its walk after a state is restored, and records without the walk are read.
func TestBestAloneOfOldRecords(t *testing.T) {
	t.Parallel()
	ctx, inst := context.Background(), load(t, "gset-like-60-20-1")
	r := openAs(t, "population", inst, record.Of("walks", 200, "island", 50, "sweeps", 2))
	if err := r.Step(ctx, 20); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		fork *solvers.Fork
		with func(*record.Record)
		says string
	}{
		{name: "whole", with: func(*record.Record) {}},
		{
			name: "without the walk", with: func(r *record.Record) { r.Best.Agent = nil },
			says: "does not say which agent",
		},
		{
			name: "a walk that there is not", says: "walk 200 of 200, want 0 to 199",
			with: func(r *record.Record) { at := 200; r.Best.Agent = &at },
		},
		{name: "no best", says: "want 1 to 20", with: func(r *record.Record) { r.Best.Iter = 21 }},
		{
			name: "other walks", says: "changes walks, and so the parts",
			with: func(r *record.Record) {
				r.Journal = append(r.Journal, record.Change{
					Kind: record.KindFork, Name: "f", With: record.Of("walks", 64),
				})
			},
		},
		{
			name: "other variant", says: "changes the variant to spins",
			with: func(r *record.Record) {
				r.Journal = append(r.Journal, record.Change{
					Kind: record.KindFork, Name: "f", Variant: "spins", Revision: 1,
				})
			},
		},
		{
			name: "after it", with: func(r *record.Record) {
				r.Journal = append(r.Journal, record.Change{
					Iter: r.Best.Iter, Kind: record.KindFork, Name: "f", With: record.Of("walks", 64),
				})
			},
		},
		{
			name: "a false old value", says: "temperature before it was set",
			with: func(r *record.Record) {
				r.Journal = append(r.Journal, record.Change{
					Kind: record.KindSet, Name: "temperature", Old: record.Num(9), New: record.Num(0.35),
				})
			},
		},
	} {
		rec, err := r.Record(ctx)
		if err != nil {
			t.Fatal(err)
		}
		c.with(rec)
		got, err := solvers.ReplayBest(ctx, rec, inst, solvers.ReplayOptions{})
		said := fmt.Sprint(err)
		if err == nil && got.Difference != nil {
			said = got.Difference.String()
		} else if err == nil {
			said = ""
		}
		if said != c.says && (c.says == "" || !strings.Contains(said, c.says)) {
			t.Errorf("%s: %q, want %q", c.name, said, c.says)
		}
	}
	tabu, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: inst, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer tabu.Close()
	if err := tabu.Step(ctx, 3); err != nil {
		t.Fatal(err)
	}
	rec, err := tabu.Record(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_, err = solvers.ReplayBest(ctx, rec, inst, solvers.ReplayOptions{})
	if !errors.Is(err, solvers.ErrWhole) || !strings.Contains(err.Error(), "has no parts") {
		t.Errorf("tabu: %v", err)
	}
}
