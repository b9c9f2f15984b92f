package stream_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/ants" // registers mmas
	"metalab/solvers/experiment/stream"
	_ "metalab/solvers/genetic" // registers ga
	"metalab/solvers/record"
)

// islands opens a run of islands.
func islands(t *testing.T, solver string, params record.Values) *solvers.Run {
	t.Helper()
	inst, err := datasets.Uniform(80, 3)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{Solver: solver, Instance: inst, Seed: 5, Params: params})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func isles(t *testing.T, a stream.Address) *stream.Islands {
	t.Helper()
	s, err := stream.OpenIslands(t.Context(), a, quick, func(s string) { t.Log(s) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func sameRuns(t *testing.T, what string, a, b *solvers.Run) {
	t.Helper()
	p, q := a.Last(), b.Last()
	if p.Iter != q.Iter || p.Digest != q.Digest || p.Best != q.Best || p.Mean != q.Mean ||
		p.Evals != q.Evals || !slices.Equal(p.Measures, q.Measures) {
		t.Fatalf("%s: %+v, here %+v", what, p, q)
	}
	x, errx := a.Best(context.Background())
	y, erry := b.Best(context.Background())
	if err := errors.Join(errx, erry); err != nil || solvers.HashSolution(x.Solution) !=
		solvers.HashSolution(y.Solution) {
		t.Fatalf("%s: another best solution, %v", what, err)
	}
}

func goFor(t *testing.T, r *solvers.Run, n int) {
	t.Helper()
	ctx, end := context.WithTimeout(context.Background(), 5*time.Minute)
	defer end()
	if err := r.Step(ctx, n); err != nil {
		t.Fatal(err)
	}
}

// The history over two workers is that of one process, whatever is done in the middle: changes,
// steps that are given up, snapshots, forks, workers that end and come, and going home.
func TestIslandsOverWorkers(t *testing.T) {
	b := start(t, 0)
	end := work(t, &stream.Worker{Address: address(b), Name: "attic", Cores: 2})
	work(t, &stream.Worker{Address: address(b), Name: "cellar", Cores: 2})
	for solver, params := range map[string]record.Values{
		"ga": record.Of("islands", 4, "migration_period", 2, "population", 16),
		"mmas": record.Of("islands", 3, "migration_period", 3, "migration_delay", 0, "ants", 3,
			"colonies", 2, "exchange_period", 2),
	} {
		if solver == "mmas" && testing.Short() {
			continue
		}
		over, here := islands(t, solver, params), islands(t, solver, params)
		s := isles(t, address(b))
		if err := over.PlaceIslands(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		goFor(t, over, 7)
		if has := s.Reached(); len(has) != 2 || has["attic"] < 1 || has["cellar"] < 1 {
			t.Errorf("islands are with %v", has)
		}
		goFor(t, here, 7)
		sameRuns(t, solver, over, here)
		change := record.Of("migration_topology", "all", "migration_policy", "all")
		for _, r := range []*solvers.Run{over, here} {
			if _, err := r.Set(t.Context(), change, "test"); err != nil {
				t.Fatal(err)
			}
		}
		for range 20 {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Millisecond)
			_ = over.Step(ctx, 1)
			cancel()
			if over.Last().Iter > 9 {
				break
			}
		}
		goFor(t, over, 14-int(over.Last().Iter))
		goFor(t, here, 7)
		sameRuns(t, solver+" after steps that were given up", over, here)
		x, errx := over.Snapshot(t.Context())
		y, erry := here.Snapshot(t.Context())
		if err := errors.Join(errx, erry); err != nil || string(x) != string(y) {
			t.Errorf("%s: the states differ: %v", solver, err)
		}
		f, err := over.Fork(t.Context(), solvers.Fork{Name: "f"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Close)
		goFor(t, f, 5)
		if err := over.PlaceIslands(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		goFor(t, over, 5)
		goFor(t, here, 5)
		sameRuns(t, solver+" at home again", over, here)
		sameRuns(t, solver+" forked", f, here)
		if has := s.Reached(); len(has) != 0 {
			t.Errorf("after that islands are with %v", has)
		}
	}
	end()
}

// The islands of a worker that is lost go on from their last states on another, and where there is
// none they wait for one.
func TestIslandsOfALostWorker(t *testing.T) {
	b := start(t, 0)
	first := work(t, &stream.Worker{Address: address(b), Name: "attic", Cores: 2})
	params := record.Of("islands", 3, "migration_period", 2, "population", 16)
	over, here := islands(t, "ga", params), islands(t, "ga", params)
	s := isles(t, address(b))
	s.Renew = 20 * time.Millisecond
	if err := over.PlaceIslands(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	goFor(t, over, 9)
	first()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	if err := over.Step(ctx, 1); err == nil && over.Last().Iter == 10 {
		t.Error("an iteration was made without a worker")
	}
	cancel()
	second := work(t, &stream.Worker{Address: address(b), Name: "cellar", Cores: 2})
	goFor(t, over, 5)
	second()
	work(t, &stream.Worker{Address: address(b), Name: "loft", Cores: 2})
	goFor(t, over, 20-int(over.Last().Iter))
	goFor(t, here, 20)
	sameRuns(t, "over workers that were lost", over, here)
	if has := s.Reached(); has["loft"] != 3 || len(has) != 1 {
		t.Errorf("islands are with %v", has)
	}
}

func TestNoIslandsToPlace(t *testing.T) {
	b := start(t, 0)
	s := isles(t, address(b))
	r := islands(t, "ga", record.Of("population", 16))
	err := r.PlaceIslands(t.Context(), s)
	if err == nil || !strings.Contains(err.Error(), "islands=4") {
		t.Errorf("a run without islands: %v", err)
	}
	nowhere := stream.Address{URL: "nats://127.0.0.1:1", Token: secret}
	_, err = stream.OpenIslands(t.Context(), nowhere, quick, nil)
	if err == nil || !strings.Contains(err.Error(), "nothing listens there") {
		t.Errorf("a broker that is not there: %v", err)
	}
}

// Islands over workers that do not wait for each other come as they do, workers are lost meanwhile,
// and the whole is made again in this process, with no broker.
func TestAsynchronousOverWorkers(t *testing.T) {
	b := start(t, 0)
	first := work(t, &stream.Worker{Address: address(b), Name: "attic", Cores: 2})
	work(t, &stream.Worker{Address: address(b), Name: "cellar", Cores: 1})
	r := islands(t, "ga", record.Of("islands", 4, "migration_period", 5, "population", 16,
		"migration_mode", "async", "migration_policy", "all"))
	s := isles(t, address(b))
	s.Renew = 20 * time.Millisecond
	if err := r.PlaceIslands(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	goFor(t, r, 3)
	if _, err := r.Set(t.Context(), record.Of("mutation", 0.4, "migration_topology", "all"),
		"test"); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Millisecond)
		_ = r.Step(ctx, 2)
		cancel()
	}
	first()
	goFor(t, r, 3)
	if err := r.PlaceIslands(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	goFor(t, r, 2)
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	one, err := r.IslandRecord(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	for what, rec := range map[string]*record.Record{"the run": rec, "island 2": one} {
		d, err := solvers.Replay(t.Context(), rec, r.Instance(), solvers.ReplayOptions{})
		if err != nil || d != nil {
			t.Errorf("%s: difference %v, error %v", what, d, err)
		}
	}
}
