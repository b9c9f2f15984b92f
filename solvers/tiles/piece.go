package tiles

import (
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers/tours"
)

// none is no city of a piece.
const none = math.MaxUint16

// A piece is the workspace for one piece of a tour: its cities, numbered from 0 in the order of the
// tour, in a circle. Two of them that follow each other in the circle but not in the tour are
// joined by a fixed edge, which stands for what lies outside. All arrays have room for MaxPiece
// cities.
type piece struct {
	sp   *tours.Space
	list tours.Neighbours

	m     int
	fixed int     // fixed edges
	local []int32 // by city: its local number + 1; 0 elsewhere
	places
	pieceTour

	change int64  // of the length since the kick began
	marks  uint32 // sum of the marks of edges that came less those that went, since the kick began
	moves  int64

	keys []uint64
}

// places are the cities of a piece, by local number.
type places struct {
	city  []int32
	home  []int32 // the place in the tour
	x, y  []float64
	pi    []int32  // the weight; nil where there are none
	scale int32    // by which distances are multiplied, 1 where there are no weights
	near  []uint16 // m x MaxNeighbours: neighbours that are in the piece, nearest first
	count []uint8  // how many these are
	mate  []uint16 // the city at the other end of a fixed edge, or none
	other []uint16 // of the first city of a path the last, and the other way round; else none
}

// pieceTour is the tour of a piece, with the cities that moves may start from.
type pieceTour struct {
	order, pos []uint16 // the circle, and the place of a city in it
	saved      []uint16 // order before the kick
	queue      []uint16 // of cities that moves may start from, a ring of m places
	dirty      []bool   // it is in the queue
	head, wait int
}

func newPiece(p *Problem) *piece {
	numbers := func() []uint16 { return make([]uint16, MaxPiece) }
	var pi []int32
	if p.Near.Pi != nil {
		pi = make([]int32, MaxPiece)
	}
	return &piece{
		sp: p.Space, list: p.Near,
		places: places{
			city: make([]int32, MaxPiece), home: make([]int32, MaxPiece),
			x: make([]float64, MaxPiece), y: make([]float64, MaxPiece),
			pi: pi, scale: max(1, p.Near.Scale),
			near: make([]uint16, MaxPiece*MaxNeighbours), count: make([]uint8, MaxPiece),
			mate: numbers(), other: numbers(),
		},
		pieceTour: pieceTour{
			order: numbers(), pos: numbers(), saved: numbers(), queue: numbers(),
			dirty: make([]bool, MaxPiece),
		},
		local: make([]int32, p.Space.N),
	}
}

// load reads the cities of a piece from the tour, in which it has the given places. It omits cities
// with both tour neighbours outside.
func (p *piece) load(cities, place []int32) {
	p.keys = p.keys[:0]
	for _, c := range cities {
		p.keys = append(p.keys, uint64(place[c])<<32|uint64(c))
	}
	slices.Sort(p.keys)
	n, all := p.sp.N, len(p.keys)
	joined := func(i int) bool { // with the next
		a, b := int(p.keys[i]>>32), int(p.keys[(i+1)%all]>>32)
		return (a+1)%n == b && all > 1
	}
	first := 0 // the first local number begins a path, if there is a fixed edge
	for i := range all {
		if !joined((i+all-1)%all) && joined(i) {
			first = i
			break
		}
	}
	p.m, p.fixed = 0, 0
	for q := range all {
		i := (first + q) % all
		before, after := joined((i+all-1)%all), joined(i)
		if !before && !after {
			continue
		}
		p.city[p.m], p.home[p.m] = int32(uint32(p.keys[i])), int32(p.keys[i]>>32)
		p.mate[p.m] = none
		if !after {
			p.mate[p.m] = uint16(p.m + 1)
			p.fixed++
		}
		p.m++
	}
	p.link()
	p.lists()
}

// link completes mates and ends of paths, and makes the circle.
func (p *piece) link() {
	start := 0
	for i := range p.m {
		p.other[i] = none
		p.order[i], p.pos[i], p.saved[i], p.dirty[i] = uint16(i), uint16(i), uint16(i), false
	}
	for i := range p.m {
		if int(p.mate[i]) != i+1 {
			continue
		}
		p.other[start], p.other[i] = uint16(i), uint16(start)
		start = i + 1
		if start == p.m {
			p.mate[i] = 0
		}
		p.mate[p.mate[i]] = uint16(i)
	}
	p.head, p.wait, p.change, p.marks, p.moves = 0, 0, 0, 0, 0
}

// lists makes the coordinates and the lists of neighbours.
func (p *piece) lists() {
	for i, c := range p.city[:p.m] {
		p.local[c] = int32(i) + 1
		p.x[i], p.y[i] = p.sp.X[c], p.sp.Y[c]
		if p.pi != nil {
			p.pi[i] = p.list.Pi[c]
		}
	}
	for i, c := range p.city[:p.m] {
		k := 0
		for _, d := range p.list.Of(c) {
			if l := p.local[d]; l > 0 {
				p.near[i*MaxNeighbours+k] = uint16(l - 1)
				k++
			}
		}
		p.count[i] = uint8(k)
	}
	for _, c := range p.city[:p.m] {
		p.local[c] = 0
	}
}

// neighbours are those of c in the piece.
func (p *piece) neighbours(c uint16) []uint16 {
	return p.near[int(c)*MaxNeighbours:][:p.count[c]]
}

// dist is the cost of the edge of two cities: their distance or, where the lists have weights, the
// reduced cost.
func (p *piece) dist(a, b uint16) int32 {
	d := p.length(a, b)
	if p.pi != nil {
		d = p.scale*d + p.pi[a] + p.pi[b]
	}
	return d
}

// length is the distance of two cities, the same as the space's.
func (p *piece) length(a, b uint16) int32 {
	dx, dy := p.x[a]-p.x[b], p.y[a]-p.y[b]
	square := float64(dx*dx) + float64(dy*dy)
	if p.sp.Metric == datasets.Euc2D {
		return int32(math.Sqrt(square) + 0.5)
	}
	if p.sp.Metric == datasets.Ceil2D {
		return int32(math.Ceil(math.Sqrt(square)))
	}
	r := math.Sqrt(square / 10)
	t := int32(r + 0.5)
	if float64(t) < r {
		t++
	}
	return t
}

// step is the neighbour of c in the circle, in the direction 1 or -1.
func (p *piece) step(c uint16, dir int) uint16 {
	q := int(p.pos[c]) + dir
	if q == p.m {
		q = 0
	} else if q < 0 {
		q = p.m - 1
	}
	return p.order[q]
}

// rank is how many steps in the direction dir lead from b to c.
func (p *piece) rank(b, c uint16, dir int) int {
	r := (int(p.pos[c]) - int(p.pos[b])) * dir
	if r < 0 {
		r += p.m
	}
	return r
}

// push puts c into the queue, unless it is there.
func (p *piece) push(c uint16) {
	if p.dirty[c] {
		return
	}
	p.dirty[c] = true
	q := p.head + p.wait
	if q >= p.m {
		q -= p.m
	}
	p.queue[q] = c
	p.wait++
}

func (p *piece) pop() uint16 {
	c := p.queue[p.head]
	if p.head++; p.head == p.m {
		p.head = 0
	}
	p.wait--
	p.dirty[c] = false
	return c
}

// paired reports whether the circle joins the same ends of paths as at load: then every path fits
// back into its place in the tour, whatever other pieces do.
func (p *piece) paired() bool {
	if p.fixed == 0 {
		return true
	}
	first, begin := -1, uint16(none)
	for q := range p.m {
		a := p.order[q]
		b := p.order[0]
		if q+1 < p.m {
			b = p.order[q+1]
		}
		if p.mate[a] != b {
			continue
		}
		if first < 0 {
			first = q
		} else if p.other[begin] != a {
			return false
		}
		begin = b
	}
	return p.other[begin] == p.order[first]
}

// store writes for every city of the piece the first place of its path and its rank in it, and for
// every path its length.
func (p *piece) store(home, rank, width []int32) {
	dir, at := 1, int(p.pos[0])
	if p.fixed > 0 && p.step(0, 1) == p.mate[0] {
		dir = -1
	}
	if p.fixed == 0 {
		at = 0
	}
	from, r := int32(0), int32(0)
	before := uint16(none)
	for q := range p.m {
		c := p.order[at]
		if q == 0 || p.mate[before] == c {
			from, r = p.home[c], 0
			if p.fixed == 0 {
				from = p.home[0]
			}
		}
		g := p.city[c]
		home[g], rank[g] = from, r
		r++
		width[from] = r
		before = c
		if at += dir; at == p.m {
			at = 0
		} else if at < 0 {
			at = p.m - 1
		}
	}
}
