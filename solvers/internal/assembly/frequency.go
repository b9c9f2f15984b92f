package assembly

import "metalab/solvers/arith"

// Edges counts in how many tours of a population each edge is: a hash table with open
// addressing, which takes memory for the edges that there are and not for all pairs of cities.
type Edges struct {
	key   []uint64 // 0: free
	count []int32
	used  int
}

func edgeKey(a, b int32) uint64 {
	if a > b {
		a, b = b, a
	}
	return uint64(uint32(a))<<32 | uint64(uint32(b)) // never 0: b > a >= 0
}

// at is the place of an edge, or the free one where it belongs.
func (e *Edges) at(k uint64) int {
	mask := uint64(len(e.key) - 1)
	h := k * 0x9E3779B97F4A7C15
	for i := h >> 20 & mask; ; i = (i + 1) & mask {
		if e.key[i] == k || e.key[i] == 0 {
			return int(i)
		}
	}
}

// Of returns the number of tours with the edge a, b.
func (e *Edges) Of(a, b int32) int32 { return e.count[e.at(edgeKey(a, b))] }

// Add changes the count of an edge.
func (e *Edges) Add(a, b, by int32) {
	if 2*(e.used+1) > len(e.key) {
		e.grow()
	}
	k := edgeKey(a, b)
	i := e.at(k)
	if e.key[i] == 0 {
		e.key[i] = k
		e.used++
	}
	e.count[i] += by
}

// Tally counts the edges that are in f tours, by f; tally has room for as many as there are.
func (e *Edges) Tally(tally []int64) {
	clear(tally)
	for _, f := range e.count {
		if f > 0 {
			tally[f]++
		}
	}
}

// grow drops edges that are in no tour any more and makes room for more.
func (e *Edges) grow() {
	alive := 0
	for _, c := range e.count {
		if c != 0 {
			alive++
		}
	}
	size := 1024
	for size < 4*(alive+1) {
		size *= 2
	}
	old := *e
	e.key, e.count, e.used = make([]uint64, size), make([]int32, size), alive
	for i, c := range old.count {
		if c != 0 {
			j := e.at(old.key[i])
			e.key[j], e.count[j] = old.key[i], c
		}
	}
}

// AddTour counts the edges of a tour; there and back between two cities is one.
func (e *Edges) AddTour(t []int32) {
	for i := 1; i < len(t); i++ {
		e.Add(t[i-1], t[i], 1)
	}
	if n := len(t); n > 2 {
		e.Add(t[n-1], t[0], 1)
	}
}

// entropyTable returns for 0 to n the share of the entropy of a population of n tours that
// an edge in f of them has: -(f/n) log2(f/n).
func entropyTable(n int) []float64 {
	h := make([]float64, n+2)
	for f := 1; f <= n; f++ {
		x := float64(f) / float64(n)
		h[f] = -float64(x * arith.Log2(x))
	}
	return h
}
