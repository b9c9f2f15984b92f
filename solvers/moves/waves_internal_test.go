package moves

import (
	"context"
	"errors"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	waves "metalab/solvers/wave"
)

// The tuner tries every configuration in scans that are made anyway, chooses one of them, and
// changes none of what the scans choose.
func TestScansAreTuned(t *testing.T) {
	t.Parallel()
	p, _, err := datasets.NewPPP(31, 101, 1)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newPPPWalk(p)
	if err != nil {
		t.Fatal(err)
	}
	draws := arith.NewStream(1, 0, 0, 9)
	w.Random(&draws)
	pool := solvers.NewPool(3)
	pool.Worth = 1 // every loop is dealt out
	defer pool.Close()
	s := &search{inst: p}
	s.settle(Pairs(101), 0)
	s.trials = 3
	crew := wave{ctx: context.Background(), pool: pool, block: s.chunk(Pairs(101))}
	want, err := w.scan(1, wave{ctx: context.Background(), block: 1 << 30}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tuner := s.tuner(1, Pairs(101), 3)
	scans := 0
	for ; !tuner.Done(); scans++ {
		got, err := s.look(&walker{Walk: w}, 1, crew, nil)
		if err != nil || got != want {
			t.Fatalf("scan %d under %v chose %+v (%v), want %+v", scans, tuner.Next(), got, err, want)
		}
	}
	if tried := len(tuner.Trials()); tried < 3 || scans != 3*tried {
		t.Errorf("%d scans for %d configurations", scans, tried)
	}
	if _, ok := tuner.Best(); !ok {
		t.Error("none is best")
	}
	if s.tuner(1, Pairs(101), 3) != tuner {
		t.Error("what was found is forgotten")
	}
	best, _ := tuner.Best()
	if w := s.Waves(); len(w) != 1 || !w[0].Tuned || w[0].Config != best ||
		w[0].What != "scan of 5050 neighbours" || len(w[0].Trials) != len(tuner.Trials()) {
		t.Errorf("the table is %+v", w)
	}
	s.retune("tenure")
	if s.tuner(1, Pairs(101), 3) != tuner {
		t.Error("what was found is forgotten for another parameter's sake")
	}
	s.retune("workers")
	fresh := s.tuner(1, Pairs(101), 3)
	if fresh == tuner {
		t.Error("other workers, and no new trials")
	}
	// A scan that is cancelled is no trial.
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	crew.ctx = ended
	if _, err := s.look(&walker{Walk: w}, 1, crew, nil); !errors.Is(err, context.Canceled) ||
		len(fresh.Trials()) != 0 {
		t.Errorf("cancelled: %v, %d trials", err, len(fresh.Trials()))
	}
	// What is said is not tuned.
	crew.ctx = context.Background()
	s.threads, s.block = 512, 64
	if got := s.chunk(Pairs(101)); got != (Pairs(101)+7)/8 {
		t.Errorf("512 threads in blocks of 64: parts of %d", got)
	}
	if got, err := s.look(&walker{Walk: w}, 1, crew, nil); err != nil || got != want ||
		len(fresh.Trials()) != 0 {
		t.Errorf("%+v, %v, %d trials", got, err, len(fresh.Trials()))
	}
}

// A wave has a thread a neighbour at most: what is set for a large neighbourhood suits a small one.
func TestWaveOfASmallerNeighbourhood(t *testing.T) {
	t.Parallel()
	s := &search{searchParams: searchParams{threads: aThreadEach, block: 256}}
	for size, want := range map[int64]int64{0: 1, 9: 9, 256: 256, 257: 129, 2628: 239} {
		if got := s.chunk(size); got != want {
			t.Errorf("of %d neighbours a worker takes %d, want %d", size, got, want)
		}
	}
}

// With tuning=published all numbers of threads and sizes of blocks of the paper are tried.
func TestTuningAsPublished(t *testing.T) {
	t.Parallel()
	inst, _, err := datasets.NewPPP(73, 73, 1)
	if err != nil {
		t.Fatal(err)
	}
	for tuning, want := range map[string]bool{tuningPublished: true, tuningRace: false} {
		s := &search{inst: inst, searchParams: searchParams{trials: 1, tuning: tuning}}
		tuner, all := s.tuner(1, 2628, 2), waves.Plan{Solution: 73, Neighbours: 2628}.Configs()
		for i := 0; i < len(all) && !tuner.Done(); i++ {
			tuner.Report(1, nil)
		}
		if got := len(tuner.Trials()) == len(all); got != want {
			t.Errorf("tuning=%s: %d of %d configurations are tried", tuning, len(tuner.Trials()), len(all))
		}
	}
}
