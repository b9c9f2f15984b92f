package rounds

import (
	"embed"
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/solvers/rounds"
)

//go:embed images
var images embed.FS

// image is the compiled kernels of rounds.cu, a fatbin.
func image() ([]byte, error) { return gpu.Image(images, "rounds", "rounds") }

// boardBytes returns the size of a kernel's struct board, with insertions or without, and
// moreCities that of the data of a tour of n cities after it: three arrays of 16-bit numbers and a
// bit a city.
func boardBytes(or bool) int {
	if or {
		return 32*(16+12+8) + 16 + 16 + 16
	}
	return 32*(16+8+4) + 16 + 16 + 16
}

func moreCities(n int) int { return 6*roundUp(n) + 4*((n+31)/32) }

// roundUp rounds up to a multiple of 8: tours are copied 16 bytes at a time.
func roundUp(n int) int { return (n + 7) &^ 7 }

// MaxCities returns the largest number of cities with which a chain fits into this many bytes of
// shared memory of a block; or says whether the moves are 2opt+or.
func MaxCities(shared int, or bool) int {
	board := boardBytes(or)
	n := min(max(0, (shared-board)*32/196), math.MaxUint16)
	for n > 0 && board+moreCities(n) > shared {
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
	Metric, Lanes                      int32
	Step, _                            int32
}

// real is a city of the plane real_plane.
type real struct{ X, Y float64 }

// problem is a rounds.Problem in the form of the kernels.
type problem struct {
	plane  string   // the kernel's name without its kind
	or     bool     // the kernels with insertions
	whole  []uint32 // whole_plane: y << 16 | x
	real   []real
	matrix []int32
	near   []uint32 // an edge each: whole planes distance << 16 | city, others two words
	job    job
}

// prepare chooses the plane and writes the instance for it.
func prepare(p *rounds.Problem) (*problem, error) {
	sp := p.Space
	if sp.N > math.MaxUint16 {
		return nil, fmt.Errorf("kernels/rounds: %d cities, want at most %d", sp.N, math.MaxUint16)
	}
	if p.Near.K > rounds.MaxNeighbours {
		return nil, fmt.Errorf(
			"kernels/rounds: lists of %d neighbours, want at most %d", p.Near.K, rounds.MaxNeighbours,
		)
	}
	q := &problem{or: p.Or}
	q.job = job{
		Seed: p.Seed, N: int32(sp.N), Neighbours: int32(p.Near.K), Stride: int32(roundUp(sp.N)),
		Width: int32(p.Width), Metric: int32(sp.Metric),
	}
	switch {
	case sp.Matrix != nil:
		q.plane, q.matrix = "matrix", sp.Matrix
	case sp.Metric == datasets.Euc2D && wholeNumbers(sp.X, sp.Y):
		q.plane, q.whole = "whole_plane", make([]uint32, sp.N)
		x0, y0 := least(sp.X), least(sp.Y)
		for c := range q.whole {
			q.whole[c] = uint32(sp.Y[c]-y0)<<16 | uint32(sp.X[c]-x0)
		}
	default:
		q.plane, q.real = "real_plane", make([]real, sp.N)
		for c := range q.real {
			q.real[c] = real{sp.X[c], sp.Y[c]}
		}
	}
	for i, c := range p.Near.ID {
		if q.whole != nil {
			q.near = append(q.near, uint32(p.Near.Dist[i])<<16|uint32(c))
		} else {
			q.near = append(q.near, uint32(c), uint32(p.Near.Dist[i]))
		}
	}
	if len(q.near) == 0 {
		q.near = []uint32{0, 0} // one city: so that the buffer is not empty
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

// of returns the kernels' job for an iteration.
func (q *problem) of(j rounds.Job) job {
	b := q.job
	b.Iter, b.Kicks, b.Size = j.Iter, int32(j.Kicks), int32(j.Size)
	b.Descend, b.Keeps = bit(j.Descend), bit(j.Always)
	for b.Lanes = int32(min(j.Lanes, 16)); b.Lanes&(b.Lanes-1) != 0; {
		b.Lanes &= b.Lanes - 1
	}
	return b
}

func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// shape is how a kernel is launched for an iteration; none of it changes a result.
type shape struct {
	warps  int // of a chain
	kernel string
	shared int // bytes of a block
}

// names are the kernels of a plane for the problem's moves, for few warps and for many.
func (q *problem) names(plane string) [2]string {
	if q.or {
		plane += "_or"
	}
	return [2]string{plane + "_many", plane + "_wide"}
}

// The bounds of what was measured on an H200 with 800 chains of 1002, 2392 and 4461 cities.
const (
	manyWarps = 10 // of the kernels called many: larger blocks need those called wide
	// cities whose coordinates fit into shared memory beside the tour: four chains in 227 KB
	sharedCities  = 5500
	crowdedCities = 3000 // up to which they are always there: seven chains in 227 KB
)

// shape chooses the launch: as many warps as are asked for or, where that is 0, as are fast. A
// descent gains so much from coordinates in shared memory that it may run in several waves of
// blocks for it; kicks do not.
func (q *problem) shape(j rounds.Job, chains, multiprocessors int) shape {
	n := int(q.job.N)
	l := shape{warps: j.Warps, shared: boardBytes(q.or) + moreCities(n)}
	if l.warps == 0 {
		l.warps = 4
		if j.Descend && n > crowdedCities {
			l.warps = 8
		}
	}
	plane := q.plane
	if q.whole != nil && n <= sharedCities &&
		(j.Descend || n <= crowdedCities || chains <= 4*multiprocessors) {
		plane = "whole_shared"
		l.shared += 4 * ((n + 3) &^ 3)
	}
	l.kernel = q.names(plane)[bit(l.warps > manyWarps)]
	return l
}
