package tours

import (
	"context"
	"slices"
)

// BestTwoOpt improves tour by exchanges of two edges until none is left, always by the best
// exchange in the whole tour that adds an edge from a city to one of its listed neighbours, and
// returns the gain: the local search of J. Fosin, D. Davidovic and T. Caric, A GPU implementation
// of local search operators for symmetric travelling salesman problem, 2013,
// doi:10.7307/ptt.v25i3.300. Ties go to the smaller cities.
//
// They evaluate all exchanges anew after each. An exchange's gain depends only on its four
// cities, and on the direction of the tour only whether it closes one tour or two, so
// here all that gain are kept in order of gain, with those that wait for a change of
// direction beside them, and an exchange adds only what its new edges make possible. The walk
// is the same.
//
// When ctx ends it returns ctx's error and leaves the tour as it was.
func (s *Space) BestTwoOpt(ctx context.Context, tour []int32, near Neighbours) (int64, error) {
	if s.N < minCities || s.Asymmetric {
		return 0, nil
	}
	b := best2{sp: s, near: near, ring: newRing(s.N, s.N >= twoLevelFrom), back: near.inverse(s.N)}
	b.ring.set(tour)
	for c := range int32(s.N) {
		if c%lookEvery == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		for dir := int32(1); dir >= -1; dir -= 2 {
			b.offer(c, b.ring.step(c, dir), near.Of(c), false)
		}
	}
	var gain int64
	for i := 0; ; i++ {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		v, ok := b.take()
		if !ok {
			break
		}
		gain += v.gain
		b.ring.exchange(v.x, v.c, v.j, v.y)
		for _, e := range [4][2]int32{{v.c, v.j}, {v.j, v.c}, {v.x, v.y}, {v.y, v.x}} {
			b.offer(e[0], e[1], near.Of(e[0]), false)
			b.offer(e[0], e[1], b.back[e[0]], true)
		}
	}
	b.ring.get(tour)
	return gain, nil
}

// best2 is the state of BestTwoOpt.
type best2 struct {
	sp    *Space
	near  Neighbours
	ring  *ring
	back  [][]int32 // the cities in whose lists a city is
	heap  []swap2   // a binary heap, the best at 0
	await []swap2   // the best first: taken from the heap when their direction was wrong
}

// swap2 is an exchange of (c, x) and (j, y) for (c, j) and (x, y); j is a neighbour of c.
type swap2 struct {
	gain       int64 // up to twice the greatest distance
	c, j, x, y int32
}

// before orders exchanges: by gain, then by city.
func (a swap2) before(b swap2) bool {
	if a.gain != b.gain {
		return a.gain > b.gain
	}
	if a.c != b.c {
		return a.c < b.c
	}
	if a.j != b.j {
		return a.j < b.j
	}
	return a.x < b.x
}

// inverse lists for every city those that have it in their list.
func (b *Neighbours) inverse(n int) [][]int32 {
	size := make([]int32, n)
	for _, id := range b.ID {
		size[id]++
	}
	all, out := make([]int32, len(b.ID)), make([][]int32, n)
	for c, at := 0, int32(0); c < n; c++ {
		out[c] = all[at : at : at+size[c]]
		at += size[c]
	}
	for c := range int32(n) {
		for _, id := range b.Of(c) {
			out[id] = append(out[id], c)
		}
	}
	return out
}

// offer adds what gains among the exchanges of the edge (c, x) with an edge at one of the
// cities; back tells that c is the neighbour of those and not they of c.
func (b *best2) offer(c, x int32, cities []int32, back bool) {
	d := func(i, j int32) int64 { return int64(b.sp.D(i, j)) }
	dx := d(c, x)
	for _, j := range cities {
		add := dx - d(c, j)
		for dir := int32(1); dir >= -1; dir -= 2 {
			y := b.ring.step(j, dir)
			if gain := add + d(j, y) - d(x, y); gain > 0 && x != y && c != y && x != j {
				v := swap2{gain, c, j, x, y}
				if back {
					v = swap2{gain, j, c, y, x}
				}
				b.push(v)
			}
		}
	}
}

// take removes and returns the best exchange that can be made now.
func (b *best2) take() (swap2, bool) {
	for at := 0; ; {
		var v swap2
		waited := at < len(b.await) && (len(b.heap) == 0 || !b.heap[0].before(b.await[at]))
		switch {
		case waited:
			v = b.await[at]
		case len(b.heap) > 0:
			v = b.pop()
		default:
			return swap2{}, false
		}
		alive, valid := b.state(v)
		switch {
		case waited && alive && !valid:
			at++
		case waited:
			b.await = slices.Delete(b.await, at, at+1)
		case alive && !valid:
			b.await = slices.Insert(b.await, at, v)
			at++
		}
		if valid {
			return v, true
		}
	}
}

// state tells whether both edges of v are still in the tour, and whether they are read
// in the same direction, so that the exchange closes one tour.
func (b *best2) state(v swap2) (alive, valid bool) {
	r := b.ring
	nx, ny := r.step(v.c, 1) == v.x, r.step(v.j, 1) == v.y
	alive = (nx || r.step(v.c, -1) == v.x) && (ny || r.step(v.j, -1) == v.y)
	return alive, alive && nx == ny
}

func (b *best2) push(v swap2) {
	b.heap = append(b.heap, v)
	h, i := b.heap, len(b.heap)-1
	for i > 0 && v.before(h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = v
}

func (b *best2) pop() swap2 {
	h := b.heap
	top, v := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	b.heap = h
	for i := 0; ; {
		l := 2*i + 1
		if l >= len(h) {
			if i < len(h) {
				h[i] = v
			}
			return top
		}
		if l+1 < len(h) && h[l+1].before(h[l]) {
			l++
		}
		if !h[l].before(v) {
			h[i] = v
			return top
		}
		h[i] = h[l]
		i = l
	}
}
