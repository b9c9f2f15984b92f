package tours

import (
	_ "embed" // the compiled kernels
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers/rounds"
)

// Image is the compiled kernels of rounds.cu, a fatbin.
//
//go:embed images/rounds.fatbin
var Image []byte

// boardBytes is the size of a kernel's struct board, and moreCities what the tour of n cities
// takes behind it: three arrays of 16-bit numbers and a bit a city.
const boardBytes = 16 + 32*(8+4*4+8) + 16

func moreCities(n int) int { return 6*(n+n&1) + 4*((n+31)/32) }

// MaxCities is the largest number of cities with which a chain fits into so many bytes of
// shared memory a block.
func MaxCities(shared int) int {
	n := min(max(0, (shared-boardBytes)*32/196), math.MaxUint16)
	for n > 0 && boardBytes+moreCities(n) > shared {
		n--
	}
	return n
}

// job is the kernels' struct job.
type job struct {
	Seed                               uint64
	Iter                               int64
	N, Neighbours, Stride              int32
	Width, Descend, Kicks, Size, Keeps int32
	Metric, Pad                        int32
}

// whole is a city of the plane whole_plane, real one of real_plane.
type (
	whole struct{ X, Y int32 }
	real  struct{ X, Y float64 }
)

// problem is what the kernels take of a rounds.Problem.
type problem struct {
	plane  string // the kernel's name without its lanes
	whole  []whole
	real   []real
	matrix []int32
	near   []uint16
	job    job
}

// prepare chooses the plane and writes the instance for it.
func prepare(p *rounds.Problem) (*problem, error) {
	sp := p.Space
	if sp.N > math.MaxUint16 {
		return nil, fmt.Errorf("kernels/tours: %d cities, want at most %d", sp.N, math.MaxUint16)
	}
	if p.Near.K > rounds.MaxNeighbours {
		return nil, fmt.Errorf("kernels/tours: lists of %d neighbours, want at most %d", p.Near.K, rounds.MaxNeighbours)
	}
	q := &problem{near: make([]uint16, max(len(p.Near.ID), 1))}
	for i, c := range p.Near.ID {
		q.near[i] = uint16(c)
	}
	q.job = job{
		Seed: p.Seed, N: int32(sp.N), Neighbours: int32(p.Near.K), Stride: int32(sp.N + sp.N&1),
		Width: int32(p.Width), Metric: int32(sp.Metric),
	}
	switch {
	case sp.Matrix != nil:
		q.plane, q.matrix = "matrix", sp.Matrix
	case sp.Metric == datasets.Euc2D && wholeNumbers(sp.X, sp.Y):
		q.plane, q.whole = "whole_plane", make([]whole, sp.N)
		x0, y0 := least(sp.X), least(sp.Y)
		for c := range q.whole {
			q.whole[c] = whole{int32(sp.X[c] - x0), int32(sp.Y[c] - y0)}
		}
	default:
		q.plane, q.real = "real_plane", make([]real, sp.N)
		for c := range q.real {
			q.real[c] = real{sp.X[c], sp.Y[c]}
		}
	}
	return q, nil
}

// wholeNumbers tells whether all coordinates are integers, and the squared distance of any two
// cities is below 2^31.
func wholeNumbers(x, y []float64) bool {
	for i := range x {
		if x[i] != math.Trunc(x[i]) || y[i] != math.Trunc(y[i]) {
			return false
		}
	}
	w, h := most(x)-least(x), most(y)-least(y)
	return float64(w*w)+float64(h*h) < 1<<31
}

func least(v []float64) float64 {
	m := v[0]
	for _, x := range v {
		m = min(m, x)
	}
	return m
}

func most(v []float64) float64 {
	m := v[0]
	for _, x := range v {
		m = max(m, x)
	}
	return m
}

// of is the kernels' job for an iteration.
func (q *problem) of(j rounds.Job) job {
	b := q.job
	b.Iter, b.Kicks, b.Size = j.Iter, int32(j.Kicks), int32(j.Size)
	b.Descend, b.Keeps = bit(j.Descend), bit(j.Always)
	return b
}

func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// shape is the number of warps of a chain and of threads of a proposal: what is asked for
// or, where that is 0, what is fast.
func shape(j rounds.Job) (warps, lanes int) {
	if warps = j.Warps; warps == 0 {
		warps = 4
	}
	if lanes = j.Lanes; lanes == 0 {
		lanes = min(warps, 8)
	}
	for lanes&(lanes-1) != 0 {
		lanes &= lanes - 1
	}
	return warps, min(lanes, 8)
}
