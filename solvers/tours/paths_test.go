package tours_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"metalab/datasets"
	"metalab/solvers/tours"
)

// Kicks and their repair never remove a fixed edge, keep the ends of every path together, and count
// the length right, whatever the paths are.
func TestSearchHeedsPaths(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		n, side := rapid.IntRange(12, 200).Draw(r, "n"), rapid.IntRange(3, 1000).Draw(r, "side")
		x, y := make([]float64, n), make([]float64, n)
		draws := stream(rapid.Uint64().Draw(r, "seed"))
		for i := range x {
			x[i], y[i] = float64(draws.IntN(side)), float64(draws.IntN(side))
		}
		in, err := datasets.NewTSP("paths", datasets.Euc2D, x, y)
		if err != nil {
			r.Fatal(err)
		}
		sp, err := tours.NewSpace(in)
		if err != nil {
			r.Fatal(err)
		}
		near := sp.Weighted(sp.Sparse(8))
		tour := sp.Random(draws)
		mate, other := make([]int32, n), make([]int32, n)
		for c := range mate {
			mate[c], other[c] = -1, -1
		}
		// Paths of at least two cities follow each other along the tour.
		var first, last []int32
		for at := 0; n-at >= 2; {
			size := min(n-at, rapid.IntRange(2, 40).Draw(r, "size"))
			if n-at-size < 2 {
				size = n - at
			}
			first, last = append(first, tour[at]), append(last, tour[at+size-1])
			at += size
		}
		for i := range first {
			next := first[(i+1)%len(first)]
			mate[last[i]], mate[next] = next, last[i]
			other[first[i]], other[last[i]] = last[i], first[i]
		}
		set := tours.DefaultSettings()
		set.Ends, set.Strict, set.Wide = true, true, rapid.Bool().Draw(r, "wide")
		s, err := tours.NewSearch(sp, near, set)
		if err != nil {
			r.Fatal(err)
		}
		s.SetPaths(mate, other)
		s.Load(tour)
		length, kept := sp.Length(tour), 0
		kick := rapid.SampledFrom([]tours.Kick{tours.Walk, tours.Segment, tours.Uniform}).Draw(r, "kick")
		for range 60 {
			change, ok := s.Trial(tours.OrOpt, kick, s.Hunt(3, draws), 10, 20, draws)
			length += change
			if ok {
				kept++
			}
		}
		got := make([]int32, n)
		s.Store(got)
		if l := sp.Length(got); l != length {
			r.Fatalf("length %d, want %d", l, length)
		}
		place := make([]int, n)
		for i, c := range got {
			place[c] = i
		}
		step := func(c int32, by int) int32 { return got[(place[c]+by+n)%n] }
		for i, c := range last {
			next := first[(i+1)%len(first)]
			dir := 0
			switch {
			case step(c, 1) == next:
				dir = -1
			case step(c, -1) == next:
				dir = 1
			default:
				r.Fatalf("the fixed edge of %d and %d is gone after %d kicks", c, next, kept)
			}
			for c = step(c, dir); mate[c] < 0; {
				c = step(c, dir)
			}
			if c != first[i] {
				r.Fatalf("the path from %d ends at %d, want %d", last[i], c, first[i])
			}
		}
	})
}

// The instance of some cities has their distances, and of the lists what is among them.
func TestAmong(t *testing.T) {
	t.Parallel()
	in, err := datasets.DIMACS(true, 400, 3)
	if err != nil {
		t.Fatal(err)
	}
	sp := mustSpace(t, in)
	for _, near := range []tours.Neighbours{sp.Quadrant(8), sp.Alpha(5), sp.Weighted(sp.Sparse(9))} {
		var cities []int32
		for c := int32(0); c < 400; c += 3 {
			cities = append(cities, (c*7)%400)
		}
		local := make([]int32, sp.N)
		sub, lists := sp.Among(cities, near, local)
		if slices.Max(local) != 0 {
			t.Error("local is not 0 again")
		}
		for i, c := range cities {
			want, among := []int32{}, lists.Of(int32(i))
			for _, d := range near.Of(c) {
				if slices.Contains(cities, d) {
					want = append(want, d)
				}
			}
			got := []int32{}
			for j, l := range among {
				got = append(got, cities[l])
				cost := sp.D(c, cities[l])
				if near.Pi != nil {
					cost = cost*near.Scale + near.Pi[c] + near.Pi[cities[l]]
				}
				if sub.D(int32(i), l) != sp.D(c, cities[l]) || lists.DistOf(int32(i))[j] != cost {
					t.Fatalf("cities %d and %d: distance %d, cost %d", c, cities[l], sub.D(int32(i), l), cost)
				}
			}
			if len(want) > 0 && !slices.Equal(got, want) || len(got) == 0 {
				t.Fatalf("neighbours of %d: %v, want %v", c, got, want)
			}
		}
	}
}

// All cities of a lattice have two nearest ones equally far, of a random instance hardly any; in
// clusters the distances are most unequal.
func TestEvenAndSpread(t *testing.T) {
	t.Parallel()
	var x, y []float64
	for i := range 900 {
		x, y = append(x, float64(20*(i%30))), append(y, float64(20*(i/30)))
	}
	grid, err := datasets.NewTSP("grid", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	random, err := datasets.DIMACS(false, 900, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := mustSpace(t, grid).Even(); got != 1 {
		t.Errorf("a lattice: %v, want 1", got)
	}
	if got := mustSpace(t, random).Even(); got > 0.02 {
		t.Errorf("a random instance: %v, want hardly any", got)
	}
	clustered, err := datasets.DIMACS(true, 1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in     *datasets.TSP
		lo, hi float64
	}{{grid, 1, 1.1}, {random, 1.5, 3}, {clustered, 5, 20}} {
		if got := mustSpace(t, c.in).Spread(); got < c.lo || got > c.hi {
			t.Errorf("%s: spread %v, want %v to %v", c.in.Title, got, c.lo, c.hi)
		}
	}
}

// Quick-Boruvka in another direction is that of the plane turned so.
func TestQuickBoruvkaAlong(t *testing.T) {
	t.Parallel()
	in, err := datasets.DIMACS(false, 500, 2)
	if err != nil {
		t.Fatal(err)
	}
	turned, err := datasets.NewTSP("turned", datasets.Euc2D, in.Y, in.X)
	if err != nil {
		t.Fatal(err)
	}
	a, b := mustSpace(t, in), mustSpace(t, turned)
	edges := func(sp *tours.Space, tour []int32) map[[2]int32]bool {
		set := map[[2]int32]bool{}
		for i, c := range tour {
			u, v := sp.Orig[c], sp.Orig[tour[(i+1)%len(tour)]]
			set[[2]int32{min(u, v), max(u, v)}] = true
		}
		return set
	}
	got, want := edges(a, a.QuickBoruvkaAlong(0, 1)), edges(b, b.QuickBoruvka())
	for e := range want {
		if !got[e] {
			t.Fatalf("edge %v is missing", e)
		}
	}
}
