package threshold_test

import (
	"context"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
	_ "metalab/solvers/threshold"
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

// open opens a run of a variant with seed 1.
func open(t *testing.T, variant, instance string, vs record.Values) *solvers.Run {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Solver: "threshold", Variant: variant, Instance: load(t, instance), Seed: 1, Params: vs,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

var variants = []string{"accepting", "record"}

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
		load(t, "gset-like-20-20-1"),
	} {
		for _, v := range variants {
			t.Run(v+"/"+inst.Name(), func(t *testing.T) {
				t.Parallel()
				conform.Check(t, conform.Case{
					Solver: "threshold", Variant: v, Instance: inst, Seed: 7,
					Params: record.Of("moves", 40), Ranges: map[string][2]float64{"moves": {1, 90}},
				})
			})
		}
	}
}

// So do they with moves of Or-opt.
func TestThresholdKeepsTheLawsOnOrOpt(t *testing.T) {
	t.Parallel()
	for _, v := range variants {
		conform.Check(t, conform.Case{
			Solver: "threshold", Variant: v, Instance: load(t, "rand-30-1"), Seed: 7,
			Params: record.Of("moves", 40, "neighbourhood", "oropt"), Trials: 8,
			Ranges: map[string][2]float64{"moves": {1, 90}},
		})
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
	for name, best := range map[string]float64{
		"tai10a": 135028, "tai12a": 224416, "ppp-21x23-1": 0, "queen5_5": 0, "myciel5": 0,
	} {
		for _, v := range variants {
			t.Run(v+"/"+name, func(t *testing.T) {
				t.Parallel()
				r := open(t, v, name, nil)
				for p, err := range r.Steps(context.Background(), 3000) {
					if err != nil {
						t.Fatal(err)
					}
					if p.Best < best {
						t.Fatalf("%v is below the optimum %v", p.Best, best)
					}
					if p.Best == best {
						t.Logf("found in iteration %d", p.Iter)
						return
					}
				}
				t.Errorf("%v is not found in 3000 iterations, but %v", best, r.Last().Best)
			})
		}
	}
}

// The threshold falls by the factor that lowering is, rises again where a descent ends, and
// follows what is set at once.
func TestSchedule(t *testing.T) {
	t.Parallel()
	for _, v := range variants {
		r := open(t, v, "tai10a",
			record.Of("threshold", 2, "lowering", 0.5, "low", 0.2, "rise", 0.75, "moves", 1))
		high := func(want ...float64) {
			t.Helper()
			for i, w := range want {
				if err := r.Step(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
				if got := r.Last().Measures[0]; got != w {
					t.Errorf("%s: iteration %d of %v has the threshold %v", v, i+1, want, got)
				}
			}
		}
		set := func(name string, value float64) {
			t.Helper()
			if _, err := r.Set(context.Background(), record.Of(name, value), "test"); err != nil {
				t.Fatal(err)
			}
		}
		high(2, 1, 0.5, 1.5, 0.75, 1.5)
		set("lowering", 1)
		high(0.75, 0.75)
		set("threshold", 4)
		high(1.5, 1.5)
	}
}

// A walk of accepting may climb without end by steps below the threshold, one of record only as far
// above its best as the threshold says.
func TestRules(t *testing.T) {
	t.Parallel()
	const instance, high = "rand-100-1", 0.3
	climb := map[string]float64{} // the most that a walk ended above its best
	for _, v := range variants {
		r := open(t, v, instance, record.Of("threshold", high, "lowering", 1))
		for p, err := range r.Steps(context.Background(), 300) {
			if err != nil {
				t.Fatal(err)
			}
			climb[v] = max(climb[v], p.Mean-p.Best)
		}
	}
	// Both begin at the same solution, and so have the same scale.
	free, bound := climb["accepting"], climb["record"]
	if !(bound > 0) || free < 3*bound {
		t.Errorf("a walk of accepting ends at most %v above its best, one of record %v", free, bound)
	}
	for _, v := range variants { // no threshold: none is made that makes the cost worse
		last := 0.0
		for p, err := range open(t, v, instance, record.Of("threshold", 0)).Steps(
			context.Background(), 20) {
			if err != nil {
				t.Fatal(err)
			}
			if last > 0 && p.Mean > last {
				t.Errorf("%s: with threshold 0 the cost rises from %v to %v", v, last, p.Mean)
			}
			last = p.Mean
		}
	}
}

// A run of one rule goes on by the other, from the same state.
func TestForkToTheOtherRule(t *testing.T) {
	t.Parallel()
	r := open(t, "accepting", "tai12a", nil)
	if err := r.Step(context.Background(), 5); err != nil {
		t.Fatal(err)
	}
	f, err := r.Fork(context.Background(), solvers.Fork{Variant: "record"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Step(context.Background(), 5); err != nil {
		t.Fatal(err)
	}
	if got := f.Variant().Name; got != "record" || f.Last().Best > r.Last().Best {
		t.Errorf("the fork is of %s with the best %v; before it was %v", got, f.Last().Best,
			r.Last().Best)
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
	v, err := solvers.Find("threshold", "", "cpu")
	if err != nil {
		t.Fatal(err)
	}
	made := func(giveUp bool) (p record.Point, best float64) {
		a, err := v.New(load(t, "tai12a"))
		if err != nil {
			t.Fatal(err)
		}
		a.Declare(&solvers.Params{})
		if err := a.Init(&solvers.Env{Seed: 3}); err != nil {
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
