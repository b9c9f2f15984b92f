package ants

import (
	"embed"
	"math"

	"metalab/gpu"
	"metalab/kernels/launch"
)

// Kernels have city numbers of 16 bits, or of 32: then their image's name ends in _wide. Both are
// compiled from the same sources.

// Limits: from wideFrom cities on numbers have 32 bits, and from globalVisitedFrom cities on the
// visited bits are always in global memory. Tests lower both.
var (
	wideFrom          = 1<<16 + 1
	globalVisitedFrom = math.MaxInt
)

//go:embed images
var compiled embed.FS

// image is the compiled image of a source, by its name without .cu. Tests replace it.
var image = func(name string) ([]byte, error) { return gpu.Image(compiled, "ants", name) }

// warpThreads are the threads of a warp.
const warpThreads = launch.Warp

// cities are city numbers on the device, with the number of bits that its kernels use. In a kernel
// they are city_t *.
type cities = launch.Cities
