//go:build cuda

package lab_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"metalab/gpu"
	"metalab/gpu/cuda"
	"metalab/kernel/lab"
)

// Functions run on the GPU, and give the CPU's words; the test prints from when on they can.
func TestDeviceGPUFunc(t *testing.T) {
	d, err := gpu.Open(context.Background(), 0)
	if err != nil {
		if gpu.IsUnavailable(err) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	d.Close()
	session(t)
	var x []int64
	var f []float64
	for i := range int64(100_000) {
		x = append(x, 7919*i%104_729+3)
		f = append(f, float64(i)/3)
	}
	on := func(name string, fn any, blocks, threads int, args func() []any) {
		var took [3]time.Duration
		var got []any
		for i := range took {
			got = args()
			start := time.Now()
			k := lab.GPUFunc(fn)
			r := k.Launch(blocks, threads, got...)
			took[i] = time.Since(start)
			if r.Device != 0 || !strings.Contains(k.String(), "; on gpu 0") {
				t.Fatalf("%s: %v, %v", name, k, r)
			}
			if i == len(took)-1 {
				t.Logf("%s: %v", name, r)
			}
		}
		t.Logf("%s: from the text to the end of a launch: %v", name, took)
		want := args()
		values := []reflect.Value{{}}
		for _, a := range want {
			values = append(values, reflect.ValueOf(a))
		}
		err := cuda.Run(cuda.Shape{Blocks: blocks, Threads: threads}, func(c cuda.T) {
			all := append([]reflect.Value{reflect.ValueOf(c)}, values[1:]...)
			reflect.ValueOf(fn).Call(all)
		})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the GPU and the CPU differ", name)
		}
	}
	on("Saxpy", Saxpy, 4, 64, func() []any {
		in := scaled{X: make([]float32, 1000), Scale: 1.1}
		for i := range in.X {
			in.X[i] = float32(i) / 7
		}
		return []any{in, make([]float32, 1000), uint8(3)}
	})
	on("Tally", Tally, 7, 128, func() []any {
		return []any{x, make([]uint32, 101), make([]int64, 7)}
	})
	on("Roots", Roots, 50, 128, func() []any { return []any{append([]float64(nil), f...), 20} })
	err = lab.Try(func() {
		lab.GPUFunc(Beyond).Launch(1, 32, make([]float32, 10), make([]float32, 32))
	})
	if err == nil || !strings.Contains(err.Error(), "index out of range") ||
		!strings.Contains(err.Error(), "(thread ") {
		t.Errorf("%v, want an index out of range", err)
	}
	y := []float32{1, 2}
	lab.GPUFunc(Saxpy).Launch(1, 32, scaled{X: []float32{1, 1}, Scale: 2}, y, 0)
	if fmt.Sprint(y) != "[3 4]" {
		t.Errorf("after the failure: %v", y)
	}
}
