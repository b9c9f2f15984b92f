package genetic

import (
	"cmp"
	"slices"

	"metalab/solvers/tours"
)

// crossover builds the children of a couple of eax-rounds, and is the scratch memory of one worker.
// Its definition allows many threads to do it together with the same result; its form for GPUs is
// kernels/genetic/eaxchild.cuh.
type crossover struct {
	sp   *tours.Space
	near tours.Neighbours
	n    int32

	plane bool // distances are rounded ones of the plane: see assembly.Slack

	order []int32 // the cities along A
	pos   []int32 // their places
	// by city: the cities before and behind it in A, or in the child that is being made; and in B
	adj, b [][2]int32

	decomposition            // into A-B cycles; see eaxcycles.go
	region                   // what stage 2 knows of the cycles; see eaxblock.go
	offspring                // the child; see eaxchild.go
	link          [][2]int32 // by segment: where its ends lead to; see eaxsegments.go
	joined
}

// decomposition is the taking apart into A-B cycles.
type decomposition struct {
	left   [][2][2]int32 // by city: edges not used yet, of A and of B; -1: none
	path   []int32       // the way so far
	place  [][2]int32    // by city: its index + 1 in the path, at even and at odd indices
	cycles []int32       // the cities of all cycles one after the other
	start  []int32       // where they begin, and the end of the last
	live   []int32       // cities that had edges, rising
	coins  uint32        // random bits not used yet
	toss   int           // and how many
	pick   []int32       // cycles in the order of their use
}

// offspring is a child's inheritance from its parents.
type offspring struct {
	set     []int32  // the cycles that it receives
	touched []int32  // cities with other neighbours than in A
	stamp   []uint32 // by city: the child that touched it last
	taken   []uint32 // by place in A: the child whose cycles have the edge behind it, as one of A
	stays   []uint32 // by place in A: the child whose cycles have it as one of B, too
	child   uint32   // the number of this child
	gain    int64
	cuts    []int32 // places p such that the child lacks the edge from p to p + 1, rising
}

// joined holds the subtours of a child, by their segments.
type joined struct {
	sub  []int32 // by segment: its subtour
	next []int32 // by segment: another one of the subtour, or -1
	head []int32 // by subtour: its first segment
	tail []int32 // by subtour: its last segment
	size []int32 // by subtour: its cities; 0 when it was joined to another
}

func newCrossover(sp *tours.Space, near tours.Neighbours) *crossover {
	n := sp.N
	return &crossover{
		sp: sp, near: near, n: int32(n), plane: sp.Plane(), pos: make([]int32, n),
		adj: make([][2]int32, n), b: make([][2]int32, n), region: newRegion(n),
		decomposition: decomposition{left: make([][2][2]int32, n), place: make([][2]int32, n)},
		offspring: offspring{
			stamp: make([]uint32, n), taken: make([]uint32, n), stays: make([]uint32, n),
		},
	}
}

func (k *crossover) d(a, b int32) int64 { return int64(k.sp.D(a, b)) }

// before and behind are the cities beside city c in A.
func (k *crossover) before(c int32) int32 {
	if p := k.pos[c]; p > 0 {
		return k.order[p-1]
	}
	return k.order[k.n-1]
}

func (k *crossover) behind(c int32) int32 {
	if p := k.pos[c] + 1; p < k.n {
		return k.order[p]
	}
	return k.order[0]
}

// cycle returns the cities of cycle c in their order: the way from the first to the second is
// an edge of A, the next one of B, and so on in turn; the way back to the first is one of B.
func (k *crossover) cycle(c int32) []int32 { return k.cycles[k.start[c]:k.start[c+1]] }

// load takes two tours.
func (k *crossover) load(a, b []int32) {
	k.order = a
	prev := a[k.n-1]
	for i, c := range a {
		k.pos[c] = int32(i)
		k.adj[c][0] = prev
		k.adj[prev][1] = c
		prev = c
	}
	prev = b[k.n-1]
	for _, c := range b {
		k.b[c][0] = prev
		k.b[prev][1] = c
		prev = c
	}
	clear(k.stamp)
	clear(k.taken)
	clear(k.stays)
	k.child = 0
}

// placeOf is the place in A of the first city of the edge u, v; -1 if A lacks it.
func (k *crossover) placeOf(u, v int32) int32 {
	x, y := k.pos[u], k.pos[v]
	switch y - x {
	case 1, 1 - k.n:
		return x
	case -1, k.n - 1:
		return y
	}
	return -1
}

// singles takes each cycle for a child of its own.
func (k *crossover) singles() {
	k.pick = k.pick[:0]
	for c := range int32(len(k.start) - 1) {
		k.pick = append(k.pick, c)
	}
}

// longest selects the longest cycles, among equal ones those with smaller numbers.
func (k *crossover) longest(count int) {
	k.singles()
	slices.SortStableFunc(k.pick, func(a, b int32) int {
		return cmp.Compare(len(k.cycle(b)), len(k.cycle(a)))
	})
	k.pick = k.pick[:min(count, len(k.pick))]
}
