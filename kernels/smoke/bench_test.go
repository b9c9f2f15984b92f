package smoke_test

import (
	"testing"

	"metalab/gpu"
)

// The benchmarks measure what a launch costs on the ways that the package offers.

// BenchmarkLaunch is Kernel.Launch on the device's thread, arguments converted each time.
func BenchmarkLaunch(b *testing.B) {
	d := device(b)
	k := kernel(b, d, "saxpy")
	x := must(gpu.Alloc[float32](d, 32))(b)
	c := gpu.Linear(32, 32)
	b.ReportAllocs()
	ok(b, d.Do(b.Context(), func() error {
		b.ResetTimer()
		for b.Loop() {
			if err := k.Launch(c, x, x, float32(1), int32(32)); err != nil {
				return err
			}
		}
		return nil
	}), d.Sync())
}

// BenchmarkCall is Call.Launch on the device's thread.
func BenchmarkCall(b *testing.B) {
	d := device(b)
	x := must(gpu.Alloc[float32](d, 32))(b)
	call := must(kernel(b, d, "saxpy").Bind(gpu.Linear(32, 32), x, x, float32(1), int32(32)))(b)
	b.ReportAllocs()
	ok(b, d.Do(b.Context(), func() error {
		b.ResetTimer()
		for b.Loop() {
			if err := call.Launch(); err != nil {
				return err
			}
		}
		return nil
	}), d.Sync())
}

// BenchmarkCallAcross is Call.Launch from another goroutine: with the way to the thread.
func BenchmarkCallAcross(b *testing.B) {
	d := device(b)
	call := must(kernel(b, d, "nothing").Bind(gpu.Config{}))(b)
	for b.Loop() {
		ok(b, call.Launch())
	}
	ok(b, d.Sync())
}

// BenchmarkLaunchSync is a launch and the wait for it, on the device's thread.
func BenchmarkLaunchSync(b *testing.B) {
	d := device(b)
	call := must(kernel(b, d, "nothing").Bind(gpu.Config{}))(b)
	ok(b, d.Do(b.Context(), func() error {
		b.ResetTimer()
		for b.Loop() {
			if err := call.Launch(); err != nil {
				return err
			}
			if err := d.Sync(); err != nil {
				return err
			}
		}
		return nil
	}))
}

// BenchmarkGraph is a kernel in a graph of a thousand.
func BenchmarkGraph(b *testing.B) {
	d := device(b)
	const n = 1000
	call := must(kernel(b, d, "nothing").Bind(gpu.Config{}))(b)
	g := must(d.Capture(nil, func() error {
		for range n {
			if err := call.Launch(); err != nil {
				return err
			}
		}
		return nil
	}))(b)
	ok(b, g.Launch(nil), d.Sync())
	for b.Loop() {
		ok(b, g.Launch(nil), d.Sync())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/kernel")
}
