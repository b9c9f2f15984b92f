package ptx_test

import (
	"strings"
	"testing"

	"metalab/gpu/ptx"
)

// one is a file with a kernel whose body begins in line 5; above it are other declarations.
func one(above, params, body string) string {
	return "package k\nimport \"metalab/gpu/cuda\"\n" + above + "\nfunc K(t cuda.T" + params +
		") {\n" + body + "\n}\n"
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	const rec = "func fac(n int) int { if n < 2 { return 1 }; return n * fac(n-1) }"
	for _, c := range []struct{ above, params, body, want string }{
		{"", ", x []int32", "m := map[int]int{}\nx[0] = int32(m[1])", "5:"},
		{"", ", x []int32", "m := map[int]int{}\nx[0] = int32(m[1])", "use slices"},
		{
			"var v [1 << 23]int8", ", x []int32", "x[0] = int32(v[int(x[1])])",
			"the package variable v takes 8388608 bytes; at most 4194304: give the kernel a slice",
		},
		{"", ", s string", "_ = s", "4:18: the type string is not in the subset: use []uint8"},
		{
			"", ", x []int32",
			"x = append(x, 1)\nx[0] = 1",
			"append is not in the subset: write into a slice of fixed",
		},
		{
			"", ", x []int32",
			"go func() {}()",
			"5:1: go is not in the subset: the launch starts the threads",
		},
		{"", ", x []int32", "defer func() {}()", "defer is not in the subset"},
		{rec, ", x []int32", "x[0] = int32(fac(5))", "fac calls itself: write a loop"},
		{
			"var v int32", ", x []int32",
			"v = 2; x[0] = v",
			"5:1: the package variable v changes (k.go:5:1): give it to",
		},
		{
			"var v = []int32{1}", ", x []int32",
			"y := v; y[0] = 2; x[0] = 1",
			"a table of the package's is written",
		},
		{
			"func f() int32 { return 1 }\nvar v = f()", ", x []int32",
			"x[0] = v",
			"is not made of constants",
		},
		{
			"", ", x []int32",
			"y := make([]int32, len(x)); x[0] = y[0]",
			"5:10: make with a length that is no constant: give",
		},
		{
			"", ", p *int32",
			"*p = 1",
			"4:18: a pointer as a kernel's parameter: use a slice of one element",
		},
		{
			"", ", x []int32",
			"p := &x[0]\nif x[1] > 0 { p = &x[2] }\n*p = 1",
			"a pointer or function chosen by control flow",
		},
		{
			"", ", x []int32",
			"for i := range x { s := cuda.Shared[int32](t, 4); x[i] = s[0] }",
			"cuda.Shared after a branch or in a loop",
		},
		{
			"", ", n int, x []int32",
			"s := cuda.Shared[int32](t, n); x[0] = s[0]",
			"the length of a shared array is a constant",
		},
		{
			"", ", x []int32",
			"s := cuda.Shared[int64](t, 7000); x[0] = int32(s[0])",
			"shared arrays take 56000 bytes; at most 49152",
		},
		{
			"", ", x []int32",
			"s, u := cuda.SharedAtLaunch[int8](t), cuda.SharedAtLaunch[int8](t); x[0] = int32(s[0] + u[0])",
			"a second cuda.SharedAtLaunch",
		},
		{
			"", ", x []int32",
			"var i any = x; if _, ok := i.(int); ok { x[0] = 1 }",
			"an interface is not in the subset",
		},
		{
			"", ", x []int32",
			"_ = cuda.Run(cuda.Shape{}, func(cuda.T) {})",
			"cuda.Run cannot be called in a kernel",
		},
		{"", ", x []int32", "print(x[0])", "print is not in the subset: write into a slice"},
		{
			"", ", x []int32",
			"var v int32; cuda.AtomicAdd(&v, 1)",
			"an atomic operation works on an element of a slice",
		},
		{
			"type L struct { s []int32 }", ", x []int32, k int",
			"var a [2]L; a[k&1].s = x; x[0] = a[1].s[0]",
			"a slice",
		},
	} {
		_, err := ptx.Compile("k.go", one(c.above, c.params, c.body), ptx.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "k.go:") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%s\n%v\nwant %s", c.above, c.body, err, c.want)
		}
	}
}

// What the type checker and the compiler find at several places is all said.
func TestManyErrors(t *testing.T) {
	t.Parallel()
	_, err := ptx.Compile("k.go", one("func J(t cuda.T, p *int8) {}", ", s string", ""), ptx.Options{})
	if err == nil || strings.Count(err.Error(), "k.go:") != 2 {
		t.Errorf("%v", err)
	}
	_, err = ptx.Compile("k.go", one("", ", x []int32", "x[0] = y\nz = 1"), ptx.Options{})
	if err == nil || !strings.Contains(err.Error(), "k.go:5:8: undefined: y") ||
		!strings.Contains(err.Error(), "k.go:6:1: undefined: z") {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]string{
		"package k":  "k.go: no kernel: an exported function",
		"package k(": "k.go:1:10: expected ';'",
		"package k\nimport \"sort\"\nvar _ = sort.Ints": "a kernel may import math, math/bits,",
	} {
		if _, err := ptx.Compile("k.go", text, ptx.Options{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err = ptx.Compile("k.go", "package k\nimport (\"math\"; \"metalab/gpu/cuda\")\n"+
		"func K(t cuda.T, x []float64) { x[0] = math.Sin(x[1]) }\n", ptx.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "k.go:3:48: math.Sin differs in its last bits") {
		t.Errorf("%v", err)
	}
}

func TestFused(t *testing.T) {
	t.Parallel()
	const above = "type P struct{ V float64 }; func sq(x float64) float64 { return x * x }; " +
		"func id(v float64) float64 { return v + 1 }; " +
		"func named(v float64) (r float64) { r = v * v; return }"
	const gen = "func gen[N float32 | float64](a N) N { return a*a + 1 }"
	for _, c := range []struct{ body, want string }{
		{
			"x[0] = a*b + x[1]", "5:12: the product a * b feeds a sum, and Go rounds the two at once on " +
				"some processors: write float64(a * b)",
		},
		{"x[0] = x[1] - (a * b)", "the product a * b feeds"},
		{"x[0] = x[1] + -(a * b)", "-(a * b) may be a product"},
		{"x[0] += a * b", "5:6: the product a * b"},
		{"z := a * b; x[0] = z + 1", "5:22: z may be a product, feeds a sum"},
		{"z := a; z *= b; x[0] = z - 1", "z may be a product"},
		{"x[0] = sq(a) + b", "sq(a) may be a product"},
		{"p := P{a * b}; x[0] = p.V + 1", "p.V may be a product"},
		{"x[1] = a * b; x[0] = x[1] + 1", "x[1] may be a product"},
		{"x[0] = id(a * b)", "v may be a product"},
		{"z := a * b; z++; x[0] = z", "z may be a product"},
		{"x[0] = named(a) + b", "named(a) may be a product"},
		{"f := func(p float64) float64 { return p * p }; x[0] = f(a) + b", "f(a) may be a product"},
		{"f := func(p float64) float64 { return p + 1 }; x[0] = f(a * b)", "p may be a product"},
		{"x[0] = func() float64 { return a * b }() + 1", "may be a product"},
	} {
		_, err := ptx.Compile("k.go", one(above, ", x []float64, a, b float64", c.body), ptx.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
	text := one(gen, ", x []float64, a, b float64", "x[0] = gen(a)")
	_, err := ptx.Compile("k.go", text, ptx.Options{})
	if err == nil || !strings.Contains(err.Error(), "the product a * a feeds a sum") {
		t.Errorf("%v", err)
	}
	for _, body := range []string{
		"x[0] = float64(a*b) + x[1]", "z := a * b; x[0] = float64(z) + 1", "x[0] = 2*3.5 + a",
		"k := len(x)*2 + 1; x[0] = float64(k)", "x[0] = a * (b + 1)", "x[0] += a / b",
	} {
		text := one("", ", x []float64, a, b float64", body)
		if _, err := ptx.Compile("k.go", text, ptx.Options{}); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// FuzzCompile feeds the compiler with text: it refuses or compiles, and does not panic.
func FuzzCompile(f *testing.F) {
	f.Add(one("", ", x []int32", "x[0] = 1"))
	f.Add(one("var v = [...]int8{2: 1}", ", x []int32", "for i := range x { x[i] += int32(v[i&1]) }"))
	f.Add(one("type A struct { b [3]bool }", ", a A, x []int32", "if a.b[0] { panic(\"x\") }"))
	f.Fuzz(func(t *testing.T, text string) {
		for _, o := range []ptx.Options{{}, {Plain: true, Bounded: true}} {
			m, err := ptx.Compile("k.go", text, o)
			if err != nil {
				if strings.Contains(err.Error(), "internal: ") {
					t.Fatalf("%v\n%s", err, text)
				}
				continue
			}
			wellFormed(t, m)
		}
	})
}
