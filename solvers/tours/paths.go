package tours

// SetPaths fixes some edges of all tours loaded later: that of a city c to mate[c], unless this is
// negative. Chains of OrOpt and kicks never remove a fixed edge (other operators ignore it). It
// stands for the way between the ends of two paths in a larger tour, of which the cities of the
// search are a part: other[c] is the end of the path that begins at c. A [Search.Trial] that joins
// other ends by paths is undone. So each path fits back into the larger tour, whatever happened
// elsewhere.
func (s *Search) SetPaths(mate, other []int32) { s.mate, s.other = mate, other }

// fixed tells whether an edge of the tour is fixed.
func (s *Search) fixed(a, b int32) bool { return s.mate != nil && s.mate[a] == b }

// loose is c, or the next city if a fixed edge leads there.
func (s *Search) loose(c int32) int32 {
	if s.mate != nil {
		if next := s.ring.step(c, 1); s.mate[c] == next {
			return next
		}
	}
	return c
}

// paired tells whether the paths between fixed edges join the same ends as at the beginning.
func (s *Search) paired() bool {
	c, next := int32(0), s.ring.step(0, 1)
	for range s.sp.N {
		if s.mate[c] == next {
			break
		}
		c, next = next, s.ring.step(next, 1)
	}
	if s.mate[c] != next {
		return true // there is no fixed edge
	}
	begin := next
	for range s.sp.N {
		c, next = next, s.ring.step(next, 1)
		if s.mate[c] == next {
			if s.other[begin] != c {
				return false
			}
			begin = next
		}
	}
	return true
}

// Among is the instance of some cities, in this order, with their neighbours among themselves; in
// local, of the size of the space and all 0, it leaves all 0.
func (s *Space) Among(cities []int32, near Neighbours, local []int32) (*Space, Neighbours) {
	n := len(cities)
	sub := &Space{
		N: n, X: make([]float64, n), Y: make([]float64, n), pts: make([]point, n), Metric: s.Metric,
		fast: s.fast, up: s.up,
	}
	for i, c := range cities {
		sub.X[i], sub.Y[i], sub.pts[i] = s.X[c], s.Y[c], s.pts[c]
		local[c] = int32(i) + 1
	}
	b := Neighbours{
		K: near.K, Count: make([]uint8, n), Scale: near.Scale,
		ID: make([]int32, n*near.K), Dist: make([]int32, n*near.K),
	}
	if near.Pi != nil {
		b.Pi = make([]int32, n)
	}
	for i, c := range cities {
		if b.Pi != nil {
			b.Pi[i] = near.Pi[c]
		}
		m, ds := 0, near.DistOf(c)
		for j, d := range near.Of(c) {
			if l := local[d]; l > 0 {
				b.ID[i*b.K+m], b.Dist[i*b.K+m] = l-1, ds[j]
				m++
			}
		}
		if m == 0 && n > 1 {
			l := int32(i+1) % int32(n)
			d := s.D(c, cities[l])
			if b.Pi != nil {
				d = d*near.Scale + near.Pi[c] + near.Pi[cities[l]]
			}
			b.ID[i*b.K], b.Dist[i*b.K], m = l, d, 1
		}
		b.Count[i] = uint8(m)
	}
	for _, c := range cities {
		local[c] = 0
	}
	return sub, b
}
