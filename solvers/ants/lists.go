package ants

import (
	"fmt"
	"math"
	"sort"

	"metalab/solvers/tours"
)

// lists are the candidate lists: for each city the k nearest others. An entry of a
// list is a slot; slot c*stride+s is the s-th candidate of city c. Everything that
// belongs to an edge on a list (trail, weight, distance) stands in an array by slot.
type lists struct {
	n, k   int
	stride int     // k rounded up to a multiple of 4; the slots between hold the city itself
	id     []int32 // by slot: the candidate
	dist   []int32 // by slot: its distance

	// The rest only for symmetric instances, where an edge has one trail.
	mirror  []int32 // by slot of c towards j: the slot of j towards c; -1 when c is not on j's list
	revFrom []int32 // n + 1: the range of a city in revSlot
	revSlot []int32 // by city c: the slots of others towards c that have no mirror
}

// maxSlots keeps slot numbers in 31 bits.
const maxSlots = math.MaxInt32

// newLists makes lists of k candidates a city, fewer when there are no more.
func newLists(sp *tours.Space, k int) (*lists, error) {
	k = max(0, min(k, sp.N-1))
	l := &lists{n: sp.N, k: k, stride: (k + 3) &^ 3}
	if int64(l.n)*int64(l.stride) > maxSlots {
		return nil, fmt.Errorf("ants: candidates is %d: %d lists of that length have more than %d entries", k, l.n, maxSlots)
	}
	near := sp.Nearest(k)
	l.id, l.dist = make([]int32, l.n*l.stride), make([]int32, l.n*l.stride)
	for c := range l.n {
		at := c * l.stride
		copy(l.id[at:], near.ID[c*k:c*k+k])
		copy(l.dist[at:], near.Dist[c*k:c*k+k])
		for s := k; s < l.stride; s++ {
			l.id[at+s] = int32(c)
		}
	}
	if !sp.Asymmetric {
		l.pair()
	}
	return l, nil
}

// pair finds the mirrors.
func (l *lists) pair() {
	l.mirror = make([]int32, len(l.id))
	l.revFrom = make([]int32, l.n+1)
	lone := 0
	for c := range l.n {
		for s := range l.stride {
			at := c*l.stride + s
			l.mirror[at] = -1
			if s >= l.k {
				continue
			}
			j := l.id[at]
			if l.mirror[at] = l.search(j, int32(c), l.dist[at]); l.mirror[at] < 0 {
				l.revFrom[j+1]++
				lone++
			}
		}
	}
	for c := range l.n {
		l.revFrom[c+1] += l.revFrom[c]
	}
	l.revSlot = make([]int32, lone)
	next := append([]int32(nil), l.revFrom...)
	for at, m := range l.mirror {
		if m >= 0 || at%l.stride >= l.k {
			continue
		}
		j := l.id[at]
		l.revSlot[next[j]] = int32(at)
		next[j]++
	}
}

// search finds the slot of i towards j, whose distance is d, by bisection: lists are
// sorted by distance and number.
func (l *lists) search(i, j, d int32) int32 {
	at := int(i) * l.stride
	ids, ds := l.id[at:at+l.k], l.dist[at:at+l.k]
	s := sort.Search(l.k, func(s int) bool { return ds[s] > d || ds[s] == d && ids[s] >= j })
	if s < l.k && ids[s] == j {
		return int32(at + s)
	}
	return -1
}

// members tells whose list a city is on, for one city's list after the other.
type members struct {
	l    *lists
	now  int32
	mark []int32 // by city: 1 + the last city that had it on its list
}

func (l *lists) members() members { return members{l: l, mark: make([]int32, l.n)} }

// of turns to the list of city i.
func (m *members) of(i int32) {
	m.now = i + 1
	at := int(i) * m.l.stride
	for _, id := range m.l.id[at : at+m.l.k] {
		m.mark[id] = m.now
	}
}

func (m *members) has(id int32) bool { return m.mark[id] == m.now }

// find is the slot of i towards j, or -1. Edges of tours are near the front.
func (l *lists) find(i, j int32) int32 {
	at := int(i) * l.stride
	for s, c := range l.id[at : at+l.k] {
		if c == j {
			return int32(at + s)
		}
	}
	return -1
}

// from is the city whose slot at is.
func (l *lists) from(at int32) int32 { return at / int32(l.stride) }

// reverse are the slots of other cities towards c without a mirror.
func (l *lists) reverse(c int32) []int32 {
	if l.revFrom == nil {
		return nil
	}
	return l.revSlot[l.revFrom[c]:l.revFrom[c+1]]
}
