package gpu_test

import (
	"testing"

	"metalab/gpu"
)

// BenchmarkOverhead is what the package itself adds to a launch: the fake driver's kernel
// does nothing. Real launches are measured in metalab/kernels/smoke.
func BenchmarkOverhead(b *testing.B) {
	if err := gpu.Available(); err != nil {
		b.Skip(err)
	}
	d, err := gpu.Open(b.Context(), 0)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	m, err := d.Module([]byte(image))
	if err != nil {
		b.Fatal(err)
	}
	k, err := m.Kernel("saxpy")
	if err != nil {
		b.Fatal(err)
	}
	x, err := gpu.Alloc[float32](d, 1)
	if err != nil {
		b.Fatal(err)
	}
	c, err := k.Bind(gpu.Linear(1, 32), x, x, float32(1), int32(1))
	if err != nil {
		b.Fatal(err)
	}
	on := func(f func() error) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			if err := d.Do(b.Context(), func() error {
				for b.Loop() {
					if err := f(); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("launch", on(func() error {
		return k.Launch(
			gpu.Linear(1, 32), x, x, float32(1), int32(1),
		)
	}))
	b.Run("call", on(c.Launch))
	b.Run("nested", on(func() error { return d.Do(b.Context(), func() error { return nil }) }))
	b.Run("across", func(b *testing.B) {
		for b.Loop() {
			if err := c.Launch(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
