package tours

import "metalab/solvers/arith"

// A Kick is a rule that changes four edges of a tour at random, in a way that local search cannot
// easily undo.
//
// All are double bridges (O. Martin, S. W. Otto, E. W. Felten, Large-step Markov chains for the
// traveling salesman problem, Complex Systems 5, 1991): a tour a B C D h becomes a D C B h, with
// none of the three paths B, C and D reversed.
type Kick uint8

const (
	// Segment draws three paths that follow the city, each of 1 to size cities: its cost does
	// not grow with the number of cities.
	Segment Kick = iota

	// Walk makes four random walks of size steps over the neighbour lists from the city, and
	// removes the tour edges that follow their ends: the edges are near one another in the plane,
	// but need not be on the tour. (D. Applegate, W. Cook, A. Rohe, Chained Lin-Kernighan for large
	// traveling salesman problems, 2003, doi:10.1287/ijoc.15.1.82.15157.)
	Walk

	// Uniform draws four edges of the whole tour, wherever the city is.
	Uniform
)

// kick changes the tour as k says, marks the ends of the edges, and returns by how much the
// tour became shorter (as a rule it became longer). It needs eight cities.
func (s *Search) kick(k Kick, at int32, size int, r *arith.Stream) int {
	switch k {
	case Segment:
		return s.segmentKick(at, size, r)
	case Walk:
		for range 8 { // walks may end at the same city
			var c [4]int32
			for i := range c {
				c[i] = s.loose(s.walk(at, size, r))
			}
			if s.distinct(&c) {
				return s.bridgeAt(&c)
			}
		}
		return s.segmentKick(at, 50, r)
	default:
		for {
			var c [4]int32
			for i := range c {
				c[i] = s.loose(int32(r.IntN(s.sp.N)))
			}
			if s.distinct(&c) {
				return s.bridgeAt(&c)
			}
		}
	}
}

// walk returns the end of a random walk from v. A step takes 3 bits, so a word of 32 bits is enough
// for ten steps.
func (s *Search) walk(v int32, steps int, r *arith.Stream) int32 {
	for steps > 0 {
		u := r.Uint32()
		for range min(steps, 10) {
			near := s.arcs(v, min(s.k, 8))
			v = near[(u&7)*uint32(len(near))>>3].to
			u >>= 3
		}
		steps -= 10
	}
	return v
}

// distinct sorts the cities by their place in the tour and tells whether they differ.
func (s *Search) distinct(c *[4]int32) bool {
	var key [4]int32
	for i := range c {
		k, v := s.ring.key(c[i]), c[i]
		j := i
		for ; j > 0 && key[j-1] > k; j-- {
			key[j], c[j] = key[j-1], c[j-1]
		}
		key[j], c[j] = k, v
	}
	return key[0] != key[1] && key[1] != key[2] && key[2] != key[3]
}

// segmentKick is a kick of three consecutive paths of at most size cities.
func (s *Search) segmentKick(at int32, size int, r *arith.Stream) int {
	most := (s.sp.N - 2) / 3
	if s.mate != nil { // past a fixed edge a path is one city longer
		most--
	}
	size = max(1, min(size, most))
	var c [4]int32
	v := at
	c[0] = s.loose(v)
	v = c[0]
	for i := 1; i < 4; i++ {
		for range 1 + r.IntN(size) {
			v = s.ring.step(v, 1)
		}
		v = s.loose(v)
		c[i] = v
	}
	return s.bridgeAt(&c)
}

// bridgeAt makes the double bridge of the edges that follow four cities in tour order.
func (s *Search) bridgeAt(c *[4]int32) int {
	r := s.ring
	ends, gain := r.bridge(c, 1, func(a, b int32) int64 { return int64(s.d(a, b)) })
	for _, v := range ends {
		s.Push(v)
		x, y := v, v
		for range s.set.Around {
			x, y = r.step(x, 1), r.step(y, -1)
			s.Push(x)
			s.Push(y)
		}
	}
	return int(gain)
}

// bridge makes the double bridge of the edges that follow four cities in the direction dir; the
// cities are in tour order in that direction. It returns the ends of the edges and by how much the
// tour became shorter.
func (r *ring) bridge(c *[4]int32, dir int32, dist func(a, b int32) int64) ([8]int32, int64) {
	a, d, f, h := c[0], c[1], c[2], c[3]
	b, e, g, i := r.step(a, dir), r.step(d, dir), r.step(f, dir), r.step(h, dir)
	// a [b..d] [e..f] [g..h] i  becomes  a [g..h] [e..f] [b..d] i
	gain := dist(a, b) + dist(d, e) + dist(f, g) + dist(h, i) -
		dist(a, g) - dist(h, e) - dist(f, b) - dist(d, i)
	r.exchange(a, b, i, h) // a [h..g] [f..e] [d..b] i
	r.exchange(a, h, f, g) // a [g..h] [f..e] [d..b] i
	r.exchange(h, f, d, e) // a [g..h] [e..f] [d..b] i
	r.exchange(f, d, i, b) // a [g..h] [e..f] [b..d] i
	return [8]int32{a, b, d, e, f, g, h, i}, gain
}
