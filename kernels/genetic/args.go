package genetic

import (
	"fmt"

	"metalab/gpu"
	"metalab/kernels/launch"
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

// A shape is the launch of first tours: so many workers, of a warp each, in blocks of warps.
type shape struct{ workers, warps int }

// block is the greatest number of warps of a block that makes first tours.
var block = 4

// shapeOf chooses the shape for so many births on a device with sms multiprocessors.
func shapeOf(births, sms int) shape {
	return shape{workers: min(births, 16*sms), warps: max(1, min(block, (births+sms-1)/sms))}
}

// config is the launch of a shape.
func (s shape) config() gpu.Config {
	return gpu.Config{
		Grid:  gpu.Dim{X: (s.workers + s.warps - 1) / s.warps},
		Block: gpu.Dim{X: launch.Warp * s.warps},
	}
}

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
	return sum + 16*n
}

// tableBytes is what the table of a ground takes besides the places.
func tableBytes(near *ground, n int) int64 {
	if near == nil {
		return 0
	}
	return int64(near.place * n)
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
