package genetic

import (
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// patched returns a random tour of short edges. In random order, twice, each city joins the nearest
// listed one to which an edge is possible; the resulting paths follow each other in the order of
// their first cities' numbers, which follow a curve.
func patched(sp *tours.Space, near tours.Neighbours, r *arith.Stream) []int32 {
	order := sp.Random(r)
	n := int32(len(order))
	link, path := make([][2]int32, n), make([]int32, n)
	for c := range n {
		link[c], path[c] = [2]int32{-1, -1}, c
	}
	of := func(c int32) int32 {
		for path[c] != c {
			path[c] = path[path[c]]
			c = path[c]
		}
		return c
	}
	for range 2 {
		for _, c := range order {
			if link[c][1] >= 0 {
				continue
			}
			for _, d := range near.Of(c) {
				if link[d][1] < 0 && of(c) != of(d) {
					path[of(c)] = of(d)
					add(&link[c], d)
					add(&link[d], c)
					break
				}
			}
		}
	}
	tour := make([]int32, 0, n)
	for c := range n {
		if link[c][1] >= 0 || path[c] < 0 {
			continue // inside a path, or done
		}
		for prev, at := int32(-1), c; at >= 0; {
			tour = append(tour, at)
			path[at] = -1
			next := link[at][0]
			if next == prev {
				next = link[at][1]
			}
			prev, at = at, next
		}
	}
	return tour
}

// add notes another neighbour.
func add(link *[2]int32, d int32) {
	if link[0] < 0 {
		link[0] = d
	} else {
		link[1] = d
	}
}
