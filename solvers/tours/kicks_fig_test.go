package tours_test

import (
	"os"
	"testing"

	"metalab/datasets"
	"metalab/solvers/tours"
)

// TestFiguresKicks prints what 3000 kicks of ils/queue do, from the first local optimum on, for the
// instance that METALAB_KICKS names.
func TestFiguresKicks(t *testing.T) {
	name := os.Getenv("METALAB_KICKS")
	if name == "" {
		t.Skip("METALAB_KICKS is not set")
	}
	inst, err := datasets.LoadTSP(name)
	if err != nil {
		t.Fatal(err)
	}
	sp := mustSpace(t, inst)
	for _, lists := range []string{"alpha", "sparse"} {
		near := sp.Alpha(8)
		if lists == "sparse" {
			near = sp.Weighted(sp.Sparse(12))
		}
		set := tours.Settings{
			Depth: 25, Breadth: []int{5, 3, 1}, Far: 3, Ends: true, Around: 10, Strict: true, Once: true,
			Wide: lists == "sparse",
		}
		s, err := tours.NewSearchOn(sp, near, set, false)
		if err != nil {
			t.Fatal(err)
		}
		s.Load(sp.Greedy(near))
		s.PushAll()
		s.Run(tours.OrOpt)
		set.Depth, set.OneWay = 12, true
		if err := s.Set(set); err != nil {
			t.Fatal(err)
		}
		const kicks = 3000
		from, t0, r := s.Work(), cpuSeconds(t), stream(1)
		gain, gaining := int64(0), 0
		for range kicks {
			change, _ := s.Trial(tours.OrOpt, tours.Walk, int32(r.IntN(sp.N)), 50, 0, r)
			if gain -= change; change < 0 {
				gaining++
			}
		}
		w, took := s.Work(), cpuSeconds(t)-t0
		exchanges := float64(w.Exchanges - from.Exchanges)
		t.Logf("%s, %s: a kick looks from %.0f cities at %.0f neighbours, makes %.0f exchanges of "+
			"%.0f cities, takes %.0f us, gains %.2f; %.1f %% gain", name, lists,
			float64(w.Looked-from.Looked)/kicks, float64(w.Evaluated-from.Evaluated)/kicks,
			exchanges/kicks, float64(w.Turned-from.Turned)/exchanges, took/kicks*1e6,
			float64(gain)/kicks, 100*float64(gaining)/kicks)
	}
}
