package genetic

import (
	"strings"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/tours"
)

// With start=2opt no exchange of two edges to the ten nearest neighbours gains in any first tour,
// and no two of them are alike. Asymmetric instances are refused.
func TestStartAtOptimaOfTwoOpt(t *testing.T) {
	t.Parallel()
	in, err := datasets.Uniform(200, 1)
	if err != nil {
		t.Fatal(err)
	}
	g := newRivals(in)
	g.start, g.population, g.workers = startTwoOpt, 12, 2
	env := &solvers.Env{Seed: 2, Pool: solvers.NewPool(2), Progress: new(atomic.Uint32)}
	defer env.Pool.Close()
	if err := g.Init(env); err != nil {
		t.Fatal(err)
	}
	members, _, err := g.first(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	set := tours.DefaultSettings()
	set.Pairs = true
	search, err := tours.NewSearch(g.space, g.space.Nearest(10), set)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]bool{}
	for i, m := range members {
		seen[m.hash] = true
		if l := g.space.Length(m.tour); l != m.length {
			t.Errorf("tour %d is %d long, not %d", i, l, m.length)
		}
		if gain := search.Improve(m.tour, nil, tours.TwoOpt); gain != 0 {
			t.Errorf("tour %d: an exchange gains %d", i, gain)
		}
	}
	if len(seen) != 12 {
		t.Errorf("%d different tours, want 12", len(seen))
	}
	ways := []int32{0, 3, 9, 4, 5, 0, 1, 8, 2, 6, 0, 3, 7, 7, 1, 0}
	asymmetric, err := datasets.NewMatrixTSP("ways", 4, ways, true)
	if err != nil {
		t.Fatal(err)
	}
	g = newRivals(asymmetric)
	g.start = startTwoOpt
	if err := g.Init(env); err == nil || !strings.Contains(err.Error(), "start=2opt") {
		t.Errorf("asymmetric: error %v", err)
	}
}
