package ants

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// goldenVar names a file to which TestGolden writes what a device computes.
const goldenVar = "METALAB_ANTS_GOLDEN"

func TestMain(m *testing.M) { os.Exit(emulate.Main(m)) }

// A trial is a run that both backends make.
type trial struct {
	Solver, Variant string
	Cities          int
	Metric          string // EUC_2D, CEIL_2D, ATT
	Spread          float64
	Params          record.Values
	Iterations      int
	Digests         []uint64 // after 1, 2, 4, 8, ... iterations and the last
	Best            float64
}

func (c trial) String() string {
	return fmt.Sprintf("%s %s n=%d %s %v", c.Solver, c.Variant, c.Cities, c.Metric, c.Params)
}

// instance makes clustered cities on a lattice of width Spread: a small one has many ties.
func (c trial) instance(t testing.TB) *datasets.TSP {
	t.Helper()
	e, err := datasets.DIMACS(c.Cities >= 100, c.Cities, 7)
	if err != nil {
		t.Fatal(err)
	}
	x, y := make([]float64, c.Cities), make([]float64, c.Cities)
	for i := range x {
		x[i], y[i] = float64(int(e.X[i]*c.Spread/1e6)), float64(int(e.Y[i]*c.Spread/1e6))
	}
	metric, err := datasets.ParseMetric(c.Metric)
	if err != nil {
		t.Fatal(err)
	}
	inst, err := datasets.NewTSP(fmt.Sprintf("twin%d", c.Cities), metric, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

func (c trial) open(t testing.TB, backend string, inst *datasets.TSP) *solvers.Run {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Name: backend, Solver: c.Solver, Variant: c.Variant, Backend: backend,
		Instance: inst, Seed: 0x9ABCDEF0123, Params: c.Params,
	})
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	t.Cleanup(r.Close)
	return r
}

func step(t testing.TB, r *solvers.Run, n int) record.Point {
	t.Helper()
	if err := r.Step(context.Background(), n); err != nil {
		t.Fatal(err)
	}
	return r.Last()
}

// digests makes the run's iterations and takes the digests that a trial holds.
func (c trial) digests(t testing.TB, r *solvers.Run) (d []uint64) {
	for i := 1; i <= c.Iterations; i++ {
		if p := step(t, r, 1); i&(i-1) == 0 || i == c.Iterations {
			d = append(d, p.Digest)
		}
	}
	return d
}

func params(kv ...any) record.Values {
	v := record.Values{}
	for i := 0; i < len(kv); i += 2 {
		switch x := kv[i+1].(type) {
		case int:
			v[kv[i].(string)] = record.Num(float64(x))
		case float64:
			v[kv[i].(string)] = record.Num(x)
		case string:
			v[kv[i].(string)] = record.Text(x)
		}
	}
	return v
}

// goldens are small enough for any machine's ordinary tests.
var goldens = []trial{
	{
		Solver: "mmas", Variant: "wrs", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 70,
		Params: params("ants", 9),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 97, Metric: "ATT", Spread: 5000, Iterations: 8,
		Params: params("ants", 13, "candidates", 9, "alpha", 1.5),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 198, Metric: "CEIL_2D", Spread: 60, Iterations: 8,
		Params: params("ants", 20, "candidates", 12),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 70,
		Params: lockParams("ants", 9, "candidates", 20, "q0", 0.95),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 97, Metric: "ATT", Spread: 5000, Iterations: 10,
		Params: lockParams("ants", 13, "candidates", 9, "q0", 0.5),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 198, Metric: "CEIL_2D", Spread: 60, Iterations: 10,
		Params: lockParams("ants", 40, "candidates", 12, "q0", 0.95, "local_period", 3),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 150, Metric: "EUC_2D", Spread: 4000, Iterations: 30,
		Params: lockParams("ants", 20, "candidates", 3, "q0", 0.9),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 120, Metric: "EUC_2D", Spread: 800, Iterations: 8,
		Params: lockParams("ants", 10, "candidates", 5, "q0", 0.8, "local_search", "oropt-rounds"),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 120, Metric: "EUC_2D", Spread: 800, Iterations: 12,
		Params: lockParams("ants", 10, "candidates", 32, "q0", 0.8),
	},
}

// lockParams are parameters of acs/lockstep, those that are not given as stated here.
func lockParams(kv ...any) record.Values {
	v := params("alpha", 0.1, "beta", 2.0, "rho", 0.02, "local_period", 1, "local_search", "none")
	maps.Copy(v, params(kv...))
	return v
}

// TestGolden replays on the CPU what a device computed. With METALAB_ANTS_GOLDEN it asks a
// device and writes the file.
func TestGolden(t *testing.T) { replays(t, "testdata/golden.json", goldenVar, goldens) }

// replays compares what the CPU makes of some runs with their digests in a file, which a device
// computed. Where the variable names a file, a device is asked and the file is written.
func replays(t *testing.T, file, variable string, runs []trial) {
	t.Helper()
	if to := os.Getenv(variable); to != "" {
		gputest.Need(t)
		out := slices.Clone(runs)
		for i := range out {
			r := out[i].open(t, "cuda", out[i].instance(t))
			out[i].Digests = out[i].digests(t, r)
			out[i].Best = r.Last().Best
		}
		b, err := json.MarshalIndent(out, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []trial
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != len(runs) {
		t.Fatalf("%s has %d runs, want %d", file, len(list), len(runs))
	}
	for i, c := range list {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			if want := runs[i].String(); c.String() != want {
				t.Fatalf("the file has another run: want %s", want)
			}
			r := c.open(t, "cpu", c.instance(t))
			if got := c.digests(t, r); !slices.Equal(got, c.Digests) || r.Last().Best != c.Best {
				t.Errorf("digests %x and best %v, a device computed %x and %v", got, r.Last().Best, c.Digests,
					c.Best)
			}
		})
	}
}

// twins are compared on a device point by point.
var twins = []trial{
	{
		Solver: "mmas", Variant: "wrs", Cities: 5, Metric: "EUC_2D", Spread: 100, Iterations: 12,
		Params: params("ants", 40),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 64, Metric: "EUC_2D", Spread: 20, Iterations: 130,
		Params: params("ants", 33, "warps", 4, "reset", 20, "rho", 0.5, "p_best", 0.5),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 198, Metric: "EUC_2D", Spread: 1e5, Iterations: 12,
		Params: params("warps", 3),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 1002, Metric: "EUC_2D", Spread: 15000, Iterations: 3,
		Params: params("ants", 70, "warps", 31),
	},
	{
		Solver: "mmas", Variant: "wrs", Cities: 2100, Metric: "CEIL_2D", Spread: 300, Iterations: 3,
		Params: params("ants", 40, "candidates", 8, "deposit", "best"),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 5, Metric: "EUC_2D", Spread: 100, Iterations: 12,
		Params: lockParams("ants", 40),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 64, Metric: "ATT", Spread: 20, Iterations: 130,
		Params: lockParams("ants", 33, "warps", 4, "q0", 0.0),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 198, Metric: "EUC_2D", Spread: 1e5, Iterations: 60,
		Params: lockParams("ants", 198, "warps", 3, "candidates", 4),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 198, Metric: "CEIL_2D", Spread: 900, Iterations: 40,
		Params: lockParams("ants", 64, "candidates", 2, "q0", 0.5, "local_period", 2),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 1002, Metric: "EUC_2D", Spread: 15000, Iterations: 6,
		Params: lockParams("ants", 150, "q0", 0.9, "warps", 1),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 1002, Metric: "ATT", Spread: 15000, Iterations: 4,
		Params: lockParams("ants", 64, "candidates", 6, "local_search", "oropt-rounds"),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 1002, Metric: "EUC_2D", Spread: 15000, Iterations: 3,
		Params: lockParams("ants", 1002, "q0", 0.98, "rho", 0.01, "local_period", 4),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 6000, Metric: "EUC_2D", Spread: 3000, Iterations: 3,
		Params: lockParams("ants", 50, "candidates", 28, "local_period", 2),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 2100, Metric: "CEIL_2D", Spread: 300, Iterations: 6,
		Params: lockParams("ants", 140, "candidates", 8, "rho", 0.1),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 64, Metric: "ATT", Spread: 20, Iterations: 130,
		Params: lockParams("ants", 33, "warps", 4, "q0", 0.2, "candidates", 29),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 1002, Metric: "EUC_2D", Spread: 15000, Iterations: 5,
		Params: lockParams("ants", 1002, "candidates", 32, "q0", 0.98, "rho", 0.01),
	},
	{
		Solver: "acs", Variant: "lockstep", Cities: 6000, Metric: "EUC_2D", Spread: 3000, Iterations: 3,
		Params: lockParams("ants", 50, "candidates", 32, "local_period", 2),
	},
}

// TestTwins compares the device with the CPU, iteration by iteration, and names ant and
// position where they part.
func TestTwins(t *testing.T) {
	gputest.Need(t)
	for _, c := range twins {
		t.Run(c.String(), func(t *testing.T) {
			inst := c.instance(t)
			a, b := c.open(t, "cuda", inst), c.open(t, "cpu", inst)
			for i := 1; i <= c.Iterations; i++ {
				p, q := step(t, a, 1), step(t, b, 1)
				if p.Digest == q.Digest && p.Best == q.Best && p.IterBest == q.IterBest && p.Mean == q.Mean &&
					slices.Equal(p.Measures, q.Measures) {
					continue
				}
				t.Errorf("iteration %d: the device has %+v", i, p)
				t.Errorf("iteration %d: the CPU has    %+v", i, q)
				part(t, a, b)
				return
			}
		})
	}
}

// part says where two runs part in their last iteration.
func part(t *testing.T, a, b *solvers.Run) {
	t.Helper()
	trace := func(r *solvers.Run) (tours [][]int32) {
		if err := r.View(t.Context(),
			func(a solvers.Algorithm) { tours = a.(solvers.Tracer).Trace() }); err != nil {
			t.Fatal(err)
		}
		return tours
	}
	x, y := trace(a), trace(b)
	for k := range x {
		for i := range x[k] {
			if x[k][i] != y[k][i] {
				t.Errorf("ant %d, position %d: the device went to %d, the CPU to %d", k, i, x[k][i], y[k][i])
				return
			}
		}
	}
	t.Error("all tours are equal")
}

func TestConform(t *testing.T) {
	gputest.Need(t)
	for _, v := range [][2]string{{"mmas", "wrs"}, {"acs", "lockstep"}} {
		structural := []record.Values{params("candidates", 3), params("candidates", 25)}
		if v[0] == "acs" {
			structural = append(structural, params("local_search", "none", "candidates", 2),
				params("local_search", "none", "candidates", 31))
		}
		t.Run(v[0], func(t *testing.T) {
			conform.Check(t, conform.Case{
				Solver: v[0], Variant: v[1], Backend: "cuda", Instance: goldens[0].instance(t), Seed: 11,
				Iterations: 12,
				Params:     params("ants", 5, "candidates", 7),
				Ranges:     map[string][2]float64{"ants": {1, 12}},
				Structural: structural,
			})
		})
	}
}

// TestMoves lets a run go from one backend to the other and back, by forks, with
// changes between.
func TestMoves(t *testing.T) {
	gputest.Need(t)
	for _, c := range []trial{goldens[2], goldens[5], goldensAS[2]} {
		inst := c.instance(t)
		ctx := t.Context()
		ways := [][]string{
			{"cpu", "cpu", "cpu"},
			{"cuda", "cuda", "cuda"},
			{"cpu", "cuda", "cpu"},
			{"cuda", "cpu", "cuda"},
		}
		var want record.Point
		for i, way := range ways {
			r := c.open(t, way[0], inst)
			step(t, r, 5)
			for k, backend := range way[1:] {
				f, err := r.Fork(ctx, solvers.Fork{Name: fmt.Sprint("f", k), Backend: backend})
				if err != nil {
					t.Fatalf("%v: %v", way, err)
				}
				t.Cleanup(f.Close)
				r = f
				change := params("beta", 2.5+float64(k), "rho", 0.3, "ants", 30-7*k)
				if _, err := r.Set(ctx, change, "test"); err != nil {
					t.Fatal(err)
				}
				step(t, r, 6)
			}
			p := r.Last()
			if i == 0 {
				want = p
			}
			if p.Digest != want.Digest || p.Best != want.Best {
				t.Errorf("%v by way of %v: digest %x and best %v, on the CPU %x and %v", c, way, p.Digest,
					p.Best, want.Digest, want.Best)
			}
			if _, err := r.Best(ctx); err != nil {
				t.Errorf("%v: %v", way, err)
			}
		}
	}
}
