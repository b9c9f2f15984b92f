package genetic

import (
	"math"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// link holds the jumps from a city in the two parents: to the nearest city behind it and before it,
// round the chromosome, that the child does not have yet. The published program stores jumps as
// distances between positions; here they name the cities, which saves looking up positions.
type link [4]int32

// The jumps of a link, in the order in which ties are decided.
const (
	forth1 = iota
	back1
	forth2
	back2
)

// A crossing makes children. It is the scratch memory of one worker.
type crossing struct {
	sp   *tours.Space
	n    int
	link []link       // by city, and one more for the end of the chromosomes of scx
	seen []bool       // by city: the child of scx has it
	pts  [][2]float64 // by city, where distances are rounded ones of the plane; else nil
	euc  bool         // the distances are those of EUC_2D
}

func newCrossing(sp *tours.Space) *crossing {
	x := &crossing{
		sp: sp, n: sp.N, link: make([]link, sp.N+1), seen: make([]bool, sp.N),
		euc: sp.Metric == datasets.Euc2D,
	}
	if sp.Plane() {
		x.pts = make([][2]float64, sp.N)
		for c := range x.pts {
			x.pts[c] = [2]float64{sp.X[c], sp.Y[c]}
		}
	}
	return x
}

// The way from a city to another one as a key: the smallest key names the nearest city. Its two
// low bits are the jump, so that ties go to the first jump and no branch is needed. In
// the plane the rest is the square of the distance before it is rounded: the root would only
// keep the next city waiting.
func planeKey(p, q *[2]float64, jump uint64) uint64 {
	dx, dy := p[0]-q[0], p[1]-q[1]
	return math.Float64bits(float64(dx*dx)+float64(dy*dy))&^3 | jump
}

// nearest is the jump of l that leads to the city nearest to c.
func (x *crossing) nearest(c int32, l *link) uint64 {
	if x.pts == nil {
		return min(x.way(c, l, forth1), x.way(c, l, back1), x.way(c, l, forth2), x.way(c, l, back2)) & 3
	}
	p := &x.pts[c]
	return min(min(planeKey(p, &x.pts[l[forth1]], forth1), planeKey(p, &x.pts[l[back1]], back1)),
		min(planeKey(p, &x.pts[l[forth2]], forth2), planeKey(p, &x.pts[l[back2]], back2))) & 3
}

// nearer returns that one of the jumps i and j, i < j, of l that leads to the city nearer to c.
func (x *crossing) nearer(c int32, l *link, i, j uint64) uint64 {
	if x.pts == nil {
		return min(x.way(c, l, i), x.way(c, l, j)) & 3
	}
	p := &x.pts[c]
	return min(planeKey(p, &x.pts[l[i&3]], i), planeKey(p, &x.pts[l[j&3]], j)) & 3
}

// way is the key of a jump where distances come from a matrix.
func (x *crossing) way(c int32, l *link, jump uint64) uint64 {
	return uint64(uint32(x.sp.D(c, l[jump&3])))<<2 | jump
}

// d is the distance from a to b.
func (x *crossing) d(a, b int32) int64 {
	if x.euc {
		p, q := &x.pts[a], &x.pts[b]
		dx, dy := p[0]-q[0], p[1]-q[1]
		return int64(math.Sqrt(float64(dx*dx)+float64(dy*dy)) + 0.5)
	}
	return int64(x.sp.D(a, b))
}

// load makes the jumps of both parents, in which every city is left.
func (x *crossing) load(a, b []int32) {
	p, q := a[len(a)-1], b[len(b)-1]
	for i, c := range a {
		x.link[c][back1] = p
		x.link[p][forth1] = c
		p = c
		d := b[i]
		x.link[d][back2] = q
		x.link[q][forth2] = d
		q = d
	}
}

// remove makes all jumps pass over the city with the jumps l; its own stay as they are, for the
// child continues from it.
func (x *crossing) remove(l *link) {
	x.link[l[back1]][forth1] = l[forth1]
	x.link[l[forth1]][back1] = l[back1]
	x.link[l[back2]][forth2] = l[forth2]
	x.link[l[forth2]][back2] = l[back2]
}

// bcscx makes the bidirectional circular sequential constructive child of a and b that
// begins at first, and returns its length: behind each city comes the nearest of four, which
// are the next cities that the child lacks, forwards and backwards in each parent.
func (x *crossing) bcscx(child, a, b []int32, first int32) int64 {
	x.load(a, b)
	length, c := int64(0), first
	l := &x.link[c]
	x.remove(l)
	child[0] = c
	for i := 1; i < len(child); i++ {
		to := l[x.nearest(c, l)]
		length += x.d(c, to)
		c = to
		child[i] = c
		l = &x.link[c]
		x.remove(l)
	}
	return length + x.d(c, first)
}

// arx makes the alternating recommendation child of a and b, and returns its length. Parent a
// recommends the cities at places before from, b those from there to the place before to, and a
// the others: behind each city comes the nearer of the next two that the child lacks, forwards and
// backwards in the parent that recommends.
func (x *crossing) arx(child, a, b []int32, first int32, from, to int) int64 {
	x.load(a, b)
	length, c := int64(0), first
	l := &x.link[c]
	x.remove(l)
	child[0] = c
	for i := 1; i < len(child); i++ {
		turn := uint64(forth1)
		if from <= i && i < to {
			turn = forth2
		}
		next := l[x.nearer(c, l, turn, turn+back1)]
		length += x.d(c, next)
		c = next
		child[i] = c
		l = &x.link[c]
		x.remove(l)
	}
	return length + x.d(c, first)
}

// switches draws the two places of a child of n cities at which the other parent begins to
// recommend: two different ones behind the first city, the smaller first. A child of less than
// three cities has none.
func switches(n int, r *arith.Stream) (from, to int) {
	if n < 3 {
		return n, n
	}
	from, to = 1+r.IntN(n-1), 1+r.IntN(n-2)
	if to >= from {
		return from, to + 1
	}
	return to, from
}

// scx makes the sequential constructive child of a and b, and returns its length: behind each
// city comes the nearer of the next two cities that the child lacks, forwards in each
// parent. The parents are read from the city first on and end before it; where a parent has
// no city left, the smallest in the instance's numbering that the child lacks stands in.
func (x *crossing) scx(child, a, b []int32, first int32) int64 {
	n, end := len(child), int32(x.n)
	x.load(a, b)
	// The end of the chromosomes stands between first and the city before it.
	f := &x.link[first]
	x.link[end] = link{first, f[back1], first, f[back2]}
	x.link[f[back1]][forth1], x.link[f[back2]][forth2] = end, end
	f[back1], f[back2] = end, end
	clear(x.seen)
	length, c, low := int64(0), first, 0
	for i := range child {
		child[i] = c
		l := x.link[c]
		x.remove(&l)
		x.seen[c] = true
		if i == n-1 {
			break
		}
		if l[forth1] == end || l[forth2] == end {
			for x.seen[x.sp.Internal[low]] {
				low++
			}
			if l[forth1] == end {
				l[forth1] = x.sp.Internal[low]
			}
			if l[forth2] == end {
				l[forth2] = x.sp.Internal[low]
			}
		}
		to := l[x.nearer(c, &l, forth1, forth2)]
		length += x.d(c, to)
		c = to
	}
	return length + x.d(c, first)
}
