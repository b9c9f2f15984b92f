package datasets

import "math"

// chips places n cities as the pins of a chip lie (class V): on a grid of integers, most of them in
// columns seven or eight apart that run for some rows and are repeated at the columns beside, the
// rest in short rows, four of a hundred points of the grid being taken. No two are at one point.
// Most cities have neighbours at equal distances, as in the VLSI instances of A. Rohe
// (https://www.math.uwaterloo.ca/tsp/vlsi). The generator is our own.
func chips(g *lagged, x, y []float64) {
	n := len(x)
	height := int(math.Sqrt(float64(n)*100/6.3)) + 1
	width := n*100/(4*height) + 8
	var columns []int
	for c := 0; c < width; c += 7 + g.below(2) {
		columns = append(columns, c)
	}
	taken := make([]bool, width*height)
	at := 0
	put := func(cx, cy int) {
		if at == n || cx >= width || cy >= height || taken[cy*width+cx] {
			return
		}
		taken[cy*width+cx] = true
		x[at], y[at] = float64(cx), float64(cy)
		at++
	}
	var rows []int
	for at < n {
		top := g.below(height)
		if g.below(5) < 2 {
			left := g.below(width)
			for i := range 2 + g.below(4) {
				put(left+i, top)
			}
			continue
		}
		rows = rows[:0]
		for r, size := 0, 3+g.below(18); r < size; r += 1 + g.below(3) {
			rows = append(rows, top+r)
		}
		for c, end := g.below(len(columns)), 1+g.below(4); end > 0 && c < len(columns); c++ {
			for _, r := range rows {
				put(columns[c], r)
			}
			end--
		}
	}
}

// towns places n cities as the towns of a country lie (class N): one in ten anywhere in a square,
// the others round one of those before, at a distance of any order of magnitude, as in the national
// instances of W. Cook (https://www.math.uwaterloo.ca/tsp/world). Density varies at all scales, and
// coordinates are rounded to a hundred thousandth of the side. The generator is our own.
func towns(g *lagged, x, y []float64) {
	const side = 100_000
	for i := 0; i < len(x); {
		cx, cy := g.below(side), g.below(side)
		if i > 0 && g.below(10) > 0 {
			near := g.below(i)
			reach := side / 4 >> (2 + g.below(8))
			cx = int(x[near]) + g.below(2*reach+1) - reach
			cy = int(y[near]) + g.below(2*reach+1) - reach
		}
		if cx >= 0 && cx < side && cy >= 0 && cy < side {
			x[i], y[i] = float64(cx), float64(cy)
			i++
		}
	}
}

// below returns the next integer of [0, n).
func (g *lagged) below(n int) int { return int(int64(g.draw()) * int64(n) / lagModulus) }
