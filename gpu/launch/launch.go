package launch

import (
	"errors"
	"fmt"
	"time"

	"metalab/gpu"
	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
)

// DefaultBudget is how many iterations of loops a thread of a bounded kernel may make: some
// minutes of an empty loop.
const DefaultBudget uint64 = 1 << 36

// A Program is a compiled module on a device.
type Program struct {
	compiled *ptx.Module
	module   *gpu.Module
	device   *gpu.Device
}

// Load lets the driver compile a module for a device.
func Load(d *gpu.Device, m *ptx.Module) (*Program, error) {
	mod, err := d.Module([]byte(m.PTX))
	if err != nil {
		return nil, err
	}
	return &Program{m, mod, d}, nil
}

// Free unloads the module; its kernels cannot be launched any more.
func (p *Program) Free() error { return p.module.Free() }

// Kernel returns the kernel of that name.
func (p *Program) Kernel(name string) (*Kernel, error) {
	k, err := p.compiled.Kernel(name)
	if err != nil {
		return nil, err
	}
	g, err := p.module.Kernel(name)
	if err != nil {
		return nil, err
	}
	return &Kernel{Budget: DefaultBudget, program: p, kernel: k, gpu: g}, nil
}

// A Kernel is a function of a program.
type Kernel struct {
	// Budget is how many iterations of loops a thread may make, at least 1, where the module was
	// compiled with ptx.Options.Bounded.
	Budget  uint64
	program *Program
	kernel  *ptx.Kernel
	gpu     *gpu.Kernel
}

// Info returns what the driver made of the kernel: registers, memory.
func (k *Kernel) Info() gpu.KernelInfo { return k.gpu.Info() }

// Launch uploads the arguments, runs the kernel, waits, and downloads the slices that it may
// write, unless a thread failed.
func (k *Kernel) Launch(s cuda.Shape, args ...any) (err error) {
	c, err := k.Bind(args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Free()) }()
	if err := c.Launch(s); err != nil {
		return err
	}
	return c.Fetch()
}

// A Call is a kernel with its arguments on the device.
type Call struct {
	kernel *Kernel
	flat   []any
	word   *gpu.Buffer[uint64]
	own    []*gpu.Buffer[byte]
	back   []func() error
	state  error // why there is nothing to fetch
}

// Bind uploads the arguments, once for many launches.
func (k *Kernel) Bind(args ...any) (*Call, error) {
	pieces, err := flatten(k.kernel, args)
	if err != nil {
		return nil, err
	}
	d := k.program.device
	c := &Call{kernel: k, state: errors.New("nothing was launched")}
	for _, p := range pieces {
		switch {
		case !p.slice():
			c.flat = append(c.flat, p.number)
			continue
		case p.buffer.IsValid():
			c.flat = append(c.flat, p.buffer.Interface(), int64(p.len))
			continue
		}
		b, err := gpu.Upload(d, p.host)
		if err != nil {
			return nil, errors.Join(err, c.Free())
		}
		c.own = append(c.own, b)
		c.flat = append(c.flat, b, int64(p.len))
		if p.param.Written {
			c.back = append(c.back, func() error { return b.DownloadTo(p.host) })
		}
	}
	if k.program.compiled.Bounded {
		c.flat = append(c.flat, k.Budget)
	}
	if c.word, err = gpu.Upload(d, []uint64{ptx.NoError}); err != nil {
		return nil, errors.Join(err, c.Free())
	}
	c.flat = append(c.flat, c.word)
	return c, nil
}

// Launch runs the kernel and waits. Where threads failed it returns the *ptx.Failure of the
// lowest one; what the launch wrote on the device is void then.
func (c *Call) Launch(s cuda.Shape) error {
	_, err := c.Time(s)
	return err
}

// Time is Launch, and returns how long the device took.
func (c *Call) Time(s cuda.Shape) (time.Duration, error) {
	if err := s.Check(); err != nil {
		return 0, err
	}
	k := c.kernel
	if s.Shared > 0 && !k.kernel.Dynamic {
		return 0, fmt.Errorf("%d bytes of shared memory, but %s calls no cuda.SharedAtLaunch", s.Shared,
			k.kernel.Name)
	}
	if err := c.word.Upload([]uint64{ptx.NoError}); err != nil {
		return 0, err
	}
	took, err := k.gpu.LaunchTimed(gpu.Config{
		Grid: gpu.Dim{X: s.Blocks}, Block: gpu.Dim{X: s.Threads}, Shared: s.Shared,
	}, c.flat...)
	if err != nil {
		c.state = err
		return 0, err
	}
	word := make([]uint64, 1)
	if err := c.word.DownloadTo(word); err != nil {
		c.state = err
		return 0, err
	}
	c.state = k.program.compiled.Explain(word[0])
	return took, c.state
}

// Fetch downloads the slices that the kernel may write, after a launch in which no thread
// failed.
func (c *Call) Fetch() error {
	if c.state != nil {
		return fmt.Errorf("the results of %s are void: %w", c.kernel.kernel.Name, c.state)
	}
	for _, f := range c.back {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// Free frees what Bind uploaded.
func (c *Call) Free() (err error) {
	for _, b := range c.own {
		err = errors.Join(err, b.Free())
	}
	c.own = nil
	if c.word != nil {
		err = errors.Join(err, c.word.Free())
	}
	return err
}
