package moves

import (
	"math"

	"metalab/datasets"
)

// tourRows computes the swaps of a position of a tour, row by row. Three in four distances of a row
// also belong to the row before: those of the city of position x and of its neighbours to all
// others.
type tourRows struct {
	d    *distances
	tour []int32
	edge []int64 // edge[x] is the length of the edge from position x to the next

	held [3]*tourRow
	out  []int64
}

// tourRow holds the distances of the city of position x to those of the positions from first on;
// entry n belongs to position 0.
type tourRow struct {
	x, first int
	from, to []int32 // from it, and to it: the same where the instance is symmetric
}

func newTourRows(d *distances, tour []int32, edge []int64) *tourRows {
	r := &tourRows{d: d, tour: tour, edge: edge, out: make([]int64, len(tour))}
	for i := range r.held {
		row := &tourRow{x: -1, from: make([]int32, len(tour)+1)}
		row.to = row.from
		if d.inst.Asymmetric {
			row.to = make([]int32, len(tour)+1)
		}
		r.held[i] = row
	}
	return r
}

// edges computes the lengths of a tour's edges.
func (d *distances) edges(tour []int32, edge []int64) {
	for x, c := range tour {
		next := x + 1
		if next == len(tour) {
			next = 0
		}
		edge[x] = d.of(c, tour[next])
	}
}

// rows returns the rows of three positions.
func (r *tourRows) rows(want [3]int, first int) (rows [3]*tourRow) {
	for i, x := range want {
		for _, row := range r.held {
			if row.x == x {
				rows[i] = row
			}
		}
	}
	for i, x := range want {
		if rows[i] == nil {
			for _, row := range r.held {
				if row != rows[0] && row != rows[1] && row != rows[2] {
					rows[i] = row
				}
			}
			rows[i].x, rows[i].first = x, len(r.tour)
		}
		if rows[i].first > first {
			r.fill(rows[i], first)
		}
	}
	return rows
}

// fill computes the distances of a row.
func (r *tourRows) fill(row *tourRow, first int) {
	tour, n := r.tour, len(r.tour)
	c := tour[row.x]
	row.first = first
	inst := r.d.inst
	switch {
	case r.d.from != nil:
		of := r.d.from[int(c)*n:][:n]
		for y := first; y < n; y++ {
			row.from[y] = of[tour[y]]
		}
		row.from[n] = of[tour[0]]
		if inst.Asymmetric {
			of = r.d.to[int(c)*n:][:n]
			for y := first; y < n; y++ {
				row.to[y] = of[tour[y]]
			}
			row.to[n] = of[tour[0]]
		}
		return
	case inst.Metric == datasets.Euc2D:
		euclidean(inst, c, tour[first:], row.from[first:])
	default:
		for y := first; y < n; y++ {
			row.from[y] = inst.Dist(int(c), int(tour[y]))
		}
	}
	row.from[n] = inst.Dist(int(c), int(tour[0]))
	if inst.Asymmetric {
		for y := first; y < n; y++ {
			row.to[y] = inst.Dist(int(tour[y]), int(c))
		}
		row.to[n] = inst.Dist(int(tour[0]), int(c))
	}
}

// swaps returns the deltas of the swaps of position x with those from position first on, which is 0
// or above x. That with itself is 0.
func (r *tourRows) swaps(x, first int) []int64 {
	tour, n := r.tour, len(r.tour)
	out := r.out[:n-first]
	before, after := x-1, x+1
	if before < 0 {
		before = n - 1
	}
	if after == n {
		after = 0
	}
	if n < 5 {
		for y := first; y < n; y++ {
			out[y-first] = r.d.inst.SwapDelta(tour, x, y)
		}
		return out
	}
	rows := r.rows([3]int{before, x, after}, max(first-1, 0))
	fromP, toQ := rows[0].from[first:n], rows[2].to[first:n]
	own := r.edge[before] + r.edge[x]
	prev := first - 1
	if prev < 0 {
		prev = n - 1
	}
	last, toPrev := r.edge[prev], int64(rows[1].to[prev])
	here, next := rows[1].to[first:n], rows[1].from[first+1:n+1]
	edge := r.edge[first:n]
	for i := range out {
		out[i] = int64(fromP[i]) + int64(toQ[i]) + toPrev + int64(next[i]) - own - last - edge[i]
		toPrev, last = int64(here[i]), edge[i]
	}
	for _, y := range [3]int{before, x, after} { // their edges are the same as those of x
		if y >= first {
			out[y-first] = r.d.inst.SwapDelta(tour, x, y)
		}
	}
	return out
}

// euclidean computes rounded distances in the plane, in the order of operations of
// datasets.TSP.Dist, without its choice among metrics for each.
func euclidean(inst *datasets.TSP, c int32, cities, out []int32) {
	x, y := inst.X[c], inst.Y[c]
	out = out[:len(cities)]
	for i, b := range cities {
		dx, dy := x-inst.X[b], y-inst.Y[b]
		out[i] = int32(math.Sqrt(float64(dx*dx)+float64(dy*dy)) + 0.5)
	}
}
