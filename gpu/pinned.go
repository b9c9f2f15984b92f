package gpu

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

// A Pinned is a slice of T in the host's memory. Copies between it and the device overlap with work
// of the host, and are several times as fast as those of ordinary memory.
type Pinned[T any] struct {
	resource
	data []T
}

// NewPinned allocates n zero elements of pinned memory, which is scarce because the system cannot
// swap it out.
func NewPinned[T any](d *Device, n int) (*Pinned[T], error) {
	size := int64(unsafe.Sizeof(*new(T)))
	op := fmt.Sprintf("pin %d %s", n, reflect.TypeFor[T]())
	if err := checkLayout(reflect.TypeFor[T]()); err != nil {
		return nil, refuse(op, d.info.Ordinal, "%v", err)
	}
	if n < 0 || size > 0 && int64(n) > math.MaxInt64/size {
		return nil, refuse(op, d.info.Ordinal, "%d elements", n)
	}
	p := &Pinned[T]{}
	err := d.call(op, func() error {
		bytes := int64(n) * size
		if bytes == 0 {
			p.data = make([]T, n)
			p.own(d, "pinned", func() error { return nil })
			return nil
		}
		at, err := drv.hostAlloc(bytes)
		if err != nil {
			return err
		}
		p.data = unsafe.Slice((*T)(at), n)
		clear(p.data)
		p.own(d, "pinned", func() error { return drv.hostFree(at) })
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Slice returns the elements. Do not use them after Free or the device's Close, nor while a copy is
// running.
func (p *Pinned[T]) Slice() []T { return p.data }

// Len returns the number of elements.
func (p *Pinned[T]) Len() int { return len(p.data) }

// Free frees the memory. Slices of it become invalid.
func (p *Pinned[T]) Free() error { return p.release() }

// Upload starts to copy p to dst, of p's length, in s, and returns at once.
func (p *Pinned[T]) Upload(s *Stream, dst *Buffer[T]) error {
	return p.start("start an upload", s, dst, true)
}

// Download starts to copy src, of p's length, to p in s, and returns at once.
func (p *Pinned[T]) Download(s *Stream, src *Buffer[T]) error {
	return p.start("start a download", s, src, false)
}

func (p *Pinned[T]) start(op string, s *Stream, b *Buffer[T], up bool) error {
	d := b.own.d
	if len(p.data) != b.n {
		return refuse(op, d.info.Ordinal, "%d pinned elements for a buffer of %d", len(p.data), b.n)
	}
	return d.call(op, func() error {
		s, err := d.on(s)
		if err != nil || b.n == 0 {
			return err
		}
		if err := b.own.ok(); err != nil {
			return err
		}
		if p.d == d {
			if err := p.ok(); err != nil {
				return err
			}
		}
		at := unsafe.Pointer(unsafe.SliceData(p.data))
		if up {
			return drv.toDevice(b.ptr, at, b.Bytes(), s.h)
		}
		return drv.toHost(at, b.ptr, b.Bytes(), s.h)
	})
}
