package tours

import (
	"context"
	"fmt"
)

// A Runner calls body(i, worker) for i in [0, n), each once, perhaps on several goroutines, as the
// method Run of a pool does.
type Runner func(n int, body func(i, worker int))

// Parts is the number of parts in which [Space.GreedyParts] and [Space.Descend] work: a power of 4
// by the number of cities alone, each part with at least 4096 and at most 16384 of them; 1, that is
// the whole, below 32768 cities and for instances that are not in the plane.
func (s *Space) Parts() int {
	if s.N < 2*partCities || !s.euclidean() {
		return 1
	}
	parts := 4
	for s.N > parts*partCities {
		parts *= 4
	}
	return parts
}

const partCities = 16384 // most cities of a part

// bound is the first city of part i of so many. As the numbering follows the Hilbert curve, a part
// is a compact region, and so are 4 that follow one another from a multiple of 4 on.
func (s *Space) bound(i, parts int) int { return int(int64(s.N) * int64(i) / int64(parts)) }

// part is the instance of the cities from lo to hi-1, with their neighbours among themselves; the
// last is listed again where there are fewer.
func (s *Space) part(near Neighbours, lo, hi int) (*Space, Neighbours) {
	if lo == 0 && hi == s.N {
		return s, near
	}
	n := hi - lo
	sub := &Space{
		N: n, X: s.X[lo:hi], Y: s.Y[lo:hi], Metric: s.Metric, pts: s.pts[lo:hi], fast: s.fast, up: s.up,
	}
	b := Neighbours{
		K: near.K, ID: make([]int32, 0, n*near.K), Dist: make([]int32, 0, n*near.K), Scale: near.Scale,
	}
	if near.Pi != nil {
		b.Pi = near.Pi[lo:hi]
	}
	for c := int32(lo); c < int32(hi); c++ {
		from := len(b.ID)
		ds := near.DistOf(c)
		for i, id := range near.Of(c) {
			if id >= int32(lo) && id < int32(hi) {
				b.ID, b.Dist = append(b.ID, id-int32(lo)), append(b.Dist, ds[i])
			}
		}
		if len(b.ID) == from {
			id := c + 1
			if id == int32(hi) {
				id = c - 1
			}
			d := s.D(c, id)
			if near.Pi != nil {
				d = d*near.Scale + near.Pi[c] + near.Pi[id]
			}
			b.ID, b.Dist = append(b.ID, id-int32(lo)), append(b.Dist, d)
		}
		for last := len(b.ID) - 1; len(b.ID) < from+near.K; {
			b.ID, b.Dist = append(b.ID, b.ID[last]), append(b.Dist, b.Dist[last])
		}
	}
	return sub, b
}

// GreedyParts is [Space.Greedy] in each of the parts, whose tours are then joined, four and four,
// by the exchange of two edges that costs least (R. M. Karp, Probabilistic analysis of partitioning
// algorithms for the traveling-salesman problem in the plane, 1977, doi:10.1287/moor.2.3.209).
func (s *Space) GreedyParts(near Neighbours, run Runner) []int32 {
	parts := s.Parts()
	if parts == 1 || near.K == 0 {
		return s.Greedy(near)
	}
	tour := make([]int32, s.N)
	run(parts, func(i, _ int) {
		lo, hi := s.bound(i, parts), s.bound(i+1, parts)
		sub, lists := s.part(near, lo, hi)
		for k, c := range sub.Greedy(lists) {
			tour[lo+k] = c + int32(lo)
		}
	})
	for ; parts > 1; parts /= 4 {
		run(parts/4, func(i, _ int) { s.joinFour(near, tour, i, parts) })
	}
	return tour
}

// Descend improves a tour by an operator from all cities, in parts: first those of the smallest
// parts, in the order of the tour, within each part. Then the tours of four parts are joined as by
// [Space.GreedyParts], and improved from the cities with neighbours in another of the four and from
// the ends of the new edges, and so on up to the whole. So nearly all of the work can be shared
// out; the result is about as good as that of one search of the whole, but the edges with which the
// tour went from part to part are lost: it is meant for starts, not for good tours.
//
// With one part it is one search of the whole.
func (s *Space) Descend(
	ctx context.Context, near Neighbours, tour []int32, op Operator, set Settings, run Runner,
) error {
	parts := s.Parts()
	if near.K == 0 {
		parts = 1
	}
	if len(tour) != s.N {
		return fmt.Errorf("tours: a tour of %d cities in a space of %d", len(tour), s.N)
	}
	if parts > 1 {
		s.gather(tour, parts)
	}
	errs := make([]error, parts)
	for least := parts; ; parts /= 4 {
		run(parts, func(i, _ int) {
			lo, hi := s.bound(i, parts), s.bound(i+1, parts)
			var dirty []int32
			if parts < least {
				dirty = s.joinFour(near, tour, i, 4*parts)
			}
			sub, lists := s.part(near, lo, hi)
			w, err := NewSearch(sub, lists, set)
			if err != nil {
				errs[i] = err
				return
			}
			w.Watch(ctx)
			piece := tour[lo:hi]
			for k := range piece {
				piece[k] -= int32(lo)
			}
			w.Load(piece)
			for _, c := range dirty {
				w.Push(c - int32(lo))
			}
			if parts == least {
				w.PushAll()
			}
			w.Run(op)
			w.Store(piece)
			for k := range piece {
				piece[k] += int32(lo)
			}
		})
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil || parts == 1 {
			return err
		}
	}
}

// EachPart sorts a tour by parts, and calls body for each: with the part as an instance of its own,
// whose cities are those from lo on, with their neighbours among themselves, and a closed tour of
// it, which body may improve. They are left one after the other, so that [Space.Descend] can join
// them. With one part it is the whole.
func (s *Space) EachPart(
	near Neighbours, tour []int32, run Runner,
	body func(sub *Space, near Neighbours, tour []int32, lo int),
) {
	parts := s.Parts()
	if near.K == 0 {
		parts = 1
	}
	if parts > 1 {
		s.gather(tour, parts)
	}
	run(parts, func(i, _ int) {
		lo, hi := s.bound(i, parts), s.bound(i+1, parts)
		sub, lists := s.part(near, lo, hi)
		piece := tour[lo:hi]
		for k := range piece {
			piece[k] -= int32(lo)
		}
		body(sub, lists, piece, lo)
		for k := range piece {
			piece[k] += int32(lo)
		}
	})
}

// gather sorts the cities of the tour by parts; those of a part keep their order.
func (s *Space) gather(tour []int32, parts int) {
	owner := make([]int32, s.N)
	at := make([]int, parts)
	for i := range parts {
		at[i] = s.bound(i, parts)
		for c := at[i]; c < s.bound(i+1, parts); c++ {
			owner[c] = int32(i)
		}
	}
	out := make([]int32, s.N)
	for _, c := range tour {
		p := owner[c]
		out[at[p]] = c
		at[p]++
	}
	copy(tour, out)
}

// joinFour joins the tours of the four parts from 4 i on, each of which is a closed tour at its
// place in tour, to one. It returns the cities with neighbours in another of the four, in order,
// and the ends of the new edges.
func (s *Space) joinFour(near Neighbours, tour []int32, i, parts int) []int32 {
	lo, end := s.bound(4*i, parts), s.bound(4*i+4, parts)
	place := make([]int32, end-lo)
	for k, c := range tour[lo:end] {
		place[int(c)-lo] = int32(lo + k)
	}
	var bounds [5]int32
	for k := range bounds {
		bounds[k] = int32(s.bound(4*i+k, parts))
	}
	var dirty []int32
	for k := range 4 {
		for c := bounds[k]; c < bounds[k+1]; c++ {
			for _, b := range near.Of(c) {
				if b >= int32(lo) && b < int32(end) && (b < bounds[k] || b >= bounds[k+1]) {
					dirty = append(dirty, c)
					break
				}
			}
		}
	}
	for k := 1; k < 4; k++ {
		p := s.patch(near, tour, place, lo, int(bounds[k]), int(bounds[k+1]))
		dirty = append(dirty, p[:]...)
		for at := lo; at < int(bounds[k+1]); at++ {
			place[int(tour[at])-lo] = int32(at)
		}
	}
	return dirty
}

// patch joins the closed tours at tour[lo:mid] and tour[mid:end], whose cities have the same
// numbers as the places, by the exchange of an edge of each that costs least, among those that add
// an edge between neighbours or between the cities mid - 1 and mid. Ties go to the first. It
// returns the four cities.
func (s *Space) patch(near Neighbours, tour, place []int32, lo, mid, end int) [4]int32 {
	const far = int64(1) << 62
	least, at, from, back := far, 0, 0, false
	// step is the place behind (by 1) or before (by -1) place p of a closed tour.
	step := func(p, by, first, last int) int {
		switch p += by; {
		case p < first:
			return last - 1
		case p >= last:
			return first
		}
		return p
	}
	try := func(b, c int32) {
		pb, pc := int(place[int(b)-lo]), int(place[int(c)-lo])
		bc := int64(s.D(b, c))
		for way := range 4 {
			db, dc := 1-2*(way&1), 1-way&2
			qb, qc := step(pb, db, lo, mid), step(pc, dc, mid, end)
			nb, nc := tour[qb], tour[qc]
			cost := bc + int64(s.D(nb, nc)) - int64(s.D(b, nb)) - int64(s.D(c, nc))
			if cost >= least {
				continue
			}
			// The second tour goes behind place at, from place from on: from c, behind b, or to c, before
			// b.
			if least = cost; db > 0 {
				at, from, back = pb, pc, dc > 0
			} else {
				at, from, back = qb, qc, dc < 0
			}
		}
	}
	try(int32(mid-1), int32(mid))
	for c := int32(mid); c < int32(end); c++ {
		for _, b := range near.Of(c) {
			if b >= int32(lo) && b < int32(mid) {
				try(b, c)
			}
		}
	}
	out := make([]int32, 0, end-lo)
	out = append(out, tour[lo:at+1]...)
	by := 1
	if back {
		by = -1
	}
	p := from
	for range end - mid {
		out = append(out, tour[p])
		p = step(p, by, mid, end)
	}
	out = append(out, tour[at+1:mid]...)
	ends := [4]int32{
		tour[at], tour[from], tour[step(from, -by, mid, end)], tour[step(at, 1, lo, mid)],
	}
	copy(tour[lo:end], out)
	return ends
}
