package view

import (
	"cmp"
	"math"
	"slices"
)

// strongest returns most of the trails among the cities at x and y, weakest first, and how many
// there are. Each edge appears once, with the smaller city first, and V scaled to a strength from
// 0, for the weakest of all trails, to 1. If all trails are equal, all have strength 0.25.
//
// If there are more, each region of the map has a share in proportion to its cities: its strongest
// trails, and among equal ones the longest, which are visible. Unused shares go to the strongest of
// the other trails.
func strongest(trails []Trail, x, y []float64, most int) (strong []Trail, all int) {
	n := min(len(x), len(y))
	lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
	for _, t := range trails {
		if t.I != t.J && t.I >= 0 && t.J >= 0 && int(t.I) < n && int(t.J) < n && finite(float64(t.V)) {
			lo, hi = min(lo, t.V), max(hi, t.V)
			strong = append(strong, Trail{I: min(t.I, t.J), J: max(t.I, t.J), V: t.V})
		}
	}
	slices.SortFunc(strong, func(a, b Trail) int {
		return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J), cmp.Compare(b.V, a.V))
	})
	strong = slices.CompactFunc(strong, func(a, b Trail) bool { return a.I == b.I && a.J == b.J })
	for i := range strong {
		if v := &strong[i].V; hi == lo {
			*v = 0.25
		} else {
			*v = (*v - lo) / (hi - lo)
		}
	}
	all = len(strong)
	if all > most {
		strong = share(strong, x, y, max(most, 0))
	}
	slices.SortStableFunc(strong, func(a, b Trail) int { return cmp.Compare(a.V, b.V) })
	return strong, all
}

// share chooses most of the trails by regions.
func share(trails []Trail, x, y []float64, most int) []Trail {
	region, count := regions(x, y)
	long := func(t Trail) float64 {
		dx, dy := x[t.I]-x[t.J], y[t.I]-y[t.J]
		return float64(dx*dx) + float64(dy*dy)
	}
	slices.SortFunc(trails, func(a, b Trail) int {
		return cmp.Or(cmp.Compare(b.V, a.V), cmp.Compare(long(b), long(a)), cmp.Compare(a.I, b.I),
			cmp.Compare(a.J, b.J))
	})
	left := make([]int, len(count))
	before := 0
	for r, c := range count { // shares add up to most, whatever is rounded
		left[r] = (before+c)*most/len(region) - before*most/len(region)
		before += c
	}
	var out, rest []Trail
	for _, t := range trails {
		if r := region[t.I]; left[r] > 0 {
			left[r]--
			out = append(out, t)
		} else {
			rest = append(rest, t)
		}
	}
	return append(out, rest[:min(most-len(out), len(rest))]...)
}

// cityRegion is about how many cities a region has.
const cityRegion = 100

// regions divides the map into squares and returns that of each city, and how many cities each
// has. Cities without a place are in the first one.
func regions(x, y []float64) (of []int32, count []int) {
	n := min(len(x), len(y))
	f := FrameOf(x, y)
	side := max(int(math.Sqrt(float64(n)/cityRegion)), 1)
	of, count = make([]int32, n), make([]int, side*side)
	cell := func(v, lo, hi float64) int {
		if !finite(v) || !(lo < hi) {
			return 0
		}
		return min(int((v/2-lo/2)/(hi/2-lo/2)*float64(side)), side-1)
	}
	for i := range of {
		of[i] = int32(cell(y[i], f.YMin, f.YMax)*side + cell(x[i], f.XMin, f.XMax))
		count[of[i]]++
	}
	return of, count
}
