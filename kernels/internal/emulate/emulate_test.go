package emulate

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

// A kernel with warps that end early, blocks of several warps, and a struct; and a kernel that does
// not exist.
func TestLaunch(t *testing.T) {
	Need(t)
	t.Chdir("testdata")
	p, err := Source{File: "sum.cu", Main: "main.cc"}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	type shape struct {
		N     int32
		_     int32
		Scale float64
	}
	p.Layout(t, "main.cc", Struct{"shape", struct {
		N     int32
		Scale float64
	}{}})
	for _, n := range []int{1, 31, 32, 33, 97, 200} {
		v, want := make([]float32, n), 0.0
		for i := range v {
			v[i] = float32(i)
			want += 2 * float64(i)
		}
		const warps = 3
		blocks := (n + 32*warps - 1) / (32 * warps)
		buffers := [][]byte{Raw(shape{N: int32(n), Scale: 2}), Raw(v), make([]byte, 8*blocks)}
		if err := p.Launch("sums", blocks, warps, buffers); err != nil {
			t.Fatal(err)
		}
		got := 0.0
		for _, x := range Cooked(buffers[2], make([]float64, blocks)) {
			got += x
		}
		if got != want {
			t.Errorf("%d numbers: the sum is %v, want %v", n, got, want)
		}
	}
	if err := p.Launch("product", 1, 1, make([][]byte, 3)); err == nil {
		t.Error("a kernel that does not exist was launched")
	}
}

// What follows in a buffer is not read, of bytes too.
func TestCooked(t *testing.T) {
	t.Parallel()
	b := Raw([]int8{1, -2, 3})
	if got := Cooked(b, make([]int8, 2)); got[0] != 1 || got[1] != -2 {
		t.Errorf("%v", got)
	}
	var x uint16
	if Cooked(b, &x); x != 0xfe01 {
		t.Errorf("%x", x)
	}
}
