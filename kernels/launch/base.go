package launch

import (
	"cmp"
	"context"

	"metalab/gpu"
	"metalab/solvers"
)

// A Base is what a family has of a device: the device, the run's part of its memory, and its turns.
// It has the method of solvers.Sharer.
type Base struct {
	Dev    *gpu.Device
	holder string // under which memory is reserved
}

// Open opens the device of a run, the first of env's; if env has none, the one with the most free
// memory. The caller must close the Base, also after an error of its own.
func (b *Base) Open(env *solvers.Env) (err error) {
	b.holder = "run " + cmp.Or(env.Run, "without a name")
	if err = Place(env); err != nil {
		return err
	}
	b.Dev, err = gpu.Open(context.Background(), env.Devices[0])
	return err
}

// Place chooses the device of a run without one.
func Place(env *solvers.Env) error {
	if len(env.Devices) > 0 {
		return nil
	}
	n, err := gpu.Roomiest()
	if err != nil {
		return err
	}
	env.Devices = []int{n}
	return nil
}

// Close closes the device, and with it all that was allocated there.
func (b *Base) Close() {
	if b.Dev != nil {
		b.Dev.Close()
		b.Dev = nil
	}
}

// Turn is the method of solvers.Sharer.
func (b *Base) Turn(ctx context.Context) (give func(), waited bool, err error) {
	b.Dev.Host() // the iteration follows on the same thread
	return b.Dev.Turns().Take(ctx)
}

// Do runs f on the device's own thread, where its calls are direct.
func (b *Base) Do(f func()) {
	_ = b.Dev.Do(context.Background(), func() error { // fails on a closed device alone
		f()
		return nil
	})
}

// Load loads an image.
func (b *Base) Load(image []byte) (*Kernels, error) {
	m, err := b.Dev.Module(image)
	if err != nil {
		return nil, err
	}
	return &Kernels{m: m}, nil
}

// Kernels are those of an image.
type Kernels struct {
	m   *gpu.Module
	err error
}

// Find sets k to the kernel with this name, unless a call of Find has failed before.
func (s *Kernels) Find(k **gpu.Kernel, name string) {
	if s.err == nil {
		*k, s.err = s.m.Kernel(name)
	}
}

// Get returns the kernel with this name.
func (s *Kernels) Get(name string) (*gpu.Kernel, error) { return s.m.Kernel(name) }

// Err is the first error of Find.
func (s *Kernels) Err() error { return s.err }

// Upload uploads v, unless err is not nil: for many uploads with one look at the error.
func Upload[T any](d *gpu.Device, v []T, err error) (*gpu.Buffer[T], error) {
	if err != nil {
		return nil, err
	}
	return gpu.Upload(d, v)
}
