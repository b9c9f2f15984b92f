package tiles

import (
	"math"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// A Cut shares out the cities to pieces: tiles of the plane with about equally many cities.
type Cut struct {
	Number int
	Size   int     // most cities of a piece
	Start  []int32 // piece i has the cities City[Start[i]:Start[i+1]]; one more than pieces
	City   []int32 // every city once
}

// Pieces is how many pieces there are.
func (c *Cut) Pieces() int { return len(c.Start) - 1 }

// Of returns the cities of a piece, in arbitrary order.
func (c *Cut) Of(piece int) []int32 { return c.City[c.Start[piece]:c.Start[piece+1]] }

// Widths returns for each city how wide its piece is, or how high, if that is more.
func (c *Cut) Widths(sp *tours.Space) []float64 {
	wide := make([]float64, sp.N)
	for i := range c.Pieces() {
		lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for _, v := range c.Of(i) {
			for k, x := range [2]float64{sp.X[v], sp.Y[v]} {
				lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
			}
		}
		for _, v := range c.Of(i) {
			wide[v] = max(hi[0]-lo[0], hi[1]-lo[1])
		}
	}
	return wide
}

// shifted is the number of levels at which a cut lies at a random place.
const shifted = 3

// half is tan(pi/8): frames are turned by up to 45 degrees either way.
const half = 0.41421356237309503

// NewCut makes the cut of this number into pieces of at most size cities; see doc.go.
func NewCut(sp *tours.Space, seed uint64, number, size int, pool *solvers.Pool) *Cut {
	f := &frame{sp: sp, size: size, seed: seed, number: uint32(number)}
	all := f.turn()
	level := []part{{city: all, node: 1}}
	for depth, more := 0, true; more; depth++ {
		next := make([]part, 2*len(level))
		pool.RunOf(len(level), 30*int64(sp.N), func(i, _ int) {
			next[2*i], next[2*i+1] = f.split(level[i], depth)
		})
		level, more = level[:0], false
		for _, p := range next {
			if p.city != nil {
				level = append(level, p)
				more = more || len(p.city) > size
			}
		}
	}
	c := &Cut{Number: number, Size: size, City: make([]int32, sp.N)}
	for i := range all {
		c.City[i] = all[i].city
	}
	at := int32(0)
	for _, p := range level {
		c.Start = append(c.Start, at)
		at += int32(len(p.city))
	}
	c.Start = append(c.Start, at)
	return c
}

// A frame is the plane, turned.
type frame struct {
	sp     *tours.Space
	size   int
	seed   uint64
	number uint32
}

// spot is a city and its coordinates in the frame.
type spot struct {
	at   [2]float64
	city int32
}

// part is a part of the plane; the parts of node i are 2 i and 2 i + 1.
type part struct {
	city []spot
	node uint32
}

func (f *frame) draw(block uint32) uint32 {
	return arith.Philox4x32(f.seed, [4]uint32{f.number, uint32(drawCut) << 24, 0, block})[0]
}

// turn returns the cities in the plane, turned by an angle up to 45 degrees.
func (f *frame) turn() []spot {
	t := float64(half * (2*float64(arith.Unit64(f.draw(0))) - 1))
	square := float64(t * t)
	c, s := (1-square)/(1+square), 2*t/(1+square)
	all := make([]spot, f.sp.N)
	for i := range all {
		x, y := f.sp.X[i], f.sp.Y[i]
		u, v := float64(c*x)+float64(s*y), float64(c*y)-float64(s*x)
		all[i] = spot{[2]float64{u, v}, int32(i)}
	}
	return all
}

// split cuts a part in two; the second has no cities if it was small enough.
func (f *frame) split(p part, depth int) (a, b part) {
	n := len(p.city)
	pieces := (n + f.size - 1) / f.size
	if pieces < 2 {
		return p, part{}
	}
	axis := longer(p.city)
	at := int(int64(n) * int64(pieces/2) / int64(pieces))
	if depth < shifted && pieces > 2 {
		room := n / pieces / 2
		at += arith.Below(f.draw(p.node), 2*room+1) - room
	}
	choose(p.city, at, axis)
	return part{p.city[:at:at], 2 * p.node}, part{p.city[at:], 2*p.node + 1}
}

// longer returns the axis along which the cities are spread wider.
func longer(city []spot) int {
	lo, hi := city[0].at, city[0].at
	for i := range city {
		for k, x := range city[i].at {
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
	}
	if hi[1]-lo[1] > hi[0]-lo[0] {
		return 1
	}
	return 0
}

// choose puts the at smallest cities first, ties by the smaller number (Hoare's FIND).
func choose(city []spot, at, axis int) {
	axis &= 1
	less := func(a, b *spot) bool {
		return a.at[axis] < b.at[axis] || a.at[axis] == b.at[axis] && a.city < b.city
	}
	l, r := 0, len(city)-1
	for l < r {
		pivot := city[(l+r)/2]
		i, j := l, r
		for i <= j {
			for less(&city[i], &pivot) {
				i++
			}
			for less(&pivot, &city[j]) {
				j--
			}
			if i <= j {
				city[i], city[j] = city[j], city[i]
				i++
				j--
			}
		}
		switch {
		case at <= j:
			r = j
		case at >= i:
			l = i
		default:
			return
		}
	}
}
