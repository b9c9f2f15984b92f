package conform_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/ants"
	"metalab/solvers/arith"
	"metalab/solvers/conform"
	_ "metalab/solvers/genetic"
	_ "metalab/solvers/ils"
	_ "metalab/solvers/moves"
	"metalab/solvers/record"

	"pgregory.net/rapid"
)

// Degenerate instances: few cities, many at one place, weights that are all alike or as great
// as a file may hold, as tools write them for edges that there are not.

// most is the greatest weight that TSPLIB files may hold here.
const most = math.MaxInt32

// weights are the sorts of matrices and vectors, each a function of two indices and of draws.
var weights = []struct {
	name string
	of   func(i, j, n int, r *arith.Stream) int32
}{
	{"zero", func(int, int, int, *arith.Stream) int32 { return 0 }},
	{"one", func(int, int, int, *arith.Stream) int32 { return 1 }},
	{"most", func(int, int, int, *arith.Stream) int32 { return most }},
	{"nearly most", func(_, _, _ int, r *arith.Stream) int32 { return most - int32(r.IntN(3)) }},
	{"0 or most", func(_, _, _ int, r *arith.Stream) int32 { return most * int32(r.IntN(2)) }},
	{"any", func(_, _, _ int, r *arith.Stream) int32 { return int32(r.Uint32() >> 1) }},
	{"sparse", func(i, j, n int, r *arith.Stream) int32 { // a ring that there is, and little else
		if (j-i+n)%n == 1 || r.IntN(8) == 0 {
			return int32(r.IntN(100))
		}
		return most
	}},
	{"one far off", func(i, j, _ int, _ *arith.Stream) int32 {
		if i == 0 || j == 0 {
			return most
		}
		return 0
	}},
}

// places are the sorts of points.
var places = []struct {
	name string
	of   func(i int, r *arith.Stream) (x, y float64)
}{
	{"one place", func(int, *arith.Stream) (float64, float64) { return 3, 3 }},
	{"two places", func(i int, _ *arith.Stream) (float64, float64) { return float64(i % 2), 0 }},
	{"a line", func(i int, _ *arith.Stream) (float64, float64) { return float64(i), 0 }},
	{"a grid", func(i int, _ *arith.Stream) (float64, float64) {
		return float64(i % 3), float64(i / 3)
	}},
	{"two far places", func(i int, _ *arith.Stream) (float64, float64) {
		return float64(i%2) * 2e9, float64(i)
	}},
}

// matrix is a symmetric or asymmetric instance of one sort.
func matrix(sort, n int, asymmetric bool, r *arith.Stream) (datasets.Instance, error) {
	m := make([]int32, n*n)
	for i := range n {
		for j := range n {
			if m[i*n+j] = weights[sort].of(i, j, n, r); !asymmetric && j < i {
				m[i*n+j] = m[j*n+i]
			}
		}
	}
	return datasets.NewMatrixTSP(fmt.Sprintf("%s %d", weights[sort].name, n), n, m, asymmetric)
}

func points(sort, n int, metric datasets.Metric, r *arith.Stream) (datasets.Instance, error) {
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = places[sort].of(i, r)
	}
	return datasets.NewTSP(fmt.Sprintf("%s %d", places[sort].name, n), metric, x, y)
}

// assignment has weights that a cost in 53 bits has room for.
func assignment(sort, other, n int, r *arith.Stream) (datasets.Instance, error) {
	a, b := make([]int32, n*n), make([]int32, n*n)
	for i := range n {
		for j := range n {
			a[i*n+j] = weights[sort].of(i, j, n, r) >> 14
			b[i*n+j] = weights[other].of(i, j, n, r)>>14 - 5
		}
	}
	return datasets.NewQAP(
		fmt.Sprintf("%s by %s %d", weights[sort].name, weights[other].name, n), n, a, b,
	)
}

// spins has weights of a sort, with both signs and with fields.
func spins(sort, n int, r *arith.Stream) (datasets.Instance, error) {
	var edges []datasets.Edge
	fields := make([]int64, n)
	for i := range n {
		fields[i] = int64(weights[sort].of(i, i, n, r) >> 14)
		for j := range i {
			w := int64(weights[sort].of(i, j, n, r)>>14) - int64(i%3)
			edges = append(edges, datasets.Edge{U: int32(i), V: int32(j), Weight: w})
		}
	}
	name := fmt.Sprintf("%s %d", weights[sort].name, n)
	switch sort % 3 {
	case 0:
		return datasets.NewCut(name, n, edges)
	case 1:
		return datasets.NewIsing(name, n, fields, edges, 3)
	}
	return datasets.NewQUBO(name, n, fields, edges, 3, true)
}

// graph has no edges, a ring of them, or all.
func graph(sort, n, colours int) (datasets.Instance, error) {
	var edges [][2]int32
	for i := range int32(n) {
		for j := range i {
			if sort == 2 || sort == 1 && i == j+1 {
				edges = append(edges, [2]int32{i, j})
			}
		}
	}
	return datasets.NewColouring(
		fmt.Sprintf("%s %d", []string{"no edges", "ring", "all edges"}[sort], n), n, edges, colours,
	)
}

// degenerate are instances of all kinds, of each sort one.
func degenerate(t *testing.T, n int) []datasets.Instance {
	r := arith.NewStream(7, uint64(n), 0, 0)
	var out []datasets.Instance
	add := func(p datasets.Instance, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	for sort := range places {
		add(points(sort, n, datasets.Euc2D, &r))
	}
	for sort := range weights {
		add(matrix(sort, n, false, &r))
		add(matrix(sort, n, true, &r))
		add(assignment(sort, (sort+1)%len(weights), n, &r))
	}
	for sort := range 3 {
		add(graph(sort, n, 1))
		add(graph(sort, n, min(2, n)))
	}
	p, _, err := datasets.NewPPP(n, n|1, 1)
	add(p, err)
	add(datasets.NewWeierstrass(n, 3, 0.25, 5))
	return out
}

// planar are the variants that take cities of the plane alone, and refuse matrices.
var planar = map[string]bool{"ils/pools": true, "ils/tiles": true}

// takes tells whether a variant takes an instance of one of its kinds.
func takes(v solvers.Variant, p datasets.Instance) bool {
	tsp, ok := p.(*datasets.TSP)
	return !ok || tsp.Matrix == nil || !planar[v.Solver+"/"+v.Name]
}

// drawDegenerate draws an instance of a kind.
func drawDegenerate(t *rapid.T, kind datasets.Kind) datasets.Instance {
	n := rapid.IntRange(1, 40).Draw(t, "n")
	sort := rapid.IntRange(0, len(weights)-1).Draw(t, "sort")
	r := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0, 0)
	var p datasets.Instance
	var err error
	switch kind {
	case datasets.KindTSP:
		if rapid.Bool().Draw(t, "points") {
			metric := rapid.SampledFrom(
				[]datasets.Metric{datasets.Euc2D, datasets.Ceil2D, datasets.Att},
			).Draw(t, "metric")
			p, err = points(sort%len(places), n, metric, &r)
		} else {
			p, err = matrix(sort, n, false, &r)
		}
	case datasets.KindATSP:
		p, err = matrix(sort, n, true, &r)
	case datasets.KindQAP:
		p, err = assignment(sort, rapid.IntRange(0, len(weights)-1).Draw(t, "other"), n, &r)
	case datasets.KindColouring:
		p, err = graph(sort%3, n, rapid.IntRange(1, n).Draw(t, "colours"))
	case datasets.KindCut:
		p, err = spins(sort, n, &r)
	case datasets.KindPPP:
		p, _, err = datasets.NewPPP(n, rapid.IntRange(1, 40).Draw(t, "columns")|1, uint64(sort))
	default:
		p, err = datasets.NewWeierstrass(n, 2+sort, 0.25, 1+sort)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// onCPU calls f for every variant of every solver.
func onCPU(t *testing.T, f func(t *testing.T, v solvers.Variant)) {
	for _, v := range solvers.Variants() {
		if v.Backend == "cpu" && v.Solver != "toy" {
			t.Run(v.Solver+"/"+v.Name, func(t *testing.T) {
				t.Parallel()
				f(t, v)
			})
		}
	}
}

// Every solver takes every degenerate instance of its kinds, under each of its presets; and
// the best is what it says.
func TestEverySolverTakesDegenerateInstances(t *testing.T) {
	trials := 100
	if !conform.IsLong() {
		trials = 40
	}
	onCPU(t, func(test *testing.T, v solvers.Variant) {
		tried := 0
		rapid.Check(test, func(t *rapid.T) {
			if tried++; tried > trials && !test.Failed() { // what has failed is tried again
				return
			}
			p := drawDegenerate(t, rapid.SampledFrom(v.Kinds).Draw(t, "kind"))
			if !takes(v, p) {
				t.Skip("a matrix")
			}
			var presets []string
			for _, s := range v.AllPresets() {
				presets = append(presets, s.Name)
			}
			r, err := solvers.Open(solvers.Config{
				Solver: v.Solver, Variant: v.Name, Instance: p, Seed: 3,
				Preset: rapid.SampledFrom(presets).Draw(t, "preset"),
			})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			for range 3 {
				if err := r.Step(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
				if _, err := r.Best(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
		})
	})
}

// fuse is a context that ends when it is looked at for the n-th time.
type fuse struct {
	context.Context
	end   func()
	looks int
}

func newFuse(n int) *fuse {
	ctx, end := context.WithCancel(context.Background())
	f := &fuse{Context: ctx, end: end, looks: n}
	if n == 0 {
		end()
	}
	return f
}

// Err counts the looks.
func (f *fuse) Err() error {
	if f.looks--; f.looks == 0 {
		f.end()
	}
	return f.Context.Err()
}

// begun is an algorithm before its first iteration, with one worker, and its parameters.
func begun(
	t *testing.T, v solvers.Variant, p datasets.Instance,
) (solvers.Algorithm, record.Values) {
	t.Helper()
	alg, err := v.New(p)
	if err != nil {
		t.Fatal(err)
	}
	var table solvers.Params
	alg.Declare(&table)
	pool := solvers.NewPool(1)
	t.Cleanup(pool.Close)
	env := &solvers.Env{Seed: 3, Pool: pool, Progress: new(atomic.Uint32)}
	if err := alg.Init(env); err != nil {
		t.Fatal(err)
	}
	pool.Resize(1)
	return alg, table.Values()
}

// few is how many steps of a few look-ups an iteration may make that does not look at its
// context.
const few = 1 << 20

// steps is what an iteration took: neighbours that local search counted, or choices of ants;
// infinite for other solvers.
func steps(alg solvers.Algorithm, vs record.Values, size int, p *record.Point) float64 {
	if i := slices.Index(alg.Measures(), "evaluations"); i >= 0 {
		return p.Measures[i]
	}
	if ants, ok := vs["ants"].Float(); ok {
		return ants * float64(size)
	}
	return math.Inf(1)
}

// An iteration that is cancelled before it begins is given up, or was a short one; and one
// that is given up anywhere comes out the same when it is made again.
func TestEveryIterationCanBeGivenUp(t *testing.T) {
	sizes := []int{2, 5, 13}
	switch {
	case testing.Short():
		sizes = sizes[1:2]
	case !conform.IsLong():
		sizes = []int{2, 13}
	}
	onCPU(t, func(t *testing.T, v solvers.Variant) {
		for _, n := range sizes {
			for _, p := range degenerate(t, n) {
				if !slices.Contains(v.Kinds, p.Kind()) || !takes(v, p) {
					continue
				}
				alg, vs := begun(t, v, p)
				twin, _ := begun(t, v, p)
				point := func() *record.Point {
					return &record.Point{
						Measures: make([]float64, len(alg.Measures())),
					}
				}
				for it := int64(1); it <= 3; it++ {
					got, err := point(), error(nil)
					for looks := 0; ; looks += 1 + looks/3 {
						if err = alg.Iterate(newFuse(looks), it, got); err == nil {
							if n := steps(alg, vs, p.Size(), got); looks == 0 && n > few {
								t.Errorf("%s, iteration %d: not given up, after %v steps", p.Name(), it, n)
							}
							break
						}
						if !errors.Is(err, context.Canceled) {
							t.Fatalf("%s, iteration %d: %v", p.Name(), it, err)
						}
					}
					want := point()
					if err := twin.Iterate(context.Background(), it, want); err != nil {
						t.Fatal(err)
					}
					if v.Deterministic && got.Digest != want.Digest {
						t.Fatalf("%s, iteration %d: made again after it was given up it is another one", p.Name(), it)
					}
				}
				alg.Close()
				twin.Close()
			}
		}
	})
}
