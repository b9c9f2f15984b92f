package tours_test

import (
	"os"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/tours"
)

// TestFiguresStart prints the seconds of each stage from the file to the first local optimum, in
// parts and in the whole, for the instance that METALAB_START names, on as many cores as GOMAXPROCS
// says.
func TestFiguresStart(t *testing.T) {
	name := os.Getenv("METALAB_START")
	if name == "" {
		t.Skip("METALAB_START is not set")
	}
	begin := time.Now()
	lap := func(what string) {
		t.Logf("%s: %.3f s", what, time.Since(begin).Seconds())
		begin = time.Now()
	}
	inst, err := datasets.LoadTSP(name)
	if err != nil {
		t.Fatal(err)
	}
	lap("instance")
	inst.SHA256()
	lap("hash")
	sp := mustSpace(t, inst)
	lap("numbering")
	near := sp.Quadrant(8)
	lap("lists")
	pool := solvers.NewPool(0)
	defer pool.Close()
	parts := sp.GreedyParts(near, pool.Run)
	lap("greedy in parts")
	set := tours.DefaultSettings()
	if err := sp.Descend(t.Context(), near, parts, tours.OrOpt, set, pool.Run); err != nil {
		t.Fatal(err)
	}
	lap("descent in parts")
	t.Log("length", sp.Length(parts))
	begin = time.Now()
	whole := sp.Greedy(near)
	lap("greedy")
	s, err := tours.NewSearch(sp, near, set)
	if err != nil {
		t.Fatal(err)
	}
	s.Load(whole)
	s.PushAll()
	s.Run(tours.OrOpt)
	s.Store(whole)
	lap("descent")
	t.Log("length", sp.Length(whole))
}
