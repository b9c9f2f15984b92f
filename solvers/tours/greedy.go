package tours

import (
	"cmp"
	"slices"

	"metalab/solvers/arith"
)

// Greedy builds a tour from the shortest edges that fit: first those of the neighbour lists, ties
// by the smaller city, then those between the ends of the resulting paths, until one path is left.
// It is usually 14 to 18 % above the optimum (D. S. Johnson, L. A. McGeoch, The traveling salesman
// problem: a case study, 1997) and the best start for local search. It takes O(n k log n) in the
// plane and O(n^2) under a matrix.
func (s *Space) Greedy(near Neighbours) []int32 {
	n := s.N
	f := newFragments(n)
	keys := make([]uint64, 0, n*near.K/2)
	k := min(near.K, 8) // longer lists would add few edges and take time to sort
	for c := range int32(n) {
		ids, ds := near.Of(c), near.DistOf(c)
		ids = ids[:min(k, len(ids))]
		for i, b := range ids {
			if back := near.Of(b); b > c || !slices.Contains(back[:min(k, len(back))], c) {
				keys = append(keys, uint64(uint32(ds[i])^1<<31)<<32|uint64(int(c)*near.K+i))
			}
		}
	}
	radixSort(keys)
	for _, v := range keys {
		slot := uint32(v)
		f.join(int32(int(slot)/near.K), near.ID[slot])
	}
	s.joinAll(f)
	return s.kept(f.tour())
}

// Boruvka builds a tour as Greedy does, but city by city along the plane instead of by the length
// of edges: each city in turn takes its shortest listed edge that fits, in two rounds, and what is
// left is joined as by Greedy. It needs no sorting of edges. (D. Applegate, W. Cook, A. Rohe,
// Chained Lin-Kernighan for large traveling salesman problems, 2003,
// doi:10.1287/ijoc.15.1.82.15157, whose Quick-Boruvka has no lists; see QuickBoruvka.)
func (s *Space) Boruvka(near Neighbours) []int32 {
	order := s.all()
	if s.X != nil {
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(s.X[a], s.X[b]) })
	}
	return s.boruvka(near, order)
}

// RandomBoruvka is Boruvka, but the cities come in random order: every time another tour, whose
// edges are as short. It draws N-1 numbers from r.
func (s *Space) RandomBoruvka(near Neighbours, r *arith.Stream) []int32 {
	return s.boruvka(near, s.Random(r))
}

// DrawnBoruvka is RandomBoruvka, but each city draws one of its listed edges that fit, with a
// probability in proportion to its weight, by slot of near and above 0, as an ant does. It draws
// N-1 numbers from r, and one for each city that is not yet inside a path when its turn comes and
// has an edge that fits.
func (s *Space) DrawnBoruvka(near Neighbours, weight []float32, r *arith.Stream) []int32 {
	f := newFragments(s.N)
	fits := make([]float32, near.K)
	order := s.Random(r)
	for range 2 {
		for _, c := range order {
			if f.next[c][1] >= 0 || f.left == 1 {
				continue
			}
			ids, of := near.Of(c), weight[int(c)*near.K:]
			sum := float32(0)
			for i, b := range ids {
				fits[i] = 0
				if f.next[b][1] < 0 && f.other[c] != b {
					fits[i] = of[i]
					sum += of[i]
				}
			}
			if sum == 0 {
				continue
			}
			u, drawn := float32(arith.Unit32(r.Uint32())*sum), none
			for i, b := range ids {
				if fits[i] == 0 {
					continue
				}
				drawn = b
				if u -= fits[i]; u < 0 {
					break
				}
			}
			f.join(c, drawn)
		}
	}
	s.joinAll(f)
	return s.kept(f.tour())
}

// boruvka is Boruvka with the cities in an order.
func (s *Space) boruvka(near Neighbours, order []int32) []int32 {
	f := newFragments(s.N)
	for range 2 {
		for _, c := range order {
			if f.next[c][1] >= 0 {
				continue
			}
			for _, b := range near.Of(c) {
				if left := f.left; f.left > 1 {
					if f.join(c, b); f.left < left {
						break
					}
				}
			}
		}
	}
	s.joinAll(f)
	return s.kept(f.tour())
}

// QuickBoruvka goes through the cities from west to east, again and again: each that is the end of
// a path is joined to the nearest end of another, until one path is left. It needs no lists. (D.
// Applegate, W. Cook, A. Rohe, Chained Lin-Kernighan for large traveling salesman problems, 2003,
// doi:10.1287/ijoc.15.1.82.15157.) Where cities stand in clusters or in rows, few of its edges are
// as long as the last ones that Greedy is left with, and local search removes few of those.
//
// Distances are those in the plane before they are rounded, ties go to the smaller city. If
// distances do not follow from places in the plane, it is Greedy with lists of eight.
func (s *Space) QuickBoruvka() []int32 { return s.QuickBoruvkaAlong(1, 0) }

// QuickBoruvkaAlong is QuickBoruvka, but goes through the cities in the direction (dx, dy).
func (s *Space) QuickBoruvkaAlong(dx, dy float64) []int32 {
	if !s.euclidean() {
		return s.Greedy(s.Nearest(8))
	}
	f, order := newFragments(s.N), s.all()
	along := make([]float64, s.N)
	for c := range along {
		along[c] = float64(dx*s.X[c]) + float64(dy*s.Y[c])
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(along[a], along[b]) })
	q := kdQuery{tree: newKDTree(s.pts, s.all())}
	q.tree.count()
	for f.left > 1 {
		for _, c := range order {
			if f.left == 1 {
				break
			}
			if f.next[c][1] >= 0 {
				continue
			}
			q.ask(c, s.pts[c].x, s.pts[c].y, 2, anywhere)
			to := q.ids[0]
			if to == f.other[c] {
				to = q.ids[1]
			}
			f.join(c, to)
			for _, v := range [2]int32{c, to} {
				if f.next[v][1] >= 0 {
					q.tree.remove(v)
				}
			}
		}
	}
	return s.kept(f.tour())
}

// joinAll joins the paths to one.
func (s *Space) joinAll(f *fragments) {
	if s.located() {
		s.joinPlaces(f)
	}
	for f.left > 1 {
		if s.located() {
			s.joinPlane(f)
		} else {
			s.joinMatrix(f)
		}
	}
}

// fragments are vertex-disjoint paths that grow together.
type fragments struct {
	next  [][2]int32 // tour neighbours, -1 where none is yet
	other []int32    // of an end: the other end of its path
	left  int        // paths
}

func newFragments(n int) *fragments {
	f := &fragments{next: make([][2]int32, n), other: make([]int32, n), left: n}
	for i := range f.next {
		f.next[i] = [2]int32{-1, -1}
		f.other[i] = int32(i)
	}
	return f
}

// join adds the edge (a, b) if both are ends of paths, and not of the same.
func (f *fragments) join(a, b int32) {
	if f.next[a][1] >= 0 || f.next[b][1] >= 0 || f.other[a] == b || a == b {
		return
	}
	f.add(a, b)
	f.add(b, a)
	oa, ob := f.other[a], f.other[b]
	f.other[oa], f.other[ob] = ob, oa
	f.left--
}

func (f *fragments) add(a, b int32) {
	if f.next[a][0] < 0 {
		f.next[a][0] = b
	} else {
		f.next[a][1] = b
	}
}

// ends lists the ends of paths and writes to own, for each, the smaller end of its path.
func (f *fragments) ends(own []int32) []int32 {
	var ends []int32
	for c := range int32(len(f.next)) {
		if f.next[c][1] < 0 {
			ends = append(ends, c)
			own[c] = min(c, f.other[c])
		}
	}
	return ends
}

// tour reads the one path that is left.
func (f *fragments) tour() []int32 {
	n := len(f.next)
	tour := make([]int32, 0, n)
	from, c := int32(-1), int32(0)
	for i := range f.next {
		if f.next[i][1] < 0 {
			c = int32(i)
			break
		}
	}
	for len(tour) < n {
		tour = append(tour, c)
		to := f.next[c][0]
		if to == from {
			to = f.next[c][1]
		}
		from, c = c, to
	}
	return tour
}

// joinPlane joins ends to near ends of other paths, the shortest edges first.
func (s *Space) joinPlane(f *fragments) {
	own := make([]int32, s.N)
	ends := f.ends(own)
	q := s.finder(ends, own)
	type edge struct {
		sq   float64
		a, b int32
	}
	const near = 5
	edges := make([]edge, 0, near*len(ends))
	for _, c := range ends {
		sq, ids := q.near(c, near)
		for i, b := range ids {
			edges = append(edges, edge{sq[i], c, b})
		}
	}
	slices.SortFunc(edges, func(x, y edge) int {
		return cmp.Or(cmp.Compare(x.sq, y.sq), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	for _, e := range edges {
		f.join(e.a, e.b)
	}
}

// joinMatrix is joinPlane without coordinates: it joins each end to its nearest end of another
// path, the shortest edges first.
func (s *Space) joinMatrix(f *fragments) {
	own := make([]int32, s.N)
	ends := f.ends(own)
	type edge struct{ d, a, b int32 }
	var edges []edge
	for _, a := range ends {
		best := edge{b: -1}
		for _, b := range ends {
			if d := s.D(a, b); own[a] != own[b] && (best.b < 0 || d < best.d) {
				best = edge{d, a, b}
			}
		}
		edges = append(edges, best)
	}
	slices.SortStableFunc(edges, func(x, y edge) int { return cmp.Compare(x.d, y.d) })
	for _, e := range edges {
		f.join(e.a, e.b)
	}
}
