package genetic

import (
	"math"

	"metalab/solvers/genetic"
	"metalab/solvers/tours"
)

// turn is the kernels' turn.
type turn struct {
	Lo, Hi, Tours, Children, Most, Greedy, Longest, Shared int32
	Scratch                                                int64
	Slots                                                  uint64
}

// eaxWide is the number of cities from which on numbers have 32 bits for ga/eax-rounds: a way has
// up to two places for a city. Tests lower it.
var eaxWide = 1 << 15

// eaxMost is the greatest number of cities: the number of an edge has 48 bits.
const eaxMost = 1<<24 - 1

func eaxWidth(n int) int64 {
	if n >= eaxWide {
		return 4
	}
	return 2
}

func eaxSuffix(n int) string {
	if eaxWidth(n) == 4 {
		return "_wide"
	}
	return "_narrow"
}

// few is the number of cuts of a child up to which its segments lie in shared memory.
const few = 64

// An eaxShape is the launch of couples: in blocks of warps, with the remaining edges in shared
// memory or not (left is 0), or with the way, too (2).
type eaxShape struct {
	blocks, warps int
	left          int
}

// shared is the shared memory of a block.
func (s eaxShape) shared(n int) int {
	bytes := s.warps * int(warpBytes(n))
	if s.left > 0 {
		bytes += int(leftBytes(n))
	}
	if s.left > 1 {
		bytes += int(wayBytes(n))
	}
	return bytes
}

// warpBytes is what a warp takes of it.
func warpBytes(n int) int64 {
	if eaxWidth(n) == 4 {
		return 8*few*4 + 96*4
	}
	return 8*few*4 + 96*4 + 2*bitBytes(n)
}

// bitBytes is what a bit for each city takes.
func bitBytes(n int) int64 { return pad(int64(n+31) / 32 * 4) }

// leftBytes is what the edges that are left take, and the places of cities in the way.
func leftBytes(n int) int64 {
	w := eaxWidth(n)
	return pad(4*int64(n)*w) + pad(2*int64(n)*w)
}

// wayBytes is what the way takes.
func wayBytes(n int) int64 { return pad((2*int64(n) + 1) * eaxWidth(n)) }

func pad(bytes int64) int64 { return (bytes + 15) &^ 15 }

// scratch is the memory of a block; see couples in eax.cu.
func (s eaxShape) scratch(n int) int64 {
	w, m, half := eaxWidth(n), int64(n), int64(n/2+2)
	sum := pad(m*w) + 4*pad(2*m*w) + 3*pad(4*half) + pad(8*m)
	if s.left < 1 {
		sum += leftBytes(n)
	}
	if s.left < 2 {
		sum += wayBytes(n)
	}
	each := 2*pad(2*m*w) + 2*pad(4*m) + 5*pad(4*half) + pad(4*(2*m+64)) + pad(8*m) + 5*pad(4*m)
	if w == 4 {
		each += 2 * bitBytes(n)
	}
	return sum + int64(s.warps)*each
}

// eaxScratch is the most that the scratch of all blocks may take: fewer warps a block take less.
const eaxScratch = 8 << 30

// eaxWarps is the number of warps of a block where there are couples for more blocks than
// multiprocessors, which have 16 warps each. With fewer a multiprocessor has several blocks: while
// one lane takes the parents of one apart, the others make children. Tests set it.
var eaxWarps = 8

// eaxShapeOf chooses the shape for rounds of so many couples on a device whose blocks have so many
// bytes of shared memory at most.
func eaxShapeOf(n, couples, sms, shared int) eaxShape {
	s := eaxShape{blocks: max(1, min(couples, 16/eaxWarps*sms)), warps: eaxWarps, left: 2}
	if couples <= sms || s.shared(n)+reserved > (shared+reserved)*s.warps/16 {
		s.blocks, s.warps = max(1, min(couples, sms)), 16
		for s.left > 0 && s.shared(n) > shared {
			if s.warps /= 2; s.warps < 8 {
				s.warps = 16
				s.left--
			}
		}
	}
	for s.warps > 1 && int64(s.blocks)*s.scratch(n) > eaxScratch {
		s.warps /= 2
	}
	for s.blocks > 1 && int64(s.blocks)*s.scratch(n) > eaxScratch {
		s.blocks /= 2
	}
	return s
}

// slotsFor is the size of the table of so many edges.
func slotsFor(edges int64) uint64 {
	size := uint64(1 << 12)
	for size < 4*uint64(edges) {
		size *= 2
	}
	return size
}

// eaxJob is the kernels' job of a generation.
func eaxJob(p *genetic.RoundsProblem, it uint64) job {
	return job{
		Seed: p.Env.Seed, Iteration: it, N: int32(p.Space.N), Metric: metric(p.Space),
		K: int32(p.Near.K),
	}
}

// turnOf is the kernels' turn of couples lo to hi - 1.
func turnOf(j *genetic.RoundsJob, s eaxShape, n, lo, hi int, slots uint64) turn {
	most, longest := j.Children, j.Longest
	if j.Blocks {
		most, longest = math.MaxInt32, 0
	}
	return turn{
		Lo: int32(lo), Hi: int32(hi), Tours: int32(len(j.Ring)), Children: int32(j.Children),
		Most:   int32(most),
		Greedy: number(j.Greedy), Longest: int32(longest), Shared: int32(s.left),
		Scratch: s.scratch(n), Slots: slots,
	}
}

// eaxBytes returns how much of a device's memory a population takes, the instance, the blocks'
// scratch and the table of edges.
func eaxBytes(sp *tours.Space, k, population int, s eaxShape, slots uint64) int64 {
	n, m := int64(sp.N), int64(population)
	sum := 2*m*n*eaxWidth(sp.N) + int64(s.blocks)*s.scratch(sp.N) + 8*int64(slots) + 8*n*int64(k)
	sum += m*(4+8+8+bredBytes) + 2*8*(m+2)
	if sp.Matrix != nil {
		return sum + 4*n*n
	}
	return sum + 16*n
}

const bredBytes = 32

// distinct counts the edges that a population has.
func distinct(tours [][]int32) int64 {
	seen := make(map[uint64]struct{})
	for _, t := range tours {
		for i, a := range t {
			b := t[(i+1)%len(t)]
			seen[uint64(min(a, b))<<32|uint64(max(a, b))] = struct{}{}
		}
	}
	return int64(len(seen))
}

// packInto writes a tour's cities as the kernels have them.
func packInto(dst []uint8, tour []int32) {
	w := int(eaxWidth(len(tour)))
	for i, c := range tour {
		for b := range w {
			dst[i*w+b] = uint8(c >> (8 * b))
		}
	}
}

// unpackFrom is the reverse of packInto.
func unpackFrom(b []uint8, tour []int32) {
	if eaxWidth(len(tour)) == 2 {
		for i := range tour {
			tour[i] = int32(b[2*i]) | int32(b[2*i+1])<<8
		}
		return
	}
	for i := range tour {
		tour[i] = int32(b[4*i]) | int32(b[4*i+1])<<8 | int32(b[4*i+2])<<16 | int32(b[4*i+3])<<24
	}
}
