package own_test

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"
	"reflect"
	"testing"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/conform"
	problems "metalab/solvers/own"
	"metalab/solvers/record"
)

//go:embed reals_test.go
var realText string

// valley is the function of H. H. Rosenbrock (An automatic method for finding the greatest or least
// value of a function, The Computer Journal 3, 1960), in parts that it keeps in a field.
type valley struct {
	Steep float64 `param:"steep,1..1000"`
	parts []float64
}

func (v *valley) Cost(x []float64) float64 {
	for i := range v.parts {
		a, b := x[i+1]-float64(x[i]*x[i]), 1-x[i]
		v.parts[i] = float64(v.Steep*float64(a*a)) + float64(b*b)
	}
	sum := 0.0
	for _, p := range v.parts {
		sum += p
	}
	return sum
}

// powers has logarithms, powers and roots, by the package that gives the same bits everywhere.
type powers struct{ weights []float64 }

func (p *powers) Cost(x []float64) float64 {
	sum := 0.0
	for i, w := range p.weights {
		sum += float64(w * arith.Log2(1+math.Abs(x[i])))
		sum += float64(arith.Exp2(x[i]/8) * math.Sqrt(w))
	}
	return sum - math.Floor(x[0])
}

// steps has whole values, and is maximised.
type steps struct{}

func (steps) Cost(x []float64) int64 {
	n := int64(0)
	for _, v := range x {
		n += int64(math.Floor(v * 16))
	}
	return n
}

// realTrials have odd and even numbers of coordinates, in boxes around zero and beside it.
func realTrials() []trial {
	reals := func(n int, low, high float64) record.Form {
		return record.Form{Kind: record.FormReals, N: n, Low: low, High: high}
	}
	most := reals(4, 0.1, 3.7)
	most.Maximise = true
	names := []string{"ball", "wide", "gauss"}
	return []trial{
		{
			"valley", reals(5, -2.048, 2.048), func() any { return &valley{100, make([]float64, 4)} },
			names,
		},
		{"powers", reals(3, -7, 11), func() any { return &powers{[]float64{1, 0.3, 2.5}} }, names},
		{"steps", most, func() any { return steps{} }, names},
		{"one", reals(1, -1, 1), func() any { return &powers{[]float64{3}} }, names},
	}
}

func realProblem(t testing.TB, c trial) *problems.Problem {
	p := c.problem(t)
	p.Told("reals_test.go", realText)
	return p
}

// On real numbers the kernels draw the CPU's neighbours, and make its history, in each
// neighbourhood and by each search, with other numbers of neighbours and radii than the usual ones.
func TestRealTwins(t *testing.T) {
	machine(t)
	t.Parallel()
	for k, c := range realTrials() {
		for i, name := range c.names {
			of := func(vs record.Values, more ...any) record.Values {
				for n, v := range record.Of(append(more, "walks", 2, "neighbourhood", name)...) {
					vs[n] = v
				}
				return vs
			}
			scans := func(more ...any) record.Values {
				return of(record.Of("scans", 2, "neighbours", 70, "radius", 0.6, "exchange", 2, "trials", 1),
					more...)
			}
			pick := []string{"best", "first", "random"}[(k+i)%3]
			for solver, vs := range map[string]record.Values{
				"tabu": scans("tenure", 5), "hill": scans("select", pick, "kick", 2),
				"anneal": of(record.Of("moves", 19, "cooling", 0.5, "cold", 0.3, "reheat", 0.8)),
			} {
				some := []string{"tabu", "hill", "anneal"}[(k+2*i)%3] == solver && k != 3
				if interpreted && os.Getenv("METALAB_EMULATE") != "all" && !some {
					continue
				}
				t.Run(fmt.Sprint(c.name, "/", name, "/", solver), func(t *testing.T) {
					t.Parallel()
					twins(t, solvers.Config{
						Solver: solver, Instance: realProblem(t, c), Seed: 5, Params: vs,
					}, 3)
				})
			}
		}
	}
}

// twins compares the histories of a run on the CPU and by kernels.
func twins(t *testing.T, cfg solvers.Config, n int) {
	t.Helper()
	cfg.Backend = "cpu"
	want := history(t, cfg, n)
	cfg.Backend = "cuda"
	if got := history(t, cfg, n); !reflect.DeepEqual(got, want) {
		t.Errorf("cuda:\n%q\ncpu:\n%q", got, want)
	}
}

// A descent on real numbers goes from the ball to the wide one and to Gaussian steps, whatever the
// threads are.
func TestRealDescents(t *testing.T) {
	machine(t)
	t.Parallel()
	vs := record.Of("walks", 2, "scans", 4, "depth", 2, "neighbours", 33)
	for _, threads := range []int{0, 96} {
		vs["wave"] = record.Num(float64(threads))
		twins(t, solvers.Config{
			Solver: "vnd", Instance: realProblem(t, realTrials()[0]), Seed: 2, Params: vs,
		}, 6)
	}
}

// The laws hold on real numbers, also where a record of one backend is made again by the other.
func TestRealConform(t *testing.T) {
	machine(t)
	t.Parallel()
	if interpreted && os.Getenv("METALAB_EMULATE") != "all" {
		t.Skip("a minute of interpreting: METALAB_EMULATE=all does it")
	}
	for _, solver := range []string{"tabu", "anneal"} {
		c := conform.Case{
			Solver: solver, Backend: "cuda", Instance: realProblem(t, realTrials()[0]), Seed: 7,
			Ranges: map[string][2]float64{
				"walks": {1, 3}, "workers": {0, 2}, "scans": {1, 3}, "neighbours": {1, 40}, "moves": {1, 40},
				"wave": {0, 128}, "block": {32, 64},
			},
		}
		if solver == "anneal" {
			c.Params = record.Of("walks", 2, "moves", 20)
		} else {
			c.Params = record.Of("walks", 2, "scans", 2, "neighbours", 20)
		}
		conform.Check(t, c)
	}
}

// A search on a GPU finds the floor of a valley, and its record is made again on the CPU.
func TestRealReplay(t *testing.T) {
	machine(t)
	t.Parallel()
	in, ctx := realProblem(t, realTrials()[0]), context.Background()
	r, err := solvers.Open(solvers.Config{
		Solver: "hill", Instance: in, Seed: 1, Backend: "cuda",
		Params: record.Of("walks", 2, "scans", 2, "neighbours", 60, "neighbourhood", "gauss"),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(ctx, 8); err != nil {
		t.Fatal(err)
	}
	rec, err := r.Record(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if best := r.Last().Best; best > rec.Points[0].Best || best < 0 {
		t.Errorf("best %v after %v", best, rec.Points[0].Best)
	}
	diff, err := solvers.Replay(ctx, rec, in, solvers.ReplayOptions{Backend: "cpu"})
	if err != nil || diff != nil {
		t.Errorf("%v, %v", diff, err)
	}
}
