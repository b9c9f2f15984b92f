package tours

import "metalab/solvers/arith"

// Curve is the tour along the space-filling curve of the numbering, about 25 % above the optimum
// for cities spread evenly (L. K. Platzman, J. J. Bartholdi, Spacefilling curves and
// the planar travelling salesman problem, 1989, doi:10.1145/76359.76361). Without
// coordinates it is the instance's own order.
func (s *Space) Curve() []int32 { return s.kept(s.all()) }

// Random is a random tour; every order is equally probable. It draws N-1 numbers from r.
func (s *Space) Random(r *arith.Stream) []int32 {
	tour := s.all()
	r.Shuffle(tour)
	return s.kept(tour)
}

// NearestNeighbour is the tour that begins at the city first and always goes to the nearest city
// not visited yet; in the plane by the distance before rounding, ties by the smaller city. In the
// plane it usually takes O(n log n), from a k-d tree whose cities are deleted as they are visited
// (J. L. Bentley, Fast algorithms for geometric traveling salesman problems, 1992,
// doi:10.1287/ijoc.4.4.387), under a matrix O(n^2). On asymmetric instances the distance to the
// next city counts.
func (s *Space) NearestNeighbour(first int32) []int32 {
	return s.NearestListed(first, Neighbours{})
}

// NearestListed is NearestNeighbour, but goes to the first city of the list that is not visited
// yet, and to the nearest of all only if there is none (J. Fosin, D. Davidovic, T. Caric, 2013, who
// do not say what they do then). Lists by quadrants may lack a nearer city.
func (s *Space) NearestListed(first int32, near Neighbours) []int32 {
	seen := make([]bool, s.N)
	listed := func(c int32) int32 {
		if near.K > 0 {
			for _, j := range near.Of(c) {
				if !seen[j] {
					return j
				}
			}
		}
		return none
	}
	tour := make([]int32, 0, s.N)
	if s.located() {
		q := s.finder(s.all(), nil)
		for c := first; ; {
			tour = append(tour, c)
			if len(tour) == s.N {
				return s.kept(tour)
			}
			seen[c] = true
			q.remove(c)
			next := listed(c)
			if next == none {
				_, ids := q.near(c, 1)
				next = ids[0]
			}
			c = next
		}
	}
	left := s.all()
	for c := first; ; {
		tour = append(tour, c)
		if len(tour) == s.N {
			return s.kept(tour)
		}
		seen[c] = true
		next := listed(c)
		best := none
		kept := left[:0]
		for _, b := range left {
			if b == c {
				continue
			}
			kept = append(kept, b)
			if next == none && (best == none || s.D(c, b) < s.D(c, best)) {
				best = b
			}
		}
		if left, c = kept, best; next != none {
			c = next
		}
	}
}
