package cpu

import (
	"math"

	"metalab/solvers/ants/trail"
)

// roulette draws one of the unvisited candidates of city c with a probability in proportion to its
// weight, and returns its slot, or -1 when all are visited.
//
// u in [0, 1) is the draw. The weights of slots 4g to 4g+3 (0 where visited) are added as (a + b) +
// (c + d), these sums in order of g; with T the last total, roulette picks the first g whose total
// is above uT, and within it the first slot at which the total before g plus the weights, one by
// one, is above uT, else the last unvisited slot of g. All in float32. cum is scratch of at least
// stride/4 numbers.
func roulette(t *trail.Table, c int32, seen []uint8, cum []float32, u float32) int32 {
	at := int(c) * t.Stride
	s := rouletteOf(t.ID[at:at+t.Stride], t.Weight[at:at+t.Stride], seen, cum, u)
	if s < 0 {
		return -1
	}
	return int32(at) + s
}

// rouletteOf is roulette over a row of cities and their weights.
func rouletteOf(ids []int32, w []float32, seen []uint8, cum []float32, u float32) int32 {
	w = w[:len(ids)]
	var sum float32
	g := 0
	for s := 0; s+4 <= len(ids) && s+4 <= len(w) && g < len(cum); s += 4 {
		i, x := ids[s:s+4:s+4], w[s:s+4:s+4]
		a := mask(x[0], seen[i[0]])
		b := mask(x[1], seen[i[1]])
		c := mask(x[2], seen[i[2]])
		d := mask(x[3], seen[i[3]])
		sum += float32(a+b) + float32(c+d)
		cum[g] = sum
		g++
	}
	if sum == 0 {
		return -1
	}
	r := float32(u * sum)
	cum = cum[:g]
	g = 0
	for g < len(cum)-1 && cum[g] <= r {
		g++
	}
	var p float32
	if g > 0 {
		p = cum[g-1]
	}
	last := int32(-1)
	for s := 4 * g; s < 4*g+4; s++ {
		x := mask(w[s], seen[ids[s]])
		if x == 0 {
			continue
		}
		last = int32(s)
		if p += x; p > r {
			break
		}
	}
	return last
}

// mask returns w, or 0 if seen is 1, without a branch.
func mask(w float32, seen uint8) float32 {
	return math.Float32frombits(math.Float32bits(w) & (uint32(seen) - 1))
}

// greatest is the slot of the unvisited candidate of c with the greatest weight (the
// first of equal ones, which is the nearest), or -1 when all are visited.
func greatest(t *trail.Table, c int32, seen []uint8) int32 {
	at := int(c) * t.Stride
	s := greatestOf(t.ID[at:at+t.Stride], t.Weight[at:at+t.Stride], seen)
	if s < 0 {
		return -1
	}
	return int32(at) + s
}

// greatestOf is greatest over a row of cities and their weights.
func greatestOf(ids []int32, w []float32, seen []uint8) int32 {
	w = w[:len(ids)]
	// Positive floats are ordered as their bits; the low half prefers the first slot.
	var best uint64
	for s, id := range ids {
		bits := uint64(math.Float32bits(w[s])&(uint32(seen[id])-1))<<32 | uint64(^uint32(s))
		best = max(best, bits)
	}
	if best>>32 == 0 {
		return -1
	}
	return int32(^uint32(best))
}
