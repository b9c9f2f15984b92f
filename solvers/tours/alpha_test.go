package tours

import (
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
)

func alphaSpace(t *testing.T, name string) *Space {
	t.Helper()
	inst, _, err := datasets.Generate(name)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := NewSpace(inst.(*datasets.TSP))
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// Lists hold the neighbours whose edges make a spanning tree least dearer, found here by making a
// tree with each edge.
func TestAlphaIsTheCostOfTheEdgeInATree(t *testing.T) {
	t.Parallel()
	sp := alphaSpace(t, "rand-60-1")
	a := newAscent(sp, alphaFrom)
	a.climb()
	const k = 5
	got := a.lists(k)
	tree := func(first int) (cost int64) { // with the edge first
		for c := range a.parent {
			a.parent[c] = int32(c)
		}
		join := func(e int) {
			if x, y := a.root(a.edges[e].a), a.root(a.edges[e].b); x != y {
				a.parent[x] = y
				cost += a.cost(&a.edges[e])
			}
		}
		join(first)
		for _, key := range a.keys {
			join(int(uint32(key)))
		}
		return cost
	}
	a.order()
	best := tree(int(uint32(a.keys[0])))
	for c := range int32(sp.N) {
		var all, listed []int64
		for e, l := range a.edges {
			if l.a == c || l.b == c {
				alpha := tree(e) - best
				all = append(all, alpha)
				if slices.Contains(got.Of(c), l.a+l.b-c) {
					listed = append(listed, alpha)
				}
			}
		}
		slices.Sort(all)
		slices.Sort(listed)
		if !slices.Equal(all[:k], listed) {
			t.Fatalf("city %d: listed are edges of alpha %v, the smallest are %v", c, listed, all[:k])
		}
	}
}

// Costs are those of the weights, and a search with them tells true lengths.
func TestSearchWithReducedCosts(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"C1k.5", "V1k.5", "rand-5-1", "rand-3-1", "rand-9-2"} {
		sp := alphaSpace(t, name)
		near := sp.Alpha(6)
		for c := range int32(sp.N) {
			ds := near.DistOf(c)
			for i, id := range near.Of(c) {
				if want := near.Scale*sp.D(c, id) + near.Pi[c] + near.Pi[id]; ds[i] != want ||
					i > 0 && ds[i-1] > ds[i] {
					t.Fatalf("%s: neighbour %d of %d costs %d, want %d, not below the one before", name, id,
						c, ds[i], want)
				}
			}
		}
		s, err := NewSearch(sp, near, DefaultSettings())
		if err != nil {
			t.Fatal(err)
		}
		tour := sp.Boruvka(near)
		length := sp.Length(tour)
		length -= s.Improve(tour, nil, OrOpt)
		if got := sp.Length(tour); got != length {
			t.Errorf("%s: the tour has length %d, by the gains %d", name, got, length)
		}
		r := arith.NewStream(1, 0, 0, 0)
		for range 100 {
			change, _ := s.Trial(OrOpt, Walk, int32(r.IntN(sp.N)), 10, 0, &r)
			length += change
		}
		s.Store(tour)
		if got := sp.Length(tour); got != length {
			t.Errorf("%s: after kicks the tour has length %d, by the gains %d", name, got, length)
		}
	}
}

// Of cities drawn, Hunt returns the one with the longest edge beside that to its nearest neighbour.
func TestHunt(t *testing.T) {
	t.Parallel()
	sp := alphaSpace(t, "rand-200-1")
	near := sp.Quadrant(8)
	s, err := NewSearch(sp, near, DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	tour := sp.Greedy(near)
	s.Load(tour)
	over := func(c int32) int32 { return sp.D(c, s.Step(c, 1)) - near.DistOf(c)[0] }
	for seed := range uint64(20) {
		r, again := arith.NewStream(seed, 0, 0, 0), arith.NewStream(seed, 0, 0, 0)
		got := s.Hunt(7, &r)
		best := int32(again.IntN(sp.N))
		for range 6 {
			if c := int32(again.IntN(sp.N)); over(c) > over(best) {
				best = c
			}
		}
		if got != best {
			t.Errorf("seed %d: the kick is at %d, want %d", seed, got, best)
		}
	}
}

// Chains may begin with an exchange that neither gains nor loses.
func TestEven(t *testing.T) {
	t.Parallel()
	sp := alphaSpace(t, "V3k.5")
	near := sp.Quadrant(10)
	var length [2]int64
	for i := range length {
		set := DefaultSettings()
		set.Even = i == 1
		s, err := NewSearch(sp, near, set)
		if err != nil {
			t.Fatal(err)
		}
		tour := sp.Greedy(near)
		s.Improve(tour, nil, OrOpt)
		length[i] = sp.Length(tour)
	}
	if length[1] >= length[0] {
		t.Errorf("the tour with even exchanges is %d long, without %d", length[1], length[0])
	}
}

// Distances whose costs do not fit in 32 bits: the lists have no weights, and a search ends.
func TestAlphaOfFarCities(t *testing.T) {
	t.Parallel()
	far := 1.5e9
	in, err := datasets.NewTSP("far", datasets.Euc2D, []float64{0, far, far, 0, far / 2},
		[]float64{0, 0, far / 3, far / 3, 7})
	if err != nil {
		t.Fatal(err)
	}
	sp, err := NewSpace(in)
	if err != nil {
		t.Fatal(err)
	}
	if near := sp.Alpha(4); near.Pi != nil {
		t.Error("lists of far cities have weights")
	}
	if near := sp.Weighted(sp.Quadrant(4)); near.Pi != nil {
		t.Error("lists by quadrants have weights")
	}
}
