package cpu

import (
	"math"

	"metalab/solvers/arith"
)

// The lattice over which weights are added for a roulette. Positions are cut into segments
// of 8 tiles of 32; in a segment lane l has position 32 t + l of each tile t. A stretch is 32
// segments: a warp holds the sum of a segment in each lane, and of at most 32 stretches.
const (
	tile        = 32
	segment     = 8 * tile
	stretch     = tile * segment
	mostWeights = tile * stretch
)

// spin returns the position of w that the number u, of [0, 1), falls on, with a
// probability in proportion to its weight: -1 when all weights are 0. w has at most
// mostWeights entries, which are not negative. All is in float32:
//
// A lane's sum is ((w0 + w1) + (w2 + w3)) + ((w4 + w5) + (w6 + w7)) over the tiles of its segment
// (0 beyond the end); a segment's sum is that of its lanes by a butterfly (lane l adds lane l XOR
// 16, then 8, 4, 2, 1). The segments' sums are added up by [ladder]; the last is the total T, and r
// = u T. The segment is the first whose running sum is above r and whose own sum is not 0, else the
// last whose own sum is not 0. The running sum of the segment before it is subtracted from r, which
// stays at least 0. In the same way the lane is found among the lanes' sums, then the tile among
// the lane's weights, added one by one. If there is only one segment, T is the last of its lanes'
// ladder.
//
// With more than a stretch of weights, first a stretch is found in that way: its sum is the last of
// the ladder of its segments, and T that of the stretches' ladder.
//
// A warp makes the sum of a segment with five shuffles. Several warps share out the segments, and
// the result does not depend on their number.
func spin(w []float32, u float32) int {
	var sums, lanes [tile]float32
	from, r := 0, float32(-1) // -1: not known yet
	if len(w) > stretch {
		for i := 0; i*stretch < len(w); i++ {
			part := segmentSums(w[i*stretch : min(len(w), (i+1)*stretch)])
			part = ladder(part)
			sums[i] = part[tile-1]
		}
		total := ladder(sums)
		if from, r = pick(&sums, &total, float32(u*total[tile-1])); from < 0 {
			return -1
		}
		w, from = w[from*stretch:min(len(w), (from+1)*stretch)], from*stretch
	}
	if len(w) > segment || r >= 0 {
		sums = segmentSums(w)
		total := ladder(sums)
		if r < 0 {
			r = float32(u * total[tile-1])
		}
		var s int
		if s, r = pick(&sums, &total, r); s < 0 {
			return -1
		}
		w, from = w[s*segment:min(len(w), (s+1)*segment)], from+s*segment
	}
	laneSums(w, &lanes)
	total := ladder(lanes)
	if r < 0 {
		r = float32(u * total[tile-1])
	}
	lane, r := pick(&lanes, &total, r)
	if lane < 0 {
		return -1
	}
	var sum float32
	at := -1
	for i := lane; i < len(w); i += tile {
		if w[i] == 0 {
			continue
		}
		at = from + i
		if sum += w[i]; sum > r {
			break
		}
	}
	return at
}

// segmentSums are the sums of the segments of at most a stretch of weights.
func segmentSums(w []float32) (sums [tile]float32) {
	var lanes [tile]float32
	for i := 0; i*segment < len(w); i++ {
		laneSums(w[i*segment:min(len(w), (i+1)*segment)], &lanes)
		sums[i] = butterfly(lanes)
	}
	return sums
}

// laneSums adds up a segment by lanes.
func laneSums(w []float32, sums *[tile]float32) {
	var x [segment]float32
	copy(x[:], w)
	for l := range sums {
		sums[l] = ((x[l] + x[l+tile]) + (x[l+2*tile] + x[l+3*tile])) +
			((x[l+4*tile] + x[l+5*tile]) + (x[l+6*tile] + x[l+7*tile]))
	}
}

// butterfly is a sum in the order of a warp's shuffles.
func butterfly(x [tile]float32) float32 {
	for d := tile / 2; d > 0; d >>= 1 {
		for i := range d {
			x[i] += x[i+d]
		}
	}
	return x[0]
}

// ladder makes running sums as a warp does: entry l adds entry l - 1, then l - 2, l - 4, l - 8
// and l - 16 (P. M. Kogge, H. S. Stone, 1973, doi:10.1109/TC.1973.5009159). A sum may be
// less than the one before it, by rounding.
func ladder(x [tile]float32) [tile]float32 {
	for d := 1; d < tile; d <<= 1 {
		for i := tile - 1; i >= d; i-- {
			x[i] += x[i-d]
		}
	}
	return x
}

// pick finds the entry of x that r falls on, and returns what is left of r there.
func pick(x, sums *[tile]float32, r float32) (int, float32) {
	at := -1
	for i, v := range x {
		if v == 0 {
			continue
		}
		at = i
		if sums[i] > r {
			break
		}
	}
	if at > 0 {
		r = max(0, r-sums[at-1])
	}
	return at, r
}

// reserve returns the position of w that weighted reservoir sampling takes (figures 6 and 7 of R.
// Skinderowicz, 2020), with a probability in proportion to its weight: -1 when all weights are 0,
// which are not negative. All is in float32.
//
// Each position has a number of its own: position i has word (i div 32) mod 4 of the block with the
// counter {iteration low, iteration high XOR purposeHigh XOR p, ant, 32 (i div 128) + i mod 32}, so
// a warp's lane makes one block for four tiles. The paper's key (log2 u) / w, the greatest of which
// wins, is a clock here, the least of which does: arith.Expo32 of the number times 1 / w, which is
// rounded first. Among equal ones the first position wins.
func reserve(w []float32, seed uint64, it int64, ant, p int) int {
	at, limit := -1, float32(math.MaxFloat32)
	ctr := [4]uint32{uint32(it), uint32(it>>32) ^ purposeHigh ^ uint32(p), uint32(ant)}
	for from := 0; from < len(w); from += 4 * tile {
		part := w[from:min(len(w), from+4*tile)]
		for lane := range min(tile, len(part)) {
			var block [4]uint32
			known := false
			for i := lane; i < len(part); i += tile {
				if part[i] == 0 {
					continue
				}
				if !known {
					ctr[3] = uint32(from/4 + lane)
					block, known = arith.Philox4x32(seed, ctr), true
				}
				u, x := block[i/tile], 1/part[i]
				// A quick test by a lower bound of the clock, which most positions fail.
				if early(u>>16)*x > limit {
					continue
				}
				// Positions do not come in order.
				key := float32(arith.Expo32(u) * x)
				if key < limit || at < 0 || key == limit && from+i < at {
					limit, at = key, from+i
				}
			}
		}
	}
	return at
}

// group is how many positions share a key in [sample].
const group = segment / tile

// sample returns the position of w that weighted reservoir sampling takes, with a probability in
// proportion to its weight: -1 when all weights are 0, which are not negative. u is of [0, 1). All
// is in float32.
//
// P. S. Efraimidis and P. G. Spirakis (2006, doi:10.1016/j.ipl.2005.11.003) give each item the time
// at which an exponential clock with the rate of its weight rings, and take the first. The first
// time of several items is itself that of a clock, with the sum of their weights for its rate, and
// which of them it was does not depend on it. So items may come in groups with one clock each, and
// in the group that rings first one is drawn in proportion to its weight, as in a reservoir of M.
// T. Chao (1982, doi:10.1093/biomet/69.3.653).
//
// Lane l of segment b has the group of the positions 256 b + 4 l to 256 b + 4 l + 3, then those 128
// further: a warp reads four neighbours at once. s are the running sums of its weights in that
// order, 0 beyond the end, and S the last of them. Its key is S times 2^-20 / E, E being
// arith.Expo32 of word b mod 4 of the block with the counter {iteration low, iteration high XOR
// purposeHigh XOR p, ant, 32 (b div 4) + l}; the low 5 bits of the key are 31 - l. The greatest key
// wins, of equal ones that of the first segment; then of its positions the first whose s is above u
// S. That one's weight is not 0: running sums do not fall, and u S is below S.
func sample(w []float32, u float32, seed uint64, it int64, ant, p int) int {
	var blocks [tile][4]uint32
	var held [group]float32
	best, first := uint32(0), 0
	ctr := [4]uint32{uint32(it), uint32(it>>32) ^ purposeHigh ^ uint32(p), uint32(ant)}
	for from := 0; from < len(w); from += segment {
		part, b := w[from:min(len(w), from+segment)], from/segment
		for l := range min(tile, (len(part)+3)/4) {
			if b%4 == 0 {
				ctr[3] = uint32(b/4*tile + l)
				blocks[l] = arith.Philox4x32(seed, ctr)
			}
			var s [group]float32
			var sum float32
			for e := range s {
				if i := e/4*(segment/2) + 4*l + e%4; i < len(part) {
					sum += part[i]
				}
				s[e] = sum
			}
			if sum == 0 {
				continue
			}
			key := math.Float32bits(sum*(0x1p-20/arith.Expo32(blocks[l][b%4])))&^31 | uint32(31-l)
			if key > best {
				best, first, held = key, from+4*l, s
			}
		}
	}
	if best == 0 {
		return -1
	}
	r := u * held[group-1]
	e := 0
	for e < group-1 && held[e] <= r {
		e++
	}
	return first + e/4*(segment/2) + e%4
}

// Purposes of the draws of [race]: for the high and the low halves of its words. The first is that
// of [reserve] and [sample] too.
const (
	purposeHigh = 1 << 31
	purposeLow  = 1<<31 | 1<<30
)

// race returns the position of w whose clock rings first: the least quotient, in float32, of an
// exponential variate (arith.Expo32) and the weight, given as its reciprocal; of equal ones the
// first position; and the bits of that quotient. Positions with 0 take no part; -1 if all are 0.
//
// The draw of position i for position p of the tour has its high half from the block with the
// counter {iteration low, iteration high XOR purposeHigh XOR p, ant, 32 (i div 256) + i mod 32},
// its low half from that with purposeLow; both are half t = (i div 32) mod 8 of the block: the low
// half of word t, the high half of word t - 4. So a warp's lane makes one block for 8 tiles, and
// the block with purposeLow only if a high half alone could win, which is rare.
func race(recip []float32, seed uint64, it int64, ant, p int) (at int, best uint32) {
	best, at = math.MaxUint32, -1
	limit := float32(math.MaxFloat32) // no clock above it can win
	high := [4]uint32{uint32(it), uint32(it>>32) ^ purposeHigh ^ uint32(p), uint32(ant)}
	low := [4]uint32{uint32(it), uint32(it>>32) ^ purposeLow ^ uint32(p), uint32(ant)}
	var blocks [4][tile]uint32
	for from := 0; from < len(recip); from += segment {
		part := recip[from:min(len(recip), from+segment)]
		for lane := range min(tile, len(part)) {
			high[3] = uint32(from/8 + lane)
			b := arith.Philox4x32(seed, high)
			blocks[0][lane], blocks[1][lane], blocks[2][lane], blocks[3][lane] = b[0], b[1], b[2], b[3]
		}
		for t := 0; t*tile < len(part); t++ {
			words, shift := &blocks[t&3], t>>2*16
			for lane, x := range part[t*tile : min(len(part), (t+1)*tile)] {
				// A quick test by a lower bound of the clock, which most positions fail.
				h := words[lane&(tile-1)] >> shift & 0xFFFF
				if early(h)*x > limit || x == 0 {
					continue
				}
				low[3] = uint32(from/8 + lane)
				b := arith.Philox4x32(seed, low)
				key := float32(arith.Expo32(h<<16|b[t&3]>>shift&0xFFFF) * x)
				if key < limit || at < 0 { // positions come in order
					limit, at = key, from+t*tile+lane
				}
			}
		}
	}
	if at >= 0 {
		best = math.Float32bits(limit)
	}
	return at, best
}

// early is a lower bound of arith.Expo32 of a word with the high half h: -log2 U >= (1 - U) / ln 2.
func early(h uint32) float32 { return float32(0xFFFF-h) * (1.43 * 0x1p-16) }
