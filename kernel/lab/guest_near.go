package lab

import "math"

// Near returns the k nearest cities of each city, the nearest first, and among equals the smaller
// number first. With coordinates it takes some microseconds for each city, with a matrix a step for
// each pair: call it once, in Init.
func (p *Problem) Near(k int) [][]int {
	k = max(min(k, p.N-1), 0)
	flat := make([]int, p.N*k)
	out := make([][]int, p.N)
	var g *grid
	if p.Matrix == nil {
		g = newGrid(p)
	}
	b := nearest{d: make([]float64, k)}
	for i := range out {
		b.list = flat[i*k : i*k : (i+1)*k]
		if g == nil {
			for j := range p.N {
				if j != i {
					b.add(p.Dist(i, j), j)
				}
			}
		} else {
			g.around(i, &b)
		}
		out[i] = b.list
	}
	return out
}

// nearest are the nearest cities so far.
type nearest struct {
	list []int
	d    []float64 // their distances
}

// full reports whether no city at distance d or more can be among the nearest any more.
func (b *nearest) full(d float64) bool {
	n := len(b.list)
	return n == cap(b.list) && (n == 0 || d > b.d[n-1])
}

// add adds a city if it is among the nearest.
func (b *nearest) add(d float64, c int) {
	n := len(b.list)
	before := func(k int) bool { return d < b.d[k] || d == b.d[k] && c < b.list[k] }
	if n == cap(b.list) {
		if n == 0 || !before(n-1) {
			return
		}
		n--
	} else {
		b.list = b.list[:n+1]
	}
	k := n
	for ; k > 0 && before(k-1); k-- {
		b.list[k], b.d[k] = b.list[k-1], b.d[k-1]
	}
	b.list[k], b.d[k] = c, d
}

// grid sorts cities into squares.
type grid struct {
	p          *Problem
	x, y, side float64 // the corner, and the side of a square
	w, h       int
	first      []int // of each square in cities, and the end
	cities     []int
}

// newGrid makes squares that hold about two cities each.
func newGrid(p *Problem) *grid {
	g := &grid{p: p, x: math.Inf(1), y: math.Inf(1)}
	right, top := math.Inf(-1), math.Inf(-1)
	for i, x := range p.X {
		g.x, right = min(g.x, x), max(right, x)
		g.y, top = min(g.y, p.Y[i]), max(top, p.Y[i])
	}
	g.side = math.Sqrt((right-g.x)*(top-g.y)*2/float64(p.N)) + (right-g.x+top-g.y)/float64(p.N)
	if g.side == 0 { // all at one place
		g.side = 1
	}
	g.w, g.h = int((right-g.x)/g.side)+1, int((top-g.y)/g.side)+1
	g.first, g.cities = make([]int, g.w*g.h+1), make([]int, p.N)
	for i := range p.X {
		g.first[g.square(i)+1]++
	}
	for s := range g.w * g.h {
		g.first[s+1] += g.first[s]
	}
	at := make([]int, g.w*g.h)
	for i := range p.X {
		s := g.square(i)
		g.cities[g.first[s]+at[s]] = i
		at[s]++
	}
	return g
}

func (g *grid) column(i int) int { return min(int((g.p.X[i]-g.x)/g.side), g.w-1) }
func (g *grid) row(i int) int    { return min(int((g.p.Y[i]-g.y)/g.side), g.h-1) }
func (g *grid) square(i int) int { return g.row(i)*g.w + g.column(i) }

// around looks at rings of squares around a city until all cities farther out are too far.
func (g *grid) around(i int, b *nearest) {
	cx, cy := g.column(i), g.row(i)
	for ring := 0; ring <= max(g.w, g.h); ring++ {
		// A city of this ring is at least this far away, less a rounding error.
		if out := float64(ring-1) * g.side * (1 - 1e-9); ring > 0 &&
			b.full(g.p.round(max(out, 0)*max(out, 0))) {
			return
		}
		for y := cy - ring; y <= cy+ring; y++ {
			if y < 0 || y >= g.h {
				continue
			}
			step := 2 * ring // only the two ends of a row, except in the first and the last row
			if y == cy-ring || y == cy+ring || ring == 0 {
				step = 1
			}
			for x := cx - ring; x <= cx+ring; x += step {
				if x < 0 || x >= g.w {
					continue
				}
				for _, c := range g.cities[g.first[y*g.w+x]:g.first[y*g.w+x+1]] {
					if c != i {
						b.add(g.p.Dist(i, c), c)
					}
				}
			}
		}
	}
}
