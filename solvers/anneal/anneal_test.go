package anneal_test

import (
	"context"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/anneal"
	"metalab/solvers/conform"
	"metalab/solvers/record"
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

// The laws hold on every kind of problem.
func TestConform(t *testing.T) {
	t.Parallel()
	asymmetric, err := datasets.NewMatrixTSP("circle", 6, circle(6), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, inst := range []datasets.Instance{
		load(t, "rand-30-1"), load(t, "tai12a"), load(t, "ppp-13x15-1"), load(t, "queen5_5"),
		load(t, "weierstrass-2"), asymmetric, load(t, "rand-5000-1"),
		load(t, "gset-like-20-20-1"), load(t, "glass-4x5-1"),
	} {
		t.Run(inst.Name(), func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: "anneal", Instance: inst, Seed: 7,
				Params:     record.Of("moves", 40, "walks", 3),
				Ranges:     map[string][2]float64{"moves": {1, 90}, "walks": {1, 5}, "workers": {0, 4}},
				Structural: []record.Values{record.Of("walks", 1), record.Of("walks", 5)},
			})
		})
	}
}

// So does it with moves of Or-opt.
func TestAnnealKeepsTheLawsOnOrOpt(t *testing.T) {
	t.Parallel()
	conform.Check(t, conform.Case{
		Solver: "anneal", Instance: load(t, "rand-30-1"), Seed: 7,
		Params: record.Of("moves", 40, "walks", 2, "neighbourhood", "oropt"), Trials: 8,
		Ranges: map[string][2]float64{"moves": {1, 90}, "workers": {0, 4}},
	})
}

// So does it on spins with moves at random, and when the order changes in a run.
func TestAnnealKeepsTheLawsOnSpins(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"random", "sweep"} {
		conform.Check(t, conform.Case{
			Solver: "anneal", Instance: load(t, "gset-like-20-20-1-pm"), Seed: 7,
			Params: record.Of("moves", 37, "walks", 2, "order", order), Trials: 8,
			Ranges: map[string][2]float64{"moves": {1, 90}, "workers": {0, 4}},
		})
	}
}

// A sweep tries each move once: where all are made, it turns every spin round.
func TestSweepTriesEachMove(t *testing.T) {
	t.Parallel()
	r, err := solvers.Open(solvers.Config{
		Solver: "anneal", Instance: load(t, "glass-1x50-1"), Seed: 1,
		Params: record.Of("temperature", 100, "cooling", 1, "moves", 100),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(context.Background(), 300); err != nil {
		t.Fatal(err)
	}
	best, err := r.Best(context.Background())
	if made := r.Last().Measures[1]; err != nil || made < 95 || best.Value < -49 {
		t.Errorf("%v %% of the moves are made, best %v (%v)", made, best.Value, err)
	}
}

// circle is a matrix by which the only cheap way round n cities is from each to the next.
func circle(n int) []int32 {
	m := make([]int32, n*n)
	for a := range n {
		for b := range n {
			m[a*n+b] = int32((b - a + n) % n)
		}
	}
	return m
}

// Optima that are known are found, and nothing below them.
func TestOptima(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		best float64
		most int // iterations
	}{
		{"tai10a", 135028, 3000},
		{"tai12a", 224416, 3000},
		{"tai15a", 388214, 3000},
		{"ppp-21x23-1", 0, 3000},
		{"queen5_5", 0, 3000},
		{"queen8_8", 0, 3000},
		{"myciel5", 0, 3000},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			inst := load(t, c.name)
			r, err := solvers.Open(solvers.Config{Solver: "anneal", Instance: inst, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			for p, err := range r.Steps(context.Background(), c.most) {
				if err != nil {
					t.Fatal(err)
				}
				if p.Best < c.best {
					t.Fatalf("%v is below the optimum %v", p.Best, c.best)
				}
				if p.Best == c.best {
					t.Logf("found in iteration %d", p.Iter)
					return
				}
			}
			t.Errorf("%v is not found in %d iterations, but %v", c.best, c.most, r.Last().Best)
		})
	}
}

// The temperature falls by the factor that cooling is, begins again where it is cold, and follows
// what is set at once.
func TestSchedule(t *testing.T) {
	t.Parallel()
	r, err := solvers.Open(solvers.Config{
		Solver: "anneal", Instance: load(t, "tai10a"), Seed: 1,
		Params: record.Of("temperature", 2, "cooling", 0.5, "cold", 0.2, "reheat", 0.75, "moves", 1),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	hot := func(iterations int, want ...float64) {
		t.Helper()
		for i, w := range want[:iterations] {
			if err := r.Step(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			if got := r.Last().Measures[0]; got != w {
				t.Errorf("iteration %d of %v has the temperature %v", i+1, want, got)
			}
		}
	}
	hot(6, 2, 1, 0.5, 1.5, 0.75, 1.5)
	if _, err := r.Set(context.Background(), record.Of("cooling", 1), "test"); err != nil {
		t.Fatal(err)
	}
	hot(2, 0.75, 0.75)
	if _, err := r.Set(context.Background(), record.Of("temperature", 4), "test"); err != nil {
		t.Fatal(err)
	}
	hot(2, 1.5, 1.5)
}

// Where it is hot every move is made, where it is cold those alone that make nothing worse.
func TestAcceptance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ temperature, least, most float64 }{{100, 95, 100}, {0, 0, 5}} {
		r, err := solvers.Open(solvers.Config{
			Solver: "anneal", Instance: load(t, "rand-100-1"), Seed: 1,
			Params: record.Of("temperature", c.temperature, "cooling", 1),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		worse := false
		last := 0.0
		for p, err := range r.Steps(context.Background(), 40) {
			if err != nil {
				t.Fatal(err)
			}
			worse = worse || last > 0 && p.Mean > last
			last = p.Mean
		}
		if made := r.Last().Measures[1]; made < c.least || made > c.most {
			t.Errorf("temperature %v: %v %% of the moves are made, want %v to %v",
				c.temperature, made, c.least, c.most)
		}
		if worse != (c.temperature > 0) {
			t.Errorf("temperature %v: a solution became worse: %v", c.temperature, worse)
		}
	}
}

// A fork with fewer walks keeps the best solution, whichever walk it is of.
func TestFewerWalks(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) { // the first walk leads by chance in one of four
		r, err := solvers.Open(solvers.Config{
			Solver: "anneal", Instance: load(t, "tai12a"), Seed: seed,
			Params: record.Of("walks", 4, "moves", 20),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := r.Step(context.Background(), 3); err != nil {
			t.Fatal(err)
		}
		f, err := r.Fork(context.Background(), solvers.Fork{With: record.Of("walks", 1)})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.Step(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		if was, is := r.Last().Best, f.Last().Best; is > was {
			t.Errorf("seed %d: the best is %v with four walks, and %v with one of them", seed, was, is)
		}
	}
}

// ending is a context that ends after it was looked at some times.
type ending struct {
	context.Context
	left *atomic.Int64
}

func (e ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// An iteration that is given up leaves the state as it was: the same iteration made again gives
// what it gives where nothing was given up.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	v, err := solvers.Find("anneal", "", "cpu")
	if err != nil {
		t.Fatal(err)
	}
	made := func(giveUp bool) (p record.Point, best float64) {
		a, err := v.New(load(t, "tai12a"))
		if err != nil {
			t.Fatal(err)
		}
		a.Declare(&solvers.Params{})
		pool := solvers.NewPool(1)
		defer pool.Close()
		if err := a.Init(&solvers.Env{Seed: 3, Pool: pool}); err != nil {
			t.Fatal(err)
		}
		p.Measures = make([]float64, 2)
		if giveUp {
			e := ending{context.Background(), new(atomic.Int64)}
			e.left.Store(3) // within the moves
			if err := a.Iterate(e, 1, &p); err == nil {
				t.Error("the iteration was not given up")
			}
		}
		if err := a.Iterate(context.Background(), 1, &p); err != nil {
			t.Fatal(err)
		}
		return p, a.Best()
	}
	p, best := made(false)
	q, again := made(true)
	if p.Digest != q.Digest || p.Mean != q.Mean || best != again {
		t.Errorf("after giving up: digest %x, mean %v, best %v; want %x, %v, %v",
			q.Digest, q.Mean, again, p.Digest, p.Mean, best)
	}
}
