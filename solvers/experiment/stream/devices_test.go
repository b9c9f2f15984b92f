package stream_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
)

// played registers mmas/wrs on devices that are played, until the test ends, and returns how often
// each was opened. Those that are to meet are held until all of them were opened: else the first
// could do all the work before another has begun.
func played(t *testing.T, meet ...int) (opened func() map[int]int) {
	t.Helper()
	var mu sync.Mutex
	count := map[int]int{}
	met := make(chan struct{})
	meets := func() bool { // the caller holds mu
		return !slices.ContainsFunc(meet, func(n int) bool { return count[n] == 0 })
	}
	if meets() {
		close(met)
	}
	solvers.Register(ants.On(ants.Backend{
		Name: "cuda", Tiles: tiles.NewCPU, SearchOnHost: true,
		Open: func(s *crew.Setup) (crew.Crew, error) {
			if s.Env.Devices == nil {
				s.Env.Devices = []int{0}
			}
			mu.Lock()
			before := meets()
			count[s.Env.Devices[0]]++
			if !before && meets() {
				close(met)
			}
			mu.Unlock()
			select {
			case <-met:
			case <-time.After(5 * time.Minute): // only ends a test that fails
			}
			return cpu.Open(s, cpu.WRS)
		},
	}, "mmas", "wrs"))
	t.Cleanup(func() { solvers.Remove("mmas", "wrs", "cuda") })
	return func() map[int]int {
		mu.Lock()
		defer mu.Unlock()
		return maps.Clone(count)
	}
}

// Units of a device are made by workers that have some, on all of them, and name theirs; those of
// the processor by all workers. Each list of workers has how many devices there are.
func TestUnitsOnDevicesOfWorkers(t *testing.T) {
	opened := played(t, 3, 5)
	b := start(t, 0)
	none := &stream.Worker{Address: address(b), Name: "none", Cores: 2}
	two := &stream.Worker{Address: address(b), Name: "two", Cores: 1, GPUs: []int{3, 5}}
	two.Options.Device = func(n int) string { return fmt.Sprintf("GPU %d: played", n) }
	for _, w := range []*stream.Worker{none, two} {
		w.Options.Machine = w.Name
		work(t, w)
	}
	all, err := stream.Workers(t.Context(), address(b))
	if err != nil || len(all) != 2 || all[0].GPUs != 0 || all[1].GPUs != 2 {
		t.Fatalf("workers: %+v %v", all, err)
	}
	p := plan(12)
	p.Settings = []experiment.Setting{
		{Solver: "mmas", Variant: "wrs", Backend: "cpu"},
		{Solver: "mmas", Variant: "wrs", Backend: "cuda"},
	}
	s := planned(t, p)
	info, err := experiment.Make(t.Context(), s, "e1", experiment.Options{
		Load: load, Over: &stream.Fabric{Address: address(b), Timing: quick},
		Note: func(s string) { t.Log(s) },
	})
	if err != nil || info.Done != 24 {
		t.Fatalf("%d of 24 are done: %v", info.Done, err)
	}
	devices := map[string]int{}
	best := map[string]map[uint64]float64{"cpu": {}, "cuda": {}}
	for r, err := range s.Rows(t.Context(), "e1") {
		if err != nil {
			t.Fatal(err)
		}
		best[r.Unit.Backend][r.Unit.Seed] = r.Result.Best
		if r.Unit.Backend == "cuda" {
			devices[r.Result.Machine+" "+r.Result.Device]++
		} else if r.Result.Device != "" {
			t.Errorf("a unit of the processor was made by %s", r.Result.Device)
		}
	}
	if !maps.Equal(best["cpu"], best["cuda"]) {
		t.Errorf("on devices %v, on processors %v", best["cuda"], best["cpu"])
	}
	x, y := devices["two GPU 3: played"], devices["two GPU 5: played"]
	if x == 0 || y == 0 || x+y != 12 || len(devices) != 2 {
		t.Errorf("units of devices were made by %v", devices)
	}
	if n := opened(); n[3] != x || n[5] != y || len(n) != 2 {
		t.Errorf("crews were opened on %v, and units were made by %v", n, devices)
	}
}

// Islands of a device are made by workers that have one, on those that these were given, with the
// history of the processor. The devices are played, and each notes that it was opened.
func TestIslandsOnDevicesOfWorkers(t *testing.T) {
	opened := played(t)
	inst, err := datasets.Uniform(50, 2)
	if err != nil {
		t.Fatal(err)
	}
	open := func(backend string) *solvers.Run {
		r, err := solvers.Open(solvers.Config{
			Solver: "mmas", Variant: "wrs", Backend: backend, Instance: inst, Seed: 5,
			Params: record.Of("islands", 4, "ants", 4, "migration_period", 3),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		return r
	}
	b := start(t, 0)
	work(t, &stream.Worker{Address: address(b), Name: "none", Cores: 8})
	work(t, &stream.Worker{Address: address(b), Name: "two", Cores: 1, GPUs: []int{3, 5}})
	here, over := open("cpu"), open("cuda")
	s := isles(t, address(b))
	if err := over.PlaceIslands(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	goFor(t, over, 8)
	goFor(t, here, 8)
	sameRuns(t, "on devices of workers", over, here)
	if has := s.Reached(); has["two"] != 4 || len(has) != 1 {
		t.Errorf("islands are with %v", has)
	}
	if n := opened(); n[3] != 2 || n[5] != 2 {
		t.Errorf("crews were opened on devices %v, want 2 each on 3 and 5", n)
	}
}
