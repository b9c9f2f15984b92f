package ants

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"metalab/gpu"
	walkers "metalab/solvers/ants"
)

// Kernels have city numbers of 16 bits, or of 32: the images whose names end in _wide, made of the same
// sources.

// wideFrom is the least number of cities whose numbers take 32 bits, and crampedFrom that whose visited bits always
// lie in global memory. Tests lower them.
var (
	wideFrom    = 1<<16 + 1
	crampedFrom = math.MaxInt
)

// wideFar is FAR of the kernels whose city numbers have 32 bits.
const wideFar = 32

//go:embed images
var compiled embed.FS

// image is the compiled image of a source, by its name without .cu. Tests put others in its place.
var image = func(name string) ([]byte, error) { return gpu.Image(compiled, "ants", name) }

// cities are city numbers on the device, in as many bits as its kernels take. To a kernel they are city_t *.
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

// upCities uploads city numbers unless something failed before.
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

// narrowed are city numbers as the kernels have them.
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

// extended are the entries of g.Ext that the kernels take: the first of each city.
func extended(g *walkers.Ground, wide bool) []int32 {
	if !wide {
		return g.Ext
	}
	out := make([]int32, 0, g.Space.N*wideFar)
	for c := range g.Space.N {
		out = append(out, g.Ext[c*g.Far:c*g.Far+wideFar]...)
	}
	return out
}

// bitWords are the words of an ant's visited bits: a bit for each city; where city numbers have 32 bits also one for each of
// these words, and so on up to at most 32 words.
func bitWords(n int, wide bool) int {
	words := (n + 31) / 32
	sum := words
	for ; wide && words > 32; sum += words {
		words = (words + 31) / 32
	}
	return sum
}

// stacked are the rectangles of places and, for the upper words of bitWords, those that hold 32 of the level below.
func stacked(box []float32, wide bool) []float32 {
	for from, count := 0, len(box)/4; wide && count > 32; {
		for i := range (count + 31) / 32 {
			r := [4]float32(box[4*(from+32*i):])
			for _, b := range slices.Collect(slices.Chunk(box[4*(from+32*i):4*(from+min(32*i+32, count))], 4)) {
				r = [4]float32{min(r[0], b[0]), min(r[1], b[1]), max(r[2], b[2]), max(r[3], b[3])}
			}
			box = append(box, r[:]...)
		}
		from, count = from+count, (count+31)/32
	}
	return box
}
