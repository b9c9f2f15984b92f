package ils

import (
	"context"
	"errors"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/devices/played"
	"metalab/solvers/record"
)

// playedEngine is an engine on a device that is played, which counts the iterations of chains.
type playedEngine struct {
	BestEngine
	device played.Engine
}

func openPlayed(p *BestProblem) (BestEngine, error) {
	d, err := played.Open(p.Env)
	if err != nil {
		return nil, err
	}
	e, err := NewBestCPU(p)
	return &playedEngine{e, d}, err
}

func (e *playedEngine) Iterate(ctx context.Context, j BestJob, chains []BestChain) error {
	n := 0
	for a := range chains {
		if !chains[a].Idle {
			n++
		}
	}
	return e.device.Make(n, func() error { return e.BestEngine.Iterate(ctx, j, chains) })
}

func (e *playedEngine) Close() { e.device.Close() }

func (e *playedEngine) Turn(ctx context.Context) (func(), bool, error) { return e.device.Turn(ctx) }

func registerPlayed(t *testing.T) {
	t.Helper()
	solvers.Register(BestOn("cuda", openPlayed))
	t.Cleanup(func() { solvers.Remove("ils", "best", "cuda") })
}

func openChains(t *testing.T, backend string, devices []int) *solvers.Run {
	t.Helper()
	inst, err := datasets.Uniform(40, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Name: "b", Solver: "ils", Variant: "best", Backend: backend, Instance: inst, Seed: 3,
		Params: record.Of("chains", 5, "kicks", 3, "neighbours", 6), Devices: devices,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// chained makes iterations and returns the digest of each; from the 4th to the 8th there are other
// numbers of chains.
func chained(t *testing.T, r *solvers.Run) (out []uint64) {
	t.Helper()
	for it := range 10 {
		if n := map[int]int{3: 2, 5: 7, 8: 5}[it]; n > 0 {
			if _, err := r.Set(t.Context(), record.Of("chains", n), "test"); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Step(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		out = append(out, r.Last().Digest)
	}
	return out
}

// Chains have one history on 1, 2, 4 and 8 devices and on the CPU, also where their number changes,
// and each device has its share of them.
func TestChainsOnSeveralDevices(t *testing.T) {
	registerPlayed(t)
	cpu := openChains(t, "cpu", nil)
	want := chained(t, cpu)
	cpu.Close()
	for _, c := range []struct{ devices, made []int }{
		{[]int{0}, []int{50}},
		{[]int{0, 1}, []int{21, 29}},
		{[]int{1, 2, 5, 7}, []int{10, 13, 11, 16}},
		{[]int{0, 1, 2, 3, 4, 5, 6, 7}, []int{10, 10, 8, 8, 8, 3, 3, 0}},
	} {
		played.Whole(t)
		r := openChains(t, "cuda", c.devices)
		if got := chained(t, r); !slices.Equal(got, want) {
			t.Errorf("on %v: %x, on the CPU %x", c.devices, got, want)
		}
		var made []int
		for _, n := range c.devices {
			made = append(made, played.Devices[n].Made)
			if turns := played.Devices[n].Turns; turns != 10 {
				t.Errorf("on %v: %d turns of device %d were taken", c.devices, turns, n)
			}
		}
		if !slices.Equal(made, c.made) {
			t.Errorf("on %v: they made %v iterations of chains, want %v", c.devices, made, c.made)
		}
		r.Close()
	}
	played.Whole(t)
}

// shared is a search of several chains as the checks of devices know it.
var shared = played.Search{Name: "chains", Open: openChains, History: chained, Fails: 14}

// A run that moves between its iterations, and its record, have the same history.
func TestChainsMove(t *testing.T) {
	registerPlayed(t)
	shared.Moves(t)
}

// Where a device fails in the middle the chains go on on the others, with the history that they
// would have had.
func TestADeviceOfChainsFails(t *testing.T) {
	registerPlayed(t)
	shared.Loses(t)
}

// halting ends its context when an iteration begins.
type halting struct {
	BestEngine
	stop *context.CancelFunc
}

func (e *halting) Iterate(ctx context.Context, j BestJob, chains []BestChain) error {
	if *e.stop != nil {
		(*e.stop)()
		*e.stop = nil
		<-ctx.Done() // the iteration's own ends a little later
	}
	return e.BestEngine.Iterate(ctx, j, chains)
}

// An iteration that is given up on one device is made again on all, with the same result.
func TestChainsAreGivenUp(t *testing.T) {
	registerPlayed(t)
	played.Whole(t)
	cpu := openChains(t, "cpu", nil)
	defer cpu.Close()
	if err := cpu.Step(t.Context(), 6); err != nil {
		t.Fatal(err)
	}
	var stop context.CancelFunc
	solvers.Remove("ils", "best", "cuda")
	solvers.Register(BestOn("cuda", func(p *BestProblem) (BestEngine, error) {
		e, err := openPlayed(p)
		if p.Env.Devices[0] == 1 {
			return &halting{e, &stop}, err
		}
		return e, err
	}))
	r := openChains(t, "cuda", []int{0, 1, 2})
	if err := r.Step(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stop = cancel
	if err := r.Step(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("the iteration was not given up: %v", err)
	}
	for r.Last().Iter < 6 {
		if err := r.Step(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := r.Last(), cpu.Last(); got.Digest != want.Digest || got.Best != want.Best {
		t.Errorf("after an iteration that was given up: %+v, want %+v", got, want)
	}
	r.Close()
	played.Whole(t)
}
