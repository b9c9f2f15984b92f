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

// span is the numbers from a to b, in either direction.
func span(a, b int32) []int32 {
	if a > b {
		s := span(b, a)
		slices.Reverse(s)
		return s
	}
	return seq(int(b) + 1)[a:]
}

// circle turns a circle so that it begins at city 0, towards the smaller neighbour.
func circle(tour []int32) []int32 {
	at := slices.Index(tour, 0)
	out := slices.Concat(tour[at:], tour[:at])
	if out[1] > out[len(out)-1] {
		slices.Reverse(out[1:])
	}
	return out
}

func TestExchangesOfFourEdges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const n = 30
		on := rapid.Bool().Draw(t, "on")
		twoLevel := rapid.Bool().Draw(t, "two-level")
		sp, err := tours.NewSpace(drawPoints(t, n, datasets.Euc2D))
		if err != nil {
			t.Fatal(err)
		}
		s, err := tours.NewSearchOn(sp, sp.Nearest(3), tours.DefaultSettings(), twoLevel)
		if err != nil {
			t.Fatal(err)
		}
		// the path is 0 .. 29: 0 .. x, x+1 .. t3, t4 .. t6, t5 .. 29
		x := rapid.Int32Range(0, n-6).Draw(t, "x")
		t3 := rapid.Int32Range(x+1, n-5).Draw(t, "t3")
		t6 := rapid.Int32Range(t3+2, n-2).Draw(t, "t6")
		t1, t2, t4, t5, t7, t8 := int32(n-1), int32(0), t3+1, t6+1, x+1, x
		want := slices.Concat(span(t8, t2), span(t3, t7))
		if on {
			t7, t8 = x, x+1
			want = slices.Concat(span(t8, t3), span(t2, t7))
		}
		want = slices.Concat(want, span(t6, t4), span(t5, t1))
		s.Load(seq(n))
		s.Four(on, [8]int32{t1, t2, t3, t4, t5, t6, t7, t8})
		got := make([]int32, n)
		s.Store(got)
		if !slices.Equal(circle(got), circle(want)) {
			t.Fatalf("the tour is %v, want %v", circle(got), circle(want))
		}
	})
}

// With Strict no chain adds an edge that it removed; without it chains do.
func TestStrictChainsAddNoEdgeAgain(t *testing.T) {
	t.Parallel()
	const n = 400
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float64(i%20), float64(i/20) // where all is as far, chains are long
	}
	in, err := datasets.NewTSP("rows", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	sp := mustSpace(t, in)
	for _, strict := range []bool{false, true} {
		t.Run(fmt.Sprint(strict), func(t *testing.T) {
			s, err := tours.NewSearch(sp, sp.Quadrant(8), tours.Settings{
				Depth: 25, Breadth: []int{5, 3, 1}, Ends: true, Wide: true, Even: true, Strict: strict,
				Once: true,
			})
			if err != nil {
				t.Fatal(err)
			}
			again, fours := 0, 0
			for seed := range uint64(20) {
				draws := arith.NewStream(seed, 0, 0, 0)
				s.Load(sp.Random(&draws))
				s.PushAll()
				for s.Pending() > 0 {
					s.RunSome(tours.OrOpt, 1)
					removed, added := s.Chain()
					for _, e := range added {
						if slices.Contains(removed, e) {
							again++
						}
					}
					if s.Fours() {
						fours++
					}
				}
			}
			if strict == (again > 0) {
				t.Errorf("%d edges were added again", again)
			}
			if fours == 0 {
				t.Error("no chain began with an exchange of four edges")
			}
		})
	}
}

// naive is QuickBoruvka without a tree: the edges in the order in which they come.
func naive(sp *tours.Space) [][2]int32 {
	path, degree, edges := seq(sp.N), make([]int, sp.N), [][2]int32{}
	order := seq(sp.N)
	slices.SortStableFunc(order, func(a, b int32) int {
		if sp.X[a] < sp.X[b] {
			return -1
		}
		if sp.X[a] > sp.X[b] {
			return 1
		}
		return 0
	})
	for len(edges) < sp.N-1 {
		for _, c := range order {
			to, least := int32(-1), 0.0
			for b := range int32(sp.N) {
				dx, dy := sp.X[b]-sp.X[c], sp.Y[b]-sp.Y[c]
				if d := dx*dx + dy*dy; path[b] != path[c] && degree[b] < 2 && (to < 0 || d < least) {
					to, least = b, d
				}
			}
			if degree[c] == 2 || to < 0 {
				continue
			}
			edges = append(edges, [2]int32{min(c, to), max(c, to)})
			degree[c]++
			degree[to]++
			for b, old := 0, path[to]; b < sp.N; b++ {
				if path[b] == old {
					path[b] = path[c]
				}
			}
		}
	}
	return edges
}

func TestQuickBoruvkaJoinsTheNearest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 60).Draw(t, "n")
		sp, err := tours.NewSpace(drawPoints(t, n, datasets.Euc2D))
		if err != nil {
			t.Fatal(err)
		}
		tour := sp.QuickBoruvka()
		checkTour(t, sp, tour)
		var got [][2]int32
		for i, c := range tour[1:] {
			got = append(got, [2]int32{min(c, tour[i]), max(c, tour[i])})
		}
		for _, e := range naive(sp) {
			if !slices.Contains(got, e) {
				t.Fatalf("the tour %v lacks the edge %v", tour, e)
			}
		}
	})
}
