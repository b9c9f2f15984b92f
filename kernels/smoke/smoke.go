// Package smoke proves that a GPU works: it holds a few kernels as small as they come, and
// Check, which runs them and looks at what they did.
package smoke

import (
	"context"
	"embed"
	"fmt"
	"time"

	"metalab/gpu"
)

//go:embed images
var images embed.FS

// Image is the compiled kernels of smoke.cu, a fatbin.
func Image() ([]byte, error) { return gpu.Image(images, "smoke", "smoke") }

// Check loads the kernels on d, runs one and compares its result; it returns the time that
// took on the device. The check is of the whole way: image, memory, launch and copy.
func Check(ctx context.Context, d *gpu.Device) (span time.Duration, err error) {
	const n, a = 1000, 0.5
	image, err := Image()
	if err != nil {
		return 0, err
	}
	err = d.Do(ctx, func() error {
		m, err := d.Module(image)
		if err != nil {
			return err
		}
		defer m.Free()
		k, err := m.Kernel("saxpy")
		if err != nil {
			return err
		}
		x, y := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], y[i] = float32(i), float32(-i)
		}
		bx, err := gpu.Upload(d, x)
		if err != nil {
			return err
		}
		defer bx.Free()
		by, err := gpu.Upload(d, y)
		if err != nil {
			return err
		}
		defer by.Free()
		if span, err = k.LaunchTimed(gpu.Linear(n, 128), by, bx, float32(a), int32(n)); err != nil {
			return err
		}
		got, err := by.Download()
		if err != nil {
			return err
		}
		for i := range got {
			if want := y[i] + a*x[i]; got[i] != want { // exact: small integers and halves
				return fmt.Errorf(
					"smoke: device %d computes wrongly: element %d is %v, want %v", d.Info().Ordinal, i, got[i],
					want,
				)
			}
		}
		return nil
	})
	return span, err
}
