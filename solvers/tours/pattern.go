package tours

import "sync/atomic"

// evenEvery is how many cities Even goes on by.
const evenEvery = 8

// Even is the share of cities whose two nearest ones are equally far: nearly 0 where cities lie at
// random, and more than half where most of them stand in a lattice. Every eighth city is looked at.
// It is 0 without coordinates that distances follow.
func (s *Space) Even() float64 {
	if !s.euclidean() || s.N < 3 {
		return 0
	}
	q := kdQuery{tree: newKDTree(s.pts, s.all())}
	even, all := 0, 0
	for c := int32(0); c < int32(s.N); c += evenEvery {
		q.ask(c, s.pts[c].x, s.pts[c].y, 2, anywhere)
		if s.D(c, q.ids[0]) == s.D(c, q.ids[1]) {
			even++
		}
		all++
	}
	return float64(even) / float64(all)
}

// Spread tells how unequal the distances to the nearest cities of the four quadrants are: their
// mean square in squares of their mean. It is about 2 where cities lie at random and 10 in
// clusters, as those at the border of one look over to the next. It is 0 without coordinates that
// distances follow.
func (s *Space) Spread() float64 {
	if !s.euclidean() {
		return 0
	}
	tree := newKDTree(s.pts, s.all())
	var sum, squares, all atomic.Int64
	share(s.N, func(from, to int) {
		q := kdQuery{tree: tree}
		var total, square, count int64
		for c := int32(from); c < int32(to); c++ {
			for z := range 4 {
				q.ask(c, s.pts[c].x, s.pts[c].y, 1, z)
				for _, id := range q.ids {
					d := float64(s.D(c, id))
					// in integers, so that the order of sums does not matter
					total, square, count = total+int64(d), square+int64(float64(d*d)/16), count+1
				}
			}
		}
		sum.Add(total)
		squares.Add(square)
		all.Add(count)
	})
	mean := float64(sum.Load()) / float64(max(1, all.Load()))
	if mean == 0 {
		return 0
	}
	return 16 * float64(squares.Load()) / float64(all.Load()) / float64(mean*mean)
}
