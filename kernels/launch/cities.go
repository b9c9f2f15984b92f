package launch

import (
	"fmt"

	"metalab/gpu"
)

// Cities are city numbers on a device, of 16 bits each or of 32: in a kernel, uint16_t * or
// uint32_t *.
type Cities interface {
	Put(v []int32) error // all of them
	Get(v []int32) error
	Pointer() uint64
	Bytes() int64
	Free() error
}

// NewCities makes room for n city numbers, of 32 bits if wide.
func NewCities(d *gpu.Device, wide bool, n int) (Cities, error) {
	if wide {
		return allocCities[uint32](d, n)
	}
	return allocCities[uint16](d, n)
}

// UploadCities uploads city numbers, unless err is not nil.
func UploadCities(d *gpu.Device, wide bool, v []int32, err error) (Cities, error) {
	if err != nil {
		return nil, err
	}
	c, err := NewCities(d, wide, len(v))
	if err == nil {
		err = c.Put(v)
	}
	return c, err
}

// cityBuffer is cities of one kind.
type cityBuffer[C uint16 | uint32] struct{ *gpu.Buffer[C] }

func allocCities[C uint16 | uint32](d *gpu.Device, n int) (Cities, error) {
	b, err := gpu.Alloc[C](d, n)
	if err != nil {
		return nil, err
	}
	return cityBuffer[C]{b}, nil
}

func (b cityBuffer[C]) Put(v []int32) error { return b.Upload(Narrowed[C](v)) }

func (b cityBuffer[C]) Get(v []int32) error {
	if len(v) != b.Len() {
		return fmt.Errorf("launch: room for %d city numbers, there are %d", len(v), b.Len())
	}
	w, err := b.Download()
	Widened(w, v)
	return err
}

func (b cityBuffer[C]) Pointer() uint64 { return b.View().Ptr }

// Narrowed converts city numbers to the kernels' type.
func Narrowed[C uint16 | uint32](v []int32) []C {
	out := make([]C, len(v))
	for i, c := range v {
		out[i] = C(c)
	}
	return out
}

// Widened is the reverse of Narrowed.
func Widened[C uint16 | uint32](v []C, out []int32) {
	for i, c := range v {
		out[i] = int32(c)
	}
}
