package gpu

import (
	"fmt"
	"time"
)

// A Dim is a number of blocks or threads in three directions; 0 means 1.
type Dim struct{ X, Y, Z int }

// count returns the product, with 0 taken as 1.
func (d Dim) count() int { return max(d.X, 1) * max(d.Y, 1) * max(d.Z, 1) }

// A Config says how to launch a kernel.
type Config struct {
	Grid  Dim // blocks
	Block Dim // threads of a block
	// bytes of dynamic shared memory per block; above 48 KB the package requests it from the driver
	Shared      int
	Stream      *Stream // nil: the device's own
	Cooperative bool    // the blocks may wait for each other; all must fit on the device at once
}

// Linear returns the Config for n threads in blocks of block threads. The last block may have
// surplus threads.
func Linear(n, block int) Config {
	return Config{Grid: Dim{X: max(1, (n+block-1)/max(block, 1))}, Block: Dim{X: block}}
}

// A Kernel is a function of a module that a device runs. It lives as long as its module.
type Kernel struct {
	module *Module
	h      handle
	name   string
	op     string
	attr   KernelInfo
	params []int // sizes of the parameters; nil if unknown
	known  bool  // whether params is
	shared int   // dynamic shared memory allowed so far; on the thread
}

// A KernelInfo describes a compiled kernel. Sizes are in bytes.
type KernelInfo struct {
	Name      string `json:"name"`
	Registers int    `json:"registers"` // of a thread
	Shared    int    `json:"shared"`    // static shared memory of a block
	Local     int    `json:"local"`     // local memory of a thread: spilt registers and arrays
	Const     int    `json:"const"`     // constant memory
	MaxBlock  int    `json:"max_block"` // threads of a block, at most
	// compute capability of its PTX: 10*major + minor
	PTX       int   `json:"ptx"`
	Binary    int   `json:"binary"`     // compute capability of the running code
	MaxShared int   `json:"max_shared"` // dynamic shared memory of a block, at most
	Params    []int `json:"params"`     // sizes of the parameters; null if the driver cannot tell
}

// The driver's numbers of a function's attributes.
const (
	attrMaxBlock = iota
	attrShared
	attrConst
	attrLocal
	attrRegisters
	attrPTX
	attrBinary
	attrMaxDynamicShared = 8
)

// describe fills in the attributes; on the thread.
func (k *Kernel) describe() error {
	a := &k.attr
	a.Name = k.name
	for _, q := range []struct {
		attr int
		to   *int
	}{
		{attrMaxBlock, &a.MaxBlock},
		{attrShared, &a.Shared},
		{attrConst, &a.Const},
		{attrLocal, &a.Local},
		{attrRegisters, &a.Registers},
		{attrPTX, &a.PTX},
		{attrBinary, &a.Binary},
	} {
		v, err := drv.funcAttr(k.h, q.attr)
		if err != nil {
			return err
		}
		*q.to = v
	}
	in := k.module.d.info
	a.MaxShared = max(0, in.SharedBlockMax-a.Shared)
	k.shared = max(0, in.SharedBlock-a.Shared)
	k.params, k.known = drv.funcParams(k.h)
	a.Params = k.params
	return nil
}

// Info returns the compiler's data about the kernel.
func (k *Kernel) Info() KernelInfo { return k.attr }

// Name returns the kernel's name.
func (k *Kernel) Name() string { return k.name }

// Device returns the kernel's device.
func (k *Kernel) Device() *Device { return k.module.d }

// Launch starts the kernel and returns at once. Pass the arguments as the kernel declares them:
// *Buffer[T] and *Array for a pointer, View for a pointer with its length, numbers of a fixed size,
// bools, and structures of those by value. An int is allowed only if the driver knows the
// parameter's size (from CUDA 12.4 on), so prefer int32 or int64. With such a driver Launch also
// checks the number and sizes of the arguments. The next call that waits returns the kernel's
// errors.
func (k *Kernel) Launch(c Config, args ...any) error {
	d := k.module.d
	return d.call(k.op, func() error {
		var b block
		if err := k.pack(&b, args); err != nil {
			return err
		}
		dim, s, err := k.ready(c)
		if err != nil {
			return err
		}
		return k.start(&b, &dim, s, c)
	})
}

// LaunchTimed launches the kernel, waits for it and returns its time on the device, measured by
// events: with a resolution of about half a microsecond, and some microseconds more than a profiler
// shows.
func (k *Kernel) LaunchTimed(c Config, args ...any) (time.Duration, error) {
	return k.module.d.Time(c.Stream, func() error { return k.Launch(c, args...) })
}

// start launches; on the thread.
func (k *Kernel) start(b *block, dim *[6]uint32, s *Stream, c Config) error {
	d := k.module.d
	if err := drv.launch(
		k.h, dim, c.Shared, s.h, b.data, b.offsets, b.wide, c.Cooperative,
	); err != nil {
		return err
	}
	if d.capture != s {
		d.launches++
		d.last = k.name
	}
	return nil
}

// ready checks c against the device and raises the kernel's limit of shared memory if
// needed; on the thread. The driver would answer most of this with "invalid value".
func (k *Kernel) ready(c Config) (dim [6]uint32, s *Stream, err error) {
	d := k.module.d
	if err = k.module.ok(); err != nil {
		return dim, nil, err
	}
	if s, err = d.on(c.Stream); err != nil {
		return dim, nil, err
	}
	bad := func(format string, args ...any) error {
		return refuse(
			k.op, d.info.Ordinal, format, args...,
		)
	}
	for i, v := range []int{c.Grid.X, c.Grid.Y, c.Grid.Z, c.Block.X, c.Block.Y, c.Block.Z} {
		limit := [6]int{1<<31 - 1, 65535, 65535, 1024, 1024, 64}[i]
		if v < 0 || v > limit {
			return dim, nil, bad(
				"%s %s is %d, want 1 to %d", [2]string{"grid", "block"}[i/3], "XYZ"[i%3:i%3+1], v, limit,
			)
		}
		dim[i] = uint32(max(v, 1))
	}
	if n := c.Block.count(); n > k.attr.MaxBlock {
		return dim, nil, bad(
			"%d threads a block, the kernel takes at most %d (%d registers a thread)", n, k.attr.MaxBlock,
			k.attr.Registers,
		)
	}
	if c.Shared < 0 || c.Shared > k.attr.MaxShared {
		return dim, nil, bad(
			"%d bytes of dynamic shared memory, want 0 to %d beside the kernel's own %d", c.Shared,
			k.attr.MaxShared, k.attr.Shared,
		)
	}
	if err := k.allow(c.Shared); err != nil {
		return dim, nil, err
	}
	if c.Cooperative {
		if !d.info.Cooperative {
			return dim, nil, bad("the device has no cooperative launches")
		}
		n, err := drv.funcBlocks(k.h, c.Block.count(), c.Shared)
		if err != nil {
			return dim, nil, err
		}
		if most := n * d.info.SMs; c.Grid.count() > most {
			return dim, nil, bad(
				"a cooperative grid of %d blocks; %d fit at once (%d on each of %d multiprocessors)",
				c.Grid.count(), most, n, d.info.SMs,
			)
		}
	}
	return dim, s, nil
}

// allow raises the kernel's limit of dynamic shared memory; on the thread.
func (k *Kernel) allow(shared int) error {
	if shared <= k.shared {
		return nil
	}
	if err := drv.funcSetAttr(k.h, attrMaxDynamicShared, shared); err != nil {
		return err
	}
	k.shared = shared
	return nil
}

// Blocks returns the number of blocks, with so many threads and bytes of dynamic shared memory,
// that a multiprocessor holds at once.
func (k *Kernel) Blocks(block, shared int) (n int, err error) {
	err = k.module.d.call("occupancy of "+k.name, func() (err error) {
		if err = k.sized(block, shared); err == nil {
			n, err = drv.funcBlocks(k.h, block, shared)
		}
		return err
	})
	return n, err
}

// MaxCooperativeGrid returns the largest grid of a cooperative launch.
func (k *Kernel) MaxCooperativeGrid(block, shared int) (int, error) {
	n, err := k.Blocks(block, shared)
	return n * k.module.d.info.SMs, err
}

// BestBlock returns the number of threads per block, at most limit (0: no limit), with the most
// resident threads if each block has shared bytes of dynamic shared memory, and the smallest grid
// that fills the device with such blocks.
func (k *Kernel) BestBlock(shared, limit int) (grid, block int, err error) {
	err = k.module.d.call("occupancy of "+k.name, func() (err error) {
		if err = k.sized(1, shared); err == nil {
			grid, block, err = drv.funcBestBlock(k.h, shared, limit)
		}
		return err
	})
	return grid, block, err
}

func (k *Kernel) sized(block, shared int) error {
	if err := k.module.ok(); err != nil {
		return err
	}
	if block < 1 || block > k.attr.MaxBlock || shared < 0 || shared > k.attr.MaxShared {
		return fmt.Errorf(
			"%w: %d threads and %d bytes a block, want at most %d and %d", ErrArgument, block, shared,
			k.attr.MaxBlock, k.attr.MaxShared,
		)
	}
	return k.allow(shared)
}
