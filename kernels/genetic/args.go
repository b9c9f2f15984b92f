package genetic

import (
	"fmt"
	"math"

	"metalab/gpu"
	"metalab/solvers/genetic"
	"metalab/solvers/tours"
)

// job is the kernels' job.
type job struct {
	Seed, Iteration uint64
	Mutation        float64
	N, Births       int32
	Metric          int32
	First           int32
	Drawn           int32
	Gaining         int32
	Moves           int32
	K               int32
}

// world is the kernels' world: addresses of the instance on the device, 0 for what is not needed.
type world struct {
	Places, Whole, Matrix, Internal, Near, Far, Boxes uint64
}

// wideFrom is the number of cities from which on numbers have 32 bits: a link names one city more
// than there are, and the number behind it marks what a child has. Tests lower it.
var wideFrom = 1<<16 - 1

// most is the greatest number of cities: a place in the array of links must fit an int32 eight
// times over.
const most = 1 << 28

// stride is how many numbers the links of a worker take.
func stride(n int) int64 { return 4 * int64((n+4)&^3) }

// width is the number of bytes of a city's number.
func width(n int) int64 {
	if n >= wideFrom {
		return 4
	}
	return 2
}

// metric is the kernels' number of a metric; 0: distances are of a matrix.
func metric(sp *tours.Space) int32 {
	if sp.Matrix != nil {
		return 0
	}
	return int32(sp.Metric)
}

// kind is how the kernels compare cities: "matrix", "real" or, by places that are whole numbers,
// "whole". Where numbers of cities have 32 bits a child waits for its links, and whole places are
// of no use: 100,000 cities took 91 ms a generation with them, and 77 without.
func kind(sp *tours.Space) string {
	switch {
	case sp.Matrix != nil:
		return "matrix"
	case whole(sp) == nil:
		return "real"
	default:
		return "whole"
	}
}

// plane ends the names of the kernels that only measure.
func plane(sp *tours.Space) string {
	if sp.Matrix != nil {
		return "matrix"
	}
	return "plane"
}

func wideness(n int) string {
	if width(n) == 4 {
		return "_wide"
	}
	return "_narrow"
}

// places are the coordinates of cities, side by side.
func places(sp *tours.Space) []float64 {
	out := make([]float64, 0, 2*sp.N)
	for c := range sp.N {
		out = append(out, sp.X[c], sp.Y[c])
	}
	return out
}

// extent is how far apart cities may be for the squares of their distances to be exact, and to
// order as doubles do without their last two bits: 2^51 is their limit.
const extent = 1 << 25

// whole are the coordinates as whole numbers; nil where they are none, or too far apart, or where
// numbers of cities have 32 bits.
func whole(sp *tours.Space) []int32 {
	if sp.Matrix != nil || width(sp.N) == 4 {
		return nil
	}
	out := make([]int32, 0, 2*sp.N)
	lo, hi := [2]float64{sp.X[0], sp.Y[0]}, [2]float64{sp.X[0], sp.Y[0]}
	for c := range sp.N {
		for k, v := range [2]float64{sp.X[c], sp.Y[c]} {
			if v != math.Trunc(v) || math.Abs(v) > 1<<30 {
				return nil
			}
			lo[k], hi[k] = min(lo[k], v), max(hi[k], v)
			out = append(out, int32(v))
		}
	}
	if hi[0]-lo[0] >= extent || hi[1]-lo[1] >= extent {
		return nil
	}
	return out
}

// jobOf is the kernels' form of a generation.
func jobOf(p *genetic.Problem, j genetic.Job, births, k int) job {
	return job{
		Seed: p.Seed, Iteration: j.Iteration, Mutation: j.Mutation, N: int32(p.Space.N),
		Births: int32(births), Metric: metric(p.Space), First: p.Space.Internal[0],
		Drawn: number(j.Drawn), Gaining: number(j.Gaining), Moves: int32(j.Moves), K: int32(k),
	}
}

func number(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// A shape is how tours are made: by this many workers, of a warp each, in blocks of warps, whose
// links lie in shared memory or not.
type shape struct {
	workers, warps int
	shared         int // bytes of a block; 0: links do not lie there
}

// block is the greatest number of warps of a block.
var block = 4

// shapeOf chooses the shape for so many births, of which some are children of two tours, on a
// device with sms multiprocessors, a block of which has so many bytes of shared memory: links lie
// there if the children are made in a turn or two. places is what a block's copy of the places
// takes.
func shapeOf(births, children, n, places, sms, shared int) shape {
	warps := max(1, min(block, (births+sms-1)/sms))
	if links := int(stride(n) * width(n)); width(n) == 2 && places+links <= shared {
		warps := min(warps, (shared-places)/links)
		at := (shared + reserved) / (places + warps*links + reserved) * warps * sms
		if children <= turns*at {
			return shape{workers: min(births, at), warps: warps, shared: places + warps*links}
		}
	}
	return shape{workers: min(births, 16*sms), warps: warps}
}

// turns is in how many turns at most children are made with links in shared memory.
var turns = 2

// reserved is what the device takes of a block's shared memory.
const reserved = 1 << 10

// bytes returns how much of a device's memory so many rows, the workers' scratch, the instance, its
// lists of so many neighbours and so many boxes take.
func bytes(sp *tours.Space, rows int, scratch int64, near, boxes int) int64 {
	n := int64(sp.N)
	sum := int64(rows)*(8+rowBytes(sp.N)) + scratch + int64(boxes)*boxBytes
	sum += 4*n + 2*n*width(sp.N) + 8*n*int64(near) + int64(rows)*(birthBytes+madeBytes)
	if sp.Matrix != nil {
		return sum + 4*n*n
	}
	return sum + 24*n
}

const (
	birthBytes = 40
	madeBytes  = 16
	boxBytes   = 32
)

// rowBytes is the size of a row, a multiple of 16 bytes.
func rowBytes(n int) int64 { return (int64(n)*width(n) + 15) &^ 15 }

// fit lists the population that there is room for.
func fit(bytes func(population int) int64) func(room int64) []string {
	return func(room int64) []string {
		lo, hi := 0, 1<<20
		for lo < hi {
			if m := (lo + hi + 1) / 2; bytes(m) <= room {
				lo = m
			} else {
				hi = m - 1
			}
		}
		if lo < 4 {
			return nil
		}
		return []string{fmt.Sprintf("population=%d, which takes %v", lo, gpu.Bytes(bytes(lo)))}
	}
}
