package launch

import (
	"strings"
	"testing"

	"metalab/gpu/ptx"
)

const text = `package k
import "metalab/gpu/cuda"
type Point struct { X, Y float32; Odd bool; id int16 }
type In struct { P []Point; scale float64; on bool }
func K(t cuda.T, in In, n int, out []int64, b []uint8) {
	for i := t.Thread(); i < len(out); i += t.Threads() {
		if in.on && in.P[i].Odd { out[i] = int64(in.P[i].X) + int64(b[n]) + int64(in.scale) }
	}
}
`

type point struct {
	X, Y float32
	Odd  bool
	id   int16
}

type in struct {
	P     []point
	scale float64
	on    bool
}

func kernel(t *testing.T) *ptx.Kernel {
	t.Helper()
	m, err := ptx.Compile("k.go", text, ptx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &m.Kernels[0]
}

func TestFlatten(t *testing.T) {
	t.Parallel()
	k := kernel(t)
	a := in{make([]point, 3), 2.5, true}
	a.P[0].id = 7
	ps, err := flatten(k, []any{a, 5, make([]int64, 4), []uint8{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if len(ps) != 6 || ps[0].len != 3 || len(ps[0].host) != 36 || ps[1].number != 2.5 ||
		ps[2].number != true || ps[3].number != int64(5) || ps[4].len != 4 || ps[5].bytes != 2 {
		t.Errorf("%+v", ps)
	}
	for i, p := range ps {
		if p.param.Written != (i == 4) {
			t.Errorf("%s: written is %v", p.param.Name, p.param.Written)
		}
	}
}

func TestFlattenRefuses(t *testing.T) {
	t.Parallel()
	k := kernel(t)
	out := make([]int64, 4)
	type half struct{ P []point }
	type more struct {
		in
		Rest int
	}
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{in{}}, "1 arguments, K takes 4 (without the cuda.T): in.P, in.scale, in.on, n, out, b"},
		{[]any{nil, 1, out, []uint8{}}, "argument 1 of K is nil"},
		{[]any{in{}, int32(1), out, []uint8{}}, "n of K (argument 2) is a int32, the kernel takes"},
		{[]any{in{}, 1, []int32{1}, []uint8{}}, "out of K (argument 3) is a []int32, the kernel takes" +
			" a slice whose elements have the layout 8: s64@0"},
		{[]any{in{}, 1, 2, []uint8{}}, "out of K (argument 3) is a int, the kernel takes a slice"},
		{[]any{half{}, 1, out, []uint8{}}, "argument 1 of K, a launch.half, lacks in.scale"},
		{[]any{more{}, 1, out, []uint8{}}, "argument 1 of K has more than the kernel takes: a int"},
		{[]any{in{}, out, out, []uint8{}}, "n of K (argument 2) is a []int64, the kernel takes an int"},
		{[]any{in{}, 1, []string{""}, []uint8{}}, "out of K (argument 3) is a []string"},
	} {
		if _, err := flatten(k, c.args); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}

func TestOverlap(t *testing.T) {
	t.Parallel()
	m, err := ptx.Compile("k.go", `package k
import "metalab/gpu/cuda"
func K(t cuda.T, a, b, out []int32) { out[0] = a[0] + b[0] }
`, ptx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k, x := &m.Kernels[0], make([]int32, 10)
	if _, err := flatten(k, []any{x[:6], x[2:5], x[6:]}); err != nil {
		t.Errorf("reads overlap: %v", err)
	}
	if _, err := flatten(k, []any{x[:1], x[2:7], x[6:]}); err == nil ||
		err.Error() != "K writes out, which overlaps b: give it a copy" {
		t.Errorf("%v", err)
	}
}
