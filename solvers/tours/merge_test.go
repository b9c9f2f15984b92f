package tours_test

import (
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/tours"
)

func edgesOf(tour []int32) map[[2]int32]bool {
	out := map[[2]int32]bool{}
	last := tour[len(tour)-1]
	for _, c := range tour {
		out[[2]int32{min(last, c), max(last, c)}] = true
		last = c
	}
	return out
}

// Of two tours that differ in many places Merge takes the better of most: the result is shorter
// than both, is made of their edges, and says how long it is.
func TestMergeTakesTheBetterParts(t *testing.T) {
	t.Parallel()
	for _, n := range []int{8, 30, 2000} {
		sp := mustSpace(t, uniform(n, 3))
		near := sp.Quadrant(8)
		set := tours.DefaultSettings()
		s, err := tours.NewSearch(sp, near, set)
		if err != nil {
			t.Fatal(err)
		}
		m := tours.NewMerger(sp)
		r := stream(4)
		start := sp.Greedy(near)
		s.Improve(start, nil, tours.TwoOpt)
		var made [2][]int32
		for i := range made {
			s.Load(start)
			for range n / 2 {
				s.Trial(tours.TwoOpt, tours.Segment, int32(r.IntN(n)), 10, 0, r)
			}
			made[i] = make([]int32, n)
			s.Store(made[i])
		}
		a, b := made[0], made[1]
		slices.Reverse(b)
		la, lb := sp.Length(a), sp.Length(b)
		allowed := edgesOf(a)
		for e := range edgesOf(b) {
			allowed[e] = true
		}
		merged := slices.Clone(a)
		change := m.Merge(merged, b)
		if err := datasets.CheckPermutation(merged, n); err != nil {
			t.Fatal(err)
		}
		if got := sp.Length(merged); got != la+change || got > min(la, lb) {
			t.Errorf("%d cities: tours of %d and %d give %d, change %d", n, la, lb, got, change)
		} else if n == 2000 && got >= min(la, lb) {
			t.Errorf("%d cities: tours of %d and %d give no shorter one", n, la, lb)
		}
		for e := range edgesOf(merged) {
			if !allowed[e] {
				t.Errorf("%d cities: the edge %v is in neither tour", n, e)
			}
		}
		if change := m.Merge(merged, merged); change != 0 {
			t.Errorf("a tour and itself: change %d", change)
		}
	}
}
