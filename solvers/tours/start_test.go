package tours_test

import (
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

func TestStartsAreTours(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		_, sp := drawSpace(t, 1, 60)
		near := sp.Quadrant(rapid.IntRange(0, 8).Draw(t, "k"))
		r := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0, 0)
		checkTour(t, sp, sp.Greedy(near))
		checkTour(t, sp, sp.Boruvka(near))
		checkTour(t, sp, sp.RandomBoruvka(near, &r))
		weight := make([]float32, len(near.ID))
		for i := range weight {
			weight[i] = rapid.Float32Range(0.001, 1).Draw(t, "weight")
		}
		checkTour(t, sp, sp.DrawnBoruvka(near, weight, &r))
		checkTour(t, sp, sp.Curve())
		checkTour(t, sp, sp.Random(&r))
	})
}

// Tours of RandomBoruvka differ from each other, and are about as long as that of Boruvka.
func TestRandomBoruvka(t *testing.T) {
	t.Parallel()
	in, err := datasets.DIMACS(false, 1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(in)
	if err != nil {
		t.Fatal(err)
	}
	near := sp.Nearest(8)
	most := 1.1 * float64(sp.Length(sp.Boruvka(near)))
	r := arith.NewStream(3, 0, 0, 0)
	edges := map[[2]int32]int{}
	for i := range 8 {
		tour := sp.RandomBoruvka(near, &r)
		if l := float64(sp.Length(tour)); l > most {
			t.Errorf("tour %d is %v long, want at most %v", i, l, most)
		}
		for j, c := range tour {
			d := tour[(j+1)%len(tour)]
			edges[[2]int32{min(c, d), max(c, d)}]++
		}
	}
	if len(edges) < 1500 {
		t.Errorf("eight tours of 1000 cities have %d edges, want 1500", len(edges))
	}
}

// Where one edge of each city weighs nearly all, DrawnBoruvka takes most of these;
// where all weigh the same, a city's first edge is each of its list about as often.
func TestDrawnBoruvkaGoesByWeights(t *testing.T) {
	t.Parallel()
	in, err := datasets.DIMACS(false, 1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(in)
	if err != nil {
		t.Fatal(err)
	}
	near := sp.Nearest(8)
	count := func(tour []int32, is func(c, d int32) bool) (n int) {
		for i, c := range tour {
			if d := tour[(i+1)%len(tour)]; is(c, d) || is(d, c) {
				n++
			}
		}
		return n
	}
	r := arith.NewStream(3, 0, 0, 0)
	weight := make([]float32, len(near.ID))
	for i := range weight {
		weight[i] = 1e-6
	}
	want := sp.Greedy(near)
	for i, c := range want {
		if at := slices.Index(near.Of(c), want[(i+1)%len(want)]); at >= 0 {
			weight[int(c)*near.K+at] = 1
		}
	}
	follows := func(c, d int32) bool {
		at := slices.Index(near.Of(c), d)
		return at >= 0 && weight[int(c)*near.K+at] == 1
	}
	all, got := count(want, follows), count(sp.DrawnBoruvka(near, weight, &r), follows)
	if got < all*85/100 {
		t.Errorf("%d edges of great weight are taken, want most of %d", got, all)
	}
	for i := range weight {
		weight[i] = 1
	}
	for at := range near.K {
		if got := count(sp.DrawnBoruvka(near, weight, &r), func(c, d int32) bool {
			return near.Of(c)[at] == d
		}); got < 90 || got > 350 {
			t.Errorf("%d edges of 1000 lead to neighbour %d of either city", got, at)
		}
	}
}

func TestNearestNeighbourGoesToTheNearest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		_, sp := drawSpace(t, 1, 60)
		tour := sp.NearestNeighbour(rapid.Int32Range(0, int32(sp.N-1)).Draw(t, "first"))
		checkTour(t, sp, tour)
		for i := range len(tour) - 1 {
			if want := slices.MinFunc(tour[i+1:], choose(sp, tour[i])); tour[i+1] != want {
				t.Fatalf("from %d to %d, though %d is nearer", tour[i], tour[i+1], want)
			}
		}
	})
}

// Greedy takes the shortest edge that fits, again and again.
func TestGreedyAgainstAllPairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 9).Draw(t, "n")
		in := drawPoints(t, n, 1)
		sp, err := tours.NewSpace(in)
		if err != nil {
			t.Fatal(err)
		}
		got := sp.Length(sp.Greedy(sp.Nearest(n - 1)))
		// The same with all pairs in a plain list.
		type edge struct{ d, a, b int32 }
		var edges []edge
		for a := range int32(n) {
			for b := a + 1; b < int32(n); b++ {
				edges = append(edges, edge{sp.D(a, b), a, b})
			}
		}
		slices.SortStableFunc(edges, func(x, y edge) int { return int(x.d - y.d) })
		degree, part := make([]int, n), seq(n)
		var want int64
		left := n
		for _, e := range edges {
			if left == 1 || degree[e.a] == 2 || degree[e.b] == 2 || part[e.a] == part[e.b] {
				continue
			}
			want += int64(e.d)
			degree[e.a]++
			degree[e.b]++
			left--
			for i, from := 0, part[e.a]; i < n; i++ {
				if part[i] == from {
					part[i] = part[e.b]
				}
			}
		}
		var ends []int32
		for c := range int32(n) {
			if degree[c] == 1 {
				ends = append(ends, c)
			}
		}
		if want += int64(sp.D(ends[0], ends[1])); got != want {
			t.Fatalf("greedy's length is %d, want %d", got, want)
		}
	})
}
