package gpu

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"unsafe"
)

// A Buffer is a slice of T in a device's memory. T is a number of fixed size, a bool, or an array
// or structure of those; the fields of a structure have C's layout.
//
// As an argument of a kernel a Buffer is a plain pointer, T*; see View for a pointer with its
// length.
type Buffer[T any] struct {
	own  *resource // of the whole allocation, shared by its parts
	ptr  uint64
	n    int
	part bool
}

// A View is a Buffer as a kernel's argument by value: 16 bytes, pointer and length. In CUDA C it is
// struct { T *data; long long len; } (view<T> of kernels/view.cuh). It does not keep the buffer
// alive.
type View[T any] struct {
	Ptr uint64 // address on the device
	Len int64  // in elements
}

// Alloc allocates n elements on d, without initializing them.
func Alloc[T any](d *Device, n int) (*Buffer[T], error) {
	size := int64(unsafe.Sizeof(*new(T)))
	op := fmt.Sprintf("alloc %d %s", n, reflect.TypeFor[T]())
	if err := checkLayout(reflect.TypeFor[T]()); err != nil {
		return nil, refuse(op, d.info.Ordinal, "%v", err)
	}
	if n < 0 || size > 0 && int64(n) > math.MaxInt64/size {
		return nil, refuse(op, d.info.Ordinal, "%d elements", n)
	}
	b := &Buffer[T]{own: &resource{}, n: n}
	err := d.call(op, func() (err error) {
		b.ptr, err = d.alloc(b.own, int64(n)*size)
		return err
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// alloc allocates bytes for r; on the thread. The driver refuses 0 bytes, so nothing is
// allocated for an empty buffer.
func (d *Device) alloc(r *resource, bytes int64) (uint64, error) {
	if bytes == 0 {
		r.own(d, "buffer", func() error { return nil })
		return 0, nil
	}
	ptr, err := drv.alloc(bytes)
	if err == result(codeOutOfMemory) {
		e := wrap("", d.info.Ordinal, err).(*Error)
		e.Op = "alloc " + Bytes(bytes).String()
		if free, total, err := drv.memInfo(); err == nil {
			e.Hint = fmt.Sprintf("%v of %v are free; %s", Bytes(free), Bytes(total), e.Hint)
		}
		return 0, e
	}
	if err != nil {
		return 0, err
	}
	d.hold(bytes)
	r.own(d, "buffer", func() error {
		d.hold(-bytes)
		return drv.free(ptr)
	})
	return ptr, nil
}

// Upload allocates a buffer on d with a copy of src.
func Upload[T any](d *Device, src []T) (*Buffer[T], error) {
	b, err := Alloc[T](d, len(src))
	if err != nil {
		return nil, err
	}
	if err := b.Upload(src); err != nil {
		_ = b.Free()
		return nil, err
	}
	return b, nil
}

// Len returns the number of elements.
func (b *Buffer[T]) Len() int { return b.n }

// Bytes returns the size.
func (b *Buffer[T]) Bytes() int64 { return int64(b.n) * int64(unsafe.Sizeof(*new(T))) }

// Device returns the device that holds b, nil if there is none.
func (b *Buffer[T]) Device() *Device {
	if b.own == nil {
		return nil
	}
	return b.own.d
}

// View returns b as a kernel's argument by value.
func (b *Buffer[T]) View() View[T] { return View[T]{b.ptr, int64(b.n)} }

// Slice returns the elements from lo up to, not including, hi. It shares the memory of b, which
// only b frees. It panics where a slice expression would.
func (b *Buffer[T]) Slice(lo, hi int) *Buffer[T] {
	if lo < 0 || hi < lo || hi > b.n {
		panic(fmt.Sprintf("gpu: slice [%d:%d] of a buffer of %d", lo, hi, b.n))
	}
	return &Buffer[T]{
		own: b.own, ptr: b.ptr + uint64(lo)*uint64(unsafe.Sizeof(*new(T))), n: hi - lo, part: true,
	}
}

// Free frees the memory at once. Kernels that use it must have ended. Freeing a part does nothing.
func (b *Buffer[T]) Free() error {
	if b == nil || b.part {
		return nil
	}
	return b.own.release()
}

// Upload copies src, of b's length, to b, after all work in the device's own stream, and waits for
// the end.
func (b *Buffer[T]) Upload(src []T) error {
	op := "upload " + Bytes(b.Bytes()).String()
	d, err := b.own.device(op)
	if err != nil {
		return err
	}
	if len(src) != b.n {
		return refuse(op, d.info.Ordinal, "%d elements for a buffer of %d", len(src), b.n)
	}
	return b.blocking(op, unsafe.Pointer(unsafe.SliceData(src)), true)
}

// Download returns a copy of b, after all work in the device's own stream.
func (b *Buffer[T]) Download() ([]T, error) {
	dst := make([]T, b.n)
	return dst, b.DownloadTo(dst)
}

// DownloadTo copies b to dst, of b's length, after all work in the device's own stream, and waits
// for the end.
func (b *Buffer[T]) DownloadTo(dst []T) error {
	op := "download " + Bytes(b.Bytes()).String()
	d, err := b.own.device(op)
	if err != nil {
		return err
	}
	if len(dst) != b.n {
		return refuse(op, d.info.Ordinal, "%d elements from a buffer of %d", len(dst), b.n)
	}
	return b.blocking(op, unsafe.Pointer(unsafe.SliceData(dst)), false)
}

func (b *Buffer[T]) blocking(op string, p unsafe.Pointer, up bool) error {
	return b.own.d.call(op, func() error { return b.own.transfer(b.ptr, p, b.Bytes(), up) })
}

// transfer copies between Go's memory and the device's; on the thread. The memory is
// pinned for the collector because the driver may use it until the wait ends.
func (r *resource) transfer(ptr uint64, p unsafe.Pointer, bytes int64, up bool) error {
	if err := r.ok(); err != nil {
		return err
	}
	if bytes == 0 {
		return nil
	}
	var pin runtime.Pinner
	pin.Pin(p)
	defer pin.Unpin()
	var err error
	if up {
		err = drv.toDevice(ptr, p, bytes, r.d.stream.h)
	} else {
		err = drv.toHost(p, ptr, bytes, r.d.stream.h)
	}
	if err != nil {
		return err
	}
	return r.d.stream.wait()
}

// Zero starts to clear b in s, and returns at once.
func (b *Buffer[T]) Zero(s *Stream) error { return b.fill("clear a buffer", s, 0, 1, b.Bytes()) }

// Fill starts to set every element of b to v in s. T must have 1, 2 or 4 bytes; for larger elements
// the 4-byte words of v must all be equal, as in 0 and -1.
func (b *Buffer[T]) Fill(s *Stream, v T) error {
	const op = "fill a buffer"
	d, err := b.own.device(op)
	if err != nil {
		return err
	}
	size := int(unsafe.Sizeof(v))
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&v)), size)
	var word uint32
	width := min(size, 4)
	for i := range width {
		word |= uint32(raw[i]) << (8 * i)
	}
	if width == 3 || size%max(width, 1) != 0 {
		return refuse(op, d.info.Ordinal, "elements of %d bytes cannot be filled", size)
	}
	for i := range raw {
		if raw[i] != byte(word>>(8*(i%4))) && size > 4 {
			return refuse(
				op, d.info.Ordinal,
				"elements of %d bytes can be filled only with a value whose 4-byte words are alike", size,
			)
		}
	}
	if width == 0 {
		return nil
	}
	return b.fill(op, s, word, width, b.Bytes()/int64(width))
}

func (b *Buffer[T]) fill(op string, s *Stream, word uint32, width int, n int64) error {
	d, err := b.own.device(op)
	if err != nil {
		return err
	}
	return d.call(op, func() error {
		s, err := d.on(s)
		if err != nil || n == 0 {
			return err
		}
		if err := b.own.ok(); err != nil {
			return err
		}
		return drv.fill(b.ptr, word, width, n, s.h)
	})
}

// CopyFrom starts to copy src, of b's length, to b in s, a stream of b's device. src may be on
// another device; its contents must then be ready there (Event, Stream.After).
func (b *Buffer[T]) CopyFrom(s *Stream, src *Buffer[T]) error {
	const op = "copy a buffer"
	d, err := b.own.device(op)
	if err != nil {
		return err
	}
	from, err := src.own.device(op)
	if err != nil {
		return err
	}
	if src.n != b.n {
		return refuse(op, d.info.Ordinal, "%d elements to a buffer of %d", src.n, b.n)
	}
	return d.call(op, func() error {
		s, err := d.on(s)
		if err != nil || b.n == 0 {
			return err
		}
		if err := b.own.ok(); err != nil {
			return err
		}
		if from == d {
			if err := src.own.ok(); err != nil {
				return err
			}
		}
		if from.ctx != d.ctx {
			return drv.copyPeer(b.ptr, d.ctx, src.ptr, from.ctx, b.Bytes(), s.h)
		}
		return drv.copy(b.ptr, src.ptr, b.Bytes(), s.h)
	})
}

// argument makes b a kernel's argument.
func (b *Buffer[T]) argument() (uint64, *resource) { return b.ptr, b.own }
