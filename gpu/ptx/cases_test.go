package ptx_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
	"metalab/gpu/ptx/internal/examples"
)

// A trial is a launch of an example.
type trial struct {
	name  string
	text  string
	fn    any // the twin
	shape cuda.Shape
	args  []any
}

func (c trial) compile(t testing.TB, o ptx.Options) *ptx.Module {
	t.Helper()
	m, err := ptx.Compile("kernels.go", c.text, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// twin runs the function on the CPU, with a copy of the arguments, which it returns.
func (c trial) twin(t testing.TB) []any {
	t.Helper()
	args := clone(c.args)
	in := []reflect.Value{{}}
	for _, a := range args {
		in = append(in, reflect.ValueOf(a))
	}
	f := reflect.ValueOf(c.fn)
	if err := cuda.Run(c.shape, func(t cuda.T) {
		mine := append([]reflect.Value{reflect.ValueOf(t)}, in[1:]...)
		f.Call(mine)
	}); err != nil {
		t.Fatal(err)
	}
	return args
}

// clone copies the slices among the arguments.
func clone(args []any) (out []any) {
	for _, a := range args {
		if v := reflect.ValueOf(a); v.Kind() == reflect.Slice {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(c, v)
			a = c.Interface()
		}
		out = append(out, a)
	}
	return out
}

// same compares two lists of arguments bit for bit; all NaN are one.
func same(t testing.TB, what string, got, want []any) {
	t.Helper()
	for k := range want {
		w, g := reflect.ValueOf(want[k]), reflect.ValueOf(got[k])
		if w.Kind() != reflect.Slice {
			continue
		}
		for i := range w.Len() {
			x, y := w.Index(i), g.Index(i)
			eq := x.Interface() == y.Interface()
			if x.CanFloat() {
				eq = math.Float64bits(x.Float()) == math.Float64bits(y.Float()) ||
					math.IsNaN(x.Float()) && math.IsNaN(y.Float())
			}
			if !eq {
				t.Fatalf("%s: argument %d, element %d is %v, the twin's %v", what, k, i, y, x)
			}
		}
	}
}

func ints(r *rand.Rand, n, below int) []int32 {
	x := make([]int32, n)
	for i := range x {
		x[i] = int32(r.IntN(below))
	}
	return x
}

func perm(r *rand.Rand, n int) []int32 {
	x := make([]int32, n)
	for i, v := range r.Perm(n) {
		x[i] = int32(v)
	}
	return x
}

func signs(r *rand.Rand, n int) []int8 {
	x := make([]int8, n)
	for i := range x {
		x[i] = int8(2*r.IntN(2) - 1)
	}
	return x
}

func scan(r *rand.Rand, name string, fn any, n, blocks, dim int) trial {
	c := examples.Cities{X: make([]float64, n), Y: make([]float64, n)}
	for i := range c.X {
		c.X[i], c.Y[i] = 1e6*r.Float64(), 1e6*r.Float64()
	}
	return trial{
		name, examples.Kernels, fn,
		cuda.Shape{Blocks: blocks, Threads: dim},
		[]any{c, perm(r, n), []uint64{math.MaxUint64}},
	}
}

func qap(r *rand.Rand, n, walks, dim int) trial {
	var ps []int32
	best := make([]int64, walks)
	for w := range best {
		ps, best[w] = append(ps, perm(r, n)...), math.MaxInt64
	}
	return trial{
		"QAP", examples.Kernels, examples.QAP,
		cuda.Shape{Blocks: walks, Threads: dim},
		[]any{ints(r, n*n, 100), ints(r, n*n, 100), ps, int32(n), best},
	}
}

func ppp(r *rand.Rand, n, blocks int, pairs bool) trial {
	a, v, y := signs(r, n*n), signs(r, n), make([]int32, n)
	for i := range y {
		for j := range v {
			y[i] += int32(a[n*i+j] * v[j])
		}
	}
	s := cuda.Shape{Blocks: blocks, Threads: 128}
	if pairs {
		return trial{"PPP2", examples.Kernels, examples.PPP2, s, []any{
			a, y, v, ints(r, n, 9), []uint64{math.MaxUint64},
		}}
	}
	return trial{"PPP", examples.Kernels, examples.PPP, s, []any{
		a, y, v, ints(r, n+1, 9), make([]int32, n),
	}}
}

func weierstrass(r *rand.Rand, n, neighbours int) trial {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.Float64() - 0.5
	}
	return trial{
		"Weierstrass", examples.Kernels, examples.Weierstrass,
		cuda.Shape{Blocks: (neighbours + 127) / 128, Threads: 128},
		[]any{x, 0.01, make([]float64, neighbours)},
	}
}

func knapsack(r *rand.Rand, n, walks int) trial {
	x, best := make([]uint8, n*walks), make([]int64, walks)
	for i := range x {
		x[i] = uint8(r.IntN(2))
	}
	for i := range best {
		best[i] = math.MinInt64
	}
	return trial{
		"Knapsack", examples.Kernels, examples.Knapsack,
		cuda.Shape{Blocks: walks, Threads: 128},
		[]any{ints(r, n, 1000), ints(r, n, 1000), x, int64(240 * n), int64(7), best},
	}
}

// corners are pairs of numbers at the ends of ranges, and random ones.
func corners(r *rand.Rand, random int) trial {
	var a, b []int64
	var f []float64
	edge := []int64{
		0, 1, -1, 2, 7, -7, 31, 32, 33, 63, 64, 65, 127, 128, 255, math.MinInt64, math.MaxInt64,
		math.MinInt32, math.MaxInt32, 1 << 40,
	}
	fl := []float64{
		0, math.Copysign(0, -1), .5, -.5, 1e10, -1e10, 1e19, 1.9e19, -1e30, math.NaN(), math.Inf(1),
		math.Inf(-1), 2147483647.5, -2147483648.5, 5e-324, 1 << 63,
	}
	for _, p := range edge {
		for _, q := range edge {
			a, b = append(a, p), append(b, q)
			f = append(f, fl[len(f)%len(fl)])
		}
	}
	for range random {
		a = append(a, int64(r.Uint64()>>r.IntN(64)))
		b = append(b, int64(r.Uint64()>>r.IntN(64)))
		f = append(f, r.NormFloat64()*math.Ldexp(1, r.IntN(70)))
	}
	return trial{
		"Corners", examples.Corner, examples.Corners,
		cuda.Shape{Blocks: 5, Threads: 64},
		[]any{a, b, f, make([]uint64, 24*len(a)), make([]float64, 6*len(a))},
	}
}

// trials are all examples, small.
func trials() []trial {
	r := rand.New(rand.NewPCG(1, 2))
	side := []uint64{r.Uint64(), r.Uint64()}
	xs := make([]float64, 500)
	for i := range xs {
		xs[i] = r.NormFloat64()
	}
	vs := make([]int64, 150)
	for i := range vs {
		vs[i] = int64(r.IntN(60) - 5)
	}
	return []trial{
		scan(r, "Scan", examples.Scan, 60, 7, 32), scan(r, "Scan32", examples.Scan32, 60, 50, 32),
		qap(r, 12, 3, 32), weierstrass(r, 3, 50), ppp(r, 21, 1, false), ppp(r, 21, 2, true),
		knapsack(r, 70, 3), corners(r, 200),
		{
			"MaxCut", examples.Corner, examples.MaxCut,
			cuda.Shape{Blocks: 2, Threads: 32},
			[]any{ints(r, 100*100, 2000), side, make([]int64, 100)},
		},
		{
			"Draws", examples.Corner, examples.Draws,
			cuda.Shape{Blocks: 2, Threads: 32},
			[]any{uint64(7), make([]uint64, 90)},
		},
		{
			"BlockMin", examples.Corner, examples.BlockMin,
			cuda.Shape{Blocks: 3, Threads: 128},
			[]any{xs, make([]float64, 3)},
		},
		{
			"Warps", examples.Warp, examples.Warps,
			cuda.Shape{Blocks: 2, Threads: 70, Shared: 24},
			[]any{vs, make([]int64, 2), make([]uint32, 4*140), make([]float64, 140)},
		},
		{
			"Tables", examples.Warp, examples.Tables,
			cuda.Shape{Blocks: 1, Threads: 32},
			[]any{25, make([]int32, 40), make([]int32, 40), make([]float32, 40)},
		},
	}
}
