package ptx_test

import (
	"fmt"
	"strings"
	"testing"

	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
)

// failing is a kernel whose threads from 77 on run the body, in line 11.
func failing(body string) string {
	return `package k

import "metalab/gpu/cuda"

func K(t cuda.T, x []int32, zero int32) {
	i := t.Thread()
	x[i] = 5
	if i < 77 {
		return
	}
	` + body + `
}
`
}

var failures = []struct{ body, want string }{
	{"x[i+100] = 1", "k.go:11:3: index out of range (thread 77)"},
	{"x[zero-1] = 1", "k.go:11:3: index out of range (thread 77)"},
	{"x[0] = 5 / zero", "k.go:11:11: integer divide by zero (thread 77)"},
	{"x[0] = 5 % int32(int8(zero))", "k.go:11:11: integer divide by zero (thread 77)"},
	{"x[0] = 1 << (zero - 1)", "k.go:11:11: negative shift amount (thread 77)"},
	{"y := x[zero+3 : zero+1]; x[0] = y[0]", "k.go:11:8: slice bounds out of range (thread 77)"},
	{"y := x[:zero+200]; x[0] = y[0]", "k.go:11:8: slice bounds out of range (thread 77)"},
	{`panic("too far")`, "k.go:11:7: panic: too far (thread 77)"},
	{"panic(7)", "k.go:11:7: panic: 7 (thread 77)"},
	{
		"for zero == 0 { x[0]++ }",
		"k.go:11:11: given up: the budget of loop iterations is spent (thread 77)",
	},
	{ // the comparison was with the length before
		"y := x[:zero+2]; k := 0; if 0 < len(y) { for { x[100] += y[k]; more := k+1 < len(y); " +
			"y = y[:len(y)-1]; k++; if !more { break } } }",
		"k.go:11:60: index out of range (thread 77)",
	},
	{
		"if i > 100 { x[i+100] = 1 }; x[i/2+int(zero)] = 1; x[128+zero] = x[i-78]",
		"k.go:11:68: index out of range (thread 77)",
	},
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for _, c := range failures {
		for _, plain := range []bool{true, false} {
			m, err := ptx.Compile("k.go", failing(c.body), ptx.Options{Bounded: true, Plain: plain})
			if err != nil {
				t.Fatal(err)
			}
			s := cuda.Shape{Blocks: 4, Threads: 32}
			err = emulate(t, m, "K", s, 1000, make([]int32, 128), int32(0))
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: %v, want %s", c.body, err, c.want)
			}
		}
	}
}

// TestSwap: variables of a loop change places at once.
func TestSwap(t *testing.T) {
	t.Parallel()
	text := one("", ", x []int64, n int", "a, b, c := x[0], x[1], x[2]\n"+
		"for k := 0; k < n; k++ { a, b, c = c, a, b }\nx[0], x[1], x[2] = a, b, c")
	for n := range 5 {
		x := []int64{1, 2, 3}
		m, err := ptx.Compile("k.go", text, ptx.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := emulate(t, m, "K", cuda.Shape{Blocks: 1, Threads: 1}, 0, x, n); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			if want := int64((i+3*n-n)%3) + 1; x[i] != want {
				t.Errorf("after %d turns element %d is %d, want %d", n, i, x[i], want)
			}
		}
	}
}

// TestHoistedAfterCheck: where a check of a loop's head fails, the body's loads, which leave the
// loop too, are not made: the condition is made of what the head did not load.
func TestHoistedAfterCheck(t *testing.T) {
	t.Parallel()
	text := one("type C struct{ n, v int32 }", ", x []C, y []int64, k int", "s := int64(0)\n"+
		"for i := int32(0); i >= x[k].n; i-- { s += int64(x[k].v) }\ny[0] = s")
	m, err := ptx.Compile("k.go", text, ptx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = emulate(t, m, "K", cuda.Shape{Blocks: 1, Threads: 1}, 0, make([][2]int32, 3),
		make([]int64, 1), 1<<40)
	if err == nil || !strings.Contains(err.Error(), "index out of range (thread 0)") {
		t.Errorf("%v\n%s", err, m.PTX)
	}
}

// TestLoopThatNeverRuns: what leaves a loop of no iterations is not loaded.
func TestLoopThatNeverRuns(t *testing.T) {
	t.Parallel()
	text := one("", ", x []int32, y []int64, k int", "s := int64(0)\n"+
		"for j := 5; j < 5; j++ { s += int64(x[k]); if s > 3 { break } }\ny[0] = s")
	m, err := ptx.Compile("k.go", text, ptx.Options{Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	err = emulate(t, m, "K", cuda.Shape{Blocks: 1, Threads: 1}, 0, make([]int32, 3),
		make([]int64, 1), 1<<40)
	if err != nil {
		t.Errorf("%v\n%s", err, m.PTX)
	}
}

// TestManyWays: what a variable can be is not followed through all ways that lead to it, which are
// as many as the product of the cases.
func TestManyWays(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("p := y[0]\n")
	for k := range 7 {
		fmt.Fprintf(&b, "switch x[%d] {\n", k)
		for c := range 60 {
			fmt.Fprintf(&b, "case %d:\n", c)
			if c%2 == 0 {
				fmt.Fprintf(&b, "p = %d\n", c+k)
			} else {
				fmt.Fprintf(&b, "y[%d] = 1\n", c)
			}
		}
		b.WriteString("}\n")
	}
	b.WriteString("if p < len(y) { y[p] = 3 }\n")
	if _, err := ptx.Compile("k.go", one("", ", x, y []int", b.String()), ptx.Options{}); err != nil {
		t.Fatal(err)
	}
}

// TestMixedIndex: an index of many steps, each of which uses the one before twice, is looked
// through once.
func TestMixedIndex(t *testing.T) {
	t.Parallel()
	text := one("", ", x []uint64, h uint64", "for range 30 { h ^= h >> 3; h *= 7 }\nx[h&7] = h")
	m, err := ptx.Compile("k.go", text, ptx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, h := make([]uint64, 8), uint64(12345)
	if err := emulate(t, m, "K", cuda.Shape{Blocks: 1, Threads: 1}, 0, x, h); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		h ^= h >> 3
		h *= 7
	}
	if x[h&7] != h {
		t.Errorf("%v, want %d at %d", x, h, h&7)
	}
}

// TestCopy: copy and clear are Go's, also where the two parts overlap.
func TestCopy(t *testing.T) {
	t.Parallel()
	text := one("", ", x, y []int32, n []int, a, b, c, d int", "n[0] = copy(x[a:], x[b:c])\n"+
		"n[1] = copy(y[d:], x)\nclear(x[c:])\nclear(y[:a])")
	m, err := ptx.Compile("k.go", text, ptx.Options{Bounded: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range [][4]int{{0, 2, 6, 3}, {2, 0, 6, 5}, {1, 1, 4, 0}, {3, 3, 3, 6}, {6, 0, 6, 1}} {
		x, y, n := make([]int32, 6), make([]int32, 6), make([]int, 2)
		for i := range x {
			x[i], y[i] = int32(i+1), int32(10*i+10)
		}
		u, v := append([]int32(nil), x...), append([]int32(nil), y...)
		k := []int{copy(u[at[0]:], u[at[1]:at[2]]), copy(v[at[3]:], u)}
		clear(u[at[2]:])
		clear(v[:at[0]])
		err := emulate(t, m, "K", cuda.Shape{Blocks: 1, Threads: 1}, 1000, x, y, n, at[0], at[1], at[2],
			at[3])
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(x, y, n) != fmt.Sprint(u, v, k) {
			t.Errorf("%v: %v %v %v, want %v %v %v", at, x, y, n, u, v, k)
		}
	}
}
