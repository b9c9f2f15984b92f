package gpu

import "fmt"

// A Call is a launch with bound arguments, for kernels that are launched many times: Launch checks
// and converts nothing. Only one goroutine at a time may use it.
type Call struct {
	k   *Kernel
	c   Config
	s   *Stream
	dim [6]uint32
	b   block
}

// Bind prepares a launch. The memory that arguments point to must live as long as the Call.
func (k *Kernel) Bind(c Config, args ...any) (*Call, error) {
	call := &Call{k: k, c: c}
	err := k.module.d.call("bind "+k.name, func() (err error) {
		if err = k.pack(&call.b, args); err == nil {
			call.dim, call.s, err = k.ready(c)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	call.b.wide = true // cu would copy the arguments again, which costs 0.8 us a launch
	return call, nil
}

// Launch starts the kernel with the present arguments.
func (c *Call) Launch() error { return c.k.module.d.fast(c.k.op, c) }

func (c *Call) launch() error {
	if err := c.k.module.ok(); err != nil {
		return err
	}
	if err := c.s.ok(); err != nil {
		return err
	}
	return c.k.start(&c.b, &c.dim, c.s, c.c)
}

// Set replaces argument i, from 0, by one of the same size. Earlier launches keep theirs.
func (c *Call) Set(i int, arg any) error {
	op := "bind " + c.k.name
	d := c.k.module.d
	if i < 0 || i >= len(c.b.offsets) {
		return refuse(op, d.info.Ordinal, "argument %d of %d", i+1, len(c.b.offsets))
	}
	return d.call(op, func() error {
		one := block{offsets: make([]uint32, i), sizes: make([]int, i)}
		if err := one.add(c.k, i, arg, c.b.sizes[i]); err != nil {
			return err
		}
		if one.sizes[i] != c.b.sizes[i] {
			return fmt.Errorf(
				"%w: argument %d has %d bytes, was bound with %d", ErrArgument, i+1, one.sizes[i], c.b.sizes[i],
			)
		}
		copy(c.b.data[c.b.offsets[i]:], one.data[one.offsets[i]:])
		return nil
	})
}
