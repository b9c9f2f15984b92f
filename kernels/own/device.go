package own

import (
	"context"
	"slices"
	"time"

	"metalab/gpu"
	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
	"metalab/kernels/launch"
	"metalab/solvers"
)

// device is a GPU.
type device struct{ launch.Base }

// OpenGPU opens the GPU of a run.
func OpenGPU(env *solvers.Env) (Machine, error) {
	d := &device{}
	if err := d.Open(env); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (d *device) Room(bytes int64) error { return d.Admit(bytes, nil) }

func (d *device) Batch(f func() error) error { return d.Dev.Do(context.Background(), f) }

func (d *device) Array(bytes int64) (Array, error) {
	b, err := gpu.Alloc[byte](d.Dev, int(max(bytes, 1)))
	if err != nil {
		return nil, err
	}
	return &array{b}, nil
}

func (d *device) Load(m *ptx.Module, kernel string) (Kernel, error) {
	mod, err := d.Dev.SharedModule([]byte(m.PTX)) // which has no variables
	if err != nil {
		return nil, err
	}
	k, err := mod.Kernel(kernel)
	if err != nil {
		return nil, err
	}
	return loaded{k}, nil
}

// array is memory of a GPU.
type array struct{ b *gpu.Buffer[byte] }

func (a *array) Upload(at int64, b []byte) error {
	return a.b.Slice(int(at), int(at)+len(b)).Upload(b)
}

func (a *array) Download(at int64, b []byte) error {
	return a.b.Slice(int(at), int(at)+len(b)).DownloadTo(b)
}

func (a *array) Copy(from Array) error { return a.b.CopyFrom(nil, from.(*array).b) }
func (a *array) Free() error           { return a.b.Free() }

// loaded is a kernel on a GPU.
type loaded struct{ k *gpu.Kernel }

func (l loaded) Launch(s cuda.Shape, args ...any) (time.Duration, error) {
	return l.k.LaunchTimed(config(s), given(args)...)
}

func (l loaded) Queue(s cuda.Shape, args ...any) error {
	return l.k.Launch(config(s), given(args)...)
}

func config(s cuda.Shape) gpu.Config {
	return gpu.Config{Grid: gpu.Dim{X: s.Blocks}, Block: gpu.Dim{X: s.Threads}, Shared: s.Shared}
}

// given are arguments as the GPU takes them.
func given(args []any) []any {
	out := slices.Clone(args)
	for i, a := range args {
		if a, ok := a.(*array); ok {
			out[i] = a.b
		}
	}
	return out
}

func (l loaded) MaxBlock() int { return l.k.Info().MaxBlock }
