package moves

import (
	"context"
	"math"
	"sync"

	"metalab/datasets"
)

// distances are an instance's distances in rows; walks share them.
type distances struct {
	inst *datasets.TSP
	n    int
	made sync.Once
	from []int32 // from[a*n+b] is the distance from a to b; nil: the instance computes it
	to   []int32 // to[a*n+b] is the distance from b to a; the same where the instance is symmetric
}

// maxRows is the largest number of cities whose distances are kept: 16 MiB of them.
const maxRows = 2048

func (d *distances) make() {
	n := d.n
	switch {
	case n > maxRows:
		return
	case d.inst.Metric == datasets.Explicit:
		d.from = d.inst.Matrix
	default:
		d.from = make([]int32, n*n)
		for a := range n {
			for b := range n {
				d.from[a*n+b] = d.inst.Dist(a, b)
			}
		}
	}
	d.to = d.from
	if d.inst.Asymmetric {
		d.to = make([]int32, n*n)
		for a := range n {
			for b := range n {
				d.to[b*n+a] = d.from[a*n+b]
			}
		}
	}
}

// of returns the distance from a to b.
func (d *distances) of(a, b int32) int64 {
	if d.from == nil {
		return int64(d.inst.Dist(int(a), int(b)))
	}
	return int64(d.from[int(a)*d.n+int(b)])
}

// swapTable holds by how much each swap makes a tour longer. A swap changes the deltas of all swaps
// of at most six positions, its own two and those beside them. They are computed again before the
// next scan; all others stay.
type swapTable struct {
	delta []int32 // by the index of the swap
	edge  []int64 // edge[x] is the length of the edge from position x to the next
	all   bool    // all swaps must be computed again
	stale []int32 // else those of these positions
	is    []bool  // by position: it is in stale
	wide  bool    // a delta did not fit into an int32: the table cannot be used
}

func newSwapTable(n int) *swapTable {
	return &swapTable{
		delta: make([]int32, Pairs(int64(n))), edge: make([]int64, n), is: make([]bool, n), all: true,
	}
}

// touch marks as stale the swaps of position x and of those beside it.
func (s *swapTable) touch(x int32) {
	n := int32(len(s.is))
	for _, at := range [3]int32{(x + n - 1) % n, x, (x + 1) % n} {
		if !s.is[at] {
			s.is[at] = true
			s.stale = append(s.stale, at)
		}
	}
	s.all = s.all || 2*len(s.stale) > len(s.is) // then computing all is less work
}

// reset marks all swaps as stale.
func (s *swapTable) reset() { s.all = true }

// refresh computes the stale swaps. When ctx ends it returns its error, and all are stale.
func (s *swapTable) refresh(ctx context.Context, d *distances, tour []int32) error {
	if !s.all && len(s.stale) == 0 {
		return nil
	}
	n := len(tour)
	for x, c := range tour {
		next := x + 1
		if next == n {
			next = 0
		}
		s.edge[x] = d.of(c, tour[next])
	}
	rows := len(s.stale)
	if s.all {
		rows = n
	}
	for i := range rows {
		if i%16 == 0 && ctx.Err() != nil {
			s.all = true
			return ctx.Err()
		}
		if s.all {
			s.row(d, tour, i, i+1)
		} else {
			s.row(d, tour, int(s.stale[i]), 0)
		}
	}
	for _, x := range s.stale {
		s.is[x] = false
	}
	s.stale, s.all = s.stale[:0], false
	return nil
}

// row computes the swaps of position x with those from position first on, which is 0 or x+1.
func (s *swapTable) row(d *distances, tour []int32, x, first int) {
	n := len(tour)
	if d.from == nil || n < 5 {
		for y := first; y < n; y++ {
			if y != x {
				s.put(min(x, y), max(x, y), n, d.inst.SwapDelta(tour, x, y))
			}
		}
		return
	}
	before, after := (x+n-1)%n, (x+1)%n
	c := int(tour[x])
	// The distances from the city before x, to the city after it, and from and to its own.
	fromP := d.from[int(tour[before])*n:][:n]
	toQ := d.to[int(tour[after])*n:][:n]
	fromC, toC := d.from[c*n:][:n], d.to[c*n:][:n]
	own := s.edge[before] + s.edge[x]
	prev := tour[(first+n-1)%n]
	last := s.edge[(first+n-1)%n]
	above := int(PairIndex(int64(n), int64(x), int64(x+1)))
	at := above // the index of the swap of x and y
	if first == 0 {
		at = x - 1
	}
	for y := first; y < n; y++ {
		city, next := tour[y], tour[0]
		if y+1 < n {
			next = tour[y+1]
		}
		edge := s.edge[y]
		if y != x {
			var v int64
			if y == before || y == after {
				v = d.inst.SwapDelta(tour, x, y)
			} else {
				v = int64(fromP[city]) + int64(toQ[city]) + int64(toC[prev]) + int64(fromC[next]) -
					own - last - edge
			}
			if v >= math.MaxInt32 || v < math.MinInt32 {
				s.wide = true
			}
			s.delta[at] = int32(v)
		}
		prev, last = city, edge
		switch {
		case y < x:
			at += n - 2 - y
		case y == x:
			at = above
		default:
			at++
		}
	}
}

// put stores the delta of the swap of the positions x and y, x < y, of n.
func (s *swapTable) put(x, y, n int, v int64) {
	if v >= math.MaxInt32 || v < math.MinInt32 {
		s.wide = true
	}
	s.delta[PairIndex(int64(n), int64(x), int64(y))] = int32(v)
}

// best returns the best swap with an index in [lo, hi) that allow accepts.
func (s *swapTable) best(n, lo, hi int64, allow func(Move, float64) bool) choice {
	found := noChoice
	least := int32(math.MaxInt32)
	x, y := PairAt(n, lo)
	for lo < hi {
		end := min(hi, lo+n-y) // of the swaps of position x
		for i, v := range s.delta[lo:end] {
			if v >= least {
				continue
			}
			m := Move{At: [3]int32{int32(x), int32(y) + int32(i), none}}
			if allow == nil || allow(m, float64(v)) {
				least = v
				found = choice{float64(v), lo + int64(i)}
			}
		}
		lo = end
		x, y = x+1, x+2
	}
	return found
}
