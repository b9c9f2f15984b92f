package lab_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/gpu/cuda"
	"metalab/kernel/lab"
)

type scaled struct {
	X     []float32
	Scale float32
	Skip  bool
}

// Saxpy is a kernel with a structure, and numbers of several types.
func Saxpy(t cuda.T, in scaled, y []float32, first uint8) {
	for i := t.Thread() + int(first); i < len(y); i += t.Threads() {
		if !in.Skip {
			y[i] += float32(in.Scale * in.X[i])
		}
	}
}

// Words is no kernel: maps are not in the subset.
func Words(t cuda.T, x []int32) {
	m := map[int32]int32{1: 2}
	x[t.Thread()] = m[1]
}

// Tally counts what the numbers leave divided by a prime, and finds the least of each block, by
// shared memory and the votes and shuffles of warps.
func Tally(t cuda.T, x []int64, counts []uint32, least []int64) {
	s := cuda.Shared[int64](t, 32)
	m := int64(math.MaxInt64)
	for i := t.Thread(); i < len(x); i += t.Threads() {
		cuda.AtomicAdd(&counts[x[i]%int64(len(counts))], 1)
		m = min(m, x[i])
	}
	for h := 16; h > 0; h /= 2 {
		m = min(m, cuda.ShuffleXor(t, m, h))
	}
	if t.Lane() == 0 {
		s[t.Warp()] = m
	}
	t.Sync()
	if t.Local() == 0 {
		for w := 1; w < t.Dim()/cuda.WarpSize; w++ {
			m = min(m, s[w])
		}
		least[t.Block()] = m
	}
}

// Roots has float64.
func Roots(t cuda.T, x []float64, n int) {
	for i := t.Thread(); i < len(x); i += t.Threads() {
		v := x[i]
		for range n {
			v = math.Sqrt(float64(v*v) + 1)
		}
		x[i] = v
	}
}

// Beyond reads beyond its slice.
func Beyond(t cuda.T, x, y []float32) { y[t.Thread()] = x[t.Thread()+1] }

// A function is compiled, and where there is no GPU runs here, with the numbers' own types.
func TestGPUFunc(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	session(t)
	if err := os.Symlink(root, "metalab"); err != nil { // where -trimpath says that the source is
		t.Fatal(err)
	}
	k := lab.GPUFunc(Saxpy)
	if strings.Contains(k.String(), "; on gpu ") {
		t.Skip("there is a GPU: TestDeviceGPUFunc")
	}
	for _, want := range []string{
		"Saxpy: in.X [4: f32@0], in.Scale f32, in.Skip bool, y [4: f32@0] (written), first u8",
		"on the CPU",
	} {
		if !strings.Contains(k.String(), want) {
			t.Errorf("%s lacks %q", k, want)
		}
	}
	y := []float32{1, 2, 3, 4, 5}
	r := k.Launch(1, 32, scaled{X: []float32{1, 1, 2, 2, 3}, Scale: 2}, y, 1)
	if fmt.Sprint(y) != "[1 4 7 8 11]" || r.Device != -1 ||
		!strings.Contains(r.String(), "on the CPU") {
		t.Errorf("%v, %v", y, r)
	}
	lab.GPUFunc(Tally)
	lab.GPUFunc(Roots)
	lab.GPUFunc(Beyond)
	for want, f := range map[string]func(){
		"argument 3 of Saxpy is 300, which a uint8 does not hold": func() {
			k.Launch(1, 1, scaled{}, y, 300)
		},
		"argument 2 of Saxpy is a []float64, want a []float32": func() {
			k.Launch(1, 1, scaled{}, []float64{1}, 0)
		},
		"2 arguments, Saxpy takes 3 without its cuda.T": func() { k.Launch(1, 1, scaled{}, y) },
		"0 blocks, want 1 to":                           func() { k.Launch(0, 1, scaled{}, y, 0) },
		"index out of range [2] with length 2 (thread 2)": func() {
			k.Launch(1, 5, scaled{X: []float32{1, 2}}, y, 0)
		},
		"m := map[int32]int32{1: 2}": func() { lab.GPUFunc(Words) },
		"func(int), want a function whose first parameter is a cuda.T": func() {
			lab.GPUFunc(func(int) {})
		},
		"the source of": func() { lab.GPUFunc(func(cuda.T) {}) },
	} {
		if err := lab.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
