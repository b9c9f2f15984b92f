package spins

import (
	"math"
	"math/bits"

	"metalab/solvers/arith"
)

// Limits of the law.
const (
	MaxSweeps = 1 << 12 // of an iteration
	MaxLevels = 16      // of losses that are compared side by side
	mostKept  = 1 << 12 // thresholds that are kept for more
)

// Purposes of draws, in bits 24 to 31 of the second word of a counter.
const (
	drawStart uint32 = 1 << 24
	drawSweep uint32 = 2 << 24
)

// Threshold is 2^32 times the probability of a flip that makes the cost grow by d > 0, at the
// temperature t in units of the cost.
func Threshold(d, t float64) uint32 {
	y := d / (t * math.Ln2)
	if !(y < 32) {
		return 0
	}
	return uint32(min(4294967296*arith.Exp2(-y), math.MaxUint32))
}

// Levels are the thresholds of a temperature. Level l of a position whose weights have an even sum
// is a weight of good edges of l units above half of all; where the sum is odd, l - 1/2 units.
type Levels struct {
	// Planes has the bits of the first MaxLevels thresholds: bit l-1 of Planes[32*odd+b] is bit 31-b
	// of that of level l.
	Planes [64]uint32

	// Top is, for even and odd sums, the highest level whose threshold may be above 0.
	Top [2]int64

	// Beyond are thresholds of levels from 1 on, for even and odd sums, at least up to Top where that
	// is not above mostKept.
	Beyond [2][]uint32

	net *Net
	t   float64
}

// Set computes the thresholds of a temperature in units of the scale, of levels up to most.
func (l *Levels) Set(n *Net, temperature float64, most int64) {
	l.net, l.t = n, temperature*n.Scale
	clear(l.Planes[:])
	for odd := range 2 {
		l.Beyond[odd] = l.Beyond[odd][:0]
		l.Top[odd] = l.highest(odd == 1, most)
		for k := int64(1); k <= min(l.Top[odd], mostKept); k++ {
			q := Threshold(n.Loss(k, odd == 1), l.t)
			l.Beyond[odd] = append(l.Beyond[odd], q)
			if k > MaxLevels {
				continue
			}
			for b := range 32 {
				l.Planes[32*odd+b] |= q >> (31 - b) & 1 << (k - 1)
			}
		}
	}
}

// highest returns the highest level up to most whose threshold may be above 0.
func (l *Levels) highest(odd bool, most int64) int64 {
	if !(l.t > 0) {
		return 0
	}
	y := func(k int64) float64 { return l.net.Loss(k, odd) / (l.t * math.Ln2) }
	low, high := int64(0), most // y(low) < 32, and of the levels above high it is not
	for low < high {
		mid := high - (high-low)/2
		if y(mid) < 32 {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// At is the threshold of level k, from 1 to Top[odd].
func (l *Levels) At(k int64, odd int) uint32 {
	if k <= int64(len(l.Beyond[odd])) {
		return l.Beyond[odd][k-1]
	}
	return Threshold(l.net.Loss(k, odd == 1), l.t)
}

// most is the highest level that a position of the net can have.
func (n *Net) most() (most int64) {
	for _, t := range n.Total {
		most = max(most, (t+1)/2)
	}
	return most
}

// start is the word of sides of a vertex in a group at the start.
func start(seed uint64, vertex int32, group int) uint32 {
	return arith.Philox4x32(seed, [4]uint32{0, drawStart, uint32(vertex), uint32(group)})[0]
}

// ones counts the bits of a word.
func ones(x uint64) int64 { return int64(bits.OnesCount64(x)) }
