package tours_test

import (
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

var operators = []tours.Operator{tours.TwoOpt, tours.ThreeOpt, tours.OrOpt}

func checkTour(t *rapid.T, sp *tours.Space, tour []int32) {
	s := slices.Clone(tour)
	slices.Sort(s)
	if !slices.Equal(s, seq(sp.N)) {
		t.Fatalf("not a permutation: %v", tour)
	}
}

// drawSearch draws a symmetric instance, a workspace and a tour.
func drawSearch(t *rapid.T, minN, maxN int) (*tours.Space, *tours.Search, []int32) {
	in, sp := drawSpace(t, minN, maxN)
	if in.Asymmetric {
		in.Asymmetric = false
		for i := range in.N {
			for j := range i {
				in.Matrix[i*in.N+j] = in.Matrix[j*in.N+i]
			}
		}
		var err error
		if sp, err = tours.NewSpace(in); err != nil {
			t.Fatal(err)
		}
	}
	set := tours.Settings{
		Depth:   rapid.IntRange(2, 12).Draw(t, "depth"),
		Breadth: rapid.SliceOfN(rapid.IntRange(1, 6), 1, 4).Draw(t, "breadth"),
		Far:     rapid.IntRange(0, 6).Draw(t, "far"),
		Best:    rapid.Bool().Draw(t, "best"),
		Ends:    rapid.Bool().Draw(t, "ends"),
		OneWay:  rapid.Bool().Draw(t, "one way"),
		Even:    rapid.Bool().Draw(t, "even"),
		Wide:    rapid.Bool().Draw(t, "wide"),
		Strict:  rapid.Bool().Draw(t, "strict"),
		Once:    rapid.Bool().Draw(t, "once"),
		Around:  rapid.IntRange(0, 4).Draw(t, "around"),
	}
	near := sp.Quadrant(rapid.IntRange(1, 10).Draw(t, "k"))
	if rapid.Bool().Draw(t, "sparse") {
		near = sp.Sparse(near.K)
	}
	s, err := tours.NewSearchOn(sp, near, set, sp.N >= 8 && rapid.Bool().Draw(t, "two-level"))
	if err != nil {
		t.Fatal(err)
	}
	return sp, s, rapid.Permutation(seq(sp.N)).Draw(t, "tour")
}

func TestImproveGainsWhatItSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sp, s, tour := drawSearch(t, 1, 80)
		op := rapid.SampledFrom(operators).Draw(t, "operator")
		before := sp.Length(tour)
		var dirty []int32
		if rapid.Bool().Draw(t, "some") {
			dirty = rapid.SliceOf(rapid.Int32Range(0, int32(sp.N-1))).Draw(t, "dirty")
		}
		gain := s.Improve(tour, dirty, op)
		checkTour(t, sp, tour)
		if got := before - sp.Length(tour); got != gain || gain < 0 {
			t.Fatalf("the tour became shorter by %d, not by %d", got, gain)
		}
		if s.Pending() != 0 {
			t.Fatalf("%d cities are still dirty", s.Pending())
		}
		if dirty == nil {
			if again := s.Improve(tour, nil, op); again != 0 {
				t.Fatalf("a second search gained %d", again)
			}
		}
	})
}

func TestTrialKeepsItsPromise(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sp, s, tour := drawSearch(t, 1, 80)
		if sp.N > 1 && s.Pending() != 0 {
			t.Fatal("a new search has dirty cities")
		}
		op := rapid.SampledFrom(operators).Draw(t, "operator")
		length := sp.Length(tour) - s.Improve(tour, nil, op)
		r := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 1, 0, 0)
		for range 20 {
			kick := rapid.SampledFrom([]tours.Kick{tours.Segment, tours.Walk, tours.Uniform}).Draw(t, "kick")
			limit := int64(rapid.IntRange(-1, 40).Draw(t, "limit"))
			before := slices.Clone(tour)
			change, _ := s.Trial(
				op, kick, int32(r.IntN(sp.N)), rapid.IntRange(1, 20).Draw(t, "size"), limit, &r,
			)
			s.Store(tour)
			checkTour(t, sp, tour)
			length += change
			if got := sp.Length(tour); got != length {
				t.Fatalf("the length is %d, want %d", got, length)
			}
			if change > max(limit, 0) {
				t.Fatalf("a change of %d was kept, limit %d", change, limit)
			}
			if change == 0 && limit < 0 && !slices.Equal(canonical(before), canonical(tour)) {
				t.Fatalf("the tour changed though nothing was gained")
			}
		}
	})
}

// What a workspace did before leaves no trace: workers may share the chains as they like.
func TestSearchHasNoMemory(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(8, 120).Draw(t, "n")
		sp, err := tours.NewSpace(drawPoints(t, n, datasets.Euc2D))
		if err != nil {
			t.Fatal(err)
		}
		twoLevel := rapid.Bool().Draw(t, "two-level")
		near := sp.Quadrant(8)
		op := rapid.SampledFrom(operators).Draw(t, "operator")
		seed := rapid.Uint64().Draw(t, "seed")
		start := rapid.Permutation(seq(n)).Draw(t, "start")
		walk := func(s *tours.Search) []int32 {
			r := arith.NewStream(seed, 1, 0, 0)
			s.Load(start)
			s.PushAll()
			s.Run(op)
			for range 10 {
				s.Trial(op, tours.Walk, int32(r.IntN(n)), 5, 3, &r)
			}
			tour := make([]int32, n)
			s.Store(tour)
			return tour
		}
		fresh := func() *tours.Search {
			s, err := tours.NewSearchOn(sp, near, tours.DefaultSettings(), twoLevel)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		want := walk(fresh())
		used := fresh()
		used.Improve(
			rapid.Permutation(seq(n)).Draw(t, "before"), nil,
			rapid.SampledFrom(operators).Draw(t, "operator before"),
		)
		used.PushAll() // and left dirty
		if got := walk(used); !slices.Equal(got, want) {
			t.Fatalf("a used workspace went to %v, a fresh one to %v", got, want)
		}
	})
}

func canonical(tour []int32) []int32 {
	if len(tour) < 3 {
		return tour
	}
	return model(slices.Clone(tour)).canonical()
}

func TestSearchRefuses(t *testing.T) {
	t.Parallel()
	sp := mustSpace(t, uniform(20, 1))
	near := sp.Nearest(5)
	asym := mustSpace(t, &datasets.TSP{Title: "a", N: 3, Asymmetric: true, Matrix: make([]int32, 9)})
	for name, f := range map[string]func() error{
		"asymmetric": func() error {
			_, err := tours.NewSearch(
				asym, asym.Nearest(2), tours.DefaultSettings(),
			)
			return err
		},
		"lists of another": func() error {
			_, err := tours.NewSearch(sp, asym.Nearest(2), tours.DefaultSettings())
			return err
		},
		"depth": func() error {
			_, err := tours.NewSearch(sp, near, tours.Settings{Depth: 1, Breadth: []int{1}})
			return err
		},
		"no breadth": func() error {
			_, err := tours.NewSearch(
				sp, near, tours.Settings{Depth: 5},
			)
			return err
		},
		"big breadth": func() error {
			_, err := tours.NewSearch(sp, near, tours.Settings{Depth: 5, Breadth: []int{99}})
			return err
		},
		"far": func() error {
			_, err := tours.NewSearch(sp, near, tours.Settings{Depth: 5, Breadth: []int{1}, Far: -1})
			return err
		},
		"around": func() error {
			_, err := tours.NewSearch(sp, near, tours.Settings{Depth: 5, Breadth: []int{1}, Around: 101})
			return err
		},
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSearchDoesNotAllocate(t *testing.T) {
	sp := mustSpace(t, uniform(2000, 3))
	s, err := tours.NewSearch(sp, sp.Quadrant(8), tours.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	start := sp.Greedy(sp.Nearest(8))
	tour := make([]int32, sp.N)
	for _, op := range operators {
		if n := testing.AllocsPerRun(3, func() {
			copy(tour, start)
			s.Improve(tour, nil, op)
		}); n != 0 {
			t.Errorf("operator %d: %v allocations a search", op, n)
		}
	}
}

func ExampleSearch() {
	sp, _ := tours.NewSpace(uniform(5000, 7))
	near := sp.Quadrant(8)
	tour := sp.Greedy(near)
	s, err := tours.NewSearch(sp, near, tours.DefaultSettings())
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Improve(tour, nil, tours.OrOpt) // Lin-Kernighan
	local := sp.Length(tour)
	draws := arith.NewStream(42, 1, 0, 0)
	s.Load(tour)
	var change int64
	for range 1000 { // iterated: kicks, repaired where they struck
		c, _ := s.Trial(tours.OrOpt, tours.Segment, int32(draws.IntN(sp.N)), 50, 0, &draws)
		change += c
	}
	s.Store(tour)
	fmt.Println(change < 0, sp.Length(tour) == local+change)
	// Output: true true
}
