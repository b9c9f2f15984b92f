package ants

import (
	"embed"
	"fmt"
	"math"

	"metalab/gpu"
)

// Kernels have city numbers of 16 bits, or of 32: then their image's name ends in _wide. Both are
// compiled from the same sources.

// From wideFrom cities on numbers have 32 bits, and from globalVisitedFrom cities on the visited
// bits are always in global memory. Tests lower both.
var (
	wideFrom          = 1<<16 + 1
	globalVisitedFrom = math.MaxInt
)

//go:embed images
var compiled embed.FS

// image is the compiled image of a source, by its name without .cu. Tests replace it.
var image = func(name string) ([]byte, error) { return gpu.Image(compiled, "ants", name) }

// cities are city numbers on the device, with the number of bits that its kernels use. In a kernel
// they are city_t *.
type cities interface {
	put(v []int32) error // all of them
	get(v []int32) error
	pointer() uint64
	Bytes() int64
	Free() error
}

// newCities makes room for n city numbers.
func newCities(d *gpu.Device, wide bool, n int) (cities, error) {
	if wide {
		return allocCities[uint32](d, n)
	}
	return allocCities[uint16](d, n)
}

// upCities uploads city numbers, unless err is not nil.
func upCities(d *gpu.Device, wide bool, v []int32, err error) (cities, error) {
	if err != nil {
		return nil, err
	}
	c, err := newCities(d, wide, len(v))
	if err == nil {
		err = c.put(v)
	}
	return c, err
}

// cityBuffer is cities of one kind.
type cityBuffer[C uint16 | uint32] struct{ *gpu.Buffer[C] }

func allocCities[C uint16 | uint32](d *gpu.Device, n int) (cities, error) {
	b, err := gpu.Alloc[C](d, n)
	if err != nil {
		return nil, err
	}
	return cityBuffer[C]{b}, nil
}

func (b cityBuffer[C]) put(v []int32) error { return b.Upload(narrowed[C](v)) }

func (b cityBuffer[C]) get(v []int32) error {
	if len(v) != b.Len() {
		return fmt.Errorf("ants: room for %d city numbers, there are %d", len(v), b.Len())
	}
	w, err := b.Download()
	widened(w, v)
	return err
}

func (b cityBuffer[C]) pointer() uint64 { return b.View().Ptr }

// narrowed converts city numbers to the kernels' type.
func narrowed[C uint16 | uint32](v []int32) []C {
	out := make([]C, len(v))
	for i, c := range v {
		out[i] = C(c)
	}
	return out
}

func widened[C uint16 | uint32](v []C, out []int32) {
	for i, c := range v {
		out[i] = int32(c)
	}
}
