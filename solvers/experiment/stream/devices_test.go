package stream_test

import (
	"sync"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
)

// Islands of a device are made by workers that have one, on those that these were given, with the
// history of the processor. The devices are played, and each notes that it was opened.
func TestIslandsOnDevicesOfWorkers(t *testing.T) {
	var mu sync.Mutex
	opened := map[int]int{}
	solvers.Register(ants.On(ants.Backend{
		Name: "cuda", Tiles: tiles.NewCPU, SearchOnHost: true,
		Open: func(s *crew.Setup) (crew.Crew, error) {
			if s.Env.Devices == nil {
				s.Env.Devices = []int{0}
			}
			mu.Lock()
			opened[s.Env.Devices[0]]++
			mu.Unlock()
			return cpu.Open(s, cpu.WRS)
		},
	}, "mmas", "wrs"))
	defer solvers.Remove("mmas", "wrs", "cuda")
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
	mu.Lock()
	defer mu.Unlock()
	if opened[3] != 2 || opened[5] != 2 {
		t.Errorf("crews were opened on devices %v, want 2 each on 3 and 5", opened)
	}
}
