package cmaes_test

import (
	"math"
	"testing"

	"metalab/datasets"
	_ "metalab/solvers/cmaes"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/conform"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// function is a function of a test, with its minimum 0 at shift, seen in turned axes.
type function struct {
	of    func(z []float64) float64
	shift []float64
	turn  []float64 // an orthogonal matrix; nil: the axes as they are
}

// Cost is the value at x.
func (f *function) Cost(x []float64) float64 {
	n := len(x)
	z := make([]float64, n)
	for i := range z {
		if f.turn == nil {
			z[i] = x[i] - f.shift[i]
			continue
		}
		for j := range x {
			z[i] += float64(f.turn[i*n+j] * (x[j] - f.shift[j]))
		}
	}
	return f.of(z)
}

// orthogonal draws an orthogonal matrix by Gram and Schmidt.
func orthogonal(n int, seed uint64) []float64 {
	draws := arith.NewStream(seed, 1, 2, 3)
	q := make([]float64, n*n)
	for i := range n {
		row := q[i*n : i*n+n]
		for j := range row {
			for range 12 {
				row[j] += draws.Float64() - .5
			}
		}
		for k := range i {
			dot := 0.0
			for j := range row {
				dot += row[j] * q[k*n+j]
			}
			for j := range row {
				row[j] -= dot * q[k*n+j]
			}
		}
		length := 0.0
		for _, v := range row {
			length += v * v
		}
		for j := range row {
			row[j] /= math.Sqrt(length)
		}
	}
	return q
}

// problem makes a problem of a function in n dimensions, shifted by chance and, if asked, turned.
func problem(
	t testing.TB, name string, n int, turned bool, of func(z []float64) float64,
) datasets.Instance {
	t.Helper()
	draws := arith.NewStream(uint64(n), 7, 7, 7)
	f := function{of: of, shift: make([]float64, n)}
	for i := range f.shift {
		f.shift[i] = 8*draws.Float64() - 4
	}
	if turned {
		f.turn = orthogonal(n, 5)
	}
	p, err := own.New(name, record.Form{Kind: record.FormReals, N: n, Low: -5, High: 5},
		func() any { return &f })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func sphere(z []float64) (sum float64) {
	for _, v := range z {
		sum += float64(v * v)
	}
	return sum
}

func ellipsoid(z []float64) (sum float64) {
	for i, v := range z {
		sum += float64(math.Pow(10, 6*float64(i)/float64(max(1, len(z)-1))) * v * v)
	}
	return sum
}

func rosenbrock(z []float64) (sum float64) {
	for i := range len(z) - 1 {
		a, b := z[i]+1, z[i+1]+1
		sum += float64(100*(float64(a*a)-b)*(float64(a*a)-b)) + float64((a-1)*(a-1))
	}
	return sum
}

func rastrigin(z []float64) (sum float64) {
	for _, v := range z {
		sum += float64(v*v) + 10 - float64(10*math.Cos(2*math.Pi*v))
	}
	return sum
}

// The laws hold, for a problem of one's own and for a generated instance.
func TestConform(t *testing.T) {
	w, err := datasets.Load("weierstrass-4")
	if err != nil {
		t.Fatal(err)
	}
	for _, inst := range []datasets.Instance{
		problem(t, "ellipsoid", 6, true, ellipsoid), problem(t, "one", 1, false, sphere), w,
	} {
		conform.Check(t, conform.Case{
			Solver: "cmaes", Instance: inst, Seed: 7, Iterations: 60,
			Ranges: map[string][2]float64{"population": {4, 40}, "workers": {0, 4}},
		})
	}
}

// The optima of functions as BBOB has them, shifted and turned, are found within evaluations that
// the published strategy needs, for each of five seeds.
func TestOptima(t *testing.T) {
	for _, c := range []struct {
		name   string
		n      int
		turned bool
		of     func(z []float64) float64
		evals  int64
	}{
		{"sphere", 20, true, sphere, 6000},
		{"ellipsoid", 10, true, ellipsoid, 12000},
		{"rosenbrock", 10, false, rosenbrock, 40000},
		{"rastrigin", 5, true, rastrigin, 200000},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(5) {
				run, err := solvers.Open(solvers.Config{
					Solver: "cmaes", Instance: problem(t, c.name, c.n, c.turned, c.of), Seed: seed,
				})
				if err != nil {
					t.Fatal(err)
				}
				var evals int64
				for run.Last().Best > 1e-8 || run.Last().Iter == 0 {
					if err := run.Step(t.Context(), 1); err != nil {
						t.Fatal(err)
					}
					evals = run.Last().Evals
					if evals > c.evals {
						t.Fatalf("seed %d: %v after %d evaluations", seed, run.Last().Best, evals)
					}
				}
				t.Logf("seed %d: %d evaluations", seed, evals)
				run.Close()
			}
		})
	}
}

// A run may begin at a solution, which is its best until it finds a better one.
func TestStart(t *testing.T) {
	p := problem(t, "sphere", 3, false, sphere)
	start := record.Solution{Real: []float64{1, 2, 3}}
	want, err := solvers.Cost(p, start)
	if err != nil {
		t.Fatal(err)
	}
	run, err := solvers.Open(solvers.Config{
		Solver: "cmaes", Instance: p, Seed: 1, Start: &record.Start{Solution: start},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if b, err := run.Best(t.Context()); err != nil || b.Value != want {
		t.Errorf("the best is %v (%v), want %v", b.Value, err, want)
	}
}

// Bits are refused.
func TestRefused(t *testing.T) {
	p, err := own.New("bits", record.Form{Kind: record.FormBits, N: 4}, func() any { return bitSum{} })
	if err != nil {
		t.Fatal(err)
	}
	if run, err := solvers.Open(solvers.Config{Solver: "cmaes", Instance: p}); err == nil {
		run.Close()
		t.Error("bits were taken")
	}
}

type bitSum struct{}

func (bitSum) Cost(x []uint8) int64 { return int64(x[0]) }
