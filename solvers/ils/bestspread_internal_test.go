package ils

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// A playedDevice is one that is none: engines on it are those of the CPU.
type playedDevice struct {
	mu     sync.Mutex
	open   int // engines
	made   int // iterations of a chain
	fails  int // it fails when it has made more; 0: never
	failed bool
	turns  int // that were taken
}

var playedDevices [8]playedDevice

// lostError says that a device is of no more use.
type lostError int

func (e lostError) Error() string { return fmt.Sprintf("device %d fell off the bus", int(e)) }

func (e lostError) LostDevice() (int, bool) { return int(e), true }

// playedEngine is an engine on a device.
type playedEngine struct {
	BestEngine
	on int
}

func openPlayed(p *BestProblem) (BestEngine, error) {
	if p.Env.Devices == nil { // the first that works
		at := 0
		for playedDevices[at].failed {
			at++
		}
		p.Env.Devices = []int{at}
	}
	d := &playedDevices[p.Env.Devices[0]]
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed {
		return nil, lostError(p.Env.Devices[0])
	}
	e, err := NewBestCPU(p)
	d.open++
	return &playedEngine{e, p.Env.Devices[0]}, err
}

func (e *playedEngine) Iterate(ctx context.Context, j BestJob, chains []BestChain) error {
	d := &playedDevices[e.on]
	d.mu.Lock()
	defer d.mu.Unlock()
	for a := range chains {
		if !chains[a].Idle {
			d.made++
		}
	}
	if d.failed = d.failed || d.fails > 0 && d.made > d.fails; d.failed {
		return lostError(e.on)
	}
	return e.BestEngine.Iterate(ctx, j, chains)
}

func (e *playedEngine) Close() { playedDevices[e.on].open-- }

func (e *playedEngine) Turn(context.Context) (func(), bool, error) {
	playedDevices[e.on].turns++
	return func() {}, false, nil
}

// playing makes all devices whole again, for a test that is alone with them.
func playing(t *testing.T) {
	t.Helper()
	for i := range playedDevices {
		d := &playedDevices[i]
		if d.open != 0 {
			t.Errorf("%d engines are still open on device %d", d.open, i)
		}
		d.made, d.fails, d.failed, d.turns = 0, 0, false, 0
	}
}

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
		playing(t)
		r := openChains(t, "cuda", c.devices)
		if got := chained(t, r); !slices.Equal(got, want) {
			t.Errorf("on %v: %x, on the CPU %x", c.devices, got, want)
		}
		var made []int
		for _, n := range c.devices {
			made = append(made, playedDevices[n].made)
			if turns := playedDevices[n].turns; turns != 10 {
				t.Errorf("on %v: %d turns of device %d were taken", c.devices, turns, n)
			}
		}
		if !slices.Equal(made, c.made) {
			t.Errorf("on %v: they made %v iterations of chains, want %v", c.devices, made, c.made)
		}
		r.Close()
	}
	playing(t)
}

// A run that moves between its iterations, and its record, have the same history.
func TestChainsMove(t *testing.T) {
	registerPlayed(t)
	playing(t)
	cpu := openChains(t, "cpu", nil)
	defer cpu.Close()
	r := openChains(t, "cuda", []int{3})
	var got, want []uint64
	for _, set := range [][]int{{0, 1}, {7}, {0, 1, 2, 3}, {1, 2}} {
		if _, err := r.Move(t.Context(), set, "test"); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			for _, x := range []*solvers.Run{r, cpu} {
				if err := x.Step(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
			}
			got, want = append(got, r.Last().Digest), append(want, cpu.Last().Digest)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("moved: %x, on the CPU %x", got, want)
	}
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []solvers.ReplayOptions{
		{Backend: "cpu"},
		{Backend: "cuda", Devices: []int{4}},
		{Backend: "cuda", Devices: []int{2, 5, 6}},
	} {
		if d, err := solvers.Replay(t.Context(), rec, r.Instance(), o); err != nil || d != nil {
			t.Errorf("replay on %s %v: %v, %v", o.Backend, o.Devices, d, err)
		}
	}
	r.Close()
	playing(t)
}

// A device that fails in the middle takes only its chains back: they go on on the others, with the
// history that they would have had.
func TestADeviceOfChainsFails(t *testing.T) {
	registerPlayed(t)
	cpu := openChains(t, "cpu", nil)
	want := chained(t, cpu)
	cpu.Close()
	for _, c := range []struct{ devices, fail, left []int }{
		{[]int{0, 1}, []int{1}, []int{0}},
		{[]int{0, 1, 2, 3}, []int{0, 2}, []int{1, 3}},
		{[]int{4}, []int{4}, []int{0}}, // another one of the machine
	} {
		playing(t)
		for _, n := range c.fail {
			playedDevices[n].fails = 14 / len(c.devices)
		}
		r := openChains(t, "cuda", c.devices)
		if got := chained(t, r); !slices.Equal(got, want) {
			t.Errorf("%v without %v: %x, on the CPU %x", c.devices, c.fail, got, want)
		}
		if !slices.Equal(r.Devices(), c.left) || r.State() != solvers.Paused {
			t.Errorf("%v without %v: it is %s on %v: %v", c.devices, c.fail, r.State(), r.Devices(), r.Err())
		}
		r.Close()
	}
	playing(t)
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
	playing(t)
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
	playing(t)
}
