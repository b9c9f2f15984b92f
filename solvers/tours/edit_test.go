package tours_test

import (
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// canonicalTour is the tour from city 0 on towards its smaller neighbour.
func canonicalTour(s *tours.Search, n int) []int32 {
	dir := int32(1)
	if s.Step(0, -1) < s.Step(0, 1) {
		dir = -1
	}
	tour := make([]int32, n)
	for i, c := 0, int32(0); i < n; i++ {
		tour[i] = c
		c = s.Step(c, dir)
	}
	return tour
}

// cross makes a random exchange of two edges by hand.
func cross(s *tours.Search, n int, r *arith.Stream) {
	for {
		a, d := int32(r.IntN(n)), int32(r.IntN(n))
		b, c := s.Step(a, 1), s.Step(d, 1)
		if a != d && b != d && c != a {
			s.Exchange(a, b, c, d)
			return
		}
	}
}

// TestEdits changes, repairs and takes back on workspaces of both structures which hold the
// tour in different ways: they agree on everything.
func TestEdits(t *testing.T) {
	t.Parallel()
	const n = 400
	inst, err := datasets.DIMACS(false, n, 3)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(inst)
	if err != nil {
		t.Fatal(err)
	}
	near := sp.Quadrant(8)
	for _, op := range []tours.Operator{tours.TwoOpt, tours.ThreeOpt, tours.OrOpt} {
		tour := sp.Greedy(near)
		var all []*tours.Search
		for k := range 4 {
			s, err := tours.NewSearchOn(sp, near, tours.DefaultSettings(), k%2 == 1)
			if err != nil {
				t.Fatal(err)
			}
			s.Canonical()
			if k == 2 {
				slices.Reverse(tour)
			}
			s.Load(append(slices.Clone(tour[k*70:]), tour[:k*70]...))
			all = append(all, s)
		}
		length := sp.Length(tour)
		for it := range 200 {
			var first []tours.Exchange
			var change int64
			before := canonicalTour(all[0], n)
			for k, s := range all {
				r := arith.NewStream(9, uint64(it), 0, 0)
				s.Begin()
				for range 1 + it%4 {
					// The exchange must be the same whatever the direction.
					a := int32(r.IntN(n))
					dir := int32(1)
					if s.Step(a, -1) < s.Step(a, 1) {
						dir = -1
					}
					d := near.Of(a)[r.IntN(8)]
					b, c := s.Step(a, dir), s.Step(d, dir)
					if b != d && c != a {
						s.Exchange(a, b, c, d)
					}
				}
				got := s.Repair(op)
				if k == 0 {
					change = got
				}
				if got != change {
					t.Fatalf("%v, change %d: workspace %d repairs to %d, the first to %d", op, it, k, got, change)
				}
				if log := s.Notes(nil); k == 0 {
					first = log
				} else if !slices.Equal(log, first) {
					t.Fatalf("%v, change %d: workspace %d noted %v, the first %v", op, it, k, log, first)
				}
				if it%2 == 0 {
					s.Undo()
				} else {
					s.End()
				}
			}
			if it%2 == 1 {
				length += change
			}
			after := canonicalTour(all[0], n)
			for k, s := range all {
				if !slices.Equal(canonicalTour(s, n), after) {
					t.Fatalf("%v, change %d: workspace %d has another tour", op, it, k)
				}
			}
			if it%2 == 0 && !slices.Equal(before, after) {
				t.Fatalf("%v, change %d was not taken back", op, it)
			}
			if l := sp.Length(after); l != length {
				t.Fatalf("%v, change %d: the tour has length %d, the changes say %d", op, it, l, length)
			}
		}
	}
}

// TestRedo makes changes again on tours that differ, where they fit or leave no trace.
func TestRedo(t *testing.T) {
	t.Parallel()
	const n = 200
	inst, err := datasets.DIMACS(true, n, 3)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(inst)
	if err != nil {
		t.Fatal(err)
	}
	near := sp.Quadrant(8)
	s, err := tours.NewSearch(sp, near, tours.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	start := sp.Greedy(near)
	r := arith.NewStream(1, 0, 0, 0)
	fits := 0
	for range 300 {
		s.Load(start)
		s.Begin()
		cross(s, n, &r)
		change := s.Repair(tours.OrOpt)
		log := s.Notes(nil)
		s.Load(start)
		for range 2 {
			s.Begin()
			cross(s, n, &r)
			s.Repair(tours.OrOpt)
			s.End()
		}
		before := canonicalTour(s, n)
		ok := s.Redo(log)
		after := canonicalTour(s, n)
		if !ok {
			if !slices.Equal(before, after) {
				t.Fatal("changes that did not fit left a trace")
			}
			continue
		}
		fits++
		if got := sp.Length(after) - sp.Length(before); got != change {
			t.Fatalf("made again the changes lengthen the tour by %d, at first by %d", got, change)
		}
	}
	if fits == 0 || fits == 300 {
		t.Errorf("%d of 300 changes fit: the test sees one side only", fits)
	}
}
