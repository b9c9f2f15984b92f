package solvers

import (
	"math/bits"

	"metalab/solvers/record"
)

// fullPoints is the number of iterations of which the history keeps every point; see Kept.
const fullPoints = 1024

// Kept reports whether the history keeps the point of iteration i even without an improvement:
// every iteration up to 1024, then every second one up to 2048, every fourth one up to 4096 and so
// on, about 512 in each doubling. It is a function of the iteration number alone, so the record
// does not depend on who watches.
func Kept(i int64) bool { return thinned(i, fullPoints) }

// thinned reports whether i is of the pattern that has every number up to full, a power of
// 2, and full/2 of each doubling beyond.
func thinned(i, full int64) bool {
	if i <= full {
		return true
	}
	k := bits.Len64(uint64(i-1)) - bits.Len64(uint64(full)) + 1 // i in (full 2^(k-1), full 2^k]
	return i&(1<<k-1) == 0
}

// nextKept is the first iteration after i that is Kept.
func nextKept(i int64) int64 {
	if i < fullPoints {
		return i + 1
	}
	k := bits.Len64(uint64(i)) - bits.Len64(uint64(fullPoints)) + 1
	return (i>>k + 1) << k
}

// history holds the kept points. The measures of all points lie in blocks, so that
// keeping a point allocates next to nothing.
type history struct {
	points []record.Point
	block  []float64
}

func (h *history) keep(p record.Point) {
	if m := len(p.Measures); m > 0 {
		if cap(h.block)-len(h.block) < m {
			h.block = make([]float64, 0, 512*m)
		}
		at := len(h.block)
		h.block = append(h.block, p.Measures...)
		p.Measures = h.block[at : at+m : at+m]
	}
	h.points = append(h.points, p)
}
