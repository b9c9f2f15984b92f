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

// Of returns the cities of a piece, in no order that matters.
func (c *Cut) Of(piece int) []int32 { return c.City[c.Start[piece]:c.Start[piece+1]] }

// shifted is the number of levels at which a cut lies at a random place.
const shifted = 3

// half is tan(pi/8): frames are turned by up to 45 degrees either way.
const half = 0.41421356237309503

// NewCut makes the cut of this number into pieces of at most size cities; see doc.go.
func NewCut(sp *tours.Space, seed uint64, number, size int, pool *solvers.Pool) *Cut {
	f := &frame{sp: sp, size: size, seed: seed, number: uint32(number)}
	f.turn()
	all := make([]int32, sp.N)
	for i := range all {
		all[i] = int32(i)
	}
	level := []part{{city: all, node: 1}}
	for depth, more := 0, true; more; depth++ {
		next := make([]part, 2*len(level))
		pool.Run(len(level), func(i, _ int) {
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
	c := &Cut{Number: number, Size: size, City: all}
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
	u, v   []float64
	size   int
	seed   uint64
	number uint32
}

// part is a part of the plane; the parts of node i are 2 i and 2 i + 1.
type part struct {
	city []int32
	node uint32
}

func (f *frame) draw(block uint32) uint32 {
	return arith.Philox4x32(f.seed, [4]uint32{f.number, uint32(drawCut) << 24, 0, block})[0]
}

// turn turns the plane by an angle up to 45 degrees.
func (f *frame) turn() {
	t := float64(half * (2*float64(arith.Unit64(f.draw(0))) - 1))
	square := float64(t * t)
	c, s := (1-square)/(1+square), 2*t/(1+square)
	f.u, f.v = make([]float64, f.sp.N), make([]float64, f.sp.N)
	for i := range f.u {
		x, y := f.sp.X[i], f.sp.Y[i]
		f.u[i] = float64(c*x) + float64(s*y)
		f.v[i] = float64(c*y) - float64(s*x)
	}
}

// split cuts a part in two; the second has no cities if it was small enough.
func (f *frame) split(p part, depth int) (a, b part) {
	n := len(p.city)
	pieces := (n + f.size - 1) / f.size
	if pieces < 2 {
		return p, part{}
	}
	key := f.longer(p.city)
	at := int(int64(n) * int64(pieces/2) / int64(pieces))
	if depth < shifted && pieces > 2 {
		room := n / pieces / 2
		at += arith.Below(f.draw(p.node), 2*room+1) - room
	}
	choose(p.city, at, key)
	return part{p.city[:at:at], 2 * p.node}, part{p.city[at:], 2*p.node + 1}
}

// longer returns the coordinate in which the cities are spread wider.
func (f *frame) longer(city []int32) []float64 {
	spread := func(k []float64) float64 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, c := range city {
			lo, hi = min(lo, k[c]), max(hi, k[c])
		}
		return hi - lo
	}
	if spread(f.v) > spread(f.u) {
		return f.v
	}
	return f.u
}

// choose puts the at smallest cities first, ties by the smaller number (Hoare's FIND).
func choose(city []int32, at int, key []float64) {
	less := func(a, b int32) bool { return key[a] < key[b] || key[a] == key[b] && a < b }
	l, r := 0, len(city)-1
	for l < r {
		pivot := city[(l+r)/2]
		i, j := l, r
		for i <= j {
			for less(city[i], pivot) {
				i++
			}
			for less(pivot, city[j]) {
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
