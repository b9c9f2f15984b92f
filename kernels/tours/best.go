package tours

import (
	"embed"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/solvers/ils"
	"metalab/solvers/tours"
)

//go:embed images
var images embed.FS

// image is a compiled source of this folder, a fatbin; a test replaces it.
var image = func(name string) ([]byte, error) { return gpu.Image(images, "tours", name) }

// The phases of a launch of best.cu.
const (
	threads      = 256 // of a block
	buffers      = 9   // numbers a city that a chain has
	barrierWords = 32  // from one group's counter to the next
	maxCities    = 1 << 28
)

// job is the kernels' struct job.
type job struct {
	Seed                     uint64
	Iter                     int64
	N, K, Op, Kicks          int32
	Always, Metric, Chains   int32
	Groups, Blocks, Stride   int32
	Passes, Looks, All, Unit int32
}

// chain is the kernels' struct chain.
type chain struct {
	Length, Top, Moves, Change int64
	Kick, Searching, Done      int32
	Kept, Gained               int32
	Draws                      uint32
	Base, Work                 int32
	BaseEdge, WorkEdge         int32
	Gain                       int64
}

// pass is the kernels' struct record.
type pass struct{ High, Low uint64 }

type (
	whole struct{ X, Y int32 }
	real  struct{ X, Y float64 }
)

// problem is an ils.BestProblem in the form of the kernels.
type problem struct {
	kernel string
	whole  []whole
	real   []real
	matrix []int32
	job    job
}

// prepare chooses the plane and writes the instance for it.
func prepare(p *ils.BestProblem) (*problem, error) {
	sp := p.Space
	if sp.N > maxCities {
		return nil, fmt.Errorf("kernels/tours: %d cities, want at most %d", sp.N, maxCities)
	}
	q := &problem{job: job{
		Seed: p.Seed, N: int32(sp.N), Stride: int32((sp.N + 31) &^ 31), Metric: int32(sp.Metric),
	}}
	switch {
	case sp.Matrix != nil:
		q.kernel, q.matrix = "best_matrix", sp.Matrix
	case sp.Metric != datasets.Att && wholeNumbers(sp.X, sp.Y):
		x, y := slices.Min(sp.X), slices.Min(sp.Y)
		w, h := slices.Max(sp.X)-x, slices.Max(sp.Y)-y
		q.kernel = "best_wide"
		if sp.Metric == datasets.Euc2D && float64(w*w)+float64(h*h) < 1<<31 {
			q.kernel = "best_whole"
		}
		for c := range sp.X {
			q.whole = append(q.whole, whole{int32(sp.X[c] - x), int32(sp.Y[c] - y)})
		}
	default:
		q.kernel, q.real = "best_real", make([]real, sp.N)
		for c := range q.real {
			q.real[c] = real{sp.X[c], sp.Y[c]}
		}
	}
	return q, nil
}

// wholeNumbers tells whether all coordinates are integers, so near to each other that the kernels
// best_whole or best_wide give the distances.
func wholeNumbers(x, y []float64) bool {
	for i := range x {
		if x[i] != math.Trunc(x[i]) || y[i] != math.Trunc(y[i]) {
			return false
		}
	}
	w, h := slices.Max(x)-slices.Min(x), slices.Max(y)-slices.Min(y)
	return float64(w*w)+float64(h*h) < 1<<42
}

// use sets the lists and the operator.
func (q *problem) use(near tours.Neighbours, op tours.BestOperator) {
	q.job.K, q.job.Op = int32(near.K), int32(op)
}

// bytes returns how much of a device's memory chains take, with the instance and lists of k.
func (q *problem) bytes(k, chains, blocks int) int64 {
	sum := 8*int64(len(q.whole)) + 16*int64(len(q.real)) + 4*int64(len(q.matrix))
	sum += 4 * int64(max(1, int(q.job.N)*k))
	each := int64(4*buffers)*int64(q.job.Stride) + int64(unsafe.Sizeof(chain{})) + 4*barrierWords
	return sum + int64(chains)*each + int64(2*blocks)*int64(unsafe.Sizeof(pass{}))
}

// of returns the kernels' job for an iteration.
func (q *problem) of(j ils.BestJob, chains int) job {
	b := q.job
	b.Iter, b.Kicks, b.Always, b.Chains = j.Iter, int32(j.Kicks), bit(j.Always), int32(chains)
	return b
}

// share sets how chains are shared out to blocks of so many threads, of which grid are resident on
// a device with so many multiprocessors. If blocks is 0, a chain gets, as far as there are enough,
// as many as have a thread for each pair, and in 3-opt four times as many, for most of its work is
// that of the pairs noted; but, where pairs are few, two a multiprocessor: barriers cost more then.
func (b *job) share(blocks, grid, threads, multiprocessors int) {
	pairs := int(b.N) * int(b.K)
	if blocks == 0 {
		blocks = (pairs + threads - 1) / threads
		if b.Op != int32(tours.BestTwo) {
			blocks *= 4
		}
		if pairs <= manyRounds*grid*threads {
			blocks = min(blocks, 2*multiprocessors)
		}
		blocks = min(blocks, grid/min(int(b.Chains), grid))
	}
	blocks = max(1, min(blocks, grid))
	b.Blocks, b.Groups = int32(blocks), int32(min(int(b.Chains), grid/blocks))
	b.Unit = unit
	if pairs > manyRounds*blocks*threads {
		b.Unit = wideUnit
	}
}

// How pairs are spread over blocks: the chunks of the lists, where a thread looks at few pairs and
// where it looks at many.
const (
	unit       = 8
	wideUnit   = 64
	manyRounds = 4
)

// state is a chain's before an iteration. If it was loaded, last is the state after the iteration
// before.
func state(c *ils.BestChain, last chain) chain {
	if c.Idle {
		return chain{Done: 1}
	}
	if !c.Loaded {
		return chain{Length: c.Length, Top: math.MaxInt64, Kick: -1, Work: 1, WorkEdge: 1}
	}
	return chain{
		Length: c.Length, Top: math.MaxInt64, Base: last.Base, Work: last.Work,
		BaseEdge: last.BaseEdge, WorkEdge: last.WorkEdge,
	}
}

// report writes the results of an iteration; the tours are as the kernels left them.
func (s *chain) report(c *ils.BestChain, tour, top []int32) {
	c.Length, c.Least, c.Moves = s.Length, s.Top, s.Moves
	c.Kept, c.Gained = int(s.Kept), int(s.Gained)
	fromFirst(c.Next, tour)
	fromFirst(c.Top, top)
}

// fromFirst writes a tour from city 0 on, towards the smaller of its two neighbours.
func fromFirst(dst, tour []int32) {
	n := len(dst)
	at := slices.Index(tour[:n], 0)
	step := 1
	if tour[(at+n-1)%n] < tour[(at+1)%n] {
		step = n - 1
	}
	for i := range dst {
		dst[i] = tour[at]
		if at += step; at >= n {
			at -= n
		}
	}
}

func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
