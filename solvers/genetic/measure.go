package genetic

import (
	"sync/atomic"

	"metalab/solvers"
)

// sampled is the largest number of tours that are compared for diversity.
const sampled = 16

// diversity is the mean share of edges that tours of the population do not have in
// common with the one at place at. It looks at no more than 16 tours, evenly spread over the
// places; ways there and back are the same edge.
func diversity(pool *solvers.Pool, members []individual, at int) float64 {
	t := members[at].tour
	n := len(t)
	if n < 2 {
		return 0
	}
	around := beside(t)
	count := min(sampled, len(members))
	var other atomic.Int64
	pool.RunOf(count, 4*int64(count)*int64(n), func(k, _ int) {
		other.Add(otherEdges(around, members[k*len(members)/count].tour))
	})
	return float64(other.Load()) / float64(count*n)
}

// beside are the cities before and behind each city of a tour.
func beside(t []int32) []int32 {
	n := len(t)
	around := make([]int32, 2*n)
	for i, c := range t {
		around[2*c], around[2*c+1] = t[(i+n-1)%n], t[(i+1)%n]
	}
	return around
}

// otherEdges counts the edges of s that the tour with these neighbours does not have.
func otherEdges(around, s []int32) int64 {
	other := int64(0)
	last := s[len(s)-1]
	for _, c := range s {
		if around[2*last] != c && around[2*last+1] != c {
			other++
		}
		last = c
	}
	return other
}

// different is the share of tours that differ from all others before them: 1 when all do. A
// tour that begins elsewhere or runs the other way counts as another one.
func different(members []individual) float64 {
	// A table of twice as many entries at least; 0 is an empty one.
	size := 2
	for size < 2*len(members) {
		size *= 2
	}
	table, count, zero := make([]uint64, size), 0, false
	for i := range members {
		h := members[i].hash
		if h == 0 {
			zero = true
			continue
		}
		at := int(h) & (size - 1)
		for table[at] != 0 && table[at] != h {
			at = (at + 1) & (size - 1)
		}
		if table[at] == 0 {
			table[at] = h
			count++
		}
	}
	if zero {
		count++
	}
	return float64(count) / float64(len(members))
}

// progress counts what is done of a long iteration.
type progress struct{ done atomic.Int64 }

func (p *progress) one(to *atomic.Uint32, all int) {
	if d := p.done.Add(1); to != nil {
		to.Store(uint32(d << 16 / int64(all)))
	}
}
