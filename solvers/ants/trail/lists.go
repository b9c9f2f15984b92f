package trail

import (
	"fmt"
	"math"
	"sort"

	"metalab/solvers/tours"
)

// Lists are the candidate lists: for each city the k nearest others. An entry of a list is a slot;
// slot c*Stride+s is the s-th candidate of city c. Everything that belongs to an edge on a list
// (trail, weight, distance) is in arrays by slot.
type Lists struct {
	N, K   int
	Stride int     // K rounded up to a multiple of 4; the slots between hold the city itself
	ID     []int32 // by slot: the candidate
	Dist   []int32 // by slot: its distance

	// The fields below are only for symmetric instances, where an edge has one trail.
	Mirror  []int32 // by slot of c towards j: the slot of j towards c; -1 when c is not on j's list
	revFrom []int32 // n + 1: the range of a city in revSlot
	revSlot []int32 // by city c: the slots of others towards c that have no mirror
}

// maxSlots keeps slot numbers in 31 bits.
const maxSlots = math.MaxInt32

// NewLists makes lists of k candidates a city, fewer when there are no more.
func NewLists(sp *tours.Space, k int) (*Lists, error) {
	k = max(0, min(k, sp.N-1))
	l := &Lists{N: sp.N, K: k, Stride: (k + 3) &^ 3}
	if int64(l.N)*int64(l.Stride) > maxSlots {
		return nil, fmt.Errorf("ants: candidates is %d: %d lists of that length have more than %d "+
			"entries", k, l.N, maxSlots)
	}
	near := sp.Nearest(k)
	l.ID, l.Dist = make([]int32, l.N*l.Stride), make([]int32, l.N*l.Stride)
	for c := range l.N {
		at := c * l.Stride
		copy(l.ID[at:], near.ID[c*k:c*k+k])
		copy(l.Dist[at:], near.Dist[c*k:c*k+k])
		for s := k; s < l.Stride; s++ {
			l.ID[at+s] = int32(c)
		}
	}
	if !sp.Asymmetric {
		l.pair()
	}
	return l, nil
}

// pair finds the mirrors.
func (l *Lists) pair() {
	l.Mirror = make([]int32, len(l.ID))
	l.revFrom = make([]int32, l.N+1)
	lone := 0
	for c := range l.N {
		for s := range l.Stride {
			at := c*l.Stride + s
			l.Mirror[at] = -1
			if s >= l.K {
				continue
			}
			j := l.ID[at]
			if l.Mirror[at] = l.search(j, int32(c), l.Dist[at]); l.Mirror[at] < 0 {
				l.revFrom[j+1]++
				lone++
			}
		}
	}
	for c := range l.N {
		l.revFrom[c+1] += l.revFrom[c]
	}
	l.revSlot = make([]int32, lone)
	next := append([]int32(nil), l.revFrom...)
	for at, m := range l.Mirror {
		if m >= 0 || at%l.Stride >= l.K {
			continue
		}
		j := l.ID[at]
		l.revSlot[next[j]] = int32(at)
		next[j]++
	}
}

// search finds the slot of i towards j, whose distance is d, by bisection:
// lists are sorted by distance and number.
func (l *Lists) search(i, j, d int32) int32 {
	at := int(i) * l.Stride
	ids, ds := l.ID[at:at+l.K], l.Dist[at:at+l.K]
	s := sort.Search(l.K, func(s int) bool { return ds[s] > d || ds[s] == d && ids[s] >= j })
	if s < l.K && ids[s] == j {
		return int32(at + s)
	}
	return -1
}

// Members tells whether a city is on the list of another, for one list after the other.
type Members struct {
	l    *Lists
	now  int32
	mark []int32 // by city: 1 + the last city that had it on its list
}

// Members begins with no list.
func (l *Lists) Members() Members { return Members{l: l, mark: make([]int32, l.N)} }

// Of selects the list of city i.
func (m *Members) Of(i int32) {
	m.now = i + 1
	at := int(i) * m.l.Stride
	for _, id := range m.l.ID[at : at+m.l.K] {
		m.mark[id] = m.now
	}
}

// Has tells whether a city is on that list.
func (m *Members) Has(id int32) bool { return m.mark[id] == m.now }

// Find returns the slot of i towards j, or -1. It searches from the front, where the edges of tours
// are.
func (l *Lists) Find(i, j int32) int32 {
	at := int(i) * l.Stride
	for s, c := range l.ID[at : at+l.K] {
		if c == j {
			return int32(at + s)
		}
	}
	return -1
}

// From returns the city that the slot at belongs to.
func (l *Lists) From(at int32) int32 { return at / int32(l.Stride) }

// reverse returns the slots of other cities towards c that have no mirror.
func (l *Lists) reverse(c int32) []int32 {
	if l.revFrom == nil {
		return nil
	}
	return l.revSlot[l.revFrom[c]:l.revFrom[c+1]]
}
