package tours

import (
	"fmt"
	"math"
	"slices"

	"metalab/solvers/tiles"
)

// tileJob is the struct tile_job of tiles.cu.
type tileJob struct {
	Seed              uint64
	Iter              int64
	N, K              int32
	Pieces, Cap       int32
	Rate              int32
	Kick, Width, Op   int32
	Threshold, Metric int32
	Scale             int32
	First, Span       int32
}

// tileRoom is the struct tile_room of tiles.cu: addresses.
type tileRoom struct {
	Tour, Next, Place, Home, Rank, Width, List, From, Sums uint64
}

// The phases of the launches of tiles.cu.
const (
	tileMostWarps = 8  // of a block that searches a piece
	tileBusy      = 16 // warps that keep a multiprocessor busy

	tileChunk  = 1024                    // places whose widths a warp sums
	tileItems  = 2 * tiles.MaxNeighbours // items of a warp
	tileTalk   = 12 + 2*4*tileMostWarps  // bytes of a talk
	tileArrays = 8                       // numbers a city and chain: tileRoom's but the last
	tileReach  = 1 << 27                 // no distance is longer
)

// tileProblem is a tiles.Problem in the form of the kernels.
type tileProblem struct {
	plane string // how kernels end
	whole []whole
	real  []real
	near  []int32
	pi    []int32 // weights; nil where there are none
	job   tileJob

	// Of the device: the number of warps that keep it busy, and the largest shared memory of a block.
	busy, room int
}

func prepareTiles(p *tiles.Problem) (*tileProblem, error) {
	sp := p.Space
	q := &tileProblem{
		plane: "real", near: p.Near.ID, pi: p.Near.Pi,
		job: tileJob{
			Seed: p.Seed, N: int32(sp.N), K: int32(p.Near.K), Metric: int32(sp.Metric), Scale: p.Near.Scale,
		},
	}
	if len(q.near) == 0 {
		q.near = []int32{0}
	}
	x, y := slices.Min(sp.X), slices.Min(sp.Y)
	w, h := slices.Max(sp.X)-x, slices.Max(sp.Y)-y
	if math.Hypot(w, h) >= tileReach {
		return nil, fmt.Errorf(
			"kernels/tours: the cities are spread over %g x %g, want a diagonal below %d", w, h, tileReach,
		)
	}
	all := true
	for i := range sp.X {
		all = all && sp.X[i] == math.Trunc(sp.X[i]) && sp.Y[i] == math.Trunc(sp.Y[i])
	}
	if all {
		q.plane, q.whole = "whole", make([]whole, sp.N)
		for c := range q.whole {
			q.whole[c] = whole{int32(sp.X[c] - x), int32(sp.Y[c] - y)}
		}
		return q, nil
	}
	q.real = make([]real, sp.N)
	for c := range q.real {
		q.real[c] = real{sp.X[c], sp.Y[c]}
	}
	return q, nil
}

// of returns the kernels' job for a round.
func (q *tileProblem) of(j tiles.Job) tileJob {
	b := q.job
	b.Iter, b.Rate, b.Kick, b.Width = j.Iter, int32(j.Rate), int32(j.Kick), int32(j.Width)
	b.Op, b.Pieces, b.Threshold = int32(j.Operator), int32(j.Cut.Pieces()), bit(j.Scale != nil)
	most := int32(32)
	for i := range j.Cut.Pieces() {
		most = max(most, j.Cut.Start[i+1]-j.Cut.Start[i])
	}
	b.Cap, b.Span = (most+7)&^7, b.Pieces
	return b
}

// shared returns the shared memory that a piece takes whose block has so many warps.
func (q *tileProblem) shared(j tileJob, warps int) int {
	each := 15 + 2*int(j.K) + 7*warps
	if j.Scale != 0 {
		each += 4
	}
	if q.real != nil {
		each += 8
	}
	return tileTalk + 8*tileItems*warps + each*int(j.Cap)
}

// warps returns how many warps search a piece: more where the pieces are too few for the device,
// which does not change what they find.
func (q *tileProblem) warps(j tileJob, chains int) int {
	warps := 1
	for 2*warps <= tileMostWarps && warps*chains*int(j.Span) < q.busy &&
		q.shared(j, 2*warps) <= q.room {
		warps *= 2
	}
	return warps
}

// chunks is how many chunks a chain has.
func (q *tileProblem) chunks() int { return (int(q.job.N) + tileChunk - 1) / tileChunk }

// bytes returns how much of a device's memory chains take, with the instance.
func (q *tileProblem) bytes(chains int) int64 {
	n := int64(q.job.N)
	sum := 8*int64(len(q.whole)) + 16*int64(len(q.real)) + 4*int64(len(q.near)+len(q.pi)+1) + 4*n
	return sum + int64(chains)*(4*(tileArrays*n+int64(q.chunks()))+8+64)
}
