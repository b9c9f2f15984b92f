package genetic

import (
	"slices"

	"metalab/solvers/tours"
)

// A ground is a form in which the kernels compare cities.
type ground struct {
	name  string
	place int // bytes of a place, if a block with links in shared memory copies them there; else 0
	spot  int // bytes of a city with its place

	// Largest number of turns for children with links in shared memory. For 10,150 cities on an H100 a
	// step takes 149 cycles with short places, and 686 with links outside; with real places, which are
	// outside anyway, two turns took 6.0 ms, and one with links outside 4.2.
	turns int
}

// linkBytes is what the links of a child take.
func linkBytes(n int) int64 { return rounded(stride(n) * width(n)) }

// rounded is a number of bytes, up to a multiple of 32.
func rounded(bytes int64) int64 { return (bytes + 31) &^ 31 }

var (
	onMatrix = &ground{"matrix", 0, 4, 1}
	onReal   = &ground{"real", 0, 32, 1}
	onWhole  = &ground{"whole", 8, 16, 3}
	onShort  = &ground{"short", 4, 8, 4}
)

// kernel is the name of the kernel for a ground, with links in shared memory or not.
func (g *ground) kernel(n int, near bool) string {
	if near {
		return "reproduce_" + g.name + "_shared"
	}
	return "reproduce_" + g.name + wideness(n)
}

// grounds are those that an instance is compared on: near with links in shared memory, nil where
// numbers of cities have 32 bits, and far with links elsewhere.
func grounds(sp *tours.Space) (near, far *ground) {
	switch {
	case sp.Matrix != nil:
		near, far = onMatrix, onMatrix
	case shorts(sp) != nil:
		near, far = onShort, onReal
	case whole(sp) != nil:
		near, far = onWhole, onReal
	default:
		near, far = onReal, onReal
	}
	if width(sp.N) == 4 {
		near = nil
	}
	return near, far
}

// corner are the least coordinates, and extent is how far apart they are at most; ok is false where
// they are not all whole numbers.
func corner(sp *tours.Space) (x, y, extent float64, ok bool) {
	if sp.Matrix != nil {
		return 0, 0, 0, false
	}
	for _, v := range [][]float64{sp.X, sp.Y} {
		for _, c := range v {
			if c < -1<<30 || c > 1<<30 || c != float64(int64(c)) {
				return 0, 0, 0, false
			}
		}
	}
	x, y = slices.Min(sp.X), slices.Min(sp.Y)
	return x, y, max(slices.Max(sp.X)-x, slices.Max(sp.Y)-y), true
}

// extents are how far apart coordinates may be for squares of distances to fit 32 bits, and to be
// below 2^51: then they order as those on the CPU do, doubles whose last two bits are cleared.
const (
	shortExtent = 46340
	wholeExtent = 1<<25 - 1
)

// whole are the coordinates as whole numbers; nil where they are none, or too far apart, or where
// numbers of cities have 32 bits.
func whole(sp *tours.Space) []int32 {
	if _, _, extent, ok := corner(sp); !ok || extent > wholeExtent || width(sp.N) == 4 {
		return nil
	}
	out := make([]int32, 0, 2*sp.N)
	for c := range sp.N {
		out = append(out, int32(sp.X[c]), int32(sp.Y[c]))
	}
	return out
}

// shorts are places of 16 bits a coordinate; nil where they do not fit, or where numbers of cities
// have 32 bits.
func shorts(sp *tours.Space) []uint32 {
	x, y, extent, ok := corner(sp)
	if !ok || extent > shortExtent || width(sp.N) == 4 {
		return nil
	}
	out := make([]uint32, sp.N)
	for c := range out {
		out[c] = uint32(sp.X[c]-x) | uint32(sp.Y[c]-y)<<16
	}
	return out
}
