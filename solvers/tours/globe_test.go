package tours_test

import (
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// onEarth are n places, as degrees and minutes: in towns, some of them twice, and anywhere.
func onEarth(t testing.TB, n int, seed uint64) *datasets.TSP {
	t.Helper()
	r := arith.NewStream(seed, 0, 0, 0)
	la, lo := make([]float64, n), make([]float64, n)
	for i := range n {
		switch {
		case i%7 == 3:
			la[i], lo[i] = la[i-1], lo[i-1]
		case i%2 == 0:
			la[i], lo[i] = math.Round(r.Float64()*4)*40-80, math.Round(r.Float64()*8)*45-180
			la[i] += math.Round(r.Float64()*50) / 100
			lo[i] += math.Round(r.Float64()*50) / 100
		default:
			la[i], lo[i] = 160*r.Float64()-80, 360*r.Float64()-180
		}
	}
	p, err := datasets.NewTSP("earth", datasets.Geo, la, lo)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// More places on the globe than a matrix holds have the distances of the rule GEO and as near
// neighbours as there are, and each start is a tour.
func TestGlobe(t *testing.T) {
	t.Parallel()
	n := tours.MaxMatrix + 100
	p := onEarth(t, n, 5)
	sp, err := tours.NewSpace(p)
	if err != nil {
		t.Fatal(err)
	}
	if sp.Matrix != nil {
		t.Fatal("it has a matrix")
	}
	r := arith.NewStream(9, 0, 0, 0)
	for range 2000 {
		i, j := int32(r.IntN(n)), int32(r.IntN(n))
		if d, want := sp.D(i, j), p.Dist(int(sp.Orig[i]), int(sp.Orig[j])); d != want {
			t.Fatalf("D(%d, %d) is %d, want %d", i, j, d, want)
		}
	}
	const k = 10
	near, quadrant := sp.Nearest(k), sp.Quadrant(k)
	for range 60 {
		c := int32(r.IntN(n))
		var all []int32
		for o := range int32(n) {
			if o != c {
				all = append(all, sp.D(c, o))
			}
		}
		slices.Sort(all)
		if ds := near.DistOf(c); !slices.Equal(ds, all[:k]) {
			t.Errorf("city %d has neighbours at %v, the nearest are at %v", c, ds, all[:k])
		}
		ids := slices.Clone(quadrant.Of(c))
		slices.Sort(ids)
		if len(slices.Compact(ids)) != k || slices.Contains(ids, c) {
			t.Errorf("city %d has the quadrant neighbours %v", c, ids)
		}
	}
	for name, tour := range map[string][]int32{
		"greedy": sp.Greedy(near), "nearest": sp.NearestNeighbour(7), "boruvka": sp.Boruvka(near),
		"quick": sp.QuickBoruvka(), "curve": sp.Curve(),
	} {
		if err := datasets.CheckPermutation(tour, n); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	s, err := tours.NewSearch(sp, near, tours.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	tour := sp.Greedy(near)
	before := sp.Length(tour)
	gain := s.Improve(tour, nil, tours.OrOpt)
	if length, err := p.Length(sp.ToInstance(tour)); err != nil || length != before-gain || gain <= 0 {
		t.Errorf("improved from %d by %d to %d, %v", before, gain, length, err)
	}
}

// Below the limit of the matrix nothing changed: neighbours are chosen from its rows.
func TestGlobeBelowTheMatrix(t *testing.T) {
	t.Parallel()
	sp, err := tours.NewSpace(onEarth(t, 300, 2))
	if err != nil || len(sp.Matrix) != 300*300 {
		t.Fatalf("matrix of %d, %v", len(sp.Matrix), err)
	}
}

// Cities at one place, or at few, have starts, and these are short.
func TestOnePlace(t *testing.T) {
	t.Parallel()
	const n = 20_000
	for name, at := range map[string]func(i int) (x, y float64){
		"one place":   func(int) (float64, float64) { return 5, 5 },
		"two places":  func(i int) (float64, float64) { return float64(i % 2), 0 },
		"some places": func(i int) (float64, float64) { return float64(i % 9), float64(i % 5) },
		"and a cloud": func(i int) (float64, float64) {
			if i%4 == 0 {
				return float64(i * 7919 % 10007), float64(i * 104729 % 10009)
			}
			return 10, 10
		},
	} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i] = at(i)
		}
		p, err := datasets.NewTSP(name, datasets.Euc2D, x, y)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := tours.NewSpace(p)
		if err != nil {
			t.Fatal(err)
		}
		quadrant := sp.Quadrant(8)
		for what, tour := range map[string][]int32{
			"greedy": sp.Greedy(quadrant), "nearest": sp.NearestNeighbour(0),
			"quick": sp.QuickBoruvka(), "sparse": sp.Greedy(sp.Sparse(16)),
		} {
			if err := datasets.CheckPermutation(tour, n); err != nil {
				t.Errorf("%s of %s: %v", what, name, err)
			}
			if l := sp.Length(tour); name == "one place" && l != 0 || name == "two places" && l > 2*8 {
				t.Errorf("%s of %s has the length %d", what, name, l)
			}
		}
	}
}
