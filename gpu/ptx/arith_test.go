package ptx_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
	"metalab/gpu/ptx/internal/machine"
	"metalab/solvers/arith"
)

func wellFormed(t *testing.T, m *ptx.Module) {
	t.Helper()
	if _, err := machine.Parse(m.PTX); err != nil {
		t.Fatalf("%v\n%s", err, m.PTX)
	}
}

// sources reads the packages of this module from disk.
func sources(path string) map[string]string {
	rest, ok := strings.CutPrefix(path, "metalab/")
	if !ok {
		return nil
	}
	names, err := filepath.Glob(filepath.Join("..", "..", rest, "*.go"))
	if err != nil {
		return nil
	}
	files := map[string]string{}
	for _, name := range names {
		if filepath.Base(name) == "source.go" { // which gives the others to programs
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return nil
		}
		files[name] = string(b)
	}
	return files
}

// TestArith compiles what decides results, draws, logarithms and powers, from its source.
func TestArith(t *testing.T) {
	t.Parallel()
	const text = `package k

import (
	"metalab/gpu/cuda"
	"metalab/solvers/arith"
)

func Draw(t cuda.T, seed uint64, x []float64, words []uint32, y []float64) {
	i := t.Thread()
	s := arith.NewStream(seed, 1<<33+3, uint32(i), 2)
	for k := range 9 {
		words[9*i+k] = s.Uint32()
	}
	c := arith.Philox4x32(seed, [4]uint32{1, 2, uint32(i), 4})
	words[9*i] ^= c[i&3]
	a, b, _, _, _, _, _, d := arith.PhiloxPair(seed, uint32(i), 1, 2, 3)
	words[9*i+1] ^= a ^ b ^ d
	y[6*i] = arith.Log2(x[i])
	y[6*i+1] = arith.Exp2(x[i])
	y[6*i+2] = arith.Pow(x[i], 0.75)
	y[6*i+3] = s.Float64()
	y[6*i+4] = float64(arith.Expo32(words[9*i+2]))
	y[6*i+5] = float64(arith.Clock32(words[9*i+3]))
}
`
	fn := func(t cuda.T, seed uint64, x []float64, words []uint32, y []float64) {
		i := t.Thread()
		s := arith.NewStream(seed, 1<<33+3, uint32(i), 2)
		for k := range 9 {
			words[9*i+k] = s.Uint32()
		}
		c := arith.Philox4x32(seed, [4]uint32{1, 2, uint32(i), 4})
		words[9*i] ^= c[i&3]
		a, b, _, _, _, _, _, d := arith.PhiloxPair(seed, uint32(i), 1, 2, 3)
		words[9*i+1] ^= a ^ b ^ d
		y[6*i] = arith.Log2(x[i])
		y[6*i+1] = arith.Exp2(x[i])
		y[6*i+2] = arith.Pow(x[i], 0.75)
		y[6*i+3] = s.Float64()
		y[6*i+4] = float64(arith.Expo32(words[9*i+2]))
		y[6*i+5] = float64(arith.Clock32(words[9*i+3]))
	}
	x := []float64{
		1, 0.5, 3.75, 1e-300, 5e-324, 0, -1, math.NaN(), math.Inf(1), 700.25, 1e300, 1.0000001, 0.99, 17,
		2, 9,
	}
	c := trial{
		"Draw", text, fn,
		cuda.Shape{Blocks: 1, Threads: len(x)},
		[]any{uint64(77), x, make([]uint32, 9*len(x)), make([]float64, 6*len(x))},
	}
	want := c.twin(t)
	for _, plain := range []bool{false, true} {
		m := c.compile(t, ptx.Options{Source: sources, Plain: plain})
		args := clone(c.args)
		if err := emulate(t, m, "Draw", c.shape, 0, args...); err != nil {
			t.Fatal(err)
		}
		same(t, "arith", args, want)
	}
}
