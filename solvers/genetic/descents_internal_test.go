package genetic

import (
	"strings"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/tours"
)

// With start=2opt and 2opt+or no move of theirs to the ten nearest neighbours gains in any first
// tour, and no two tours are alike. Asymmetric instances are refused.
func TestStartAtOptimaOfTwoOpt(t *testing.T) {
	t.Parallel()
	in, err := datasets.Uniform(200, 1)
	if err != nil {
		t.Fatal(err)
	}
	env := &solvers.Env{Seed: 2, Pool: solvers.NewPool(2), Progress: new(atomic.Uint32)}
	defer env.Pool.Close()
	var mean [2]int64
	for kind, start := range []string{startTwoOpt, startOrOpt} {
		g := newTournament(in)
		g.start, g.population, g.workers = start, 12, 2
		if err := g.Init(env); err != nil {
			t.Fatal(err)
		}
		members, _, err := g.first(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		set := tours.DefaultSettings()
		set.Pairs = start == startTwoOpt
		search, err := tours.NewSearch(g.space, g.space.Nearest(10), set)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[uint64]bool{}
		for i, m := range members {
			seen[m.hash] = true
			mean[kind] += m.length / 12
			if l := g.space.Length(m.tour); l != m.length {
				t.Errorf("%s: tour %d is %d long, not %d", start, i, l, m.length)
			}
			if gain := search.Improve(m.tour, nil, tours.TwoOpt); gain != 0 {
				t.Errorf("%s: tour %d: a move gains %d", start, i, gain)
			}
		}
		if len(seen) != 12 {
			t.Errorf("%s: %d different tours, want 12", start, len(seen))
		}
	}
	if mean[1] >= mean[0] {
		t.Errorf("mean length with moves of paths %d, without %d", mean[1], mean[0])
	}
	ways := []int32{0, 3, 9, 4, 5, 0, 1, 8, 2, 6, 0, 3, 7, 7, 1, 0}
	asymmetric, err := datasets.NewMatrixTSP("ways", 4, ways, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []string{startTwoOpt, startOrOpt} {
		g := newTournament(asymmetric)
		g.start = start
		if err := g.Init(env); err == nil || !strings.Contains(err.Error(), "start="+start) {
			t.Errorf("asymmetric: error %v", err)
		}
	}
}
