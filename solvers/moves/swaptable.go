package moves

import (
	"math"
	"sync"
	"sync/atomic"

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

// maxRows is the largest number of cities whose distances are stored: 16 MiB of them.
const maxRows = 2048

func (d *distances) make() {
	n := d.n
	switch {
	case d.inst.Metric == datasets.Explicit && (n <= maxRows || !d.inst.Asymmetric):
		d.from = d.inst.Matrix // it is there
	case n > maxRows:
		return
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

// refresh computes the stale swaps. When the context ends it returns its error, and all are stale.
func (s *swapTable) refresh(w wave, d *distances, tour []int32) error {
	if !s.all && len(s.stale) == 0 {
		return nil
	}
	n := len(tour)
	d.edges(tour, s.edge)
	if s.all {
		var wide atomic.Bool
		size := max(64*n/(n+64), 1) // the first rows are longest
		w.share(n, min(size, n/4), 4*int64(n/2), func(_, lo, hi int) {
			r := newTourRows(d, tour, s.edge)
			for x := lo; x < hi && w.ctx.Err() == nil; x++ {
				if s.put(x, x+1, r.swaps(x, x+1)) {
					wide.Store(true)
				}
			}
		})
		s.wide = s.wide || wide.Load()
	} else {
		r := newTourRows(d, tour, s.edge)
		for _, x := range s.stale {
			s.wide = s.put(int(x), 0, r.swaps(int(x), 0)) || s.wide
		}
	}
	if err := w.ctx.Err(); err != nil {
		s.all = true
		return err
	}
	for _, x := range s.stale {
		s.is[x] = false
	}
	s.stale, s.all = s.stale[:0], false
	return nil
}

// put stores the deltas of the swaps of position x with those from position first on, which is 0 or
// x+1, and reports whether one does not fit.
func (s *swapTable) put(x, first int, deltas []int64) (wide bool) {
	n := len(s.is)
	above := int(PairIndex(int64(n), int64(x), int64(x+1)))
	at := above // the index of the swap of x and y
	if first == 0 {
		at = x - 1
	}
	for i, v := range deltas {
		y := first + i
		if y == x {
			at = above
			continue
		}
		wide = wide || v >= math.MaxInt32 || v < math.MinInt32
		s.delta[at] = int32(v)
		if y < x {
			at += n - 2 - y
		} else {
			at++
		}
	}
	return wide
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
