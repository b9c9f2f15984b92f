package rounds_test

import (
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/rounds"
	"metalab/solvers/tours"
)

func uniform(tb testing.TB, n int) *datasets.TSP {
	tb.Helper()
	t, err := datasets.DIMACS(false, n, 5)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// neighbours are each city's in a tour.
func neighbours(tour []int32) (next, prev []int32) {
	next, prev = make([]int32, len(tour)), make([]int32, len(tour))
	last := tour[len(tour)-1]
	for _, c := range tour {
		next[last], prev[c] = c, last
		last = c
	}
	return next, prev
}

// What a polisher says it gained is what the tour lost; a second search finds nothing that its
// queue could, and one from the tour itself as the known one looks at no city. Given up, a search
// leaves the tour as it was, and the next one is not disturbed.
func TestPolish(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 5, 8, 31, 97, 400} {
		sp, err := tours.NewSpace(uniform(t, n))
		if err != nil {
			t.Fatal(err)
		}
		p := &rounds.Problem{Space: sp, Near: sp.Quadrant(10), Width: rounds.Lanes}
		one, other := rounds.NewPolisher(p), rounds.NewPolisher(p)
		for seed := range uint64(4) {
			draws := arith.NewStream(seed, 0, 0, 1)
			start := sp.Random(&draws)
			tour := slices.Clone(start)
			if _, ok := one.Polish(tour, nil, nil, func() bool { return true }); !ok &&
				!slices.Equal(tour, start) {
				t.Fatalf("%d cities: given up, and the tour is another", n)
			}
			copy(tour, start)
			gain, ok := one.Polish(tour, nil, nil, nil)
			if err := datasets.CheckPermutation(tour, n); err != nil || !ok {
				t.Fatalf("%d cities: %v, %v", n, err, ok)
			}
			if was, is := sp.Length(start), sp.Length(tour); was-is != gain {
				t.Errorf("%d cities: from %d to %d, said to be %d", n, was, is, gain)
			}
			again := slices.Clone(start)
			if g, _ := other.Polish(again, nil, nil, nil); g != gain || !slices.Equal(again, tour) {
				t.Errorf("%d cities: a polisher that was interrupted gained %d, another %d", n, gain, g)
			}
			if n == 400 && gain < sp.Length(start)/2 {
				t.Errorf("a random tour of %d cities got only %d of %d shorter", n, gain, sp.Length(start))
			}
			next, prev := neighbours(tour)
			slices.Reverse(tour)
			was := slices.Clone(tour)
			if g, _ := one.Polish(tour, next, prev, nil); g != 0 || !slices.Equal(tour, was) {
				t.Errorf("%d cities: from the known tour %d are gained", n, g)
			}
		}
	}
}

// Where a few edges of a known optimum were changed, a search from the cities at them repairs
// it as well as one from all cities, up to what their lists do not show to each other.
func TestPolishKnown(t *testing.T) {
	t.Parallel()
	sp, err := tours.NewSpace(uniform(t, 500))
	if err != nil {
		t.Fatal(err)
	}
	p := rounds.NewPolisher(&rounds.Problem{Space: sp, Near: sp.Quadrant(10), Width: rounds.Lanes})
	draws := arith.NewStream(1, 0, 0, 1)
	best := sp.Random(&draws)
	for range 3 {
		p.Polish(best, nil, nil, nil)
	}
	next, prev := neighbours(best)
	var few, all int64
	for range 40 {
		tour := slices.Clone(best)
		for range 5 {
			at := draws.IntN(440)
			slices.Reverse(tour[at : at+5+draws.IntN(50)])
		}
		whole := slices.Clone(tour)
		g, _ := p.Polish(tour, next, prev, nil)
		h, _ := p.Polish(whole, nil, nil, nil)
		few, all = few+g, all+h
	}
	if all == 0 || float64(few) < 0.99*float64(all) {
		t.Errorf("from some cities %d are gained, from all %d", few, all)
	}
	t.Logf("from some cities %d are gained, from all %d", few, all)
}
