package ils

import (
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// The quick search on a lattice is along lists without weights, all that follows along the lists
// that other starts have from the beginning.
func TestGlanceWeighs(t *testing.T) {
	t.Parallel()
	var x, y []float64
	for i := range 400 {
		x, y = append(x, float64(i%20)), append(y, float64(i/20))
	}
	in, err := datasets.NewTSP("grid", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	begun := func(start string) *queue {
		s := newQueue(in)
		s.param.near = nearParams{candidates: "sparse", neighbours: 12}
		s.param.chain.wide, s.param.start = true, start
		pool := solvers.NewPool(1)
		t.Cleanup(pool.Close)
		if err := s.Init(&solvers.Env{Seed: 1, Pool: pool}); err != nil {
			t.Fatal(err)
		}
		return s
	}
	s, other := begun("fit"), begun("boruvka")
	if s.local.near.Pi != nil || other.local.near.Pi == nil {
		t.Error("before the first search there are weights, or none for another start")
	}
	for it := int64(1); it <= 2; it++ {
		p := &record.Point{Measures: make([]float64, len(s.Measures()))}
		if err := s.Iterate(t.Context(), it, p); err != nil {
			t.Fatal(err)
		}
	}
	near, want := s.local.near, other.local.near
	for c := range int32(in.N) {
		for i, id := range want.Of(c) {
			if near.Of(c)[i] != id || near.DistOf(c)[i] != want.DistOf(c)[i] {
				t.Fatalf("the lists of city %d are %v %v, want %v %v", c, near.Of(c), near.DistOf(c),
					want.Of(c), want.DistOf(c))
			}
		}
	}
}
