package genetic

import (
	"math"

	"metalab/datasets"
	"metalab/solvers/tours"
)

// link holds the jumps from a city in the two parents: to the nearest city before it and
// behind it, round the chromosome, that the child does not have yet. Where the published
// program keeps the two jumps as distances between positions, here they name the cities,
// so that no position has to be looked up.
type link struct{ back1, forth1, back2, forth2 int32 }

// A crosser makes children. It is the scratch memory of one worker.
type crosser struct {
	sp   *tours.Space
	n    int
	link []link    // by city, and one more for the end of the chromosomes of scx
	seen []bool    // by city: the child has it; all false between children
	pts  []float64 // x, y by city, for the metric EUC_2D only
}

func newCrosser(sp *tours.Space) *crosser {
	x := &crosser{sp: sp, n: sp.N, link: make([]link, sp.N+1), seen: make([]bool, sp.N)}
	if sp.Metric == datasets.Euc2D {
		x.pts = make([]float64, 2*sp.N)
		for c := range sp.N {
			x.pts[2*c], x.pts[2*c+1] = sp.X[c], sp.Y[c]
		}
	}
	return x
}

// key is the way from a to b and the number of b: the smallest names the nearest city, of
// several the one with the smallest number.
func (x *crosser) key(a, b int32) uint64 {
	if x.pts == nil {
		return uint64(uint32(x.sp.D(a, b)))<<32 | uint64(uint32(b))
	}
	return planeKey(x.pts, a, b)
}

// planeKey is key under EUC_2D.
func planeKey(pts []float64, a, b int32) uint64 {
	p, q := pts[2*a:][:2:2], pts[2*b:][:2:2]
	dx, dy := p[0]-q[0], p[1]-q[1]
	return uint64(int64(math.Sqrt(float64(dx*dx)+float64(dy*dy))+0.5))<<32 | uint64(uint32(b))
}

// load1 makes the jumps of the first parent, in which every city is left.
func (x *crosser) load1(t []int32) {
	prev := t[len(t)-1]
	for _, c := range t {
		x.link[c].back1 = prev
		x.link[prev].forth1 = c
		prev = c
	}
}

// load2 makes the jumps of the second parent.
func (x *crosser) load2(t []int32) {
	prev := t[len(t)-1]
	for _, c := range t {
		x.link[c].back2 = prev
		x.link[prev].forth2 = c
		prev = c
	}
}

// remove makes all jumps pass over city c; its own stay as they are, for the child goes on
// from it.
func (x *crosser) remove(l link) {
	x.link[l.back1].forth1 = l.forth1
	x.link[l.forth1].back1 = l.back1
	x.link[l.back2].forth2 = l.forth2
	x.link[l.forth2].back2 = l.back2
}

// bcscx makes the bidirectional circular sequential constructive child of a and b that
// begins at first, and returns its length: behind each city comes the nearest of four, which
// are the next cities that the child lacks, forwards and backwards in each parent.
func (x *crosser) bcscx(child, a, b []int32, first int32) int64 {
	x.load1(a)
	x.load2(b)
	length, c := int64(0), first
	l := x.link[c]
	for i := range child {
		child[i] = c
		x.remove(l)
		if i == len(child)-1 {
			break
		}
		k := min(x.key(c, l.back1), x.key(c, l.forth1), x.key(c, l.back2), x.key(c, l.forth2))
		length += int64(k >> 32)
		c = int32(uint32(k))
		l = x.link[c]
	}
	return length + int64(x.key(c, first)>>32)
}

// arx makes the child that takes its cities from a and b in turn, and returns its length:
// behind each city comes the nearer of the next two cities that the child lacks, forwards and
// backwards in the parent whose turn it is.
func (x *crosser) arx(child, a, b []int32, first int32) int64 {
	x.load1(a)
	x.load2(b)
	length, c := int64(0), first
	l := x.link[c]
	for i := range child {
		child[i] = c
		x.remove(l)
		if i == len(child)-1 {
			break
		}
		u, v := l.back1, l.forth1
		if i&1 == 1 {
			u, v = l.back2, l.forth2
		}
		k := min(x.key(c, u), x.key(c, v))
		length += int64(k >> 32)
		c = int32(uint32(k))
		l = x.link[c]
	}
	return length + int64(x.key(c, first)>>32)
}

// scx makes the sequential constructive child of a and b, and returns its length: behind each
// city comes the nearer of the next two cities that the child lacks, forwards in each
// parent. The parents are read from the city first on and end before it; where a parent has
// no city left, the smallest in the instance's numbering that the child lacks stands in.
func (x *crosser) scx(child, a, b []int32, first int32) int64 {
	n, end := len(child), int32(x.n)
	x.load1(a)
	x.load2(b)
	// The end of the chromosomes stands between first and the city before it.
	f := &x.link[first]
	x.link[end] = link{f.back1, first, f.back2, first}
	x.link[f.back1].forth1, x.link[f.back2].forth2 = end, end
	f.back1, f.back2 = end, end
	clear(x.seen)
	length, c, low := int64(0), first, 0
	for i := range child {
		child[i] = c
		l := x.link[c]
		x.remove(l)
		x.seen[c] = true
		if i == n-1 {
			break
		}
		if l.forth1 == end || l.forth2 == end {
			for x.seen[x.sp.Internal[low]] {
				low++
			}
			if l.forth1 == end {
				l.forth1 = x.sp.Internal[low]
			}
			if l.forth2 == end {
				l.forth2 = x.sp.Internal[low]
			}
		}
		k := min(x.key(c, l.forth1), x.key(c, l.forth2))
		length += int64(k >> 32)
		c = int32(uint32(k))
	}
	return length + int64(x.key(c, first)>>32)
}
