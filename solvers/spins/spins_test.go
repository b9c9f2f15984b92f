package spins_test

import (
	"context"
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
	_ "metalab/solvers/spins"
)

// load generates an instance of which metalab knows the name.
func load(t *testing.T, name string) datasets.Instance {
	t.Helper()
	inst, _, err := datasets.Generate(name)
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

// open opens a run of anneal/spins with seed 1.
func open(t *testing.T, inst datasets.Instance, vs record.Values) *solvers.Run {
	t.Helper()
	return openAs(t, "spins", inst, vs)
}

// openAs opens a run of a variant with seed 1.
func openAs(
	t *testing.T, variant string, inst datasets.Instance, vs record.Values,
) *solvers.Run {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Solver: "anneal", Variant: variant, Instance: inst, Seed: 1, Params: vs,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// fields is an Ising model with fields and weights of many sizes.
func fields(t *testing.T) datasets.Instance {
	t.Helper()
	var h []int64
	var edges []datasets.Edge
	for v := range int64(30) {
		h = append(h, v*v%11-5)
		for u := range v {
			if (u*7+v*5)%4 == 0 {
				edges = append(edges, datasets.Edge{U: int32(u), V: int32(v), Weight: (u*u+3*v)%41 - 20})
			}
		}
	}
	c, err := datasets.NewIsing("fields", 30, h, edges, 7)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The laws hold.
func TestConform(t *testing.T) {
	t.Parallel()
	for _, inst := range []datasets.Instance{
		load(t, "gset-like-40-20-1"), load(t, "gset-like-20-20-1-pm"), load(t, "glass-4x5-1"), fields(t),
	} {
		for _, v := range []string{"spins", "population"} {
			t.Run(v+"/"+inst.Name(), func(t *testing.T) {
				t.Parallel()
				params, structural := record.Of("sweeps", 3, "walks", 70, "cooling", 0.9), []record.Values{
					record.Of("walks", 1), record.Of("walks", 33), record.Of("walks", 130),
				}
				if v == "population" {
					params["island"] = record.Num(20)
					structural = append(structural, record.Of("island", 1), record.Of("island", 300))
				}
				conform.Check(t, conform.Case{
					Solver: "anneal", Variant: v, Instance: inst, Seed: 7, Params: params,
					Ranges: map[string][2]float64{
						"sweeps": {1, 9}, "walks": {1, 150}, "workers": {0, 4}, "island": {1, 90},
					},
					Structural: structural,
				})
			})
		}
	}
}

// golden are runs of 30 iterations: the best, the mean and the digest after them.
var golden = map[string]struct {
	best, mean float64
	digest     uint64
}{
	"spins/G1":     {-11588, -11519.25, 0xdc86ce34e0a101ec},
	"spins/G11":    {-558, -543.1, 0x27a6db7946aa8165},
	"spins/G14":    {-3045, -2978.675, 0xb43f7d119d00c1a5},
	"spins/G27":    {-3271, -3168.6, 0x970094310964717a},
	"spins/fields": {-604, -559.65, 0xb6d227a48d606881},

	"population/G1":     {-11591, -11536.475, 0xa6b28358e184b570},
	"population/G11":    {-556, -549.35, 0x6d60180c67976444},
	"population/G14":    {-3049, -2992.325, 0x6114f6279820abfc},
	"population/G27":    {-3261, -3207.575, 0xbd86317a9ce9124d},
	"population/fields": {-604, -580.45, 0x14cf92f272bfbfea},
}

// A run is what it was on the day that it was kept, on any machine.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, inst := range []datasets.Instance{
		load(t, "G1"), load(t, "G11"), load(t, "G14"), load(t, "G27"), fields(t),
	} {
		for _, v := range []string{"spins", "population"} {
			params := record.Of("walks", 40, "sweeps", 2, "cooling", 0.95)
			if v == "population" {
				params["island"] = record.Num(30)
			}
			r := openAs(t, v, inst, params)
			if err := r.Step(context.Background(), 30); err != nil {
				t.Fatal(err)
			}
			name := v + "/" + inst.Name()
			p, want := r.Last(), golden[name]
			if p.Best != want.best || p.Mean != want.mean || p.Digest != want.digest {
				t.Errorf("%q: {%v, %v, %#x},", name, p.Best, p.Mean, p.Digest)
			}
		}
	}
}

// Optima that are known are found, and nothing below them.
func TestOptima(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"G1", "G11", "G43", "G48"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inst := load(t, name)
			known, ok := inst.BestKnown()
			if !ok {
				t.Fatal("no value is known")
			}
			r := open(t, inst, nil)
			for p, err := range r.Steps(context.Background(), 1000) {
				if err != nil {
					t.Fatal(err)
				}
				if p.Best < float64(known.Value) {
					t.Fatalf("%v is below the best known %v", p.Best, known.Value)
				}
				if p.Best == float64(known.Value) {
					t.Logf("found in iteration %d", p.Iter)
					return
				}
			}
			t.Errorf("%v is not found, but %v", known.Value, r.Last().Best)
		})
	}
}

// The temperature falls as schedule says, ends by an iteration at 0, begins again, and follows what
// is set at once.
func TestSchedule(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		with record.Values
		want []float64
	}{
		{record.Of("schedule", "linear", "cooling", 0.75), []float64{2, 1.5, 1, 0.5, 0, 1.5, 1, 0.5, 0}},
		{record.Of("schedule", "geometric", "cooling", 0.5), []float64{2, 1, 0.5, 0, 1.5, 0.75, 0, 1.5}},
		{record.Of("cooling", 0.75, "reheat", 0), []float64{2, 1.5, 1, 0.5, 0, 0.4, 0, 0.4}},
		{record.Of("cooling", 1), []float64{2, 2, 2}},
	} {
		with := record.Of("temperature", 2, "cold", 0.2, "reheat", 0.75, "sweeps", 1)
		for name, v := range c.with {
			with[name] = v
		}
		r := open(t, load(t, "glass-4x5-1"), with)
		for i, want := range c.want {
			if err := r.Step(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			if is := r.Last().Measures[0]; is != want {
				t.Errorf("%v: iteration %d has the temperature %v, want %v", c.with, i+1, is, want)
			}
		}
	}
	r := open(t, load(t, "glass-4x5-1"), record.Of("temperature", 2, "cooling", 0.75))
	for i, want := range []float64{2, 3} { // 3/4 of what it is then
		if err := r.Step(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		if is := r.Last().Measures[0]; is != want {
			t.Errorf("iteration %d has the temperature %v, want %v", i+1, is, want)
		}
		if _, err := r.Set(context.Background(), record.Of("temperature", 4), "test"); err != nil {
			t.Fatal(err)
		}
	}
}

// Where it is hot nearly every flip is made, whatever it loses; where it is cold no solution
// becomes worse.
func TestAcceptance(t *testing.T) {
	t.Parallel()
	for _, inst := range []datasets.Instance{load(t, "gset-like-120-50-1"), fields(t)} {
		r := open(t, inst, record.Of("temperature", 100, "cooling", 1, "sweeps", 2))
		if err := r.Step(context.Background(), 20); err != nil {
			t.Fatal(err)
		}
		if made := r.Last().Measures[1]; made < 98 {
			t.Errorf("%s: %v %% of the flips are made at temperature 100", inst.Name(), made)
		}
		if _, err := r.Set(context.Background(), record.Of("temperature", 0), "test"); err != nil {
			t.Fatal(err)
		}
		last := r.Last().Mean
		for p, err := range r.Steps(context.Background(), 20) {
			if err != nil {
				t.Fatal(err)
			}
			if p.Mean > last {
				t.Errorf("%s: iteration %d at temperature 0: the mean grew from %v to %v", inst.Name(), p.Iter,
					last, p.Mean)
			}
			last = p.Mean
		}
	}
}

// A fork with fewer walks keeps the best, and one with more goes on with those that there are.
func TestForksWithOtherWalks(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := open(t, load(t, "G14"), record.Of("walks", 40, "temperature", 0.1))
	if err := r.Step(ctx, 5); err != nil {
		t.Fatal(err)
	}
	for _, walks := range []int{1, 31, 64, 100} {
		f, err := r.Fork(ctx, solvers.Fork{Name: fmt.Sprint("w", walks), With: record.Of("walks", walks)})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Step(ctx, 1); err != nil {
			t.Fatal(err)
		}
		if was, is := r.Last().Best, f.Last().Best; is > was {
			t.Errorf("%d walks: the best is %v, and was %v", walks, is, was)
		}
		f.Close()
	}
}
