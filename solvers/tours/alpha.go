package tours

import (
	"cmp"
	"slices"
)

// Alpha makes lists of the k neighbours of every city that are likely in an optimal tour: those
// of the smallest alpha, which is by how much a minimum spanning tree becomes longer if it must
// have the edge. The tree is that of reduced costs: the weights of cities make it almost a tour.
// They are found by an ascent as in M. Held, R. M. Karp, The traveling-salesman problem and minimum
// spanning trees, part II, 1971, doi:10.1007/BF01584070, here on the edges of lists by quadrants;
// alpha is K. Helsgaun's, An effective implementation of the Lin-Kernighan traveling salesman
// heuristic, 2000, doi:10.1016/S0377-2217(99)00284-2, who takes a tree with one more edge.
//
// The lists hold the weights and are sorted by reduced cost, and a [Search] with them works with
// reduced costs: a tour's is its length times a number plus a constant, so the same tours are
// better, but chains prefer edges that the tree likes, and few edges cost the same. All is in
// integers. It takes some iterations of Kruskal's algorithm; see rounds.
//
// An instance of one or two cities, with fixed edges, or with coordinates or distances over 2^27,
// for which costs do not fit in 32 bits, has lists as those of [Space.Quadrant], without weights.
func (s *Space) Alpha(k int) Neighbours {
	if s.N < 3 || s.longest() > alphaDist || s.partners != nil {
		return s.Quadrant(k)
	}
	k = max(1, min(k, s.N-1))
	t := newAscent(s, max(k, alphaFrom))
	t.keep = max(k, alphaKeep)
	t.climb()
	return t.lists(k)
}

// Weighted adds the weights and costs of Alpha to lists, such as those of [Space.Quadrant]. For
// lists of [Space.Sparse] it also builds the tree.
func (s *Space) Weighted(near Neighbours) Neighbours {
	if s.N < 3 || s.longest() > alphaDist || s.partners != nil {
		return near
	}
	var t *ascent
	if near.Count != nil {
		t = ascentOn(s, near)
	} else {
		t = newAscent(s, alphaFrom)
	}
	t.climb()
	return t.weigh(near)
}

// weigh gives lists the weights.
func (t *ascent) weigh(near Neighbours) Neighbours {
	return t.s.WeightedAs(near, Neighbours{Scale: int32(t.scale), Pi: t.weights()})
}

// WeightedAs gives lists without weights those of others, or none if these have none.
func (s *Space) WeightedAs(near, others Neighbours) Neighbours {
	if others.Pi == nil {
		return near
	}
	out := Neighbours{
		K: near.K, Count: near.Count, ID: make([]int32, len(near.ID)), Dist: make([]int32, len(near.ID)),
		Scale: others.Scale, Pi: others.Pi,
	}
	share(s.N, func(from, to int) {
		var keys []uint64
		for c := int32(from); c < int32(to); c++ {
			keys = keys[:0]
			ds := near.DistOf(c)
			for i, id := range near.Of(c) {
				cost := ds[i]*out.Scale + out.Pi[c] + out.Pi[id]
				keys = append(keys, uint64(uint32(cost)^1<<31)<<32|uint64(uint32(id)))
			}
			out.fill(c, keys)
		}
	})
	return out
}

func (t *ascent) weights() []int32 {
	out := make([]int32, len(t.pi))
	for c, p := range t.pi {
		out[c] = int32(p)
	}
	return out
}

// ascent is the search for weights.
type ascent struct {
	s      *Space
	base   Neighbours
	edges  []link
	keep   int // see prune
	scale  int64
	pi     []int64
	keys   []uint64
	least  int64 // the smallest cost, which keys are relative to
	parent []int32
	degree []int32
	last   []int32 // degree before
	join   joiner
}

// link is an edge of the graph that the tree is in; dist is times the scale.
type link struct{ a, b, dist int32 }

func (t *ascent) cost(e *link) int64 { return int64(e.dist) + t.pi[e.a] + t.pi[e.b] }

const (
	alphaFrom   = 10      // smallest length of the lists whose edges form the tree
	alphaWhole  = 12      // trees in the whole graph; then each city keeps
	alphaKeep   = 6       // edges, or more
	alphaScale  = 100     // by which distances are multiplied, if they are not too large
	alphaDist   = 1 << 27 // the largest distance after that
	alphaWeight = 1 << 28 // the largest weight: a cost fits in an int32
)

// longest is no less than the longest distance, or as long as the plane is wide and high.
func (s *Space) longest() float64 {
	if s.Matrix != nil {
		return float64(slices.Max(s.Matrix))
	}
	if s.globe != nil {
		return halfEarth
	}
	return slices.Max(s.X) - slices.Min(s.X) + slices.Max(s.Y) - slices.Min(s.Y)
}

func newAscent(s *Space, from int) *ascent { return ascentOn(s, s.Quadrant(from)) }

func ascentOn(s *Space, base Neighbours) *ascent {
	t := &ascent{
		s: s, base: base, scale: alphaScale, pi: make([]int64, s.N),
		keep: alphaKeep, parent: make([]int32, s.N), degree: make([]int32, s.N), last: make([]int32, s.N),
	}
	t.scale = max(1, min(t.scale, int64(alphaDist/(s.longest()+1))))
	for c := range int32(s.N) {
		ds := t.base.DistOf(c)
		for i, id := range t.base.Of(c) {
			if id > c || !slices.Contains(t.base.Of(id), c) {
				t.edges = append(t.edges, link{c, id, ds[i] * int32(t.scale)})
			}
		}
	}
	t.keys = make([]uint64, len(t.edges))
	return t
}

// order sorts the edges by reduced cost.
func (t *ascent) order() {
	t.least = 1 << 62
	for i := range t.edges {
		t.least = min(t.least, t.cost(&t.edges[i]))
	}
	for i := range t.edges {
		t.keys[i] = uint64(t.cost(&t.edges[i])-t.least)<<32 | uint64(i)
	}
	radixSort(t.keys)
}

// rounds is the number of trees: fewer for many cities, where each takes longer.
func (t *ascent) rounds() int { return min(max(500_000/t.s.N, 40), 100) }

// climb changes the weights: cities of degree one in the tree become cheaper, those of degree three
// or more dearer, by steps that shrink. Steps are in proportion to the distances around a city,
// which differ by orders of magnitude in clustered instances, and cities begin with weights that
// leave all with edges of much the same cost.
func (t *ascent) climb() {
	near := make([]int64, t.s.N) // the scale of the distances around a city
	for c := range near {
		ds := t.base.DistOf(int32(c))
		for _, d := range ds[:min(len(ds), 4)] {
			near[c] += int64(d) * t.scale / 4
		}
		near[c] = max(near[c], t.scale) // cities may be at one place
		t.pi[c] = max(-near[c]*5/8, -alphaWeight)
	}
	rounds := t.rounds()
	t.tree()
	copy(t.last, t.degree)
	step := int64(160) // in 1024ths
	for i := range rounds {
		if i == alphaWhole {
			t.prune(t.keep)
		}
		for c, d := range t.degree {
			// as Helsgaun, a part of the step before goes on
			v := 7*int64(d-2) + 3*int64(t.last[c]-2)
			p := t.pi[c] + (v*step*near[c]/10+512)>>10
			t.pi[c] = max(-alphaWeight, min(p, alphaWeight))
		}
		t.degree, t.last = t.last, t.degree
		t.tree()
		step -= (step*4 + int64(rounds)/2) / int64(rounds)
	}
}

// way is an edge seen from one of its cities.
type way struct {
	alpha, cost int64
	to, edge    int32
}

// ways are the edges of every city at the weights of the last tree, those of small alpha first.
func (t *ascent) ways() [][]way {
	t.order()
	join := t.joins()
	ways, count := make([][]way, t.s.N), make([]int32, t.s.N)
	for i := range t.edges {
		count[t.edges[i].a]++
		count[t.edges[i].b]++
	}
	all := make([]way, 2*len(t.edges))
	for c, m := range count {
		ways[c], all = all[:0:m], all[m:]
	}
	for i := range t.edges {
		e := &t.edges[i]
		c := t.cost(e)
		alpha := c - join(e.a, e.b)
		ways[e.a] = append(ways[e.a], way{alpha, c, e.b, int32(i)})
		ways[e.b] = append(ways[e.b], way{alpha, c, e.a, int32(i)})
	}
	share(t.s.N, func(from, to int) {
		for _, w := range ways[from:to] {
			slices.SortFunc(w, func(x, y way) int {
				if x.alpha != y.alpha {
					return cmp.Compare(x.alpha, y.alpha)
				}
				return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(x.to, y.to))
			})
		}
	})
	return ways
}

// prune leaves every city the edges of its keep smallest alphas and of those of its neighbours.
func (t *ascent) prune(keep int) {
	kept := make([]bool, len(t.edges))
	for _, w := range t.ways() {
		for _, v := range w[:min(keep, len(w))] {
			kept[v.edge] = true
		}
	}
	m := 0
	for i, e := range t.edges {
		if kept[i] {
			t.edges[m] = e
			m++
		}
	}
	t.edges, t.keys = t.edges[:m], t.keys[:m]
}

// lists makes the lists.
func (t *ascent) lists(k int) Neighbours {
	out := Neighbours{
		K: k, ID: make([]int32, t.s.N*k), Dist: make([]int32, t.s.N*k), Scale: int32(t.scale),
		Pi: t.weights(),
	}
	keys := make([]uint64, 0, k)
	for c, w := range t.ways() {
		keys = keys[:0]
		for _, v := range w[:k] {
			keys = append(keys, uint64(uint32(int32(v.cost))^1<<31)<<32|uint64(uint32(v.to)))
		}
		out.fill(int32(c), keys)
	}
	return out
}

// joins returns the function that tells the cost at which two cities come together in the tree.
func (t *ascent) joins() func(x, y int32) int64 {
	n := t.s.N
	// Trees of unions without shortcuts: the cost at which two cities come together is found on
	// their ways up, which are short as the smaller joins the larger.
	up, at, size := make([]int32, n), make([]int32, n), make([]int32, n)
	for c := range up {
		up[c], at[c], size[c] = int32(c), 1<<31-1, 1
	}
	cost := make([]int64, 0, n)
	for _, key := range t.keys {
		e := &t.edges[uint32(key)]
		x, y := e.a, e.b
		for up[x] != x {
			x = up[x]
		}
		for up[y] != y {
			y = up[y]
		}
		if x == y {
			continue
		}
		if size[x] < size[y] || size[x] == size[y] && x > y {
			x, y = y, x
		}
		up[y], at[y] = x, int32(len(cost))
		size[x] += size[y]
		cost = append(cost, int64(key>>32)+t.least)
	}
	return func(x, y int32) int64 {
		var when int32
		for x != y {
			if at[x] < at[y] {
				when, x = at[x], up[x]
			} else {
				when, y = at[y], up[y]
			}
		}
		return cost[when]
	}
}
