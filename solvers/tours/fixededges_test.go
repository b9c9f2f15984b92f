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

// withFixed are n cities with fixed edges along some random paths.
func withFixed(t *rapid.T, metric datasets.Metric, n int) *datasets.TSP {
	r := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0, 0)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float64(r.IntN(1000)), float64(r.IntN(1000))
		if metric == datasets.Geo {
			x[i], y[i] = x[i]/10-50, y[i]/10
		}
	}
	p, err := datasets.NewTSP("fixed", metric, x, y)
	if err != nil {
		t.Fatal(err)
	}
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	r.Shuffle(order)
	share := rapid.IntRange(1, 10).Draw(t, "share")
	for i := 1; i < n; i++ {
		if r.IntN(10) < share {
			p.Fixed = append(p.Fixed, [2]int32{order[i-1], order[i]})
		}
	}
	if share == 10 { // a whole tour
		p.Fixed = append(p.Fixed, [2]int32{order[n-1], order[0]})
	}
	return p
}

// Every start has all fixed edges, and no operator and no kick loses one.
func TestFixedEdgesAreKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		metric := rapid.SampledFrom([]datasets.Metric{
			datasets.Euc2D, datasets.Ceil2D, datasets.Att, datasets.Man2D, datasets.Geo,
		}).Draw(t, "metric")
		p := withFixed(t, metric, rapid.IntRange(5, 120).Draw(t, "cities"))
		sp, err := tours.NewSpace(p)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, tour []int32, length int64) {
			t.Helper()
			if l, err := p.Length(sp.ToInstance(tour)); err != nil || l != length {
				t.Fatalf("%s: length %d, said %d, %v", what, l, length, err)
			}
		}
		r := arith.NewStream(1, 0, 0, 0)
		lists := map[string]tours.Neighbours{
			"nearest": sp.Nearest(6), "quadrant": sp.Quadrant(8), "sparse": sp.Sparse(8),
			"alpha": sp.Alpha(6), "weighted": sp.Weighted(sp.Quadrant(8)),
		}
		for name, near := range lists {
			for _, e := range p.Fixed {
				if near.K > 1 && !slices.Contains(near.Of(sp.Internal[e[0]]), sp.Internal[e[1]]) {
					t.Fatalf("the list %s lacks the fixed edge %v", name, e)
				}
			}
			for start, tour := range map[string][]int32{
				"greedy": sp.Greedy(near), "boruvka": sp.Boruvka(near), "random": sp.Random(&r),
				"nn": sp.NearestNeighbour(int32(r.IntN(sp.N))), "curve": sp.Curve(),
				"quick": sp.QuickBoruvka(), "random boruvka": sp.RandomBoruvka(near, &r),
			} {
				check(start, tour, sp.Length(tour))
				for _, op := range []tours.Operator{tours.TwoOpt, tours.ThreeOpt, tours.OrOpt} {
					s, err := tours.NewSearch(sp, near, tours.DefaultSettings())
					if err != nil {
						t.Fatal(err)
					}
					own := slices.Clone(tour)
					length := sp.Length(own) - s.Improve(own, nil, op)
					check(fmt.Sprint(start, op), own, length)
					s.Load(own)
					for range 20 {
						change, _ := s.Trial(op, tours.Kick(r.IntN(3)), int32(r.IntN(sp.N)), 10, 1<<62, &r)
						length += change
					}
					s.Store(own)
					check(fmt.Sprint(start, op, " kicked"), own, length)
				}
			}
		}
	})
}
